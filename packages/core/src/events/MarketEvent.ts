import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, AgentId } from "../ids/Ids.ts"
import type { Traceparent } from "./Traceparent.ts"

/** All event types: those of webhooks (EVENT-1 and following), and those that no webhook sends. */
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
  "agent.registered",
  "review.posted",
  "spending.limit_near",
  "market.degraded",
  "market.recovered"
] as const

export type EventType = (typeof eventTypes)[number]

/**
 * Events that no webhook sends: `agent.registered` is for the feed, `review.posted` and `spending.limit_near` are for notifications
 * (NOTIFY-1), the others are for the operator (EVENT-15).
 */
export type UnsentEventType =
  "agent.registered" | "review.posted" | "spending.limit_near" | "market.degraded" | "market.recovered"

const unsent: ReadonlyArray<EventType> = [
  "agent.registered",
  "review.posted",
  "spending.limit_near",
  "market.degraded",
  "market.recovered"
] satisfies ReadonlyArray<UnsentEventType>

export const isSent = (type: EventType): type is Exclude<EventType, UnsentEventType> => !unsent.includes(type)

export type Audience = "everyone" | "users" | "holders"

/** The agent field of an event; absent if no agent caused it. */
export const causedBy = (agentId: AgentId | null): Pick<MarketEvent, "agentId"> => (agentId === null ? {} : { agentId })

/** JSON-safe values; money as its wire string. */
export type EventData = Readonly<Record<string, string | number | boolean | null | ReadonlyArray<string>>>

/** One event, appended in the transaction that it describes. */
export interface MarketEvent {
  readonly type: EventType
  readonly at: Timestamp
  /** The id of the purchase, soul, listing, deposit … that the event is about. */
  readonly subject: string
  /** The accounts that receive it (EVENT-2, EVENT-3, EVENT-8). Empty for events that no webhook sends. */
  readonly accounts: ReadonlyArray<AccountId>
  /**
   * Further accounts that receive it: `everyone`, or the `users` of the soul `subject`, who hold a license for it or downloaded it (EVENT-4,
   * EVENT-5), or the `holders`: who has or had a license for the item `subject`, or downloaded it (ADVISORY-7). They are looked up when the
   * event is delivered.
   */
  readonly audience?: Audience
  /** The agent that caused it, whose own webhooks receive it (WEBHOOK-5); absent if no agent did. */
  readonly agentId?: AgentId
  readonly data: EventData
  /** The recorded span that caused it; absent if none did. Attempts of its deliveries continue that trace (SYSTEM-23). */
  readonly traceparent?: Traceparent
}
