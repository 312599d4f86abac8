import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { LeaseStore } from "@agent-marketplace/core/jobs/LeaseStore"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect } from "effect"
import { eventually } from "../fixtures/eventually.ts"
import { freshText } from "../fixtures/freshId.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"

/** The contract of `LeaseStore`. */
export const leaseStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: LeaseStore`, stores, (it) => {
    it.effect("one holder acquires a lease, extends it and releases it; others wait (SYSTEM-5)", () =>
      Effect.gen(function* () {
        const leases = yield* LeaseStore
        const job = freshText()
        assert.isTrue(yield* leases.acquire(job, "a", 60))
        assert.isFalse(yield* leases.acquire(job, "b", 60))
        assert.isTrue(yield* leases.acquire(job, "a", 60))
        yield* leases.release(job, "b")
        assert.isFalse(yield* leases.acquire(job, "b", 60), "nobody gives back what he does not hold")
        yield* leases.release(job, "a")
        assert.isTrue(yield* leases.acquire(job, "b", 60))
        assert.isTrue(yield* leases.acquire(freshText(), "a", 60), "another job is another lease")
      })
    )

    it.effect("of 20 concurrent requests for a lease exactly one succeeds", () =>
      Effect.gen(function* () {
        const leases = yield* LeaseStore
        const job = freshText()
        const got = yield* Effect.forEach(Array.from({ length: 20 }), (_, n) => leases.acquire(job, `${n}`, 60), {
          concurrency: "unbounded"
        })
        assert.lengthOf(got.filter(Boolean), 1)
      })
    )

    it.effect("a lease expires in real time, independent of the market's time", () =>
      Effect.gen(function* () {
        const clock = yield* MarketClock
        const leases = yield* LeaseStore
        const job = freshText()
        assert.isTrue(yield* leases.acquire(job, "a", 2))
        yield* clock.advance(3600)
        assert.isFalse(yield* leases.acquire(job, "b", 60))
        yield* eventually("the lease of a dead holder ends", leases.acquire(job, "b", 60))
        assert.isFalse(yield* leases.acquire(job, "a", 60))
      })
    )
  })
