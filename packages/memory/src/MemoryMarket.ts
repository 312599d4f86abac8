import type { MarketEvent } from "@agent-marketplace/core/events/MarketEvent"
import { Traceparent } from "@agent-marketplace/core/events/Traceparent"
import { Context, Effect, Layer, PubSub } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import type { MarketTables } from "./MarketTables.ts"
import { emptyTables } from "./MarketTables.ts"

/**
 * The state that every store in memory shares.
 *
 * A store's method computes first and then writes, in one synchronous step: no caller sees a partial change, and a step that fails has
 * written nothing. Where PostgreSQL has a constraint, the step dies with `ConstraintViolated` before it writes.
 */
export class MemoryMarket extends Context.Service<
  MemoryMarket,
  {
    readonly tables: MarketTables
    /** Appends to the log, with the trace context of the running fiber, and wakes its readers; part of a step. */
    readonly append: (events: ReadonlyArray<MarketEvent>) => void
    /** As `append`, for events of several callers, which have their own trace contexts. */
    readonly appendSettled: (events: ReadonlyArray<MarketEvent>) => void
    readonly appended: PubSub.PubSub<void>
    /** Announces whose cached callers must be dropped; part of a step. */
    readonly announce: (id: string) => void
    readonly changes: PubSub.PubSub<string>
  }
>()("@agent-marketplace/memory/MemoryMarket") {
  /** A market over these tables. */
  static readonly make = (tables: MarketTables) =>
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      // Receivers remember event ids, so the ids must differ from those of another market.
      if (tables.log.life === "") tables.log.life = Hex.encode(yield* random.randomBytes(6))
      const { life } = tables.log
      const appended = yield* PubSub.sliding<void>(1)
      const changes = yield* PubSub.unbounded<string>()
      const appendSettled = (events: ReadonlyArray<MarketEvent>) => {
        for (const event of events) {
          const cursor = String(tables.events.length + 1).padStart(16, "0")
          tables.events.push({ ...event, id: `evt_${life}${cursor}`, cursor })
        }
        if (events.length > 0) PubSub.publishUnsafe(appended, undefined)
      }
      return {
        tables,
        append: (events: ReadonlyArray<MarketEvent>) => {
          const traceparent = Traceparent.current()
          appendSettled(events.map((event) => Traceparent.on(event, traceparent)))
        },
        appendSettled,
        appended,
        announce: (id: string) => void PubSub.publishUnsafe(changes, id),
        changes
      }
    })

  static readonly layer = Layer.effect(
    MemoryMarket,
    Effect.suspend(() => MemoryMarket.make(emptyTables()))
  )
}
