import { StoreHealth } from "@agent-marketplace/core/health/StoreHealth"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import type { ReviewWarning } from "@agent-marketplace/core/listings/ReviewWatch"
import { ReviewWatch } from "@agent-marketplace/core/listings/ReviewWatch"
import type { MoneyWarning } from "@agent-marketplace/core/wallets/MoneyWatch"
import { MoneyWatch } from "@agent-marketplace/core/wallets/MoneyWatch"
import { Context, Effect, Layer } from "effect"

/** A database that takes longer to answer counts as unavailable. */
const databaseTimeout = "2 seconds"

/** A readiness check tries a write if the last try is older than this. */
const writeEvery = "3 seconds"

export type ReadinessReport =
  | { readonly status: "ready"; readonly warnings?: ReadonlyArray<MoneyWarning | ReviewWarning> }
  | { readonly status: "unavailable" }

/** Whether this process should receive requests. */
export class Readiness extends Context.Service<
  Readiness,
  {
    readonly state: Effect.Effect<"ready" | "unavailable">
    /** The state, and warnings that an operator should examine although the process is ready: the body of `/readyz` (SYSTEM-2). */
    readonly report: Effect.Effect<ReadinessReport>
    /** From now on the process reports that it is unavailable. Work that has started is finished. */
    readonly drain: Effect.Effect<void>
  }
>()("@agent-marketplace/telemetry/Readiness") {
  static readonly layer = Layer.effect(
    Readiness,
    Effect.gen(function* () {
      const store = yield* IdentityStore
      const health = yield* StoreHealth
      const money = yield* MoneyWatch
      const review = yield* ReviewWatch
      const warnings = Effect.zipWith(money.warnings, review.warnings, (some, more) => [...some, ...more])
      let draining = false
      const succeeds = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<boolean> =>
        effect.pipe(
          Effect.timeout(databaseTimeout),
          Effect.match({ onFailure: () => false, onSuccess: () => true }),
          Effect.catchCause(() => Effect.succeed(false))
        )
      // Any read shows whether the database answers. No key has this hash.
      const readable = succeeds(store.findCaller(""))
      const writable = yield* Effect.cachedWithTTL(succeeds(health.writable), writeEvery)
      const database = Effect.map(Effect.all([readable, writable], { concurrency: 2 }), ([reads, writes]) =>
        reads && writes ? ("ready" as const) : ("unavailable" as const)
      )
      const state = Effect.suspend(() => (draining ? Effect.succeed("unavailable" as const) : database))
      return Readiness.of({
        state,
        report: Effect.zipWith(state, warnings, (status, some): ReadinessReport =>
          status === "ready" && some.length > 0 ? { status, warnings: some } : { status }
        ),
        drain: Effect.sync(() => {
          draining = true
        })
      })
    })
  )
}
