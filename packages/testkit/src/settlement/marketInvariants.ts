import type { LedgerAccount, LedgerLine } from "@agent-marketplace/core/wallets/Ledger"
import { lockedOf, walletOf } from "@agent-marketplace/core/wallets/Ledger"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { assert } from "@effect/vitest"
import type { MarketModel } from "./MarketModel.ts"

/** What every account of the books holds by its lines. */
const booksOf = (lines: ReadonlyArray<LedgerLine>): ReadonlyMap<LedgerAccount, bigint> => {
  const books = new Map<LedgerAccount, bigint>()
  for (const { amount, credit, debit } of lines) {
    books.set(debit, (books.get(debit) ?? 0n) - amount)
    books.set(credit, (books.get(credit) ?? 0n) + amount)
  }
  return books
}

const totalsOf = (lines: ReadonlyArray<LedgerLine>, account: AccountId) => {
  const wallet = walletOf(account)
  const totals = { totalDeposits: 0n, totalWithdrawals: 0n, totalSpent: 0n, totalEarned: 0n }
  for (const { amount, credit, debit, type } of lines) {
    if (type === "deposit" && credit === wallet) totals.totalDeposits += amount
    if ((type === "withdrawal" || type === "withdrawal_fee") && debit === wallet) totals.totalWithdrawals += amount
    if (type === "purchase" && debit === wallet) totals.totalSpent += amount
    if (type === "refund" && credit === wallet) totals.totalSpent -= amount
    if ((type === "purchase" || type === "fee_return" || type === "cover") && credit === wallet) {
      totals.totalEarned += amount
    }
    if ((type === "sale_fee" || type === "refund") && debit === wallet) totals.totalEarned -= amount
  }
  return totals
}

/** The books balance, and every wallet is what its lines say (LEDGER-4). */
const checkBooks = (model: MarketModel): void => {
  const books = booksOf(model.lines)
  let sum = 0n
  for (const balance of books.values()) sum += balance
  assert.strictEqual(sum, 0n, "the sum over all accounts of the books")
  for (const line of model.lines) {
    assert.isTrue(line.amount > 0n, `a line moves something: ${line.type} ${line.reference}`)
    assert.notStrictEqual(line.debit, line.credit)
  }
  for (const [id, wallet] of model.wallets) {
    const totals = totalsOf(model.lines, id)
    const available = books.get(walletOf(id)) ?? 0n
    const locked = books.get(lockedOf(id)) ?? 0n
    assert.deepStrictEqual({ ...wallet }, { available, locked, ...totals } as never, `${id} is what its lines say`)
    assert.isTrue(available >= 0n, `${id} has ${available} available`)
    assert.isTrue(locked >= 0n, `${id} has ${locked} locked`)
    const { totalDeposits, totalEarned, totalSpent, totalWithdrawals } = totals
    assert.strictEqual(available + locked, totalDeposits + totalEarned - totalSpent - totalWithdrawals)
  }
}

/** No wallet fell below zero at any line, which is more than that none is below zero between batches. */
const checkNeverOverdrawn = (model: MarketModel): void => {
  const balances = new Map<LedgerAccount, bigint>()
  for (const { amount, credit, debit, reference, type } of model.lines) {
    const left = (balances.get(debit) ?? 0n) - amount
    if (debit.includes(":")) assert.isTrue(left >= 0n, `${type} ${reference} overdraws ${debit}`)
    balances.set(debit, left)
    balances.set(credit, (balances.get(credit) ?? 0n) + amount)
  }
}

/** Each hold is released exactly once when what it waited for has ended, and not before. */
const checkHolds = (model: MarketModel): void => {
  const holds = new Map<string, { held: bigint; holds: number; released: bigint; releases: number }>()
  for (const { amount, reference, type } of model.lines) {
    if (type !== "hold" && type !== "release") continue
    const found = holds.get(reference) ?? { held: 0n, holds: 0, released: 0n, releases: 0 }
    if (type === "hold") Object.assign(found, { held: found.held + amount, holds: found.holds + 1 })
    else Object.assign(found, { released: found.released + amount, releases: found.releases + 1 })
    holds.set(reference, found)
  }
  const waiting = new Map<string, bigint>()
  for (const { amount, id, status } of model.purchases.values()) if (status === "pending") waiting.set(id, amount)
  for (const { amount, fee, id, state } of model.withdrawals.values()) {
    if (state === "queued" || state === "broadcasting") waiting.set(id, amount + fee)
  }
  for (const [reference, { held, holds: count, released, releases }] of holds) {
    assert.strictEqual(count, 1, `${reference} is held once`)
    const waits = waiting.get(reference)
    waiting.delete(reference)
    assert.strictEqual(releases, waits === undefined ? 1 : 0, `${reference} is released exactly once, at its end`)
    assert.strictEqual(released, waits === undefined ? held : 0n, `${reference} gets back what was held`)
  }
  assert.deepStrictEqual([...waiting.keys()], [], "what waits is held")
}

