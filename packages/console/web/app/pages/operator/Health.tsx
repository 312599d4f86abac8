import type { UseQueryResult } from "@tanstack/react-query"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { amountText } from "../../../ui/amountText.ts"
import { inWords } from "../../../ui/inWords.ts"
import { Loaded } from "../../../ui/Loaded.tsx"
import { Money } from "../../../ui/Money.tsx"
import { Alert, Card, Notice, Page } from "../../../ui/Page.tsx"
import { Time } from "../../../ui/Time.tsx"
import { messageOf } from "../../market.ts"
import type { Measurement } from "../../metrics/measurement.ts"
import { Decide, DecisionFields, useDecision } from "./Decision.tsx"
import { Facts } from "./Facts.tsx"
import { jobs, measure, readReadiness, warnings } from "./health.ts"
import { Listed } from "./Listed.tsx"
import { Load } from "./Load.tsx"
import { operator, useRenew } from "./operations.ts"

const every = { refetchInterval: 15_000 } as const

const states = { ready: "Everything works.", degraded: "Some of the work cannot be done.", unavailable: "Unavailable." }

const Service = () => {
  const query = useQuery({ queryKey: ["operator", "ready"], queryFn: readReadiness, ...every })
  return (
    <Loaded query={query}>
      {({ status, warnings: found = [] }) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <p className={status === "ready" ? "font-medium text-good" : "font-medium text-bad"}>{states[status]}</p>
          {found.length === 0 ? null : (
            <ul className="grid list-disc gap-1 ps-5 text-warn">
              {found.map((warning) => (
                <li key={warning}>{warnings[warning] ?? inWords(warning)}</li>
              ))}
            </ul>
          )}
        </div>
      )}
    </Loaded>
  )
}

const wait = (seconds: number): string => {
  if (seconds === 0) return "Nothing waits"
  if (seconds < 60) return `The oldest waits ${Math.round(seconds)} s`
  if (seconds < 7200) return `The oldest waits ${Math.round(seconds / 60)} min`
  return `The oldest waits ${Math.round(seconds / 3600)} h`
}

const metricsKey = ["operator", "metrics"]

/** The metrics of the last ten minutes, read every five seconds while the page is open. */
const useMetrics = (): UseQueryResult<ReadonlyArray<Measurement> | null> => {
  const client = useQueryClient()
  return useQuery({
    queryKey: metricsKey,
    queryFn: () => measure(client.getQueryData<ReadonlyArray<Measurement> | null>(metricsKey) ?? []),
    refetchInterval: 5000
  })
}

const Jobs = ({ query }: { readonly query: UseQueryResult<ReadonlyArray<Measurement> | null> }) => {
  return (
    <Loaded query={query}>
      {(found) =>
        found === null ? (
          <p className="text-muted">
            The metrics of this market need a token of their own, so they are not shown here.
          </p>
        ) : (
          <Facts
            rows={Object.entries(jobs).map(([metric, name]) => {
              const seconds = found.at(-1)?.gauges.get(metric)
              return [name, seconds === undefined ? null : wait(seconds)] as const
            })}
          />
        )
      }
    </Loaded>
  )
}

const Conditions = () => (
  <Listed
    queryKey={["operator", "conditions"]}
    read={(page) => operator.conditions(page)}
    refetchInterval={15_000}
    empty={<p className="text-muted">None. What degrades the service appears here, also after it has ended.</p>}
  >
    {({ detail, endedAt, kind, message, since }) => (
      <li key={`${kind} ${since}`} className="border-t border-line pt-3">
        <p className="wrap-anywhere">
          <span className={`badge ${endedAt === null ? "text-bad" : ""}`}>{endedAt === null ? "Holds" : "Ended"}</span>{" "}
          {message}
        </p>
        <p className="text-sm text-muted wrap-anywhere">
          Since <Time at={since} exact />
          {endedAt === null ? null : (
            <>
              {" "}
              until <Time at={endedAt} exact />
            </>
          )}
          {detail === null ? null : `. ${detail}`}
        </p>
      </li>
    )}
  </Listed>
)

const amount = (text: string | null) => (text === null ? "Not known" : <Money amount={text} />)

const Payouts = () => {
  const decision = useDecision()
  const renew = useRenew()
  const payouts = useQuery({ queryKey: ["operator", "payouts"], queryFn: () => operator.payouts(), ...every })
  const treasury = useQuery({ queryKey: ["operator", "treasury"], queryFn: () => operator.treasury(), ...every })
  const needed = treasury.data?.needed
  const waiting = needed === undefined ? "an unknown amount" : amountText(needed)
  return (
    <Loaded query={payouts}>
      {({ paused, reason, since }) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Facts
            rows={[
              ["Payouts", paused ? "Stopped" : "Running"],
              ["Since", since === null ? null : <Time at={since} exact />],
              ["Reason", reason],
              ["Hot wallet", treasury.data === undefined ? null : amount(treasury.data.hotBalance)],
              [
                "Cold wallet",
                (treasury.data?.cold ?? null) === null ? null : amount(treasury.data?.coldBalance ?? null)
              ],
              ["Waits to be paid", needed === undefined ? null : amount(needed)]
            ]}
          />
          <DecisionFields decision={decision} hint="Optional; kept in the action log." />
          <div>
            <Decide
              button={paused ? "Resume payouts" : "Stop payouts"}
              title={paused ? `Pay withdrawals of ${waiting} that wait?` : `Stop all payouts, with ${waiting} waiting?`}
              danger={!paused}
              optional
              decision={decision}
              act={(text) =>
                (paused ? operator.resumePayouts : operator.pausePayouts)(text === "" ? {} : { reason: text })
              }
              onDone={renew}
            >
              {paused
                ? "Withdrawals that wait are sent to the chain. What is sent cannot be taken back."
                : "No process sends a withdrawal until you resume. Nothing is lost: withdrawals wait."}
            </Decide>
          </div>
        </div>
      )}
    </Loaded>
  )
}

const Audit = () => {
  const { data, error, isPending, mutate } = useMutation({ mutationFn: () => operator.audit() })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="text-muted">Adds up every entry of the ledger again and compares the sums with all balances.</p>
      <div>
        <button type="button" className="button button-primary" disabled={isPending} onClick={() => mutate()}>
          {isPending ? "Adding up…" : "Audit the ledger"}
        </button>
      </div>
      {error === null ? null : <Alert>{messageOf(error)}</Alert>}
      {data === undefined ? null : data.balanced ? (
        <Notice>
          Balanced: {data.wallets.toLocaleString()} wallets agree with {data.entries.toLocaleString()} entries.
        </Notice>
      ) : (
        <Alert>Not balanced: {data.differences.length} differences. Stop payouts, and look for the cause.</Alert>
      )}
      {data === undefined ? null : (
        <ul className="grid list-disc gap-1 ps-5">
          {[...data.differences, ...data.warnings].map((sentence) => (
            <li key={sentence} className="wrap-anywhere">
              {sentence}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Whether the market works: service, jobs, load, conditions, payouts and ledger (CONSOLE-34, CONSOLE-39). */
const Health = () => {
  const metrics = useMetrics()
  return (
    <Page title="Health" lead="Whether the market works, and what needs you.">
      <Card title="Service">
        <Service />
      </Card>
      <Card title="Jobs">
        <Jobs query={metrics} />
      </Card>
      <Load query={metrics} />
      <Card title="Conditions">
        <Conditions />
      </Card>
      <Card title="Payouts">
        <Payouts />
      </Card>
      <Card title="Ledger">
        <Audit />
      </Card>
    </Page>
  )
}

export default Health
