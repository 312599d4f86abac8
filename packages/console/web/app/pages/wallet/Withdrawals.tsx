import type { Withdrawal } from "@agent-marketplace/client/wire/Endpoints"
import { amountText } from "../../../ui/amountText.ts"
import { Confirm } from "../../../ui/Confirm.tsx"
import { inWords } from "../../../ui/inWords.ts"
import { Money } from "../../../ui/Money.tsx"
import { More } from "../../../ui/More.tsx"
import { Time } from "../../../ui/Time.tsx"
import { market } from "../../market.ts"
import { useRenew } from "../../useAct.ts"
import { useMore } from "../../useMore.ts"

const Row = ({ withdrawal }: { readonly withdrawal: Withdrawal }) => {
  const { amount, createdAt, destinationAddress, fee, id, status, totalAmount, txHash } = withdrawal
  const renew = useRenew()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap justify-between gap-x-4">
        <span>
          <span className="badge">{inWords(status)}</span> <Time at={createdAt} exact />
        </span>
        <span className="font-medium">
          <Money amount={amount} />
        </span>
      </div>
      <p className="font-mono text-[13px] text-muted wrap-anywhere">{destinationAddress}</p>
      <p className="text-sm text-muted wrap-anywhere">
        Fee <Money amount={fee} />
        {txHash === null ? null : <>, transaction {txHash}</>}
      </p>
      {status === "pending" ? (
        <div>
          <Confirm
            button="Cancel withdrawal"
            label={`Cancel withdrawal of ${amountText(amount)}`}
            title={`Cancel withdrawal of ${amountText(amount)}?`}
            danger
            act={() => market.wallet.cancelWithdrawal(id)}
            onDone={() => void renew("wallet", "withdrawals")}
          >
            {amountText(totalAmount)}, the fee included, are available again. This works only until the payment is sent
            to the chain.
          </Confirm>
        </div>
      ) : null}
    </div>
  )
}

/** The payments out of the wallet; those that wait can be cancelled. */
export const Withdrawals = () => {
  const query = useMore(["withdrawals"], async ({ limit, page }) => {
    const { withdrawals } = await market.wallet.withdrawals({ limit, page })
    return withdrawals
  })
  return (
    <section aria-label="Withdrawals">
      <h2 className="mb-3">Withdrawals</h2>
      <More query={query} label="Withdrawals" empty={<p className="text-muted">You have withdrawn nothing yet.</p>}>
        {(withdrawal) => <Row withdrawal={withdrawal} />}
      </More>
    </section>
  )
}
