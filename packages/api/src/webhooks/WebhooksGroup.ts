import type { DeliveryId, WebhookId } from "@agent-marketplace/core/ids/Ids"
import { webhookEvents } from "@agent-marketplace/core/webhooks/Webhook"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { operation } from "../access/Operation.ts"
import { failures } from "../errors/Failures.ts"
import { Deleted, enveloped, keysetPageOf, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import { RecoverInput, WebhookInput, WebhookPatch } from "./WebhookInputs.ts"
import { Delivery, NewWebhook, Recovered, RotatedSecret, Webhook } from "./WebhookSchemas.ts"

const params = { id: field(idOf<WebhookId>(), "The webhook's id.", "whk_01j9zq5k2f8h3m6n7p0r4s") }
const deliveryParams = {
  id: field(idOf<DeliveryId>(), "The delivery's id.", "dlv_000000000000k01j9zq5k2f8h3m6n7p0r4s")
}
const manage = access.write("BUYER", "SELLER", "FULL")

const create = HttpApiEndpoint.post("create", "/api/v1/webhooks", {
  payload: WebhookInput,
  success: enveloped(NewWebhook).pipe(HttpApiSchema.status(201)),
  error: failures.keyedBody("QUOTA_EXCEEDED")
}).annotateMerge(
  operation({
    summary: "Subscribe to events",
    description:
      "Events from now on are sent to the URL as signed POSTs. The URL must be HTTPS and must not resolve to a private or " +
      "otherwise reserved address. If no secret is sent, one is generated, and only this response shows it.",
    access: manage
  })
)

const list = HttpApiEndpoint.get("list", "/api/v1/webhooks", {
  query: pageQuery,
  success: pageOf(Schema.Array(Webhook).annotate({ description: "The webhooks of the page, newest first." })),
  error: failures.keyed()
}).annotateMerge(
  operation({
    summary: "List webhooks",
    description: "The account's subscriptions, newest first; an agent's key sees those that the agent created.",
    access: access.any
  })
)

const get = HttpApiEndpoint.get("get", "/api/v1/webhooks/:id", {
  params,
  success: enveloped(Webhook),
  error: failures.keyed("WEBHOOK_NOT_FOUND")
}).annotateMerge(
  operation({ summary: "Read a webhook", description: "One of the account's subscriptions.", access: access.any })
)

const update = HttpApiEndpoint.patch("update", "/api/v1/webhooks/:id", {
  params,
  payload: WebhookPatch,
  success: enveloped(Webhook),
  error: failures.keyedBody("WEBHOOK_NOT_FOUND")
}).annotateMerge(
  operation({
    summary: "Change a webhook",
    description:
      "`status: active` enables a disabled webhook. Events while it was disabled are sent only by a recovery.",
    access: manage
  })
)

const remove = HttpApiEndpoint.delete("remove", "/api/v1/webhooks/:id", {
  params,
  success: enveloped(Deleted),
  error: failures.keyed("WEBHOOK_NOT_FOUND")
}).annotateMerge(
  operation({
    summary: "Delete a webhook",
    description: "Also deletes its delivery log and its pending deliveries.",
    access: manage
  })
)

const rotateSecret = HttpApiEndpoint.post("rotateSecret", "/api/v1/webhooks/:id/rotate-secret", {
  params,
  success: enveloped(RotatedSecret),
  error: failures.keyed("WEBHOOK_NOT_FOUND")
}).annotateMerge(
  operation({
    summary: "Rotate the secret",
    description:
      "For 24 hours deliveries are signed with both secrets: `webhook-signature` has the new signature first, then the old one; " +
      "`x-service-signature-previous` is made with the old one.",
    access: manage
  })
)

const test = HttpApiEndpoint.post("test", "/api/v1/webhooks/:id/test", {
  params,
  success: enveloped(Delivery),
  error: failures.keyed("WEBHOOK_NOT_FOUND", "CONFLICT")
}).annotateMerge(
  operation({
    summary: "Send a test event",
    description:
      "Sends `webhook.test` now and responds with the delivery and its first attempt, after at most 15 seconds. A failed attempt is " +
      "retried like any other. CONFLICT if the webhook is disabled.",
    access: manage
  })
)

const deliveries = HttpApiEndpoint.get("deliveries", "/api/v1/webhooks/:id/deliveries", {
  params,
  query: {
    status: Query.choice(["pending", "delivered", "failed"], {
      description: "Only deliveries in this state.",
      example: "failed"
    }),
    event: Query.choice(webhookEvents, {
      description: "Only deliveries of this event.",
      example: "purchase.completed"
    }),
    limit: pageQuery.limit,
    cursor: Query.cursor({
      description: "The `nextCursor` of the previous page.",
      example: "dlv_000000000000k01j9zq5k2f8h3m6n7p0r4s"
    })
  },
  success: keysetPageOf(
    Schema.Array(Delivery).annotate({ description: "The deliveries of the page, newest event first." })
  ),
  error: failures.keyed("WEBHOOK_NOT_FOUND")
}).annotateMerge(
  operation({
    summary: "Read the delivery log",
    description: "Deliveries of the last 30 days with the receiver's responses, newest event first.",
    access: access.any
  })
)

const recover = HttpApiEndpoint.post("recover", "/api/v1/webhooks/:id/recover", {
  params,
  payload: RecoverInput,
  success: enveloped(Recovered),
  error: failures.keyedBody("WEBHOOK_NOT_FOUND", "CONFLICT")
}).annotateMerge(
  operation({
    summary: "Recover missed events",
    description:
      "Sends all undelivered events since the given time, including events while the webhook was disabled. CONFLICT " +
      "if it is still disabled.",
    access: manage
  })
)

const replay = HttpApiEndpoint.post("replay", "/api/v1/webhooks/deliveries/:id/replay", {
  params: deliveryParams,
  success: enveloped(Delivery),
  error: failures.keyed("DELIVERY_NOT_FOUND", "CONFLICT")
}).annotateMerge(
  operation({
    summary: "Send one delivery again",
    description:
      "Sends the same `webhook-id` and data again, whether or not it was delivered, and restarts the retry schedule. CONFLICT if its webhook is disabled.",
    access: manage
  })
)

/** Routes for webhooks (WEBHOOK-1, WEBHOOK-4, WEBHOOK-6, WEBHOOK-8, WEBHOOK-14, DELIVERY-9, DELIVERY-10, DELIVERY-12). */
export const WebhooksGroup = HttpApiGroup.make("webhooks")
  .add(create, list, get, update, remove, rotateSecret, test, deliveries, recover, replay)
  .annotateMerge(OpenApi.annotations({ title: "Webhooks", description: "Events, sent to your URL." }))
