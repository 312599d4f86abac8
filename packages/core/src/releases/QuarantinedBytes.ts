import { Context, Effect, Layer } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import { SettlementStore } from "../settlement/SettlementStore.ts"
import { bytesChecked } from "./ReleaseRules.ts"
import { ReleaseStore } from "./ReleaseStore.ts"

/** How many releases one run changes. */
const batch = 50

/** A quarantine is about bytes: it also stops other releases with the same bytes, in whichever item they are (RELEASE-27). */
export class QuarantinedBytes extends Context.Service<
  QuarantinedBytes,
  {
    /**
     * To be called after a quarantine was committed. When this returns, no item sells the quarantined bytes, and no earlier purchase of them can
     * still commit, including purchases of the quarantined item itself.
     */
    readonly enforce: StoreEffect<void>
    /** The background job: completes the work of stopped processes, and ends quarantines whose cause has ended. True if more may be due. */
    readonly sweep: StoreEffect<boolean>
  }
>()("@agent-marketplace/core/releases/QuarantinedBytes") {
  static readonly layer = Layer.effect(
    QuarantinedBytes,
    Effect.gen(function* () {
      const store = yield* ReleaseStore
      const { underWayDone } = yield* SettlementStore
      const clock = yield* MarketClock

      const sweep = Effect.gen(function* () {
        const affected = yield* store.affectedByBytes(batch)
        const now = yield* clock.now
        for (const head of affected) yield* store.modify(head.itemId, bytesChecked(head, now))
        if (affected.length > 0) yield* underWayDone
        return affected.length === batch
      })

      const untilDone: StoreEffect<void> = Effect.flatMap(sweep, (more) => (more ? untilDone : Effect.void))
      return {
        // A concurrent transaction that publishes a release does not see the quarantine. The first wait lets it commit, so that the sweep finds it.
        enforce: Effect.andThen(underWayDone, untilDone).pipe(Effect.withSpan("QuarantinedBytes.enforce")),
        sweep: sweep.pipe(Effect.withSpan("QuarantinedBytes.sweep"))
      }
    })
  )
}
