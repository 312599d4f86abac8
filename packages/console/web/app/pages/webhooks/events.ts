import type { WebhookData } from "@agent-marketplace/client/wire/Endpoints"

/** An event that an endpoint can choose. */
export type EventName = Exclude<keyof WebhookData, "webhook.test">

/** When each event is sent. The compiler finds a missing one. */
const meanings: Readonly<Record<EventName, string>> = {
  "purchase.completed": "A purchase is paid",
  "purchase.pending_approval": "A purchase waits for you",
  "purchase.rejected": "A waiting purchase was rejected",
  "purchase.expired": "A waiting purchase expired",
  "purchase.refunded": "A purchase was refunded",
  "subscription.renewed": "A subscription was paid again",
  "subscription.cancelled": "A subscription was cancelled",
  "deposit.confirmed": "A deposit arrived",
  "withdrawal.completed": "A withdrawal is final",
  "withdrawal.failed": "A withdrawal failed",
  "agent.frozen": "An agent was frozen",
  "key.rotation_due": "An API key should be rotated",
  "listing.approved": "A listing was approved",
  "listing.rejected": "A listing was rejected",
  "listing.suspended": "A listing was suspended",
  "release.published": "A release is on sale",
  "release.quarantined": "A release was taken off sale",
  "advisory.published": "There is a warning about an item",
  "soul.created": "Somebody published a SOUL",
  "soul.updated": "A SOUL has a new version",
  "soul.downloaded": "Your SOUL was downloaded"
}

const namesOf = (...prefixes: ReadonlyArray<string>) =>
  Object.entries(meanings).filter(([name]) => prefixes.includes(name.slice(0, name.indexOf(".")))) as ReadonlyArray<
    [EventName, string]
  >

/** All events in groups, as the form shows them. */
export const eventGroups = [
  ["Purchases", namesOf("purchase", "subscription")],
  ["Money", namesOf("deposit", "withdrawal")],
  ["Agents and keys", namesOf("agent", "key")],
  ["Items", namesOf("listing", "release", "advisory", "soul")]
] as const

/** What an endpoint listens to, in a few words. */
export const summaryOf = (events: ReadonlyArray<string>): string => {
  if (events.includes("*")) return "All events"
  const [first = ""] = events
  return events.length === 1 ? first : `${events.length} kinds of events`
}
