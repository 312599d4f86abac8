import { ActionStore } from "@agent-marketplace/core/admin/ActionStore"
import type { ActionDraft } from "@agent-marketplace/core/admin/OperatorAction"
import type { Transfer } from "@agent-marketplace/core/chain/Chain"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import type { TreasuryLimits } from "@agent-marketplace/core/wallets/TreasuryStore"
import { TreasuryStore } from "@agent-marketplace/core/wallets/TreasuryStore"
import { WalletStore } from "@agent-marketplace/core/wallets/WalletStore"
import type { Withdrawal } from "@agent-marketplace/core/wallets/Withdrawal"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect, Result } from "effect"
import { assertBooks } from "../fixtures/assertBooks.ts"
import { Commands } from "../fixtures/Commands.ts"
import { freshId, freshText } from "../fixtures/freshId.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { fund, refusalOf, resultOf, settle, settleAtOnce } from "../fixtures/settle.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"

const draft = (action: string, subject: string): ActionDraft => ({
  id: freshId("act"),
  at: 1_700_000_000_000,
  actor: "grace",
  action,
  subject,
  reason: "the audit of May",
  requestId: freshText()
})

const transfer = (txid = freshText(), logIndex = 0): Transfer => ({
  txid,
  logIndex,
  from: "the hot wallet",
  to: "somebody",
  amount: usdt(5),
  block: 7,
  at: 1_700_000_000_000
})

const network = "treasury-test"

const withdrawn = Effect.gen(function* () {
  const account = yield* openAccount()
  yield* fund(account, usdt(100))
  return resultOf(yield* settle(Commands.withdraw(account, usdt(5), usdt(1))), "Withdrawal").withdrawal
})

const settledWith = (withdrawal: Withdrawal, txid: string) =>
  Commands.move(withdrawal, {
    to: "settled",
    transaction: { txid, raw: "", expiresAt: 5 },
    tokenFee: null,
    action: draft("withdrawal.settle", withdrawal.id)
  })

