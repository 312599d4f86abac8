import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { LineType } from "@agent-marketplace/core/wallets/Ledger"
import type { LedgerTotals } from "@agent-marketplace/core/wallets/WalletStore"
import type { MarketTables } from "../MarketTables.ts"

/** The sums of the ledger. */
export const totals = (tables: MarketTables): LedgerTotals => {
  const sum = (...types: ReadonlyArray<LineType>) =>
    tables.lines.reduce((total, { amount, type }) => (types.includes(type) ? total + amount : total), 0n)
  return {
    wallets: Usdt.of([...tables.wallets.values()].reduce((all, { available, locked }) => all + available + locked, 0n)),
    platform: sum("sale_fee", "withdrawal_fee", "repayment") - sum("fee_return", "cover", "debt"),
    deposits: Usdt.of(sum("deposit")),
    withdrawals: Usdt.of(sum("withdrawal"))
  }
}
