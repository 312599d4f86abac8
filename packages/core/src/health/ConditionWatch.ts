import { Context, Effect, Layer } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import { makePlatformCheck } from "../wallets/platformCheck.ts"
import { WalletStore } from "../wallets/WalletStore.ts"
import { Conditions } from "./Conditions.ts"

/** Finds the conditions that the store alone shows (SYSTEM-9). Conditions of the chain are found by the jobs that use it. */
export class ConditionWatch extends Context.Service<
  ConditionWatch,
  { readonly check: Effect.Effect<void, StoreUnavailable> }
>()("@agent-marketplace/core/health/ConditionWatch") {
  static readonly layer = Layer.effect(
    ConditionWatch,
    Effect.gen(function* () {
      const conditions = yield* Conditions
      const store = yield* WalletStore
      const platformNegative = makePlatformCheck(store, yield* MarketClock)
      const check = Effect.gen(function* () {
        const pause = yield* store.payoutPause
        yield* conditions.set("payouts_paused", pause !== null, pause?.reason)
        const inDebt = (yield* store.debts).length > 0
        yield* conditions.set("platform_negative", yield* platformNegative(inDebt))
      })
      return { check: Effect.withSpan(check, "ConditionWatch.check") }
    })
  )
}
