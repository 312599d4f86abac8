import type { LedgerAccount, LedgerLine } from "@agent-marketplace/core/wallets/Ledger"
import { lockedOf, walletOf } from "@agent-marketplace/core/wallets/Ledger"
import { isOpen } from "@agent-marketplace/core/wallets/Withdrawal"
import type { HeldDeposit } from "@agent-marketplace/core/screening/HeldDeposit"
import type { MarketEvent } from "@agent-marketplace/core/events/MarketEvent"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { mostOpenWithdrawals } from "@agent-marketplace/core/wallets/WithdrawalStanding"
import { assert } from "@effect/vitest"
import { Result } from "effect"
import type { MarketModel } from "./MarketModel.ts"

/** The balance of every ledger account, computed from its lines. */
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
  const totals = { totalDeposits: 0n, totalWithdrawals: 0n, totalSpent: 0n, totalEarned: 0n, debt: 0n }
  for (const { amount, credit, debit, type } of lines) {
    if (type === "deposit" && credit === wallet) totals.totalDeposits += amount
    if ((type === "withdrawal" || type === "withdrawal_fee") && debit === wallet) totals.totalWithdrawals += amount
    if (type === "purchase" && debit === wallet) totals.totalSpent += amount
    if (type === "refund" && credit === wallet) totals.totalSpent -= amount
    if ((type === "purchase" || type === "fee_return" || type === "cover") && credit === wallet) {
      totals.totalEarned += amount
    }
    if (type === "debt" && credit === wallet) totals.debt += amount
    if (type === "repayment" && debit === wallet) totals.debt -= amount
    if ((type === "sale_fee" || type === "refund") && debit === wallet) totals.totalEarned -= amount
  }
  return totals
}

/** The ledger balances, and every wallet equals the sum of its lines (LEDGER-4). */
const checkBooks = (model: MarketModel): void => {
  const books = booksOf(model.lines)
  let sum = 0n
  for (const balance of books.values()) sum += balance
  assert.strictEqual(sum, 0n, "the sum over all accounts of the ledger")
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
    const { debt, totalDeposits, totalEarned, totalSpent, totalWithdrawals } = totals
    assert.isTrue(debt >= 0n, `${id} owes ${debt}`)
    assert.strictEqual(available + locked, totalDeposits + totalEarned - totalSpent - totalWithdrawals + debt)
  }
}

/** No wallet is negative after any line, not only between batches. */
const checkNeverOverdrawn = (model: MarketModel): void => {
  const balances = new Map<LedgerAccount, bigint>()
  for (const { amount, credit, debit, reference, type } of model.lines) {
    const left = (balances.get(debit) ?? 0n) - amount
    if (debit.includes(":")) assert.isTrue(left >= 0n, `${type} ${reference} overdraws ${debit}`)
    balances.set(debit, left)
    balances.set(credit, (balances.get(credit) ?? 0n) + amount)
  }
}

interface Hold {
  held: bigint
  holds: number
  released: bigint
  releases: number
}

/** Holds and releases by reference and account: a purchase may hold its price, and its seller's proceeds. */
const holdsOf = (model: MarketModel): ReadonlyMap<string, Hold> => {
  const holds = new Map<string, Hold>()
  for (const { amount, credit, debit, reference, type } of model.lines) {
    if (type !== "hold" && type !== "release") continue
    const key = `${reference} ${type === "hold" ? credit : debit}`
    const found = holds.get(key) ?? { held: 0n, holds: 0, released: 0n, releases: 0 }
    if (type === "hold") Object.assign(found, { held: found.held + amount, holds: found.holds + 1 })
    else Object.assign(found, { released: found.released + amount, releases: found.releases + 1 })
    holds.set(key, found)
  }
  return holds
}

