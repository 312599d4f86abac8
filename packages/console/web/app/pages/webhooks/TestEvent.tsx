import { Alert, Notice } from "../../../ui/Page.tsx"
import { market, messageOf } from "../../market.ts"
import { useAct } from "../../useAct.ts"
import { lastOutcome } from "./outcome.ts"

/** Sends a test event, and shows how the endpoint responded. */
export const TestEvent = ({ id }: { readonly id: string }) => {
  const { data, error, isPending, mutate } = useAct(() => market.webhooks.test(id), "deliveries")
  return (
    <>
      <button type="button" className="button button-primary" disabled={isPending} onClick={() => mutate(undefined)}>
        {isPending ? "Sending…" : "Send a test event"}
      </button>
      <div className="order-last w-full empty:hidden">
        {error === null ? null : <Alert>{messageOf(error)}</Alert>}
        {data === undefined ? null : data.status === "delivered" ? (
          <Notice>The test event arrived: {lastOutcome(data)}.</Notice>
        ) : (
          <Alert>The test event did not arrive: {lastOutcome(data)}.</Alert>
        )}
      </div>
    </>
  )
}
