import type { Stream } from "effect"
import { Context } from "effect"
import type { EventType, MarketEvent } from "./MarketEvent.ts"
import type { AccountId, AgentId } from "../ids/Ids.ts"
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

/** A reader of events: an account, or one of its agents, which gets only the events that it caused (WEBHOOK-5); and the requested types. */
export interface EventReader {
  readonly accountId: AccountId
  readonly agentId: AgentId | null
  readonly types: ReadonlySet<EventType>
}

/** Events of a reader, and the position up to which the log was searched for them. */
export interface EventPage {
  readonly events: ReadonlyArray<LoggedEvent>
  readonly cursor: EventCursor
}

/** A user of a soul: an account that holds a license for it or downloaded it. */
export type SoulUser = readonly [soul: string, account: AccountId]

/** An account that holds or held a license for the item, or downloaded it. */
export type ItemHolder = readonly [item: string, account: AccountId]

/** Whether the event has a requested type and, for an agent, was caused by it. Does not examine the accounts. */
export const isWanted = ({ agentId, types }: EventReader, event: Pick<MarketEvent, "agentId" | "type">): boolean =>
  types.has(event.type) && (agentId === null || agentId === event.agentId)

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
    /** The position after every event that can be read now: a reader that starts there gets only later ones. */
    readonly end: StoreEffect<EventCursor>
    /**
     * At most `limit` events after the cursor that the reader gets, including those of which it is in the audience now. One call searches
     * a bounded part of the log, so a page without events need not be the last one: the next call starts at its `cursor`. At the end of the
     * log the cursor stays the same.
     */
    readonly readFor: (reader: EventReader, after: EventCursor, limit: number) => StoreEffect<EventPage>
    /** The current users of the souls among the accounts (EVENT-5). */
    readonly usersOf: (
      souls: ReadonlyArray<string>,
      accounts: ReadonlyArray<AccountId>
    ) => StoreEffect<ReadonlyArray<SoulUser>>
    /** Those of the accounts that hold or held a license for one of the items, or downloaded it (ADVISORY-7). */
    readonly holdersOf: (
      items: ReadonlyArray<string>,
      accounts: ReadonlyArray<AccountId>
    ) => StoreEffect<ReadonlyArray<ItemHolder>>
    /** Ticks when any process appended something. Ticks may be merged, and may also occur when there is nothing new. */
    readonly appended: Stream.Stream<void>
  }
>()("@agent-marketplace/core/events/EventLog") {}
