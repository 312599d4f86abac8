import { amountText } from "../../../ui/amountText.ts"
import { Confirm } from "../../../ui/Confirm.tsx"
import { Alert } from "../../../ui/Page.tsx"
import { messageOf } from "../../market.ts"
import { useAct } from "../../useAct.ts"
import type { Attempt } from "./attempts.ts"

/** What to do about a withdrawal whose answer was lost. No other withdrawal can be requested until the result is known (CONSOLE-67). */
export const Unanswered = ({
  attempt,
  forget,
  send
}: {
  readonly attempt: Attempt
  readonly send: (attempt: Attempt) => Promise<void>
  readonly forget: () => void
}) => {
  const { error, isPending, mutate } = useAct(send)
  const { destinationAddress, receives } = attempt
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Alert>
        No answer came for the withdrawal of {amountText(receives)} to {destinationAddress}. It may have been requested.
        Send it again to find out: it is paid only once.
      </Alert>
      {error === null || isPending ? null : <Alert>{messageOf(error)}</Alert>}
      <div className="flex flex-wrap gap-3">
        <button type="button" className="button button-primary" disabled={isPending} onClick={() => mutate(attempt)}>
          {isPending ? "One moment…" : "Send it again"}
        </button>
        <Confirm
          button="Do not send it again"
          title="Do not send it again?"
          act={async () => undefined}
          onDone={forget}
        >
          Look under Withdrawals first: if the {amountText(receives)} are listed there, they are on their way. A new
          withdrawal is paid in addition.
        </Confirm>
      </div>
    </div>
  )
}
