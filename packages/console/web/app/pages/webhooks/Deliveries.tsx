import type { Delivery, Webhook } from "@agent-marketplace/client/wire/Endpoints"
import { useState } from "react"
import { SelectField } from "../../../ui/Field.tsx"
import { More } from "../../../ui/More.tsx"
import { Alert, Empty } from "../../../ui/Page.tsx"
import { Time } from "../../../ui/Time.tsx"
import { market, messageOf } from "../../market.ts"
import { useAct } from "../../useAct.ts"
import { useMore } from "../../useMore.ts"
import { attemptText, lastOutcome, outcomeOf } from "./outcome.ts"
import { Recover } from "./Recover.tsx"

const states = [
  ["", "All"],
  ["delivered", "Delivered"],
  ["pending", "Waiting"],
  ["failed", "Failed"]
] as const

/** Attempts happen without an event of the account, so the log is read again: sooner while one is expected. In milliseconds. */
const renewAfter = (deliveries: ReadonlyArray<Delivery>): number =>
  deliveries.some(({ nextAttemptAt }) => nextAttemptAt !== null) ? 3000 : 15_000

const Attempts = ({ delivery: { attempts, event } }: { readonly delivery: Delivery }) => (
  <details>
    <summary className="min-h-6 cursor-pointer text-sm">
      {attempts.length === 1 ? "1 attempt" : `${attempts.length} attempts`}
      <span className="sr-only"> of {event}</span>
    </summary>
    <ol className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-3">
      {attempts.map((attempt) => (
        <li key={attempt.at} className="text-sm">
          <p className="number wrap-anywhere">
            <Time at={attempt.at} exact />: {attemptText(attempt)}
          </p>
          {attempt.error === null || attempt.statusCode === null ? null : (
            <p className="text-muted wrap-anywhere">{attempt.error}</p>
          )}
          {attempt.responseBody === null || attempt.responseBody === "" ? null : (
            <pre
              className="mt-1 max-h-48 overflow-auto rounded bg-page p-2 font-mono text-[13px] whitespace-pre-wrap wrap-anywhere"
              tabIndex={0}
              aria-label="Response"
              dir="auto"
            >
              {attempt.responseBody}
            </pre>
          )}
        </li>
      ))}
    </ol>
  </details>
)

const Replay = ({ delivery: { event, id } }: { readonly delivery: Delivery }) => {
  const { error, isPending, mutate } = useAct(() => market.webhooks.replay(id), "deliveries")
  return (
    <>
      <button
        type="button"
        className="button min-h-9 px-3 text-sm"
        aria-label={`Send again: ${event}`}
        disabled={isPending}
        onClick={() => mutate(undefined)}
      >
        Send again
      </button>
      {error === null ? null : <Alert>{messageOf(error)}</Alert>}
    </>
  )
}

const Row = ({ delivery, isActive }: { readonly delivery: Delivery; readonly isActive: boolean }) => {
  const { attempts, event, nextAttemptAt, status } = delivery
  const [text, color] = outcomeOf(delivery)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 flex-1 basis-40">
          <p className="flex flex-wrap items-center gap-2">
            <code className="font-mono text-[13px] font-medium wrap-anywhere">{event}</code>
            <span className={`badge ${color}`}>{text}</span>
          </p>
          <p className="number text-sm text-muted wrap-anywhere">
            {attempts[0] === undefined ? null : (
              <>
                <Time at={attempts[0].at} exact />,{" "}
              </>
            )}
            {lastOutcome(delivery)}
            {nextAttemptAt === null ? null : (
              <>
                , next attempt <Time at={nextAttemptAt} exact />
              </>
            )}
            {status === "pending" && nextAttemptAt === null ? ", sent when you send the missed events" : null}
          </p>
        </div>
        {isActive ? <Replay delivery={delivery} /> : null}
      </div>
      {attempts.length === 0 ? null : <Attempts delivery={delivery} />}
    </div>
  )
}

/** The log of an endpoint, newest first. */
export const Deliveries = ({ webhook: { id, status } }: { readonly webhook: Webhook }) => {
  const [state, setState] = useState<(typeof states)[number][0]>("")
  const query = useMore(
    ["deliveries", id, state],
    ({ after, limit }) =>
      market.webhooks.deliveries(id, {
        limit,
        ...(after === undefined ? {} : { cursor: after }),
        ...(state === "" ? {} : { status: state })
      }),
    renewAfter
  )
  const isActive = status === "active"
  return (
    <section aria-label="Deliveries" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h2>Deliveries</h2>
        <div className="flex flex-wrap items-end gap-3">
          <SelectField
            label="Outcome"
            options={states}
            value={state}
            onChange={({ target }) => setState(target.value as typeof state)}
          />
          {isActive ? <Recover id={id} /> : null}
        </div>
      </div>
      <More
        // A row shows whether the endpoint is active.
        key={String(isActive)}
        query={query}
        label="Deliveries"
        empty={
          <Empty title={state === "" ? "Nothing was sent yet" : "There are none"}>
            {state === ""
              ? "Each event that is sent here is listed for 30 days, with how your server responded. Send a test event to try it."
              : "No delivery of the last 30 days has this outcome."}
          </Empty>
        }
      >
        {(delivery) => <Row delivery={delivery} isActive={isActive} />}
      </More>
    </section>
  )
}
