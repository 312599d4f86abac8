import { ActionStore } from "@agent-marketplace/core/admin/ActionStore"
import { ApprovalStore } from "@agent-marketplace/core/approvals/ApprovalStore"
import { EventLog } from "@agent-marketplace/core/events/EventLog"
import type { LoggedEvent } from "@agent-marketplace/core/events/EventLog"
import type { OperatorAction } from "@agent-marketplace/core/admin/OperatorAction"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import { PurchaseStore } from "@agent-marketplace/core/purchases/PurchaseStore"
import { ScreeningStore } from "@agent-marketplace/core/screening/ScreeningStore"
import type { LedgerLine } from "@agent-marketplace/core/wallets/Ledger"
import { transactionType, walletOf } from "@agent-marketplace/core/wallets/Ledger"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import { openRules } from "@agent-marketplace/core/wallets/WithdrawalRules"
import { assert } from "@effect/vitest"
import { Effect, Option, Stream } from "effect"
import type { MarketModel } from "./MarketModel.ts"
import type { RelativeTimes } from "./RelativeTimes.ts"

/** The ledger lines that a wallet's owner sees, newest first. */
const shownLines = (lines: ReadonlyArray<LedgerLine>, account: AccountId) => {
  const wallet = walletOf(account)
  let balanceAfter = 0n
  return lines
    .flatMap(({ amount, credit, debit, reference, type }) => {
      if (debit !== wallet && credit !== wallet) return []
      const signed = credit === wallet ? amount : -amount
      balanceAfter += signed
      const side = credit === wallet ? "credit" : "debit"
      return [{ type: transactionType(type, side), amount: signed, balanceAfter, reference }]
    })
    .toReversed()
}

/** The sum of each account's proceeds in escrow. The days are not compared, because the model's days differ. */
const lockedOf = (model: MarketModel, account: AccountId): bigint =>
  [...model.escrow.values()].reduce((sum, { accountId, amount }) => (accountId === account ? sum + amount : sum), 0n)

const compareWallets = Effect.fnUntraced(function* (model: MarketModel) {
  const wallets = yield* WalletStore
  for (const [id, expected] of model.wallets) {
    const wallet = Option.getOrThrow(yield* wallets.find(id))
    const { depositAddress: _address, escrow, pending: _pending, ...balance } = wallet
    const locked = escrow.reduce((sum, { amount }) => sum + amount, 0n)
    assert.strictEqual(locked, lockedOf(model, id), `the escrow of ${id}`)
    assert.deepStrictEqual(balance, { ...expected }, `the wallet of ${id}`)
    const transactions = yield* Stream.runCollect(wallets.exportTransactions(id))
    const shown = transactions.map(({ amount, balanceAfter, reference, type }) => ({
      type,
      amount,
      balanceAfter: balanceAfter as bigint,
      reference
    }))
    assert.deepStrictEqual(shown, shownLines(model.lines, id), `the transactions of ${id}`)
  }
  assert.deepStrictEqual((yield* wallets.audit).differences, [], "the audit finds no difference")
})

/** Concurrently, because each look-up in a database is a round trip. */
const each = <A, E, R>(all: Iterable<A>, compare: (one: A) => Effect.Effect<void, E, R>) =>
  Effect.forEach(all, compare, { concurrency: 16, discard: true })

const comparePurchases = Effect.fnUntraced(function* (
  model: MarketModel,
  relativeToModel: RelativeTimes,
  relativeToStore: RelativeTimes
) {
  const purchases = yield* PurchaseStore
  const live = new Set(
    [...model.purchases.values()]
      .filter(({ expiresAt, status }) => status === "completed" && (expiresAt === null || expiresAt > model.now))
      .map(({ buyerId, item }) => `${buyerId} ${item.id}`)
  )
  yield* each(
    model.purchases.values(),
    Effect.fnUntraced(function* (one) {
      const found = yield* purchases.find(one.id)
      assert.deepStrictEqual(
        Option.map(found, (it) => relativeToStore.purchase(it)),
        Option.some(relativeToModel.purchase(one))
      )
      const licensed = yield* purchases.isLicensed(one.buyerId, one.item.id)
      assert.strictEqual(licensed, live.has(`${one.buyerId} ${one.item.id}`), `a live license of ${one.buyerId}`)
    })
  )
})

const compareRecords = Effect.fnUntraced(function* (
  model: MarketModel,
  relativeToModel: RelativeTimes,
  relativeToStore: RelativeTimes
) {
  const approvals = yield* ApprovalStore
  const purchases = yield* PurchaseStore
  const wallets = yield* WalletStore
  yield* each(model.approvals.values(), (one) =>
    Effect.map(approvals.find(one.id), (found) =>
      assert.deepStrictEqual(
        Option.map(found, (it) => relativeToStore.approval(it)),
        Option.some(relativeToModel.approval(one))
      )
    )
  )
  yield* each(model.subscriptions.values(), (one) =>
    Effect.map(purchases.findSubscription(one.id), (found) =>
      assert.deepStrictEqual(
        Option.map(found, (it) => relativeToStore.subscription(it)),
        Option.some(relativeToModel.subscription(one))
      )
    )
  )
  yield* each(model.renewals.values(), (one) =>
    Effect.map(purchases.findRenewal(one.id), (found) =>
      assert.deepStrictEqual(
        Option.map(found, (it) => relativeToStore.renewal(it)),
        Option.some(relativeToModel.renewal(one))
      )
    )
  )
  yield* each(model.withdrawals.values(), (one) =>
    Effect.map(wallets.findWithdrawal(one.id, one.accountId), (found) =>
      assert.deepStrictEqual(
        Option.map(found, (it) => relativeToStore.withdrawal(it)),
        Option.some(relativeToModel.withdrawal(one))
      )
    )
  )
})

