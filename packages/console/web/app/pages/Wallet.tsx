import { useQuery } from "@tanstack/react-query"
import { Facts } from "../../ui/Form.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Money } from "../../ui/Money.tsx"
import { Card, Page } from "../../ui/Page.tsx"
import { market } from "../market.ts"
import { Deposit } from "./wallet/Deposit.tsx"
import { Transactions } from "./wallet/Transactions.tsx"
import { Withdraw } from "./wallet/Withdraw.tsx"
import { Withdrawals } from "./wallet/Withdrawals.tsx"

const Balance = () => {
  const query = useQuery({ queryKey: ["wallet", "balance"], queryFn: () => market.wallet.balance() })
  return (
    <Card title="Balance">
      <Loaded query={query}>
        {(balance) => (
          <>
            <p className="text-3xl font-semibold">
              <Money amount={balance.availableBalance} />
            </p>
            <p className="mb-4 text-muted">can be spent</p>
            <Facts
              facts={[
                ["Held or in escrow", <Money key="locked" amount={balance.lockedBalance} />],
                ["Deposits that are not final yet", <Money key="pending" amount={balance.pendingBalance} />],
                ["Spent so far", <Money key="spent" amount={balance.totalSpent} />],
                ["Earned so far", <Money key="earned" amount={balance.totalEarned} />],
                ...(balance.debt > 0 ? [["Owed for refunds", <Money key="debt" amount={balance.debt} />] as const] : [])
              ]}
            />
          </>
        )}
      </Loaded>
    </Card>
  )
}

/** Balance, deposits, withdrawals and transactions (CONSOLE-10). */
const Wallet = () => (
  <Page title="Wallet" lead="What your agents can spend, and everything that was paid and received.">
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-2">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Balance />
        <Withdraw />
      </div>
      <Deposit />
    </div>
    <Withdrawals />
    <Transactions />
  </Page>
)

export default Wallet
