import { toDelivery, toDeliveryTimeline, toWebhook } from "@agent-marketplace/api/webhooks/WebhookWire"
import { toDeleted, toEnvelope } from "@agent-marketplace/api/wire/Envelope"
import type { DeliveryId, WebhookId } from "@agent-marketplace/core/ids/Ids"
import { Webhooks } from "@agent-marketplace/core/webhooks/Webhooks"
import { Effect, Redacted } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { currentCaller } from "../edge/CurrentRequest.ts"
import { forCaller } from "../edge/Reply.ts"
import { ServedApi } from "../ServedApi.ts"

/** Webhooks over HTTP. A secret is in the response that makes it, and in no other (WEBHOOK-1). */
export const WebhooksHandlers = handlerGroup(
  ServedApi,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const webhooks = yield* Webhooks
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload: { events, secret: brought, url } }) {
        const { secret, webhook } = yield* webhooks.create(yield* currentCaller, {
          url,
          events,
          secret: brought === undefined ? undefined : Redacted.make(brought)
        })
        const made = secret === null ? {} : { secret: Redacted.value(secret) }
        return toEnvelope({ ...toWebhook(webhook), ...made })
      }),
      list: ({ query }) => forCaller.page(query, toWebhook, (caller, page) => webhooks.list(caller, page)),
      get: ({ params }) => forCaller.one(toWebhook, (caller) => webhooks.get(caller, params.id)),
      update: ({ params, payload }) =>
        forCaller.one(toWebhook, (caller) => webhooks.update(caller, params.id, payload)),
      remove: ({ params }) =>
        forCaller.one(toDeleted, (caller) => Effect.as(webhooks.remove(caller, params.id), params)),
      rotateSecret: Effect.fnUntraced(function* ({ params }) {
        const secret = yield* webhooks.rotateSecret(yield* currentCaller, params.id)
        return toEnvelope({ id: params.id, secret: Redacted.value(secret) })
      }),
      test: ({ params }) => forCaller.one(toDelivery, (caller) => webhooks.test(caller, params.id)),
      deliveries: Effect.fnUntraced(function* ({ params, query }) {
        const { cursor, limit, ...filter } = query
        const caller = yield* currentCaller
        const { items, next } = yield* webhooks.deliveries(caller, params.id, {
          ...filter,
          limit,
          after: cursor as DeliveryId | undefined
        })
        return { success: true as const, data: items.map(toDelivery), meta: { limit, nextCursor: next } }
      }),
      deliveryTimeline: ({ query: { from = null, to = null, webhookId } }) =>
        forCaller.one(toDeliveryTimeline, (caller) =>
          webhooks.deliveryTimeline(caller, { webhook: (webhookId as WebhookId | undefined) ?? null, from, to })
        ),
      recover: Effect.fnUntraced(function* ({ params, payload }) {
        const recovered = yield* webhooks.recover(yield* currentCaller, params.id, payload.since)
        return toEnvelope({ id: params.id, recovered })
      }),
      replay: ({ params }) => forCaller.one(toDelivery, (caller) => webhooks.replay(caller, params.id))
    })
  })
)
