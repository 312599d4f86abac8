import type { ReactNode } from "react"
import { useRef, useState } from "react"
import { useDeferred } from "./useDeferred.ts"

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

/** Loaded after the first page, because the dialog takes 19 kB. */
export const loadConfirmDialog = () => import("./ConfirmDialog.tsx")

/**
 * A button for an act that costs or destroys something: it asks once, in words. Where the market requires a confirmation with a passkey,
 * the browser asks for it. The focus returns to the button (CONSOLE-78).
 */
export const Confirm = ({
  label,
  quiet = false,
  ...question
}: Question & {
  /** Whether the button is plain, where it stands beside others in a list. The answer to the question keeps its colour. */
  readonly quiet?: boolean
  /** A longer name of the button, where several of them are on a page. */
  readonly label?: string
}) => {
  const [open, setOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const ConfirmDialog = useDeferred(loadConfirmDialog, open)
  const close = () => {
    setOpen(false)
    trigger.current?.focus()
  }
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={`button ${question.danger === true ? "button-bad" : quiet ? "" : "button-primary"}`}
        aria-label={label}
        onClick={() => setOpen(true)}
      >
        {question.button}
      </button>
      {open && ConfirmDialog !== undefined ? <ConfirmDialog {...question} close={close} /> : null}
    </>
  )
}
