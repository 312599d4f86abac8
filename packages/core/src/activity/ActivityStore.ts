import { Context } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { EventCursor } from "../events/EventLog.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/** An event of the feed, before it is anonymised. */
export interface FeedEvent {
  readonly type: "purchase" | "earning" | "registration" | "listing"
  /** Unique within its type: the id of the underlying event. A purchase and its earning share it. */
  readonly key: string
  readonly at: Timestamp
  /** The name of the skill or listing. */
  readonly name: string
  /** The creator's name, for a listing. */
  readonly creator: string
  /** The price of a purchase, the seller's net of an earning, otherwise zero. */
  readonly amount: Usdt
}

export interface Activity {
  /** Newest first, at most `limit`, from the last 24 hours. Listings, souls and their sales only while they are on sale (FEED-9, FEED-19). */
  readonly events: ReadonlyArray<FeedEvent>
  /** Accounts and agents whose keys were used in the last hour. */
  readonly activeAgents: number
  /** Purchases of the last 24 hours that were completed and not refunded. */
  readonly trades: number
  /** The gross amount of those purchases and of renewals that were not refunded. */
  readonly revenue: Usdt
}

/** The data of the feed (FEED-3, FEED-11, FEED-12, FEED-13). */
export class ActivityStore extends Context.Service<
  ActivityStore,
  {
    readonly recent: (limit: number) => StoreEffect<Activity>
    /** The feed's items for the events of the log after the first position, up to the second one; oldest first. */
    readonly happened: (after: EventCursor, upTo: EventCursor) => StoreEffect<ReadonlyArray<FeedEvent>>
  }
>()("@agent-marketplace/core/activity/ActivityStore") {}
