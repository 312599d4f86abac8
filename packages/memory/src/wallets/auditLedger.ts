import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { HeldDeposit } from "@agent-marketplace/core/screening/HeldDeposit"
import { isUndecided } from "@agent-marketplace/core/screening/HeldDeposit"
import type { LedgerAccount, LineType, WalletBalance } from "@agent-marketplace/core/wallets/Ledger"
import { emptyBalance, post } from "@agent-marketplace/core/wallets/Ledger"
import { auditWarnings } from "@agent-marketplace/core/wallets/WalletStore"
import type { Debt, LedgerAudit, LedgerTotals } from "@agent-marketplace/core/wallets/WalletStore"
import type { LedgerCheckpoint, MarketTables } from "../MarketTables.ts"

/** The balance of an account of the ledger, by its lines. */
const balanceIn = (tables: MarketTables, account: LedgerAccount): bigint =>
  tables.lines.reduce(
    (total, { amount, credit, debit }) =>
      total + (credit === account ? amount : 0n) - (debit === account ? amount : 0n),
    0n
  )

/** The sums of the ledger. */
export const totals = (tables: MarketTables): LedgerTotals => {
  const sum = (...types: ReadonlyArray<LineType>) =>
    tables.lines.reduce((total, { amount, type }) => (types.includes(type) ? total + amount : total), 0n)
  const withdrawals = sum("withdrawal")
  return {
    wallets: Usdt.of([...tables.wallets.values()].reduce((all, { available, locked }) => all + available + locked, 0n)),
    platform: sum("sale_fee", "withdrawal_fee", "repayment") - sum("fee_return", "cover", "debt"),
    held: Usdt.of(balanceIn(tables, "held")),
    unattributed: Usdt.of(balanceIn(tables, "unattributed")),
    // The account of the chain has the opposite sign: deposits come from it, and withdrawals go to it.
    deposits: Usdt.of(withdrawals - balanceIn(tables, "chain")),
    withdrawals: Usdt.of(withdrawals)
  }
}

const ownerOf = (account: string): AccountId | undefined => {
  const colon = account.indexOf(":")
  return colon < 0 ? undefined : (account.slice(colon + 1) as AccountId)
}

const recomputed = (tables: MarketTables, base: LedgerCheckpoint | null): ReadonlyMap<AccountId, WalletBalance> => {
  const balances = new Map<AccountId, WalletBalance>(base?.balances)
  for (const line of tables.lines.slice(base?.entries ?? 0)) {
    for (const owner of new Set([ownerOf(line.debit), ownerOf(line.credit)])) {
      if (owner !== undefined) balances.set(owner, post(balances.get(owner) ?? emptyBalance, owner, line))
    }
  }
  return balances
}

/** Every account in debt, in the order of the ids. */
export const debtsOf = (tables: MarketTables): ReadonlyArray<Debt> =>
  [...tables.wallets]
    .flatMap(([accountId, { debt }]) => (debt > 0n ? [{ accountId, amount: debt }] : []))
    .sort((one, other) => (one.accountId < other.accountId ? -1 : 1))

const fields = [
  "available",
  "locked",
  "totalDeposits",
  "totalWithdrawals",
  "totalSpent",
  "totalEarned",
  "debt"
] as const

/** The differences between the records and the ledger lines of deposits that are held or rejected. */
const heldAccounts = (tables: MarketTables) => {
  const { held, unattributed } = totals(tables)
  const sum = (counts: (deposit: HeldDeposit) => boolean) =>
    [...tables.heldDeposits.values()].filter(counts).reduce((total, { amount }) => total + amount, 0n)
  return [
    ["held", sum(isUndecided), held],
    ["unattributed", sum(({ state }) => state === "rejected"), unattributed]
  ] as const
}

/** Compares every balance and lifetime total with the checkpoint and the lines after it. */
const auditAfter = (tables: MarketTables, base: LedgerCheckpoint | null): LedgerAudit => {
  const balances = recomputed(tables, base)
  const differences: Array<string> = []
  for (const account of new Set([...tables.wallets.keys(), ...balances.keys()])) {
    const kept = tables.wallets.get(account) ?? emptyBalance
    const computed = balances.get(account) ?? emptyBalance
    for (const field of fields) {
      if (kept[field] === computed[field]) continue
      differences.push(
        `${account}: ${field} is ${Usdt.format(kept[field])}, its lines say ${Usdt.format(computed[field])}`
      )
    }
  }
  const locked = new Map<AccountId, bigint>()
  for (const { accountId, amount } of tables.escrow.values()) {
    locked.set(accountId, (locked.get(accountId) ?? 0n) + amount)
  }
  for (const [account, escrow] of locked) {
    const kept = tables.wallets.get(account) ?? emptyBalance
    if (escrow > kept.locked) {
      differences.push(`${account}: escrow is ${Usdt.format(escrow)}, locked is ${Usdt.format(kept.locked)}`)
    }
  }
  for (const [name, recorded, kept] of heldAccounts(tables)) {
    if (recorded !== kept)
      differences.push(`${name}: balance is ${Usdt.format(recorded)}, its lines say ${Usdt.format(kept)}`)
  }
  return {
    balanced: differences.length === 0,
    wallets: tables.wallets.size,
    entries: tables.lines.length,
    entriesRead: tables.lines.length - (base?.entries ?? 0),
    since: base?.at ?? null,
    differences,
    warnings: auditWarnings(totals(tables).platform, debtsOf(tables))
  }
}

export const auditLedger = (tables: MarketTables): LedgerAudit => auditAfter(tables, null)

/** Continues from the last checkpoint, and adds the next one if every balance is right. */
export const auditSinceCheckpoint = (tables: MarketTables, now: Timestamp): LedgerAudit => {
  const base = tables.checkpoint.last
  const audit = auditAfter(tables, base)
  if (audit.balanced && audit.entriesRead > 0)
    tables.checkpoint.last = { at: now, entries: tables.lines.length, balances: recomputed(tables, base) }
  return audit
}