/** Each hold is released exactly once when its purchase or withdrawal ends; proceeds are released as far as they are no longer in escrow. */
const checkHolds = (model: MarketModel): void => {
  const waiting = new Map<string, bigint>()
  for (const { amount, buyerId, id, status } of model.purchases.values()) {
    if (status === "pending") waiting.set(`${id} ${lockedOf(buyerId)}`, amount)
  }
  for (const { accountId, amount, fee, id, state } of model.withdrawals.values()) {
    if (isOpen({ state })) waiting.set(`${id} ${lockedOf(accountId)}`, amount + fee)
  }
  const escrow = new Map(
    [...model.escrow.values()].map(({ accountId, amount, reference }) => [
      `${reference} ${lockedOf(accountId)}`,
      amount
    ])
  )
  const sellers = new Set(
    [...model.purchases.values(), ...model.renewals.values()].map(({ id, sellerId }) => `${id} ${lockedOf(sellerId)}`)
  )
  for (const [key, { held, holds, released, releases }] of holdsOf(model)) {
    assert.strictEqual(holds, 1, `${key} is held once`)
    if (sellers.has(key)) {
      assert.strictEqual(held - released, escrow.get(key) ?? 0n, `${key} is locked as far as it was not released`)
      escrow.delete(key)
      continue
    }
    const waits = waiting.get(key)
    waiting.delete(key)
    assert.strictEqual(releases, waits === undefined ? 1 : 0, `${key} is released exactly once, at its end`)
    assert.strictEqual(released, waits === undefined ? held : 0n, `${key} gets back what was held`)
  }
  assert.deepStrictEqual([...waiting.keys()], [], "what waits is held")
  assert.deepStrictEqual([...escrow.keys()], [], "what is in escrow is held")
  for (const { amount, reference } of model.escrow.values()) assert.isTrue(amount > 0n, `${reference} locks something`)
}

/**
 * Withdrawals never exceed deposits plus what the platform has lent, and the platform has never paid more than its
 * fees and what it is owed (REFUND-8).
 */
const checkMoneyOut = (model: MarketModel): void => {
  const sum = (type: LedgerLine["type"]) =>
    model.lines.reduce((total, line) => (line.type === type ? total + line.amount : total), 0n)
  const debts = [...model.wallets.values()].reduce((total, { debt }) => total + debt, 0n)
  assert.strictEqual(debts, sum("debt") - sum("repayment"), "what is owed is what was lent and not paid back")
  assert.isTrue(sum("withdrawal") <= sum("deposit") + debts, "what left is what came in, or is owed")
  const platform = booksOf(model.lines).get("platform") ?? 0n
  assert.isTrue(platform + debts >= 0n, "the platform has paid nothing that is not owed")
}

/** Each deposit is in a wallet, held or unattributed: once, and as its record says (SCREENING-6). */
const checkHeldDeposits = (model: MarketModel): void => {
  const books = booksOf(model.lines)
  const sum = (...states: ReadonlyArray<HeldDeposit["state"]>) =>
    [...model.heldDeposits.values()].reduce(
      (total, { amount, state }) => (states.includes(state) ? total + amount : total),
      0n
    )
  assert.strictEqual(books.get("held") ?? 0n, sum("screening", "held"), "held money waits for a decision")
  assert.strictEqual(books.get("unattributed") ?? 0n, sum("rejected"), "what is unattributed was rejected")
  const recorded = [...model.deposits.values()].reduce((total, { amount }) => total + amount, 0n)
  const credited = [...model.wallets.values()].reduce((total, { totalDeposits }) => total + totalDeposits, 0n)
  assert.strictEqual(recorded, credited + sum("screening", "held", "rejected"), "every deposit is somewhere, once")
}

/** One valid license or one pending purchase for each buyer and item, and a matching entitlement. */
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
    const expected = {
      approved: ["completed", "refunded"],
      pending: ["pending"],
      rejected: ["failed"],
      expired: ["failed"]
    }
    const purchase = model.purchases.get(purchaseId)
    assert.include(expected[status], purchase?.status, `the approval of ${purchaseId} is ${status}`)
    assert.strictEqual(purchase?.failureReason === "expired", status === "expired", `why ${purchaseId} has failed`)
  }
}

