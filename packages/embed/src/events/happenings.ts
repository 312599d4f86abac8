import type { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { EventLog } from "@agent-marketplace/core/events/EventLog"
import type { EventCursor, LoggedEvent } from "@agent-marketplace/core/events/EventLog"
import { Effect, Option, Stream } from "effect"
import { failureOf } from "../calls/failureOf.ts"
import type { Happening } from "./Happening.ts"

/** How many events one look reads. */
const pageSize = 100

const toHappening = ({ accounts, at, cursor, data, id, subject, type }: LoggedEvent): Happening => ({
  id,
  cursor,
  event: type,
  timestamp: Timestamp.toIso(at),
  subject,
  accounts,
  data
})

/** Every event after the cursor, once and in the log's order, as they come; it ends by being interrupted alone. */
export const happenings = (after: EventCursor | undefined) =>
  Stream.unwrap(
    Effect.map(EventLog, (log) => {
      let cursor = after
      const page = Effect.map(
        Effect.suspend(() => Effect.mapError(log.read(cursor, pageSize), failureOf)),
        (events) => {
          cursor = events.at(-1)?.cursor ?? cursor
          const more = events.length === pageSize ? Option.some<void>(undefined) : Option.none<void>()
          return [events.map(toHappening), more] as const
        }
      )
      return log.appended.pipe(
        Stream.buffer({ capacity: 1, strategy: "sliding" }),
        Stream.flatMap(() => Stream.paginate<void, Happening, MarketplaceError>(undefined, () => page))
      )
    })
  )
