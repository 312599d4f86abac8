import { toDelivery, toWebhook } from "@agent-marketplace/api/webhooks/WebhookWire"
import { toEnvelope, toPage } from "@agent-marketplace/api/wire/Envelope"
import type { DeliveryId } from "@agent-marketplace/core/ids/Ids"
import { Webhooks } from "@agent-marketplace/core/webhooks/Webhooks"
import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { currentCaller } from "../edge/CurrentRequest.ts"
import { pageOf } from "../paging/PageOf.ts"
import { ServedApi } from "../ServedApi.ts"

/** Webhooks over HTTP. A secret is in the response that makes it, and in no other (WEBHOOK-1). */
export const WebhooksHandlers = HttpApiBuilder.group(
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
      list: Effect.fnUntraced(function* ({ query }) {
        const page = pageOf(query)
        const { items, total } = yield* webhooks.list(yield* currentCaller, page)
        return toPage(items.map(toWebhook), page, total)
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        return toEnvelope(toWebhook(yield* webhooks.get(yield* currentCaller, params.id)))
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        return toEnvelope(toWebhook(yield* webhooks.update(yield* currentCaller, params.id, payload)))
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        yield* webhooks.remove(yield* currentCaller, params.id)
        return toEnvelope({ id: params.id, deleted: true as const })
      }),
      rotateSecret: Effect.fnUntraced(function* ({ params }) {
        const secret = yield* webhooks.rotateSecret(yield* currentCaller, params.id)
        return toEnvelope({ id: params.id, secret: Redacted.value(secret) })
      }),
      test: Effect.fnUntraced(function* ({ params }) {
        return toEnvelope(toDelivery(yield* webhooks.test(yield* currentCaller, params.id)))
      }),
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
      recover: Effect.fnUntraced(function* ({ params, payload }) {
        const recovered = yield* webhooks.recover(yield* currentCaller, params.id, payload.since)
        return toEnvelope({ id: params.id, recovered })
      }),
      replay: Effect.fnUntraced(function* ({ params }) {
        return toEnvelope(toDelivery(yield* webhooks.replay(yield* currentCaller, params.id)))
      })
    })
  })
)