/** A limit is announced between 80 % and the whole of it (NOTIFY-4). Policies change meanwhile, so the end does not tell how often. */
const checkLimitEvent = ({ data }: MarketEvent): void => {
  const [limit, spent] = [data["limit"], data["spent"]].map((text) => Result.getOrThrow(Usdt.parse(text)))
  assert.isTrue(limit !== undefined && spent !== undefined && spent * 10n >= limit * 8n && spent <= limit)
}

/** Every change has exactly one event, and there are no other events, except of limits. */
const checkEvents = (model: MarketModel): void => {
  const counts = new Map<string, number>()
  for (const event of model.events) {
    const { subject, type } = event
    if (type === "spending.limit_near") {
      checkLimitEvent(event)
      continue
    }
    counts.set(`${type} ${subject}`, (counts.get(`${type} ${subject}`) ?? 0) + 1)
  }
  const expected = new Map<string, number>()
  const expect = (event: string) => expected.set(event, (expected.get(event) ?? 0) + 1)
  for (const { failureReason, id, status } of model.purchases.values()) {
    if (status === "failed") expect(`purchase.${failureReason === "expired" ? "expired" : "rejected"} ${id}`)
    if (status === "completed" || status === "refunded") expect(`purchase.completed ${id}`)
    if (status === "refunded") expect(`purchase.refunded ${id}`)
  }
  for (const { purchaseId } of model.approvals.values()) expect(`purchase.pending_approval ${purchaseId}`)
  const uncredited = new Set(
    [...model.heldDeposits.values()].flatMap((deposit) =>
      deposit.state === "cleared" || deposit.state === "released" ? [] : [`${deposit.txid}:${deposit.logIndex}`]
    )
  )
  for (const { logIndex, txid } of model.deposits.values()) {
    if (!uncredited.has(`${txid}:${logIndex}`)) expect(`deposit.confirmed ${txid}:${logIndex}`)
  }
  for (const { id, status, subscriptionId } of model.renewals.values()) {
    expect(`subscription.renewed ${subscriptionId}`)
    if (status === "refunded") expect(`purchase.refunded ${id}`)
  }
  for (const { cancelAtPeriodEnd, id, status } of model.subscriptions.values()) {
    const event = `subscription.cancelled ${id}`
    if (status === "cancelled" || cancelAtPeriodEnd) expect(event)
    // Cancelled, resumed and perhaps cancelled again.
    const count = counts.get(event) ?? 0
    if (count > 1) counts.set(event, 1)
    if (count > 0 && expected.get(event) === undefined) counts.delete(event)
  }
  for (const { id, state } of model.withdrawals.values()) {
    if (state === "completed" || state === "failed") expect(`withdrawal.${state} ${id}`)
  }
  const sorted = (counts: ReadonlyMap<string, number>) => [...counts].map(([k, n]) => `${k} ${n}`).sort()
  assert.deepStrictEqual(sorted(counts), sorted(expected))
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

/** No account has too many open withdrawals, and no address book holds an address twice (WITHDRAWAL-10, WITHDRAWAL-15). */
const checkWithdrawals = (model: MarketModel): void => {
  const open = new Map<AccountId, number>()
  for (const withdrawal of model.withdrawals.values()) {
    if (isOpen(withdrawal)) open.set(withdrawal.accountId, (open.get(withdrawal.accountId) ?? 0) + 1)
  }
  for (const [account, count] of open) assert.isAtMost(count, mostOpenWithdrawals, `open withdrawals of ${account}`)
  const saved = [...model.savedAddresses.values()].map((entry) => `${entry.accountId} ${entry.saved.address}`)
  assert.strictEqual(new Set(saved).size, saved.length, "each address is saved once")
}

/** The invariants of a market at any time (BUY-14, LEDGER-4, LEDGER-5). */
export const checkInvariants = (model: MarketModel): void => {
  checkBooks(model)
  checkNeverOverdrawn(model)
  checkHolds(model)
  checkMoneyOut(model)
  checkHeldDeposits(model)
  checkLicenses(model)
  checkEvents(model)
  checkSold(model)
  checkWithdrawals(model)
}
