import { ActionStore } from "@agent-marketplace/core/admin/ActionStore"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import type { ReceivedAsset } from "@agent-marketplace/core/wallets/ForeignAsset"
import { foreignAssetLimits, ForeignAssetStore } from "@agent-marketplace/core/wallets/ForeignAssetStore"
import type { SweepTransfer } from "@agent-marketplace/core/wallets/SweepStore"
import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect, Option } from "effect"
import { actionDraft } from "../fixtures/actionDraft.ts"
import { freshId, freshText } from "../fixtures/freshId.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"

const network = "foreign-assets-test"

const largest = 2n ** 256n - 1n

const received = (more: Partial<ReceivedAsset> = {}): ReceivedAsset => ({
  id: freshId("fas"),
  txid: freshText(),
  logIndex: 0,
  kind: "trc20",
  asset: "a contract",
  amount: 5n,
  accountId: freshId("usr"),
  address: freshText(),
  sender: "a stranger",
  block: 7,
  at: 1_700_000_000_000,
  ...more
})

const stored = {
  network,
  unverifiedSymbol: null,
  state: "received",
  destination: null,
  transaction: null,
  failure: null
} as const

const returning = (asset: ReceivedAsset, destination: string, amount = asset.amount): SweepTransfer => ({
  kind: "return",
  address: asset.address,
  amount,
  transaction: { txid: freshText(), raw: "{}", expiresAt: 1_800_000_000_000 },
  returns: { id: asset.id, destination }
})

const found = (asset: Pick<ReceivedAsset, "id">) =>
  Effect.map(
    Effect.flatMap(ForeignAssetStore, ({ find }) => find(asset.id)),
    Option.getOrThrow
  )

/** Records it, whatever the limits of the day. */
const recorded = Effect.fnUntraced(function* (more: Partial<ReceivedAsset> = {}) {
  const asset = received(more)
  yield* (yield* ForeignAssetStore).record(network, [asset], actionDraft("foreign_asset.recheck", asset.txid))
  return asset
})

const request = (asset: ReceivedAsset, destination: string) =>
  Effect.map(
    Effect.flatMap(ForeignAssetStore, ({ requestReturn }) =>
      requestReturn(asset.id, destination, actionDraft("foreign_asset.return", asset.id))
    ),
    Option.getOrThrow
  )

const actionsOn = (subject: string) =>
  Effect.flatMap(ActionStore, ({ list }) => list({ subject }, { page: 1, limit: 100 }))

