import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import type { MoneyWarning } from "@agent-marketplace/core/wallets/MoneyWatch"
import { MoneyWatch } from "@agent-marketplace/core/wallets/MoneyWatch"
import { Context, Effect, Layer } from "effect"

/** How long a database may take to answer before it counts as away. */
const patience = "2 seconds"

export type ReadinessReport =
  { readonly status: "ready"; readonly warnings?: ReadonlyArray<MoneyWarning> } | { readonly status: "unavailable" }

/** Whether this process should be sent requests. */
export class Readiness extends Context.Service<
  Readiness,
  {
    readonly state: Effect.Effect<"ready" | "unavailable">
    /** The state with what an operator should look at though the process is ready, as `/readyz` tells it (SYSTEM-2). */
    readonly told: Effect.Effect<ReadinessReport>
    /** From now on the process is not ready; what it has begun it finishes. */
    readonly drain: Effect.Effect<void>
  }
>()("@agent-marketplace/http/observability/Readiness") {
  static readonly layer = Layer.effect(
    Readiness,
    Effect.gen(function* () {
      const store = yield* IdentityStore
      const { warnings } = yield* MoneyWatch
      let draining = false
      // Any read tells whether the database answers; no key has this hash.
      const reached = store.findCaller("").pipe(
        Effect.timeout(patience),
        Effect.match({ onFailure: () => "unavailable" as const, onSuccess: () => "ready" as const }),
        Effect.catchCause(() => Effect.succeed("unavailable" as const))
      )
      const state = Effect.suspend(() => (draining ? Effect.succeed("unavailable" as const) : reached))
      return Readiness.of({
        state,
        told: Effect.zipWith(state, warnings, (status, some): ReadinessReport =>
          status === "ready" && some.length > 0 ? { status, warnings: some } : { status }
        ),
        drain: Effect.sync(() => {
          draining = true
        })
      })
    })
  )
}
