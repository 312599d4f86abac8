import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { WriteSet } from "@agent-marketplace/core/settlement/Batch"
import { depositKey } from "@agent-marketplace/core/settlement/MarketState"
import type { WalletBalance } from "@agent-marketplace/core/wallets/Ledger"
import { addBalances } from "@agent-marketplace/core/wallets/Ledger"
import { ConstraintViolated } from "../ConstraintViolated.ts"
import type { MarketTables } from "../MarketTables.ts"

const balances = (tables: MarketTables, writes: WriteSet): ReadonlyMap<AccountId, WalletBalance> => {
  const next = new Map(writes.wallets)
  for (const [account, credit] of writes.credits) {
    const before = next.get(account) ?? tables.wallets.get(account)
    if (before === undefined) throw new ConstraintViolated("wallets_account", account)
    next.set(account, addBalances(before, credit))
  }
  for (const [account, { available, debt, locked }] of next) {
    if (available < 0n || locked < 0n || debt < 0n) throw new ConstraintViolated("wallets_not_negative", account)
  }
  return next
}

/** Refuses violations of PostgreSQL's constraints; returns the new balances, including credits. Writes nothing. */
export const checkWrites = (tables: MarketTables, writes: WriteSet): ReadonlyMap<AccountId, WalletBalance> => {
  for (const line of writes.lines) {
    if (line.amount <= 0n) throw new ConstraintViolated("lines_amount_positive", line.reference)
  }
  const deposits = new Set<string>()
  for (const { logIndex, network, txid } of writes.deposits) {
    const key = depositKey(network, txid, logIndex)
    if (tables.deposits.has(key) || deposits.has(key)) throw new ConstraintViolated("deposits_once", key)
    deposits.add(key)
  }
  for (const { id, transaction } of writes.withdrawals.values()) {
    const holder = transaction === null ? undefined : tables.withdrawalsByTransaction.get(transaction.txid)
    if (holder !== undefined && holder !== id) throw new ConstraintViolated("withdrawals_transaction", id)
  }
  const licenses = new Map<string, string>()
  for (const { id, licenseKey } of writes.purchases.values()) {
    if (licenseKey === null) continue
    const holder = tables.licenses.get(licenseKey) ?? licenses.get(licenseKey)
    if (holder !== undefined && holder !== id) throw new ConstraintViolated("purchases_license_key", id)
    licenses.set(licenseKey, id)
  }
  for (const { amount, reference } of writes.escrow.values()) {
    if (amount < 0n) throw new ConstraintViolated("escrow_amount", reference)
  }
  return balances(tables, writes)
}
