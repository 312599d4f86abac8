import { decodeSoulDraft } from "@agent-marketplace/api/souls/SoulDraft"
import { toOwnSoul, toSoulCreated, toSoulDownloaded } from "@agent-marketplace/api/souls/SoulWire"
import { toEnvelope } from "@agent-marketplace/api/wire/Envelope"
import { ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import { Souls } from "@agent-marketplace/core/souls/Souls"
import { Effect, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { currentCaller } from "../edge/CurrentRequest.ts"
import { jsonBody } from "../edge/RequestBody.ts"
import { rawJson } from "../edge/RawJson.ts"
import { ServedApi } from "../ServedApi.ts"

const defaults = { limit: 50, offset: 0 }

const draftOf = (body: unknown) =>
  Effect.fromResult(
    Result.mapError(decodeSoulDraft(body), (message) => new ValidationFailed({ issues: [{ path: "", message }] }))
  )

/** Souls over HTTP (WIRE-2, SOUL-24). Lists and details pass through as the text that the store keeps. */
export const SoulsHandlers = HttpApiBuilder.group(
  ServedApi,
  "souls",
  Effect.fnUntraced(function* (handlers) {
    const souls = yield* Souls
    return handlers
      .handle("list", ({ query }) => {
        const { limit, offset } = { ...defaults, ...query }
        return Effect.map(
          souls.list({ category: query.category || undefined, tags: query.tags, limit, offset }),
          ({ json, total }) => {
            const pagination = { total, limit, offset, hasMore: offset + limit < total }
            return rawJson(`{"souls":${json},"pagination":${JSON.stringify(pagination)}}`)
          }
        )
      })
      .handle("get", ({ params }) =>
        Effect.flatMap(currentCaller, (caller) =>
          Effect.map(souls.detail(caller, params.slug), (soul) => rawJson(`{"soul":${soul}}`))
        )
      )
      .handleRaw(
        "create",
        Effect.fnUntraced(function* ({ request }) {
          const draft = yield* Effect.flatMap(jsonBody(request), draftOf)
          return toSoulCreated(yield* souls.create(yield* currentCaller, draft))
        })
      )
      .handle(
        "update",
        Effect.fnUntraced(function* ({ params, payload }) {
          return toEnvelope(toOwnSoul(yield* souls.update(yield* currentCaller, params.slug, payload)))
        })
      )
      .handle(
        "remove",
        Effect.fnUntraced(function* ({ params }) {
          const { id } = yield* souls.remove(yield* currentCaller, params.slug)
          return toEnvelope({ id, deleted: true as const })
        })
      )
      .handle(
        "download",
        Effect.fnUntraced(function* ({ params }) {
          return toEnvelope(toSoulDownloaded(yield* souls.download(yield* currentCaller, params.slug)))
        })
      )
  })
)
