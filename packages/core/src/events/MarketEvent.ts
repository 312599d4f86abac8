import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, AgentId } from "../ids/Ids.ts"

/** Everything that can happen: the events of webhooks (EVENT-1 and following), and `agent.registered`, which only the feed shows. */
export const eventTypes = [
  "purchase.completed",
  "purchase.pending_approval",
  "purchase.rejected",
  "purchase.expired",
  "purchase.refunded",
  "subscription.renewed",
  "subscription.cancelled",
  "soul.created",
  "soul.updated",
  "soul.downloaded",
  "listing.approved",
  "listing.rejected",
  "listing.suspended",
  "release.published",
  "release.quarantined",
  "advisory.published",
  "deposit.confirmed",
  "withdrawal.completed",
  "withdrawal.failed",
  "agent.frozen",
  "key.rotation_due",
  "agent.registered"
] as const

export type EventType = (typeof eventTypes)[number]

export type Audience = "everyone" | "users"

/** The agent of an event, absent where no agent caused it. */
export const causedBy = (agentId: AgentId | null): Pick<MarketEvent, "agentId"> => (agentId === null ? {} : { agentId })

/** JSON-safe values; money as its wire string. */
export type EventData = Readonly<Record<string, string | number | boolean | null | ReadonlyArray<string>>>

/** One fact, appended in the transaction that makes it true. */
export interface MarketEvent {
  readonly type: EventType
  readonly at: Timestamp
  /** What it is about: the id of a purchase, soul, listing, deposit … */
  readonly subject: string
  /** The accounts that get it (EVENT-2, EVENT-3, EVENT-8). Empty for what only the feed shows. */
  readonly accounts: ReadonlyArray<AccountId>
  /**
   * The accounts that get it besides: `everyone`, or the `users` of the soul `subject`, which hold a license for it or
   * downloaded it (EVENT-4, EVENT-5). They are looked up when the event is delivered.
   */
  readonly audience?: Audience
  /** The agent that did it, whose own webhooks get it (WEBHOOK-5); absent where no agent did. */
  readonly agentId?: AgentId
  readonly data: EventData
}
