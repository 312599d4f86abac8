import type { Stream } from "effect"
import { Context } from "effect"
import type { MarketEvent } from "./MarketEvent.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/** A reader's position in the log. Opaque and ordered. */
export type EventCursor = string

/** Whether the text has the form of a cursor. */
export const isEventCursor = (text: unknown): text is EventCursor => typeof text === "string" && /^\d{1,18}$/.test(text)

export interface LoggedEvent extends MarketEvent {
  /** Permanently unique, `evt_…`. */
  readonly id: string
  readonly cursor: EventCursor
}

/**
 * The log that every write appends to.
 *
 * Contract: `read` never skips an event whose transaction commits later than one it has already returned, and returns
 * each event after the cursor once, in one order for all readers.
 */
export class EventLog extends Context.Service<
  EventLog,
  {
    /** At most `limit` events after the cursor. Undefined reads from the start of the log. */
    readonly read: (after: EventCursor | undefined, limit: number) => StoreEffect<ReadonlyArray<LoggedEvent>>
    /** Ticks when any process appended something. Ticks may be merged, and may also occur when there is nothing new. */
    readonly appended: Stream.Stream<void>
  }
>()("@agent-marketplace/core/events/EventLog") {}
