import type { SweepTransfer } from "@agent-marketplace/core/wallets/SweepStore"
import { SweepStore } from "@agent-marketplace/core/wallets/SweepStore"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect } from "effect"
import { freshText } from "../fixtures/freshId.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"
import { usdt } from "../fixtures/usdt.ts"

const transfer = (address: string, kind: SweepTransfer["kind"] = "sweep", amount = 5): SweepTransfer => ({
  kind,
  address,
  amount: usdt(amount),
  transaction: { txid: freshText(), raw: `{"bytes":"${freshText()}"}`, expiresAt: 1_800_000_000_000 }
})

/** The contract of `SweepStore`. */
export const sweepStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: SweepStore`, stores, (it) => {
    it.effect("a started sweep is open and unchanged until it ends; it ends once", () =>
      Effect.gen(function* () {
        const sweeps = yield* SweepStore
        const [one, two] = [transfer(freshText()), transfer(freshText(), "funding")]
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
      })
    )

    it.effect("while one transfer of an address is open, no other starts, even with concurrent requests", () =>
      Effect.gen(function* () {
        const sweeps = yield* SweepStore
        const address = freshText()
        const all = Array.from({ length: 10 }, () => transfer(address))
        const started = yield* Effect.forEach(all, sweeps.start, { concurrency: "unbounded" })
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
  })
