import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { Context, Effect, Layer } from "effect"

/** How long a database may take to answer before it counts as away. */
const patience = "2 seconds"

/** Whether this process should be sent requests. */
export class Readiness extends Context.Service<
  Readiness,
  {
    readonly state: Effect.Effect<"ready" | "unavailable">
    /** From now on the process is not ready; what it has begun it finishes. */
    readonly drain: Effect.Effect<void>
  }
>()("@agent-marketplace/http/observability/Readiness") {
  static readonly layer = Layer.effect(
    Readiness,
    Effect.gen(function* () {
      const store = yield* IdentityStore
      let draining = false
      // Any read tells whether the database answers; no key has this hash.
      const reached = store.findCaller("").pipe(
        Effect.timeout(patience),
        Effect.match({ onFailure: () => "unavailable" as const, onSuccess: () => "ready" as const }),
        Effect.catchCause(() => Effect.succeed("unavailable" as const))
      )
      return Readiness.of({
        state: Effect.suspend(() => (draining ? Effect.succeed("unavailable" as const) : reached)),
        drain: Effect.sync(() => {
          draining = true
        })
      })
    })
  )
}
