import { More } from "../../../ui/More.tsx"
import { Money } from "../../../ui/Money.tsx"
import { Alert } from "../../../ui/Page.tsx"
import { Time } from "../../../ui/Time.tsx"
import { csvOf, save } from "../../csv.ts"
import { market, messageOf } from "../../market.ts"
import { useAct } from "../../useAct.ts"
import { useMore } from "../../useMore.ts"

const names = {
  deposit: "Deposit",
  withdrawal: "Withdrawal",
  purchase: "Purchase",
  sale: "Sale",
  fee: "Fee",
  refund: "Refund",
  hold: "Held",
  release: "Released"
} as const

const columns = ["createdAt", "type", "amount", "balanceAfter", "currency", "agentId", "reference", "id"] as const

/** Every transaction as a file, made in the browser (CONSOLE-11). */
const download = async (): Promise<void> => {
  const rows: Array<Record<(typeof columns)[number], string | null>> = []
  for await (const transaction of market.wallet.iterateTransactions()) rows.push({ ...transaction, currency: "USDT" })
  save("transactions.csv", csvOf(columns, rows))
}

/** The wallet's ledger lines, newest first. */
export const Transactions = () => {
  const query = useMore(["wallet", "transactions"], ({ limit, page }) => market.wallet.transactions({ limit, page }))
  const { error, isPending, mutate } = useAct(download)
  return (
    <section aria-label="Transactions" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2>Transactions</h2>
        {query.data === undefined || query.data.length === 0 ? null : (
          <button type="button" className="button" disabled={isPending} onClick={() => mutate(undefined)}>
            {isPending ? "One moment…" : "Download as CSV"}
          </button>
        )}
      </div>
      {error === null ? null : <Alert>{messageOf(error)}</Alert>}
      <More
        query={query}
        label="Transactions"
        empty={<p className="text-muted">Nothing was paid or received yet. Deposit USDT to begin.</p>}
      >
        {({ amount, balanceAfter, createdAt, reference, type }) => (
          <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4">
            <span className="font-medium">{names[type]}</span>
            <span className="text-end font-medium">
              <Money amount={amount} />
            </span>
            <span className="text-sm text-muted wrap-anywhere">
              <Time at={createdAt} exact /> · {reference}
            </span>
            <span className="text-end text-sm text-muted">
              <span className="sr-only">Available afterwards: </span>
              <Money amount={balanceAfter} />
            </span>
          </div>
        )}
      </More>
    </section>
  )
}
