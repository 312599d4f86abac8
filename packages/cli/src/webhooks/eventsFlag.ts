import { Flag } from "effect/cli"

const names = [
  "*",
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
  "webhook.test"
] as const

export type EventName = (typeof names)[number]

/** Which events; all where none is named. */
export const eventsFlag = Flag.Literals("event", names).pipe(
  Flag.withDescription("Which events are sent; may be repeated; all where absent"),
  Flag.atLeast(0),
  Flag.map((events): ReadonlyArray<EventName> => (events.length === 0 ? ["*"] : events))
)
