import type { ActionDraft } from "@agent-marketplace/core/admin/OperatorAction"
import type { SweepTransfer } from "@agent-marketplace/core/wallets/SweepStore"
import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import { TreasuryStore } from "@agent-marketplace/core/wallets/TreasuryStore"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect } from "effect"
import { freshId, freshText } from "../fixtures/freshId.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"

const transfer = (
  address: string,
  kind: SweepTransfer["kind"] = "sweep",
  amount = 5,
  destination?: string
): SweepTransfer => ({
  kind,
  address,
  amount: usdt(amount),
  ...(destination === undefined ? {} : { destination }),
  transaction: { txid: freshText(), raw: `{"bytes":"${freshText()}"}`, expiresAt: 1_800_000_000_000 }
})

/** The contract of `SweepStore`. */
export const sweepStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: SweepStore`, stores, (it) => {
    it.effect("a started sweep is open and unchanged until it ends; it ends once", () =>
      Effect.gen(function* () {
        const sweeps = yield* SweepStore
        const [one, two] = [transfer(freshText(), "sweep", 5, "the cold wallet"), transfer(freshText(), "funding")]
        const own = Effect.map(sweeps.open, (open) =>
          open.filter(({ address }) => [one.address, two.address].includes(address))
        )
        assert.isTrue(yield* sweeps.start(one))
        assert.isTrue(yield* sweeps.start(two))
        assert.deepStrictEqual(yield* own, [one, two])
        yield* sweeps.end(one.transaction.txid, "failed")
        yield* sweeps.end(one.transaction.txid, "done")
        assert.deepStrictEqual(yield* own, [two])
        assert.isFalse((yield* sweeps.swept).has(one.address), "a failed sweep remains failed")
        assert.include(yield* sweeps.destinations, "the cold wallet")
      })
    )

    it.effect("while one transfer of an address is open, no other starts, even with concurrent requests", () =>
      Effect.gen(function* () {
        const sweeps = yield* SweepStore
        const address = freshText()
        const all = Array.from({ length: 10 }, () => transfer(address))
        const started = yield* Effect.forEach(all, (each) => sweeps.start(each), { concurrency: "unbounded" })
        assert.lengthOf(started.filter(Boolean), 1)
        const first = all[started.indexOf(true)] ?? assert.fail()
        assert.deepStrictEqual(
          (yield* sweeps.open).filter((open) => open.address === address),
          [first]
        )
        yield* sweeps.end(first.transaction.txid, "dead")
        assert.isTrue(yield* sweeps.start(transfer(address)))
      })
    )

    it.effect("swept is the sum of completed sweeps, without funding and without failed or open sweeps", () =>
      Effect.gen(function* () {
        const sweeps = yield* SweepStore
        const address = freshText()
        const end = Effect.fnUntraced(function* (of: SweepTransfer, as: "done" | "failed" | "dead") {
          assert.isTrue(yield* sweeps.start(of))
          yield* sweeps.end(of.transaction.txid, as)
        })
        yield* end(transfer(address, "funding", 7), "done")
        yield* end(transfer(address, "sweep", 5), "done")
        yield* end(transfer(address, "sweep", 100), "failed")
        yield* end(transfer(address, "sweep", 100), "dead")
        yield* end(transfer(address, "sweep", 6), "done")
        yield* sweeps.start(transfer(address, "sweep", 100))
        assert.strictEqual((yield* sweeps.swept).get(address), usdt(11))
      })
    )

    const action = (): ActionDraft => ({
      id: freshId("act"),
      at: 1_700_000_000_000,
      actor: "grace",
      action: "treasury.limits",
      subject: "hot",
      reason: null,
      requestId: freshText()
    })

    /** A hot and a cold wallet of one test, and a ceiling. Sweeps without a destination would count as sweeps to this hot wallet. */
    const tiers = Effect.fnUntraced(function* (ceiling: number | null) {
      const sweeps = yield* SweepStore
      for (const { transaction } of yield* sweeps.open) yield* sweeps.end(transaction.txid, "dead")
      const treasury = yield* TreasuryStore
      const { cold, hot } = yield* treasury.treasury
      const [newHot, newCold] = [freshText(), freshText()]
      assert.isTrue(yield* treasury.setWallet("hot", { from: hot, to: newHot }, action()))
      assert.isTrue(yield* treasury.setWallet("cold", { from: cold, to: newCold }, action()))
      assert.isTrue(yield* treasury.setLimits({ hotCeiling: ceiling === null ? null : usdt(ceiling) }, action()))
      return { treasury, hot: newHot, cold: newCold }
    })

    const none = new Set<string>()

    it.effect("a sweep goes to the hot wallet below the ceiling, and to the cold one from it on (TREASURY-4)", () =>
      Effect.gen(function* () {
        const sweeps = yield* SweepStore
        const { cold, hot, treasury } = yield* tiers(100)
        const start = (amount: number, to: string, held: number, counted: ReadonlySet<string> = none) => {
          const made = transfer(freshText(), "sweep", amount, to)
          return Effect.map(sweeps.start(made, { held: usdt(held), counted }), (as) => ({ as, made }))
        }
        const first = yield* start(60, hot, 0)
        assert.strictEqual(first.as, true)
        assert.strictEqual((yield* start(5, cold, 39)).as, false, "39 held and 60 on their way")
        assert.strictEqual((yield* start(5, hot, 40)).as, false, "40 held and 60 on their way")
        assert.strictEqual((yield* start(5, cold, 40)).as, true)
        assert.strictEqual((yield* start(5, hot, 39)).as, true, "sweeps to the cold wallet do not count")
        yield* sweeps.end(first.made.transaction.txid, "done")
        assert.strictEqual((yield* start(5, cold, 40, new Set([first.made.transaction.txid]))).as, true)
        assert.strictEqual((yield* start(5, hot, 40)).as, true, "a sweep that ended before the balance was read")
        assert.isTrue(yield* treasury.setLimits({ hotCeiling: null }, action()))
        assert.strictEqual((yield* start(5, hot, 1000)).as, true, "without a ceiling")
        assert.strictEqual((yield* start(5, "a stranger", 0)).as, false)
        const funding = transfer(freshText(), "funding")
        assert.isTrue(yield* sweeps.start(funding, { held: usdt(1000), counted: none }))
      })
    )

    it.effect("concurrent sweeps go to the hot wallet only until they reach the ceiling (TREASURY-4)", () =>
      Effect.gen(function* () {
        const sweeps = yield* SweepStore
        const { cold, hot } = yield* tiers(25)
        const made = Array.from({ length: 8 }, () => transfer(freshText(), "sweep", 10, hot))
        const balance = { held: usdt(0), counted: none }
        const started = yield* Effect.forEach(made, (each) => sweeps.start(each, balance), { concurrency: "unbounded" })
        assert.lengthOf(started.filter(Boolean), 3, "0, 10 and 20 are below the ceiling")
        assert.isTrue(yield* sweeps.start(transfer(freshText(), "sweep", 10, cold), balance))
      })
    )

    it.effect("a sweep of an earlier release, without a destination, counts as one to the hot wallet", () =>
      Effect.gen(function* () {
        const sweeps = yield* SweepStore
        const { cold, hot } = yield* tiers(25)
        const balance = { held: usdt(0), counted: none }
        assert.isTrue(yield* sweeps.start(transfer(freshText(), "sweep", 25)))
        assert.isFalse(yield* sweeps.start(transfer(freshText(), "sweep", 5, hot), balance))
        assert.isTrue(yield* sweeps.start(transfer(freshText(), "sweep", 5, cold), balance))
      })
    )
  })
