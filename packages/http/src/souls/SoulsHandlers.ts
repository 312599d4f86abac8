import { toReview } from "@agent-marketplace/api/listings/ListingWire"
import type { SoulDraftFailure } from "@agent-marketplace/api/souls/SoulDraft"
import { bodyOfMarkdown, decodeSoulDraft } from "@agent-marketplace/api/souls/SoulDraft"
import {
  toChangedVersion,
  toSoulCreated,
  toSoulDownloaded,
  toSoulVersion,
  toSoulVersionText
} from "@agent-marketplace/api/souls/SoulWire"
import { toDeleted, toEnvelope, toPage } from "@agent-marketplace/api/wire/Envelope"
import { ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import { lintSoul } from "@agent-marketplace/core/souls/SoulLint"
import { Souls } from "@agent-marketplace/core/souls/Souls"
import { Effect, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { handlerGroup } from "../edge/RequestServices.ts"
import { catalogueFilter } from "../catalogue/catalogueFilter.ts"
import { currentCaller, currentRequest } from "../edge/CurrentRequest.ts"
import { rawData, rawJson } from "../edge/RawJson.ts"
import { jsonBody, mediaTypeOf } from "../edge/RequestBody.ts"
import { forCaller } from "../edge/Reply.ts"
import { pageOf } from "../paging/PageOf.ts"
import { ServedApi } from "../ServedApi.ts"

const defaults = { limit: 50, offset: 0 }

const names = { creator: "author", state: "visibility" }

/** The body of a create: JSON, or the SOUL.md itself (SOUL-22). */
const bodyOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<unknown, ValidationFailed> =>
  mediaTypeOf(request) === "text/markdown"
    ? Effect.flatMap(Effect.orDie(request.text), (text) =>
        Effect.fromResult(Result.mapError(bodyOfMarkdown(text), refusal))
      )
    : jsonBody(request)

const refusal = ({ message }: SoulDraftFailure): ValidationFailed =>
  new ValidationFailed({ issues: [{ path: "", message }] })

/** The draft of a body; the response to one that lacks required fields names them in a header (SOUL-12). */
const draftOf = Effect.fnUntraced(function* (body: unknown) {
  const decoded = decodeSoulDraft(body)
  if (Result.isSuccess(decoded)) return decoded.success
  const { missing } = decoded.failure
  if (missing.length > 0) (yield* currentRequest).headers["x-missing-fields"] = missing.join(", ")
  return yield* refusal(decoded.failure)
})

/** Souls over HTTP (WIRE-2, SOUL-24). Lists and details pass through as the text that the store keeps. */
export const SoulsHandlers = handlerGroup(
  ServedApi,
  "souls",
  Effect.fnUntraced(function* (handlers) {
    const souls = yield* Souls
    return handlers
      .handle(
        "list",
        Effect.fnUntraced(function* ({ query: { author, visibility, ...query } }) {
          const { limit, offset, ...rest } = { ...defaults, ...query }
          const filter = yield* catalogueFilter(rest, { limit, offset }, { creator: author, state: visibility, names })
          const { json, total } = yield* souls.list(filter)
          const pagination = { total, limit, offset, hasMore: offset + limit < total }
          return rawJson(`{"souls":${json},"pagination":${JSON.stringify(pagination)}}`)
        })
      )
      .handle("get", ({ params }) =>
        Effect.flatMap(currentCaller, (caller) =>
          Effect.map(souls.detail(caller, params.slug), (soul) => rawJson(`{"soul":${soul}}`))
        )
      )
      .handleRaw(
        "create",
        Effect.fnUntraced(function* ({ request }) {
          const draft = yield* Effect.flatMap(bodyOf(request), draftOf)
          return toSoulCreated(yield* souls.create(yield* currentCaller, draft))
        })
      )
      .handle(
        "update",
        Effect.fnUntraced(function* ({ params, payload }) {
          const caller = yield* currentCaller
          yield* souls.update(caller, params.slug, payload)
          return rawData(yield* souls.detail(caller, params.slug))
        })
      )
      .handle("remove", ({ params }) => forCaller.one(toDeleted, (caller) => souls.remove(caller, params.slug)))
      .handle("download", ({ params }) =>
        forCaller.one(toSoulDownloaded, (caller) => souls.download(caller, params.slug))
      )
      .handle(
        "versions",
        Effect.fnUntraced(function* ({ params, query }) {
          const page = pageOf(query)
          const { current, items, total } = yield* souls.versions(yield* currentCaller, params.slug, page)
          return toPage(
            items.map((version) => toSoulVersion(version, current)),
            page,
            total
          )
        })
      )
      .handle("version", ({ params }) =>
        forCaller.one(toSoulVersionText, (caller) => souls.version(caller, params.slug, params.version))
      )
      .handle("yankVersion", ({ params: { slug, version }, payload }) =>
        forCaller.one(toChangedVersion, (caller) => souls.yankVersion(caller, slug, version, payload.reason))
      )
      .handle("rescanVersion", ({ params: { slug, version } }) =>
        forCaller.one(toChangedVersion, (caller) => souls.rescanVersion(caller, slug, version))
      )
      .handle("reviews", ({ params, query }) =>
        forCaller.page(query, toReview, (caller, page) => souls.reviews(caller, params.slug, page))
      )
      .handle("review", ({ params, payload: { comment = null, rating } }) =>
        forCaller.one(toReview, (caller) => souls.review(caller, params.slug, { comment, rating }))
      )
      .handle("lint", ({ payload }) => Effect.sync(() => toEnvelope(lintSoul(payload.content))))
  })
)