/** The contract of `TreasuryStore`. */
export const treasuryStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: TreasuryStore`, stores, (it) => {
    it.effect(
      "the first token and hot wallet are kept; a wallet changes only from the one that is named (TREASURY-1)",
      () =>
        Effect.gen(function* () {
          const store = yield* TreasuryStore
          const actions = yield* ActionStore
          const none = { token: null, hot: null, cold: null, hotCeiling: null, topUpBelow: null }
          assert.deepStrictEqual(yield* store.treasury, none)
          assert.deepStrictEqual(yield* store.claim({ token: "usdt" }), { ...none, token: "usdt" })
          assert.deepStrictEqual(yield* store.claim({ token: "other", hot: "one" }), {
            ...none,
            token: "usdt",
            hot: "one"
          })
          const change = (wallet: "hot" | "cold", from: string | null, to: string | null) =>
            store.setWallet(wallet, { from, to }, draft("treasury.set", wallet))
          assert.isFalse(yield* change("hot", "two", "three"))
          assert.isFalse(yield* change("hot", null, "three"))
          const races = yield* Effect.all([change("hot", "one", "two"), change("hot", "one", "three")], {
            concurrency: "unbounded"
          })
          assert.strictEqual(races.filter(Boolean).length, 1)
          assert.isTrue(yield* change("cold", null, "ice"))
          const { cold, hot } = yield* store.treasury
          assert.deepStrictEqual([cold, hot], ["ice", races[0] === true ? "two" : "three"])
          const { items } = yield* actions.list({ subject: "hot" }, { page: 1, limit: 10 })
          assert.deepStrictEqual(
            items.map(({ after, before, reason }) => ({ after, before, reason })),
            [{ before: { hot: "one" }, after: { hot }, reason: "the audit of May" }]
          )
          assert.isTrue(yield* change("cold", "ice", null))
          const both = yield* Effect.all([change("hot", hot, "one wallet"), change("cold", null, "one wallet")], {
            concurrency: "unbounded"
          })
          assert.strictEqual(both.filter(Boolean).length, 1, "the hot and the cold wallet differ")
        })
    )

    it.effect("the top-up level is never above the ceiling, also when both change at once (TREASURY-5)", () =>
      Effect.gen(function* () {
        const store = yield* TreasuryStore
        const actions = yield* ActionStore
        const subject = freshText()
        const set = (limits: TreasuryLimits) => store.setLimits(limits, draft("treasury.limits", subject))
        assert.isTrue(yield* set({ hotCeiling: usdt(100), topUpBelow: usdt(100) }))
        assert.isFalse(yield* set({ hotCeiling: usdt(99) }))
        assert.isFalse(yield* set({ topUpBelow: usdt(101) }))
        assert.isTrue(yield* set({ topUpBelow: usdt(20) }))
        for (let round = 0; round < 8; round++) {
          const races = yield* Effect.all([set({ hotCeiling: usdt(50) }), set({ topUpBelow: usdt(60) })], {
            concurrency: "unbounded"
          })
          assert.strictEqual(races.filter(Boolean).length, 1)
          const { hotCeiling, topUpBelow } = yield* store.treasury
          assert.isTrue((topUpBelow ?? 0n) <= (hotCeiling ?? 0n))
          assert.isTrue(yield* set({ hotCeiling: usdt(100), topUpBelow: usdt(20) }))
        }
        assert.isTrue(yield* set({ hotCeiling: null }))
        assert.isTrue(yield* set({ topUpBelow: usdt(5000) }), "without a ceiling")
        const { items } = yield* actions.list({ subject }, { page: 1, limit: 1 })
        assert.deepStrictEqual(
          items.map(({ after, before }) => ({ after, before })),
          [{ before: { topUpBelow: "20.00" }, after: { topUpBelow: "5000.00" } }]
        )
        assert.isTrue(yield* set({ topUpBelow: null }))
        const { hotCeiling, topUpBelow } = yield* store.treasury
        assert.deepStrictEqual([hotCeiling, topUpBelow], [null, null])
      })
    )

    it.effect("one transaction settles one of 10 withdrawals that are settled at the same time (OPERATOR-27)", () =>
      Effect.gen(function* () {
        const actions = yield* ActionStore
        const waiting = yield* Effect.all(Array.from({ length: 10 }, () => withdrawn))
        const txid = freshText()
        const outcomes = yield* settleAtOnce(waiting.map((one) => settledWith(one, txid)))
        assert.lengthOf(outcomes.filter(Result.isSuccess), 1)
        for (const one of outcomes)
          if (Result.isFailure(one)) assert.strictEqual(refusalOf(one, "Conflict").state, "transaction_used")
        const logged = yield* Effect.forEach(waiting, ({ id }) => actions.list({ subject: id }, { page: 1, limit: 10 }))
        assert.lengthOf(
          logged.flatMap(({ items }) => items),
          1
        )
        yield* assertBooks
      })
    )

    it.effect("a transaction is explained or settles a withdrawal, whichever comes first (TREASURY-3)", () =>
      Effect.gen(function* () {
        const store = yield* TreasuryStore
        const explain = (txid: string) => store.explain(txid, "our own", draft("treasury.explain", txid))
        const [matched, explained] = [transfer(), transfer()]
        yield* store.recordOutgoing(network, [matched, explained])
        resultOf(yield* settle(settledWith(yield* withdrawn, matched.txid)), "Withdrawal")
        assert.isFalse(yield* explain(matched.txid), "a withdrawal has it")
        assert.isTrue(yield* explain(explained.txid))
        const late = yield* settle(settledWith(yield* withdrawn, explained.txid))
        assert.strictEqual(refusalOf(late, "Conflict").state, "transaction_used")
        for (let round = 0; round < 8; round++) {
          const each = transfer()
          yield* store.recordOutgoing(network, [each])
          const settling = settle(settledWith(yield* withdrawn, each.txid))
          const [isExplained, outcome] = yield* Effect.all([explain(each.txid), settling], {
            concurrency: "unbounded"
          })
          assert.strictEqual(isExplained, Result.isFailure(outcome))
        }
        assert.deepStrictEqual(yield* store.unknownTransfers, [])
      })
    )

    it.effect("a transfer that no withdrawal has stops payouts until it is explained (TREASURY-3)", () =>
      Effect.gen(function* () {
        const store = yield* TreasuryStore
        const wallets = yield* WalletStore
        const actions = yield* ActionStore
        const [queued, waiting] = [yield* withdrawn, yield* withdrawn]
        const transaction = { txid: freshText(), raw: "00", expiresAt: 5 }
        resultOf(yield* settle(Commands.move(queued, { to: "broadcasting", transaction })), "Withdrawal")
        const strange = [transfer(), transfer()]
        yield* store.recordOutgoing(network, [transfer(transaction.txid)])
        assert.isNull(yield* wallets.payoutPause, "its withdrawal is known")
        yield* store.recordOutgoing(network, strange)
        yield* store.recordOutgoing(network, strange)
        const pause = yield* wallets.payoutPause
        assert.deepInclude(pause, { since: 1_700_000_000_000, unknownTransfers: true })
        assert.lengthOf(yield* store.unknownTransfers, 2)
        const sent = { txid: freshText(), raw: "00", expiresAt: 5 }
        const start = Commands.move(waiting, { to: "broadcasting", transaction: sent })
        assert.strictEqual(refusalOf(yield* settle(start), "Conflict").state, "paused")
        const cancel = Commands.move(waiting, { to: "cancelled" })
        assert.strictEqual(refusalOf(yield* settle(cancel), "Conflict").state, "unknown_transfers")
        const [one, two] = strange.map(({ txid }) => txid)
        assert.isDefined(one)
        assert.isDefined(two)
        assert.isTrue(yield* store.explain(one, "moved to the cold wallet", draft("treasury.explain", one)))
        assert.isFalse(yield* store.explain(one, "again", draft("treasury.explain", one)))
        const known = yield* store.knownTransactions(network, [transaction.txid, one, two])
        assert.deepStrictEqual([...known].sort(), [transaction.txid, one].sort())
        const [left] = yield* store.unknownTransfers
        assert.deepStrictEqual(left, {
          network,
          txid: two,
          logIndex: 0,
          to: "somebody",
          amount: usdt(5),
          block: 7,
          at: 1_700_000_000_000
        })
        const { items } = yield* actions.list({ subject: one }, { page: 1, limit: 10 })
        assert.deepStrictEqual(
          items.map(({ action, after }) => ({ action, after })),
          [{ action: "treasury.explain", after: { explanation: "moved to the cold wallet" } }]
        )
        // Settled with the transaction, the withdrawal explains the transfer.
        const { withdrawal } = resultOf(yield* settle(settledWith(waiting, two)), "Withdrawal")
        assert.deepInclude(withdrawal, { state: "completed", transaction: { txid: two, raw: "", expiresAt: 5 } })
        assert.deepStrictEqual(yield* store.unknownTransfers, [])
        assert.isNull(yield* wallets.payoutPause)
      })
    )
  })
