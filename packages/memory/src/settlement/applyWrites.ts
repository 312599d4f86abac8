import { addProgress } from "@agent-marketplace/core/advisories/Revocation"
import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId, AgentId } from "@agent-marketplace/core/ids/Ids"
import type { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { Purchase } from "@agent-marketplace/core/purchases/Purchase"
import type { WriteSet } from "@agent-marketplace/core/settlement/Batch"
import { depositKey, entitlementKey } from "@agent-marketplace/core/settlement/MarketState"
import type { WalletBalance } from "@agent-marketplace/core/wallets/Ledger"
import { resultLifetime } from "@agent-marketplace/core/settlement/Idempotency"
import { discountReview } from "../catalogue/putReview.ts"
import { Index } from "../Index.ts"
import type { MarketTables } from "../MarketTables.ts"
import { appendLine } from "../wallets/appendLine.ts"
import { SpendingLog } from "./SpendingLog.ts"

interface Spent {
  readonly id: string
  readonly buyerId: AccountId
  readonly agentId: AgentId | null
  readonly amount: Usdt
}

const logsOf = (tables: MarketTables, { agentId, buyerId }: Spent): ReadonlyArray<SpendingLog> =>
  (agentId === null ? [buyerId] : [buyerId, agentId]).map((spender) => {
    const log = tables.spending.get(spender) ?? new SpendingLog()
    tables.spending.set(spender, log)
    return log
  })

const spend = (tables: MarketTables, payment: Spent, at: Timestamp): void => {
  for (const log of logsOf(tables, payment)) log.add(payment.id, payment.amount, at)
}

const counts = ({ amount, status }: Purchase): boolean =>
  amount > 0n && (status === "pending" || status === "completed")

/** Rebuilds what was spent from the purchases and renewals. */
export const rebuildSpending = (tables: MarketTables): void => {
  const renewals = [...tables.renewals.values()].filter(({ status }) => status !== "refunded")
  const paid = [
    ...[...tables.purchases.values()].filter(counts).map((payment) => ({ payment, at: payment.purchasedAt })),
    ...renewals.map((payment) => ({ payment, at: payment.at }))
  ]
  for (const { at, payment } of paid.sort((one, other) => one.at - other.at)) spend(tables, payment, at)
}

const recount = (tables: MarketTables, before: Purchase | undefined, after: Purchase): void => {
  const counted = before !== undefined && counts(before)
  if (counted && counts(after) && before.purchasedAt === after.purchasedAt) return
  if (counted) for (const log of logsOf(tables, before)) log.remove(before.id)
  if (counts(after)) spend(tables, after, after.purchasedAt)
}

const writePurchase = (tables: MarketTables, purchase: Purchase): void => {
  const { buyerId, id, item, licenseKey, sellerId } = purchase
  recount(tables, tables.purchases.get(id), purchase)
  tables.purchases.set(id, purchase)
  Index.add(tables.purchasesByBuyer, buyerId, id)
  Index.add(tables.purchasesBySeller, sellerId, id)
  Index.add(tables.purchasesOfItem, entitlementKey(buyerId, item.id), id)
  if (purchase.status === "refunded") discountReview(tables, buyerId, item.id)
  if (licenseKey !== null) tables.licenses.set(licenseKey, id)
}

const writeSales = (tables: MarketTables, writes: WriteSet): void => {
  for (const purchase of writes.purchases.values()) writePurchase(tables, purchase)
  for (const [key, { entitlement }] of writes.entitlements) {
    if (entitlement === null) tables.entitlements.delete(key)
    else tables.entitlements.set(key, entitlement)
  }
  for (const [id, progress] of writes.revocations) {
    const before = tables.revocations.get(id)
    if (before !== undefined) tables.revocations.set(id, { ...before, ...addProgress(before, progress) })
  }
  for (const [item, by] of writes.sold) tables.sold.set(item, (tables.sold.get(item) ?? 0) + by)
  for (const approval of writes.approvals.values()) {
    tables.approvals.set(approval.id, approval)
    Index.add(tables.approvalsOf, approval.accountId, approval.id)
  }
  for (const subscription of writes.subscriptions.values()) {
    tables.subscriptions.set(subscription.id, subscription)
    tables.subscriptionByPurchase.set(subscription.purchaseId, subscription.id)
    Index.add(tables.subscriptionsOf, subscription.buyerId, subscription.id)
    Index.add(tables.subscriptionsTo, subscription.sellerId, subscription.id)
  }
  for (const renewal of writes.renewals.values()) {
    const before = tables.renewals.get(renewal.id)
    tables.renewals.set(renewal.id, renewal)
    Index.add(tables.renewalsBySeller, renewal.sellerId, renewal.id)
    if (before === undefined) spend(tables, renewal, renewal.at)
    else if (renewal.status === "refunded") for (const log of logsOf(tables, renewal)) log.remove(renewal.id)
  }
}

const writeMoney = (tables: MarketTables, writes: WriteSet, balances: ReadonlyMap<AccountId, WalletBalance>): void => {
  for (const line of writes.lines) appendLine(tables, line)
  for (const [account, balance] of balances) tables.wallets.set(account, balance)
  for (const escrow of writes.escrow.values()) {
    if (escrow.amount > 0n) {
      tables.escrow.set(escrow.reference, escrow)
      Index.add(tables.escrowOf, escrow.accountId, escrow.reference)
    } else {
      tables.escrow.delete(escrow.reference)
      tables.escrowOf.get(escrow.accountId)?.delete(escrow.reference)
    }
  }
  for (const withdrawal of writes.withdrawals.values()) {
    tables.withdrawals.set(withdrawal.id, withdrawal)
    if (withdrawal.transaction !== null) {
      tables.withdrawalsByTransaction.set(withdrawal.transaction.txid, withdrawal.id)
    }
    Index.add(tables.withdrawalsOf, withdrawal.accountId, withdrawal.id)
  }
  for (const [account, stored] of writes.withdrawalRules) tables.withdrawalRules.set(account, stored)
  for (const [id, { accountId, saved }] of writes.savedAddresses) {
    if (saved === null) {
      tables.savedAddresses.delete(id)
      tables.savedAddressesOf.get(accountId)?.delete(id)
    } else {
      tables.savedAddresses.set(id, saved)
      Index.add(tables.savedAddressesOf, accountId, id)
    }
  }
  for (const { pause } of writes.payouts) tables.payouts.pause = pause
  tables.actions.push(...writes.actions)
  for (const deposit of writes.deposits) {
    tables.deposits.set(depositKey(deposit.network, deposit.txid, deposit.logIndex), deposit)
  }
  for (const deposit of writes.heldDeposits.values()) tables.heldDeposits.set(deposit.id, deposit)
  for (const [network, position] of writes.cursors) tables.cursors.set(network, position)
}

const writeResults = (tables: MarketTables, writes: WriteSet, now: Timestamp): void => {
  for (const [key, { at }] of tables.results) {
    if (now - at < resultLifetime) break
    tables.results.delete(key)
  }
  for (const [key, { result, idempotency }] of writes.results) {
    // Deleted first, so that the oldest results stay in front.
    tables.results.delete(key)
    tables.results.set(key, { fingerprint: idempotency.fingerprint, result, at: now })
  }
}

/** Writes everything of a batch except its events. Cannot fail: `checkWrites` has refused every violation of a constraint. */
export const applyWrites = (
  tables: MarketTables,
  writes: WriteSet,
  balances: ReadonlyMap<AccountId, WalletBalance>,
  now: Timestamp
): void => {
  writeSales(tables, writes)
  writeMoney(tables, writes, balances)
  writeResults(tables, writes, now)
}