/** One live license for each buyer and item, or one purchase that waits, and a holding that says so. */
const checkLicenses = (model: MarketModel): void => {
  const keys = new Set<string>()
  const held = new Set<string>()
  for (const { buyerId, expiresAt, id, item, licenseKey, status } of model.purchases.values()) {
    if (licenseKey !== null) {
      assert.isFalse(keys.has(licenseKey), `${licenseKey} is issued once`)
      keys.add(licenseKey)
    }
    assert.strictEqual(licenseKey !== null, status === "completed" || status === "refunded", `${id} is ${status}`)
    const live = status === "completed" && (expiresAt === null || expiresAt > model.now)
    if (!live && status !== "pending") continue
    const key = `${buyerId} ${item.id}`
    assert.isFalse(held.has(key), `${key} is held once`)
    held.add(key)
    const state = live ? "owned" : "pending_approval"
    assert.deepStrictEqual(model.entitlements.get(key), { purchaseId: id, state }, `${key} is held`)
  }
  for (const [key, { purchaseId, state }] of model.entitlements) {
    const status = model.purchases.get(purchaseId)?.status
    assert.strictEqual(status, state === "owned" ? "completed" : "pending", `${key} is held by ${purchaseId}`)
  }
  for (const { purchaseId, status } of model.approvals.values()) {
    const expected = status === "approved" ? ["completed", "refunded"] : [status]
    assert.include(expected, model.purchases.get(purchaseId)?.status, `the approval of ${purchaseId} is ${status}`)
  }
}

/** Whatever happened is told exactly once, and nothing that did not happen. */
const checkEvents = (model: MarketModel): void => {
  const told = new Map<string, number>()
  for (const { subject, type } of model.events) {
    told.set(`${type} ${subject}`, (told.get(`${type} ${subject}`) ?? 0) + 1)
  }
  const expected = new Map<string, number>()
  const expect = (event: string) => expected.set(event, (expected.get(event) ?? 0) + 1)
  for (const { id, status } of model.purchases.values()) {
    if (status === "completed" || status === "refunded") expect(`purchase.completed ${id}`)
    if (status === "refunded") expect(`purchase.refunded ${id}`)
  }
  for (const { purchaseId } of model.approvals.values()) expect(`purchase.pending_approval ${purchaseId}`)
  for (const { logIndex, txid } of model.deposits.values()) expect(`deposit.confirmed ${txid}:${logIndex}`)
  for (const { subscriptionId } of model.renewals) expect(`subscription.renewed ${subscriptionId}`)
  for (const { cancelAtPeriodEnd, id, status } of model.subscriptions.values()) {
    if (status === "cancelled" || cancelAtPeriodEnd) expect(`subscription.cancelled ${id}`)
  }
  for (const { id, state } of model.withdrawals.values()) {
    if (state === "completed" || state === "failed") expect(`withdrawal.${state} ${id}`)
  }
  const sorted = (counts: ReadonlyMap<string, number>) => [...counts].map(([k, n]) => `${k} ${n}`).sort()
  assert.deepStrictEqual(sorted(told), sorted(expected))
}

/** A sale counts until it is refunded. */
const checkSold = (model: MarketModel): void => {
  const counts = new Map<string, number>()
  for (const { item, status } of model.purchases.values()) {
    if (status === "completed") counts.set(item.id, (counts.get(item.id) ?? 0) + 1)
  }
  for (const id of model.items.keys())
    assert.strictEqual(model.sold.get(id) ?? 0, counts.get(id) ?? 0, `sales of ${id}`)
}

/** All that must hold of a market at any time, whatever happened (BUY-14, LEDGER-4, LEDGER-5). */
export const checkInvariants = (model: MarketModel): void => {
  checkBooks(model)
  checkNeverOverdrawn(model)
  checkHolds(model)
  checkLicenses(model)
  checkEvents(model)
  checkSold(model)
}
