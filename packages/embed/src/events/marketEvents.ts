import type { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { EventCursor, LoggedEvent } from "@agent-marketplace/core/events/EventLog"
import { EventLog } from "@agent-marketplace/core/events/EventLog"
import { Effect, Option, Stream } from "effect"
import { failureOf } from "../calls/failureOf.ts"
import type { MarketEvent } from "./MarketEvent.ts"

/** Ends once one of the signals is aborted. */
export const untilAborted = (...signals: ReadonlyArray<AbortSignal | undefined>): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const stop = () => resume(Effect.void)
    if (signals.some((signal) => signal?.aborted === true)) return stop()
    for (const signal of signals) signal?.addEventListener("abort", stop)
    return Effect.sync(() => {
      for (const signal of signals) signal?.removeEventListener("abort", stop)
    })
  })

/** How many events one query reads. */
const pageSize = 100

/** The log contains the data of each event as `eventPayloads` describes it. */
const toMarketEvent = ({ accounts, at, cursor, data, id, subject, type }: LoggedEvent): MarketEvent =>
  ({ id, cursor, event: type, timestamp: Timestamp.toIso(at), subject, accounts, data }) as unknown as MarketEvent

/** Every event after the cursor, once, in the log's order, including future ones. Ends only by interruption (EMBED-3). */
export const marketEvents = (after: EventCursor | undefined) =>
  Stream.unwrap(
    Effect.map(EventLog, (log) => {
      let cursor = after
      const page = Effect.map(
        Effect.suspend(() => Effect.mapError(log.read(cursor, pageSize), failureOf)),
        (events) => {
          cursor = events.at(-1)?.cursor ?? cursor
          const more = events.length === pageSize ? Option.some<void>(undefined) : Option.none<void>()
          return [events.map(toMarketEvent), more] as const
        }
      )
      return log.appended.pipe(
        Stream.buffer({ capacity: 1, strategy: "sliding" }),
        Stream.flatMap(() => Stream.paginate<void, MarketEvent, MarketplaceError>(undefined, () => page))
      )
    })
  )