const compareHeldDeposits = Effect.fnUntraced(function* (model: MarketModel) {
  const screening = yield* ScreeningStore
  yield* each(model.heldDeposits.values(), (one) =>
    Effect.map(screening.find(one.id), (found) => {
      const { decidedAt, heldAt: _heldAt, ...deposit } = Option.getOrThrow(found)
      const { decidedAt: expectedDecision, heldAt: _expectedHeldAt, ...expected } = one
      assert.deepStrictEqual(deposit, expected)
      assert.strictEqual(decidedAt === null, expectedDecision === null, `whether ${one.id} is decided`)
    })
  )
})

const compareItems = Effect.fnUntraced(function* (model: MarketModel) {
  const listings = yield* ListingStore
  for (const { id, kind } of model.items.values()) {
    if (kind === "soul") continue
    const detail = Option.getOrThrow(yield* listings.detail(id, null))
    assert.strictEqual(detail.stats.sales, model.sold.get(id) ?? 0, `sales of ${id}`)
  }
})

/** Every event in the log about these accounts. */
const eventsOf = Effect.fnUntraced(function* (accounts: ReadonlySet<AccountId>) {
  const log = yield* EventLog
  const found: Array<LoggedEvent> = []
  let cursor: string | undefined
  for (;;) {
    const events = yield* log.read(cursor, 1000)
    const last = events.at(-1)
    if (last === undefined) return found
    cursor = last.cursor
    found.push(...events.filter((event) => event.accounts.some((account) => accounts.has(account))))
  }
})

const compareEvents = Effect.fnUntraced(function* (
  model: MarketModel,
  relativeToModel: RelativeTimes,
  relativeToStore: RelativeTimes
) {
  const events = yield* eventsOf(new Set(model.wallets.keys()))
  const settled = events.filter(({ type }) => !/^(soul|listing|agent)\./.test(type))
  assert.strictEqual(new Set(settled.map(({ id }) => id)).size, settled.length, "event ids are unique")
  assert.deepStrictEqual(
    settled.map((event) => relativeToStore.event(event)),
    model.events.map((event) => relativeToModel.event(event))
  )
})

/** Rules for withdrawals, address books and the pause of payouts. */
const compareWithdrawalRules = Effect.fnUntraced(function* (
  model: MarketModel,
  relativeToModel: RelativeTimes,
  relativeToStore: RelativeTimes
) {
  const wallets = yield* WalletStore
  for (const account of model.wallets.keys()) {
    const stored = yield* wallets.withdrawalRules(account)
    const expected = model.withdrawalRules.get(account) ?? openRules
    assert.deepStrictEqual(
      relativeToStore.withdrawalRules(stored),
      relativeToModel.withdrawalRules(expected),
      `rules of ${account}`
    )
    const { items } = yield* wallets.savedAddresses(account, { page: 1, limit: 100 })
    const saved = [...model.savedAddresses.values()].filter(({ accountId }) => accountId === account)
    const byId = (one: { readonly id: string }, other: { readonly id: string }) => (one.id < other.id ? -1 : 1)
    assert.deepStrictEqual(
      items.map((item) => relativeToStore.savedAddress(item)).toSorted(byId),
      saved.map((entry) => relativeToModel.savedAddress(entry.saved)).toSorted(byId),
      `the address book of ${account}`
    )
  }
  assert.deepStrictEqual(
    relativeToStore.payoutPause(yield* wallets.payoutPause),
    relativeToModel.payoutPause(model.payoutPause)
  )
})

/** Every decision of the operator is in the log, in its order. The times that states name are the stores' own. */
const compareActions = Effect.fnUntraced(function* (model: MarketModel) {
  const log = yield* ActionStore
  const shown = ({ action, actor, id, reason, subject }: OperatorAction) => ({ action, actor, id, reason, subject })
  yield* each(
    new Set(model.actions.map(({ subject }) => subject)),
    Effect.fnUntraced(function* (subject) {
      const expected = model.actions.filter((action) => action.subject === subject)
      const { items } = yield* log.list({ subject }, { page: 1, limit: expected.length })
      assert.deepStrictEqual(items.map(shown), expected.toReversed().map(shown))
    })
  )
})

/** Compares everything that the stores' readers return with the model. */
export const compareEndState = Effect.fnUntraced(function* (
  model: MarketModel,
  network: string,
  relativeToModel: RelativeTimes,
  relativeToStore: RelativeTimes
) {
  const wallets = yield* WalletStore
  assert.deepStrictEqual(yield* wallets.scanPosition(network), Option.fromUndefinedOr(model.cursors.get(network)))
  yield* compareWallets(model)
  yield* comparePurchases(model, relativeToModel, relativeToStore)
  yield* compareRecords(model, relativeToModel, relativeToStore)
  yield* compareHeldDeposits(model)
  yield* compareItems(model)
  yield* compareWithdrawalRules(model, relativeToModel, relativeToStore)
  yield* compareActions(model)
  yield* compareEvents(model, relativeToModel, relativeToStore)
})
