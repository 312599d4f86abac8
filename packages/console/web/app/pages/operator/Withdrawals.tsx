import type { AdminWithdrawal } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { useState } from "react"
import { amountText } from "../../../ui/amountText.ts"
import { SelectField } from "../../../ui/Field.tsx"
import { inWords } from "../../../ui/inWords.ts"
import { Money } from "../../../ui/Money.tsx"
import { Empty, Page } from "../../../ui/Page.tsx"
import { Time } from "../../../ui/Time.tsx"
import { Decide, DecisionFields, useDecision } from "./Decision.tsx"
import { AccountLink, Age, Facts } from "./Facts.tsx"
import { Listed } from "./Listed.tsx"
import { operator, useRenew } from "./operations.ts"

const Deciding = ({ withdrawal }: { readonly withdrawal: AdminWithdrawal }) => {
  const decision = useDecision()
  const renew = useRenew()
  const { amount, destinationAddress, fee, id, totalAmount } = withdrawal
  return (
    <div className="grid gap-4 border-t border-line pt-4">
      <DecisionFields
        decision={decision}
        hint="The account reads it when you refuse. When you approve it is optional and stays in the action log."
      />
      <div className="flex flex-wrap gap-3">
        <Decide
          button="Approve"
          label={`Approve ${amountText(amount)} to ${destinationAddress}`}
          title={`Pay ${amountText(amount)}?`}
          optional
          decision={decision}
          act={(reason) => operator.approveWithdrawal(id, reason === "" ? {} : { reason })}
          onDone={renew}
        >
          {amountText(amount)} are sent to {destinationAddress}, and {amountText(fee)} are the fee. What is sent cannot
          be taken back.
        </Decide>
        <Decide
          button="Refuse"
          label={`Refuse ${amountText(amount)} to ${destinationAddress}`}
          title={`Refuse to pay ${amountText(amount)}?`}
          danger
          decision={decision}
          act={(reason) => operator.rejectWithdrawal(id, { reason })}
          onDone={renew}
        >
          Nothing is sent. {amountText(totalAmount)} are back in the wallet of the account.
        </Decide>
      </div>
    </div>
  )
}

const states = [
  ["in_review", "Under review"],
  ["pending", "Pending"],
  ["completed", "Completed"],
  ["failed", "Failed"],
  ["cancelled", "Cancelled"]
] as const
type State = (typeof states)[number][0]

/** Withdrawals, and the decision about those under review (CONSOLE-33). */
const Withdrawals = () => {
  const [status, setStatus] = useState<State>("in_review")
  return (
    <Page title="Withdrawals" lead="Withdrawals under review wait here until you approve or refuse them.">
      <div className="max-w-60">
        <SelectField
          label="Show"
          options={states}
          value={status}
          onChange={({ target }) => setStatus(target.value as State)}
        />
      </div>
      <Listed
        key={status}
        queryKey={["operator", "withdrawals", status]}
        read={(page) => operator.withdrawals({ ...page, status })}
        refetchInterval={30_000}
        empty={
          <Empty title="No withdrawals">
            {status === "in_review"
              ? "Withdrawals that are large, or whose destination was flagged, appear here by themselves."
              : "Choose another state above."}
          </Empty>
        }
      >
        {(withdrawal) => (
          <li key={withdrawal.id} className="card grid grid-cols-[minmax(0,1fr)] gap-4 p-5">
            <div className="flex flex-wrap items-center justify-between gap-3">
              <h2>
                <Money amount={withdrawal.amount} />
              </h2>
              {withdrawal.needsReview ? (
                <Age since={withdrawal.createdAt} />
              ) : (
                <span className="badge">{inWords(withdrawal.status)}</span>
              )}
            </div>
            <Facts
              rows={[
                ["Account", <AccountLink id={withdrawal.accountId} />],
                ["Destination", <code className="font-mono text-[13px]">{withdrawal.destinationAddress}</code>],
                ["Fee", <Money amount={withdrawal.fee} />],
                ["Requested", <Time at={withdrawal.createdAt} exact />],
                [
                  "Flagged by",
                  withdrawal.screening === null
                    ? null
                    : `${withdrawal.screening.source}: ${withdrawal.screening.reference}`
                ],
                ["Failure", withdrawal.failure],
                ["Transaction", withdrawal.txHash]
              ]}
            />
            {withdrawal.needsReview ? <Deciding withdrawal={withdrawal} /> : null}
          </li>
        )}
      </Listed>
    </Page>
  )
}

export default Withdrawals
