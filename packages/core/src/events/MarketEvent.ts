import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId } from "../ids/Ids.ts"

/** Everything that can happen: the events of webhooks (EVENT-1 and following), and `agent.registered`, which only the feed shows. */
export const eventTypes = [
  "purchase.completed",
  "purchase.pending_approval",
  "purchase.refunded",
  "subscription.renewed",
  "subscription.cancelled",
  "soul.created",
  "soul.updated",
  "soul.downloaded",
  "listing.approved",
  "listing.rejected",
  "deposit.confirmed",
  "withdrawal.completed",
  "withdrawal.failed",
  "agent.registered"
] as const

export type EventType = (typeof eventTypes)[number]

/** JSON-safe values; money as its wire string. */
export type EventData = Readonly<Record<string, string | number | boolean | null | ReadonlyArray<string>>>

/** One fact, appended in the transaction that makes it true. */
export interface MarketEvent {
  readonly type: EventType
  readonly at: Timestamp
  /** What it is about: the id of a purchase, soul, listing, deposit … */
  readonly subject: string
  /** The accounts that are told (EVENT-2, EVENT-3, EVENT-4). Empty for what only the feed shows. */
  readonly accounts: ReadonlyArray<AccountId>
  readonly data: EventData
}
