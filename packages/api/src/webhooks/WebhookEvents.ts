import { eventPayloads } from "@agent-marketplace/core/webhooks/EventPayloads"
import type { WebhookEvent } from "@agent-marketplace/core/webhooks/Webhook"
import { Schema } from "effect"

/** When each event is sent. */
const meanings: Readonly<Record<WebhookEvent, string>> = {
  "purchase.completed": "A purchase was completed, immediately or after the owner's approval.",
  "purchase.pending_approval": "A purchase waits for the owner's approval; the price is held.",
  "purchase.rejected": "A purchase that waited for approval was rejected; its price is available again.",
  "purchase.expired": "A purchase that waited for approval expired; its price is available again.",
  "purchase.refunded": "A purchase or a renewal was refunded; its license is no longer valid.",
  "subscription.renewed": "A subscription was paid for another 30 days.",
  "subscription.cancelled":
    "A subscription was cancelled: by its owner, for lack of money or budget, or because its item is no longer for sale.",
  "soul.created": "A SOUL was published.",
  "soul.updated": "The content of a SOUL was changed; `version` is the new version.",
  "soul.downloaded": "An account downloaded a SOUL for the first time.",
  "listing.approved": "A listing or a change of a listing was approved.",
  "listing.rejected": "A listing or a change of a listing was rejected.",
  "listing.suspended": "An operator suspended a listing; it is not for sale.",
  "release.published": "A release of a listing is on sale.",
  "release.quarantined": "A release of a listing was taken off sale because of its content.",
  "advisory.published": "A warning about an item was published.",
  "deposit.confirmed": "A deposit was credited.",
  "withdrawal.completed": "A withdrawal is final on the chain.",
  "withdrawal.failed": "A withdrawal failed; the money is in the wallet again.",
  "agent.frozen": "An agent was frozen: writes of its keys are refused until it is unfrozen.",
  "key.rotation_due": "A key has been in use for 90 days and should be rotated.",
  "webhook.test": "Sent by `POST /api/v1/webhooks/:id/test`."
}

const exact: Readonly<Partial<Record<WebhookEvent, string>>> = {
  "purchase.pending_approval": "To the buyer.",
  "purchase.rejected": "To the buyer.",
  "purchase.expired": "To the buyer.",
  "soul.created": "To every account.",
  "soul.updated": "To the author and to accounts that hold a license for the soul or downloaded it.",
  "soul.downloaded": "To the author.",
  "release.published": "To the creator.",
  "release.quarantined": "To the creator.",
  "advisory.published": "To accounts that hold a license for the item or downloaded it.",
  "agent.frozen": "To the agent's owner.",
  "key.rotation_due": "To the key's owner.",
  "webhook.test": "To the subscription that is tested."
}

/** Which accounts get an event (EVENT-2 to EVENT-10). */
const recipients = (event: WebhookEvent): string => {
  const known = exact[event]
  if (known !== undefined) return known
  if (event.startsWith("purchase.") || event.startsWith("subscription.")) return "To the buyer and the seller."
  if (event.startsWith("listing.")) return "To the creator."
  return "To the owner of the wallet."
}

/** The description of every event that webhooks send, in a fixed order (EVENT-12). */
export const webhookEventFacts = (Object.keys(eventPayloads) as ReadonlyArray<WebhookEvent>).map((event) => ({
  event,
  description: `${meanings[event]} ${recipients(event)}`,
  /** JSON Schema of its `data`. */
  data: Schema.toJsonSchemaDocument(eventPayloads[event] as Schema.Top).schema
}))

/** JSON Schema of the body of a delivery (DELIVERY-1). */
export const deliveryBody = ({ data, event }: (typeof webhookEventFacts)[number]) => ({
  title: event,
  type: "object",
  properties: {
    event: { const: event },
    timestamp: { type: "string", format: "date-time", description: "The time of the event." },
    data,
    signature: {
      type: "string",
      pattern: "^[0-9a-f]{64}$",
      description: "HMAC-SHA256 of the JSON of the other three fields, in this order, keyed with the secret."
    }
  },
  required: ["event", "timestamp", "data", "signature"]
})
