import type { DeliveryId, WebhookId } from "@agent-marketplace/core/ids/Ids"
import { webhookEvents } from "@agent-marketplace/core/webhooks/Webhook"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { Deleted, enveloped, keysetPageOf, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import { RecoverInput, WebhookInput, WebhookPatch } from "./WebhookInputs.ts"
import { Delivery, DeliveryTimeline, NewWebhook, Recovered, RotatedSecret, Webhook } from "./WebhookSchemas.ts"

const params = { id: field(idOf<WebhookId>(), "The webhook's id.", "whk_01j9zq5k2f8h3m6n7p0r4s") }
const deliveryParams = {
  id: field(idOf<DeliveryId>(), "The delivery's id.", "dlv_000000000000k01j9zq5k2f8h3m6n7p0r4s")
}
const manage = access.write("BUYER", "SELLER", "FULL")

const create = endpoint.post("create", "/api/v1/webhooks", {
  summary: "Subscribe to events",
  description:
    "Events from now on are sent to the URL as signed POSTs. The URL must be HTTPS and must not resolve to a private or " +
    "otherwise reserved address. If no secret is sent, one is generated, and only this response shows it.",
  access: manage,
  payload: WebhookInput,
  success: enveloped(NewWebhook).pipe(HttpApiSchema.status(201)),
  errors: ["QUOTA_EXCEEDED"]
})

const list = endpoint.get("list", "/api/v1/webhooks", {
  summary: "List webhooks",
  description: "The account's subscriptions, newest first; an agent's key sees those that the agent created.",
  access: access.any,
  query: pageQuery,
  success: pageOf(Schema.Array(Webhook).annotate({ description: "The webhooks of the page, newest first." }))
})

const get = endpoint.get("get", "/api/v1/webhooks/:id", {
  summary: "Read a webhook",
  description: "One of the account's subscriptions.",
  access: access.any,
  params,
  success: enveloped(Webhook),
  errors: ["WEBHOOK_NOT_FOUND"]
})

const update = endpoint.patch("update", "/api/v1/webhooks/:id", {
  summary: "Change a webhook",
  description: "`status: active` enables a disabled webhook. Events while it was disabled are sent only by a recovery.",
  access: manage,
  params,
  payload: WebhookPatch,
  success: enveloped(Webhook),
  errors: ["WEBHOOK_NOT_FOUND"]
})

const remove = endpoint.delete("remove", "/api/v1/webhooks/:id", {
  summary: "Delete a webhook",
  description: "Also deletes its delivery log and its pending deliveries.",
  access: manage,
  params,
  success: enveloped(Deleted),
  errors: ["WEBHOOK_NOT_FOUND"]
})

const rotateSecret = endpoint.post("rotateSecret", "/api/v1/webhooks/:id/rotate-secret", {
  summary: "Rotate the secret",
  description:
    "For 24 hours deliveries are signed with both secrets: `webhook-signature` has the new signature first, then the old one; " +
    "`x-service-signature-previous` is made with the old one.",
  access: manage,
  params,
  success: enveloped(RotatedSecret),
  errors: ["WEBHOOK_NOT_FOUND"]
})

const test = endpoint.post("test", "/api/v1/webhooks/:id/test", {
  summary: "Send a test event",
  description:
    "Sends `webhook.test` now and responds with the delivery and its first attempt, after at most 15 seconds. A failed attempt is " +
    "retried like any other. CONFLICT if the webhook is disabled.",
  access: manage,
  params,
  success: enveloped(Delivery),
  errors: ["WEBHOOK_NOT_FOUND", "CONFLICT"]
})

const deliveries = endpoint.get("deliveries", "/api/v1/webhooks/:id/deliveries", {
  summary: "Read the delivery log",
  description: "Deliveries of the last 30 days with the receiver's responses, newest event first.",
  access: access.any,
  params,
  query: {
    status: Query.choice(["pending", "delivered", "failed"], "Only deliveries in this state.", "failed"),
    event: Query.choice(webhookEvents, "Only deliveries of this event.", "purchase.completed"),
    limit: pageQuery.limit,
    cursor: Query.cursor("The `nextCursor` of the previous page.", "dlv_000000000000k01j9zq5k2f8h3m6n7p0r4s")
  },
  success: keysetPageOf(
    Schema.Array(Delivery).annotate({ description: "The deliveries of the page, newest event first." })
  ),
  errors: ["WEBHOOK_NOT_FOUND"]
})

const deliveryTimeline = endpoint.get("deliveryTimeline", "/api/v1/webhooks/deliveries/timeline", {
  summary: "Count deliveries by day and status",
  description:
    "The deliveries of one subscription, or of all, by the UTC day of their event and by their status now. An agent's key sees those of " +
    "the subscriptions that the agent created. Delivered and failed ones are kept for 30 days.",
  access: access.any,
  query: {
    webhookId: Query.id(["whk"], "Only deliveries to this subscription.", "whk_01j9zq5k2f8h3m6n7p0r4s"),
    from: Query.moment(
      "Only events at or after this time: a date or an instant; the start of the last 30 days by default.",
      "2025-01-01"
    ),
    to: Query.moment("Only events before this time; now by default. At most 366 days after `from`.", "2025-01-16")
  },
  success: enveloped(DeliveryTimeline),
  errors: ["WEBHOOK_NOT_FOUND"]
})

const recover = endpoint.post("recover", "/api/v1/webhooks/:id/recover", {
  summary: "Recover missed events",
  description:
    "Sends all undelivered events since the given time, including events while the webhook was disabled. CONFLICT " +
    "if it is still disabled.",
  access: manage,
  params,
  payload: RecoverInput,
  success: enveloped(Recovered),
  errors: ["WEBHOOK_NOT_FOUND", "CONFLICT"]
})

const replay = endpoint.post("replay", "/api/v1/webhooks/deliveries/:id/replay", {
  summary: "Send one delivery again",
  description:
    "Sends the same `webhook-id` and data again, whether or not it was delivered, and restarts the retry schedule. CONFLICT if its webhook is disabled.",
  access: manage,
  params: deliveryParams,
  success: enveloped(Delivery),
  errors: ["DELIVERY_NOT_FOUND", "CONFLICT"]
})

/** Routes for webhooks (WEBHOOK-1, WEBHOOK-4, WEBHOOK-6, WEBHOOK-8, WEBHOOK-14, DELIVERY-9, DELIVERY-10, DELIVERY-12, DELIVERY-15). */
export const WebhooksGroup = HttpApiGroup.make("webhooks")
  .add(create, list, get, update, remove, rotateSecret, test, deliveries, deliveryTimeline, recover, replay)
  .annotateMerge(OpenApi.annotations({ title: "Webhooks", description: "Events, sent to your URL." }))
