import type { ReactNode } from "react"
import { useEffect, useRef } from "react"
import { messageOf } from "../app/market.ts"
import { Alert } from "./Page.tsx"

/** A form with one button. The API's error is shown above the button as well as beside its field, and the first refused field gets the focus (CONSOLE-62). */
export const Form = ({
  button,
  children,
  className = "gap-4",
  error,
  isPending,
  onSubmit
}: {
  readonly button: string
  readonly className?: string
  readonly children: ReactNode
  readonly error: Error | null
  readonly isPending: boolean
  readonly onSubmit: () => void
}) => {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error])
  return (
    <form
      ref={form}
      className={`grid grid-cols-[minmax(0,1fr)] ${className}`}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      {error === null ? null : <Alert>{messageOf(error)}</Alert>}
      <button className="button button-primary justify-self-start" disabled={isPending}>
        {isPending ? "One moment…" : button}
      </button>
    </form>
  )
}

/** A part of a page that opens when it is needed. */
export const Fold = ({ children, title }: { readonly title: string; readonly children: ReactNode }) => (
  <details className="card">
    <summary className="min-h-10 cursor-pointer px-5 py-3 font-semibold">{title}</summary>
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-5 pt-2 pb-5">{children}</div>
  </details>
)

/** Names and values, as a list. */
export const Facts = ({ facts }: { readonly facts: ReadonlyArray<readonly [name: string, value: ReactNode]> }) => (
  <dl className="grid grid-cols-[minmax(7rem,1fr)_minmax(0,auto)] gap-x-4 gap-y-2">
    {facts.map(([name, value]) => (
      <div key={name} className="contents">
        <dt className="text-muted">{name}</dt>
        <dd className="number text-end wrap-anywhere">{value}</dd>
      </div>
    ))}
  </dl>
)
