import { Context, Effect, Layer, Metric } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Condition, ConditionKind } from "./Condition.ts"
import { boundedDetail, conditionKinds, conditionMessages } from "./Condition.ts"
import { ConditionStore } from "./ConditionStore.ts"

/** The open conditions are read at most this often. */
const readInterval = "1 second"

/** The interval at which every process reads them for its metrics. */
const metricInterval = "5 seconds"

const gauge = (kind: ConditionKind) =>
  Metric.gauge("market_condition", { description: "1 while the condition degrades the service.", attributes: { kind } })

/**
 * Conditions that degrade the service while it goes on serving requests (SYSTEM-9): found by one process, shown by all.
 *
 * Checks call `raise` or `clear` at each run with what they find; nothing is written while nothing changes. A call that contradicts what
 * another process did within the last second may take effect only at the next run.
 */
export class Conditions extends Context.Service<
  Conditions,
  {
    /**
     * Reports that the condition holds. A change of `detail` is stored, so it must not contain what differs at each run, such as an age. It is
     * shown to the operator only.
     */
    readonly raise: (kind: ConditionKind, detail?: string | null) => Effect.Effect<void, StoreUnavailable>
    /** Reports that the condition does not hold. */
    readonly clear: (kind: ConditionKind) => Effect.Effect<void, StoreUnavailable>
    /** Raises or clears the condition. */
    readonly set: (kind: ConditionKind, holds: boolean, detail?: string | null) => Effect.Effect<void, StoreUnavailable>
    /** The open conditions, oldest first; at most a second old. */
    readonly open: Effect.Effect<ReadonlyArray<Condition>, StoreUnavailable>
    readonly list: (
      filter: { readonly open?: boolean | undefined },
      page: PageRequest
    ) => Effect.Effect<Page<Condition>, StoreUnavailable>
  }
>()("@agent-marketplace/core/health/Conditions") {
  static readonly layer = Layer.effect(
    Conditions,
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const store = yield* ConditionStore

      const read = Effect.tap(store.open, (open) =>
        Effect.forEach(
          conditionKinds,
          (kind) => Metric.update(gauge(kind), open.some((each) => each.kind === kind) ? 1 : 0),
          { discard: true }
        )
      )
      const [open, forget] = yield* Effect.cachedInvalidateWithTTL(read, readInterval)
      const find = (kind: ConditionKind) => Effect.map(open, (all) => all.find((each) => each.kind === kind))

      const raise = Effect.fn("Conditions.raise")(function* (kind: ConditionKind, given: string | null = null) {
        const detail = boundedDetail(given)
        const known = yield* find(kind)
        if (known !== undefined && known.detail === detail) return
        const result = yield* store.raise({ kind, detail, at: yield* clock.now })
        yield* forget
        if (result === "raised")
          yield* Effect.logWarning(`degraded: ${conditionMessages[kind]}`).pipe(Effect.annotateLogs({ kind, detail }))
      })

      const clear = Effect.fn("Conditions.clear")(function* (kind: ConditionKind) {
        if ((yield* find(kind)) === undefined) return
        const ended = yield* store.clear(kind, yield* clock.now)
        yield* forget
        if (ended) yield* Effect.logInfo(`recovered: ${conditionMessages[kind]}`).pipe(Effect.annotateLogs({ kind }))
      })

      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.ignore(open), Effect.sleep(metricInterval))))
      return {
        raise,
        clear,
        set: (kind, holds, detail) => (holds ? raise(kind, detail) : clear(kind)),
        open,
        list: store.list
      }
    })
  )
}