/** The contract of `ForeignAssetStore`, and of the returns in `SweepStore`. */
export const foreignAssetStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: ForeignAssetStore`, stores, (it) => {
    it.effect("a transfer is recorded once, with an amount of up to 256 bits, and listed newest first (CHAIN-29)", () =>
      Effect.gen(function* () {
        const store = yield* ForeignAssetStore
        const txid = freshText()
        const [first, second] = [
          received({ txid, amount: largest }),
          received({ txid, logIndex: 1, kind: "trx", asset: "TRX" })
        ]
        yield* store.record(network, [first], null)
        yield* Effect.all(
          Array.from({ length: 5 }, () => store.record(network, [{ ...first, id: freshId("fas") }, second], null)),
          { concurrency: "unbounded" }
        )
        const { items, total } = yield* store.list({ txid }, { page: 1, limit: 10 })
        assert.strictEqual(total, 2)
        assert.deepStrictEqual(items, [
          { ...second, ...stored },
          { ...first, ...stored }
        ])
        assert.deepStrictEqual(yield* found(first), { ...first, ...stored })
        assert.deepStrictEqual((yield* store.list({ txid, state: "returned" }, { page: 1, limit: 10 })).total, 0)
        assert.isTrue(Option.isNone(yield* store.find(freshId("fas"))))
      })
    )

    it.effect("transfers by the market itself are not recorded (CHAIN-29)", () =>
      Effect.gen(function* () {
        const store = yield* ForeignAssetStore
        const sweeps = yield* SweepStore
        const funding: SweepTransfer = {
          kind: "funding",
          address: freshText(),
          amount: 7n,
          transaction: { txid: freshText(), raw: "{}", expiresAt: 1_800_000_000_000 }
        }
        assert.isTrue(yield* sweeps.start(funding))
        const { txid } = funding.transaction
        yield* store.record(network, [received({ txid, kind: "trx", asset: "TRX" })], actionDraft("recheck", txid))
        assert.strictEqual((yield* store.list({ txid }, { page: 1, limit: 10 })).total, 0)
        assert.strictEqual((yield* actionsOn(txid)).total, 0)
      })
    )

    it.effect("10,000 worthless transfers to one address are 20 records; the rest is counted (CHAIN-30)", () =>
      Effect.gen(function* () {
        const store = yield* ForeignAssetStore
        const address = freshText()
        const before = yield* store.leftOut
        const spam = Array.from({ length: 10_000 }, () => received({ address }))
        yield* Effect.forEach([spam.slice(0, 5000), spam.slice(5000)], (each) => store.record(network, each, null), {
          concurrency: "unbounded"
        })
        const { items } = yield* store.list({ state: "received" }, { page: 1, limit: 100 })
        assert.lengthOf(
          items.filter((each) => each.address === address),
          foreignAssetLimits.perAddress
        )
        assert.strictEqual((yield* store.leftOut) - before, 10_000 - foreignAssetLimits.perAddress)
        // A transfer that the operator names is recorded without limits.
        const named = yield* recorded({ address })
        assert.deepStrictEqual(yield* found(named), { ...named, ...stored })
        assert.deepStrictEqual(
          (yield* actionsOn(named.txid)).items.map(({ after }) => after),
          [{ recorded: 1 }]
        )
      })
    )

    it.effect("all addresses together get 1,000 records a day, also from concurrent recorders (CHAIN-30)", () =>
      Effect.gen(function* () {
        const store = yield* ForeignAssetStore
        const total = Effect.map(store.list({ state: "received" }, { page: 1, limit: 1 }), (page) => page.total)
        const before = { total: yield* total, leftOut: yield* store.leftOut }
        const spam = Array.from({ length: 12 }, () => Array.from({ length: 100 }, () => received()))
        yield* Effect.forEach(spam, (each) => store.record(network, each, null), { concurrency: "unbounded" })
        const added = (yield* total) - before.total
        assert.isTrue(added <= foreignAssetLimits.perDay, `${added} were recorded`)
        assert.isTrue(added > 0)
        assert.strictEqual(added + (yield* store.leftOut) - before.leftOut, 1200)
      })
    )

    it.effect(
      "a return is requested once; until a transaction is open, another destination replaces the first (CHAIN-31)",
      () =>
        Effect.gen(function* () {
          const asset = yield* recorded()
          const requests = yield* Effect.all(
            Array.from({ length: 10 }, () => request(asset, "the sender")),
            { concurrency: "unbounded" }
          )
          assert.lengthOf(
            requests.filter((each) => each._tag === "Requested" && each.changed),
            1
          )
          assert.strictEqual((yield* actionsOn(asset.id)).total, 1)
          assert.deepInclude(yield* request(asset, "somebody else"), { _tag: "Requested", changed: true })
          const sweeps = yield* SweepStore
          assert.isFalse(yield* sweeps.start(returning(asset, "the sender")), "the destination was replaced")
          const transfer = returning(asset, "somebody else", 4n)
          assert.isTrue(yield* sweeps.start(transfer))
          assert.deepStrictEqual(
            (yield* sweeps.open).filter(({ address }) => address === asset.address),
            [transfer]
          )
          assert.deepInclude(yield* request(asset, "a third"), { _tag: "Sent" })
          assert.deepInclude(yield* request(asset, "somebody else"), { _tag: "Requested", changed: false })
          const { txid } = transfer.transaction
          assert.deepInclude(yield* found(asset), { state: "returning", transaction: { txid, amount: 4n } })
          const { items } = yield* actionsOn(asset.id)
          assert.deepStrictEqual(
            items.map(({ after, before }) => [before, after]),
            [
              [
                { state: "returning", destination: "the sender" },
                { state: "returning", destination: "somebody else" }
              ],
              [
                { state: "received", destination: null },
                { state: "returning", destination: "the sender" }
              ]
            ]
          )
        })
    )

    it.effect("another destination and a transaction to the first one never both succeed (CHAIN-32)", () =>
      Effect.gen(function* () {
        const sweeps = yield* SweepStore
        for (let round = 0; round < 10; round++) {
          const asset = yield* recorded()
          yield* request(asset, "first")
          const [started, replaced] = yield* Effect.all(
            [sweeps.start(returning(asset, "first")), request(asset, "second")],
            { concurrency: "unbounded" }
          )
          assert.strictEqual(started, replaced._tag === "Sent")
          assert.strictEqual((yield* found(asset)).destination, started ? "first" : "second")
        }
      })
    )

    it.effect("the end of the transaction decides: returned, failed, or still to be returned (CHAIN-32)", () =>
      Effect.gen(function* () {
        const sweeps = yield* SweepStore
        const asset = yield* recorded()
        assert.isFalse(yield* sweeps.start(returning(asset, "the sender")), "no return was requested")
        yield* request(asset, "the sender")
        const attempt = Effect.fnUntraced(function* (as: "done" | "failed" | "dead", reason?: string) {
          const transfer = returning(asset, "the sender")
          const started = yield* sweeps.start(transfer)
          yield* sweeps.end(transfer.transaction.txid, as, reason)
          yield* sweeps.end(transfer.transaction.txid, "done")
          return { started, ...(yield* found(asset)) }
        })
        assert.deepInclude(yield* attempt("dead"), { started: true, state: "returning", transaction: null })
        assert.deepInclude(yield* attempt("failed", "REVERT"), { started: true, state: "failed", failure: "REVERT" })
        assert.isFalse((yield* attempt("done")).started, "it must be requested again")
        assert.deepInclude(yield* request(asset, "the sender"), { _tag: "Requested", changed: true })
        assert.deepInclude(yield* attempt("done"), { started: true, state: "returned", failure: null })
        assert.deepInclude(yield* request(asset, "somebody else"), { _tag: "Sent" })
        assert.deepInclude(yield* request(asset, "the sender"), { _tag: "Requested", changed: false })
        assert.isFalse((yield* attempt("done")).started, "it is returned once")
        assert.strictEqual((yield* sweeps.swept).get(asset.address), undefined, "a return is no sweep")
      })
    )

    it.effect("one of two transactions that start at the same time is stored (CHAIN-32)", () =>
      Effect.gen(function* () {
        const sweeps = yield* SweepStore
        const asset = yield* recorded()
        const other = yield* recorded({ address: asset.address })
        yield* request(asset, "the sender")
        yield* request(other, "the sender")
        const started = yield* Effect.forEach(
          [asset, asset, other, other].map((each) => returning(each, "the sender")),
          (each) => sweeps.start(each),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(started.filter(Boolean), 1)
      })
    )

    it.effect("the name of a token is kept for all records of the asset", () =>
      Effect.gen(function* () {
        const store = yield* ForeignAssetStore
        const [one, two] = [yield* recorded({ asset: freshText() }), yield* recorded()]
        yield* store.setSymbol({ network, kind: "trc20", asset: one.asset }, "USDT?")
        assert.strictEqual((yield* found(one)).unverifiedSymbol, "USDT?")
        assert.isNull((yield* found(two)).unverifiedSymbol)
      })
    )
  })
