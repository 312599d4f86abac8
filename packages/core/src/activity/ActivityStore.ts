import type { Effect } from "effect"
import { Context } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { Usdt } from "../money/Usdt.ts"

/** One thing that happened, before it is made anonymous. */
export interface Happening {
  readonly type: "purchase" | "earning" | "registration" | "listing"
  /** Unique within its type: the event behind it. A purchase and its earning share it. */
  readonly key: string
  readonly at: Timestamp
  /** The skill's or listing's name. */
  readonly name: string
  /** The creator's name, of a listing. */
  readonly creator: string
  /** The price of a purchase, the seller's net of an earning, zero else. */
  readonly amount: Usdt
}

export interface Activity {
  /** Newest first, at most `limit`, of the last 24 hours; listings only while they are approved (FEED-9). */
  readonly happenings: ReadonlyArray<Happening>
  /** Accounts and agents whose keys were used in the last hour. */
  readonly activeAgents: number
  /** Completed, not refunded purchases of the last 24 hours. */
  readonly trades: number
  /** Their gross, and that of renewals which were not refunded. */
  readonly revenue: Usdt
}

/** What the feed is made of (FEED-3, FEED-11, FEED-12, FEED-13). */
export class ActivityStore extends Context.Service<
  ActivityStore,
  {
    readonly recent: (limit: number) => Effect.Effect<Activity, StoreUnavailable>
  }
>()("@agent-marketplace/core/activity/ActivityStore") {}
