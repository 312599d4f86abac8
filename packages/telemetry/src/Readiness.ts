import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Condition, ConditionKind } from "@agent-marketplace/core/health/Condition"
import { conditionMessages } from "@agent-marketplace/core/health/Condition"
import { Conditions } from "@agent-marketplace/core/health/Conditions"
import { StoreHealth } from "@agent-marketplace/core/health/StoreHealth"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import type { ReviewWarning } from "@agent-marketplace/core/listings/ReviewWatch"
import { ReviewWatch } from "@agent-marketplace/core/listings/ReviewWatch"
import type { MoneyWarning } from "@agent-marketplace/core/wallets/MoneyWatch"
import { MoneyWatch } from "@agent-marketplace/core/wallets/MoneyWatch"
import { Context, Deferred, Effect, Layer, Option } from "effect"

/** A database that takes longer to answer counts as unavailable. */
const databaseTimeout = "2 seconds"

/** A readiness check tries a write if the last try is older than this. */
const writeEvery = "3 seconds"

interface Warned {
  readonly warnings?: ReadonlyArray<MoneyWarning | ReviewWarning>
}

/** An open condition without its detail, which is for the operator only. */
export interface PublicCondition {
  readonly kind: ConditionKind
  readonly message: string
  /** ISO 8601, UTC. */
  readonly since: string
}

/** A degraded process serves requests, but some of the work of the market cannot be done (SYSTEM-9). */
export type ReadinessReport =
  | ({ readonly status: "ready" } & Warned)
  | ({ readonly status: "degraded"; readonly conditions: ReadonlyArray<PublicCondition> } & Warned)
  | { readonly status: "unavailable" }

const publicCondition = ({ kind, since }: Condition): PublicCondition => ({
  kind,
  message: conditionMessages[kind],
  since: Timestamp.toIso(since)
})

/** Whether this process should receive requests. */
export class Readiness extends Context.Service<
  Readiness,
  {
    readonly state: Effect.Effect<"ready" | "unavailable">
    /**
     * The state, the conditions that degrade the service, and warnings that an operator should examine although the process is ready: the
     * body of `/readyz` (SYSTEM-2).
     */
    readonly report: Effect.Effect<ReadinessReport>
    /** From now on the process reports that it is unavailable. Work that has started is finished. */
    readonly drain: Effect.Effect<void>
    /** Waits until the process drains. */
    readonly draining: Effect.Effect<void>
  }
>()("@agent-marketplace/telemetry/Readiness") {
  static readonly layer = Layer.effect(
    Readiness,
    Effect.gen(function* () {
      const store = yield* IdentityStore
      const health = yield* StoreHealth
      const conditions = yield* Conditions
      const money = yield* MoneyWatch
      const review = yield* ReviewWatch
      const warnings = Effect.zipWith(money.warnings, review.warnings, (some, more) => [...some, ...more])
      const draining = yield* Deferred.make<void>()
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
      const state = Effect.suspend(() =>
        Deferred.isDoneUnsafe(draining) ? Effect.succeed("unavailable" as const) : database
      )
      return Readiness.of({
        state,
        report: Effect.gen(function* (): Effect.fn.Return<ReadinessReport> {
          if ((yield* state) === "unavailable") return { status: "unavailable" }
          const open = yield* Effect.option(Effect.timeout(conditions.open, databaseTimeout))
          if (Option.isNone(open)) return { status: "unavailable" }
          const some = yield* warnings
          const warned: Warned = some.length > 0 ? { warnings: some } : {}
          return open.value.length > 0
            ? { status: "degraded", conditions: open.value.map(publicCondition), ...warned }
            : { status: "ready", ...warned }
        }),
        drain: Effect.asVoid(Deferred.succeed(draining, undefined)),
        draining: Deferred.await(draining)
      })
    })
  )
}
