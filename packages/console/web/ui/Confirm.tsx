import type { ReactNode } from "react"
import { lazy, Suspense, useRef, useState } from "react"

/** A question before an act that costs or destroys something. */
export interface Question {
  /** The text of the button that opens the question, and of the one that answers it. */
  readonly button: string
  readonly title: string
  /** What happens, with the amount. */
  readonly children: ReactNode
  readonly danger?: boolean
  readonly act: () => Promise<unknown>
  readonly onDone?: () => void
}

/** Loaded when a question is first opened, because the dialog takes 19 kB and the first page does not need it. */
const ConfirmDialog = lazy(() => import("./ConfirmDialog.tsx"))

/**
 * A button for an act that costs or destroys something: it asks once, in words. Where the market requires a confirmation with a passkey,
 * the browser asks for it.
 */
export const Confirm = ({
  label,
  ...question
}: Question & {
  /** A longer name of the button, where several of them are on a page. */
  readonly label?: string
}) => {
  const [open, setOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    trigger.current?.focus()
  }
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={`button ${question.danger === true ? "button-danger" : "button-primary"}`}
        aria-label={label}
        onClick={() => setOpen(true)}
      >
        {question.button}
      </button>
      {open ? (
        <Suspense fallback={null}>
          <ConfirmDialog {...question} close={close} />
        </Suspense>
      ) : null}
    </>
  )
}
