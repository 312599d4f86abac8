import type { ReactNode } from "react"
import { useEffect, useRef } from "react"

/** False until the first page is shown: the browser itself decides where the focus is then. */
let wasOpened = false

const useTitle = (title: string): void =>
  useEffect(() => {
    document.title = `${title} · Agent Marketplace`
  }, [title])

/** Stands for a page whose record is not there yet, so that it has a heading and a title all the time (CONSOLE-77). */
export const Awaited = ({ children, title }: { readonly title: string; readonly children: ReactNode }) => {
  useTitle(title)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <h1>{title}</h1>
      {children}
    </div>
  )
}

/** A page of the console: its heading names the document, and takes the focus when another page opens (CONSOLE-75). */
export const Page = ({
  actions,
  children,
  lead,
  title
}: {
  readonly title: string
  /** A sentence below the heading. */
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (wasOpened) heading.current?.focus({ preventScroll: true })
    wasOpened = true
  }, [])
  useTitle(title)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0">
          <h1 ref={heading} tabIndex={-1} className="wrap-anywhere">
            {title}
          </h1>
          {lead === undefined ? null : <p className="mt-1 text-muted wrap-anywhere">{lead}</p>}
        </div>
        {actions}
      </div>
      {children}
    </div>
  )
}

/** Takes the place of an empty list: what belongs here, and the next step. */
export const Empty = ({ children, title }: { readonly title: string; readonly children: ReactNode }) => (
  <div className="card p-8 text-center">
    <h2>{title}</h2>
    <div className="mt-2 text-muted">{children}</div>
  </div>
)

export const Card = ({ children, title }: { readonly title?: string; readonly children: ReactNode }) => (
  <section className="card p-5" aria-label={title}>
    {title === undefined ? null : <h2 className="mb-3 wrap-anywhere">{title}</h2>}
    {children}
  </section>
)

/** A message about a failure, which screen readers announce. */
export const Alert = ({ children }: { readonly children: ReactNode }) => (
  <p role="alert" className="rounded-lg border border-bad p-3 text-bad wrap-anywhere">
    {children}
  </p>
)

/** A short message about success, which screen readers announce. */
export const Notice = ({ children }: { readonly children: ReactNode }) => (
  <p role="status" className="rounded-lg border border-good p-3 text-good wrap-anywhere">
    {children}
  </p>
)
