import { Context, Effect, Layer } from "effect"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import { Conditions } from "./Conditions.ts"
import { StoreHealth } from "./StoreHealth.ts"

/** Prepares the store for coming rows, and reports rows for which it is not prepared as a condition (DATABASE-11). */
export class StorageWatch extends Context.Service<StorageWatch, { readonly check: StoreEffect<void> }>()(
  "@agent-marketplace/core/health/StorageWatch"
) {
  static readonly layer = Layer.effect(
    StorageWatch,
    Effect.gen(function* () {
      const conditions = yield* Conditions
      const { prepare } = yield* StoreHealth
      const check = Effect.flatMap(prepare, (unprepared) =>
        conditions.set("partitions_missing", unprepared !== null, unprepared)
      )
      return { check: Effect.withSpan(check, "StorageWatch.check") }
    })
  )
}
