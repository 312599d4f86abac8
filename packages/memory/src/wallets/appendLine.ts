import type { AccountId, AgentId } from "@agent-marketplace/core/ids/Ids"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { LedgerLine } from "@agent-marketplace/core/wallets/Ledger"
import type { PurchaseId, RenewalId } from "@agent-marketplace/core/ids/Ids"
import { transactionType } from "@agent-marketplace/core/wallets/Ledger"
import type { MarketTables } from "../MarketTables.ts"

const spendable = "wallet:"

/** The agent that bought, for the buyer's lines of a purchase or renewal. A batch writes purchases before lines. */
const agentOf = (tables: MarketTables, reference: string, account: AccountId): AgentId | null => {
  const found = tables.purchases.get(reference as PurchaseId) ?? tables.renewals.get(reference as RenewalId)
  return found?.buyerId === account ? found.agentId : null
}

/** Appends the line to the ledger and, for each wallet whose spendable money it moves, to that wallet's transactions. */
export const appendLine = (tables: MarketTables, line: LedgerLine): void => {
  tables.lines.push(line)
  appendTransactions(tables, line, tables.lines.length)
}

/** The transactions of the n-th line, for the wallets whose spendable money it moves. */
export const appendTransactions = (tables: MarketTables, line: LedgerLine, n: number): void => {
  const id = `txn_${String(n).padStart(12, "0")}`
  for (const side of ["debit", "credit"] as const) {
    if (!line[side].startsWith(spendable)) continue
    const account = line[side].slice(spendable.length) as AccountId
    const transactions = tables.transactions.get(account) ?? []
    const amount = side === "debit" ? -line.amount : line.amount
    tables.transactions.set(account, transactions)
    transactions.push({
      id,
      type: transactionType(line.type, side),
      amount,
      balanceAfter: Usdt.of((transactions.at(-1)?.balanceAfter ?? 0n) + amount),
      reference: line.reference,
      agentId: agentOf(tables, line.reference, account),
      createdAt: line.at
    })
  }
}
