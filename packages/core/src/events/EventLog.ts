import type { Effect, Stream } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { MarketEvent } from "./MarketEvent.ts"

/** Opaque and ordered: where a reader of the log stands. */
export type EventCursor = string

/** Whether an event can have carried it. */
export const isEventCursor = (text: unknown): text is EventCursor => typeof text === "string" && /^\d{1,18}$/.test(text)

export interface LoggedEvent extends MarketEvent {
  /** Unique for ever, `evt_…`. */
  readonly id: string
  readonly cursor: EventCursor
}

/**
 * The log that every write appends to.
 *
 * Contract: `read` never passes over an event whose transaction commits later than one it has already given, and gives
 * each event after the cursor once, in one order for all readers.
 */
export class EventLog extends Context.Service<
  EventLog,
  {
    /** At most `limit` events after the cursor; undefined reads from the beginning. */
    readonly read: (
      after: EventCursor | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<LoggedEvent>, StoreUnavailable>
    /** Ticks when something was appended by any process; ticks may be joined, and also come when nothing is new. */
    readonly appended: Stream.Stream<void>
  }
>()("@agent-marketplace/core/events/EventLog") {}
