import { toListingCreated, toListingDraft } from "@agent-marketplace/api/listings/ListingFields"
import { toPages, toReview } from "@agent-marketplace/api/listings/ListingWire"
import { toDeleted, toEnvelope } from "@agent-marketplace/api/wire/Envelope"
import { Listings } from "@agent-marketplace/core/listings/Listings"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { currentCaller } from "../edge/CurrentRequest.ts"
import { rawData, rawJson } from "../edge/RawJson.ts"
import { ServedApi } from "../ServedApi.ts"
import { listingFilter } from "./listingFilter.ts"
import { forCaller } from "../edge/Reply.ts"
import { pageOf } from "../paging/PageOf.ts"

/** `/v1/listings` (WIRE-5). Lists and details pass through as text. */
export const ListingsHandlers = handlerGroup(
  ServedApi,
  "listings",
  Effect.fnUntraced(function* (handlers) {
    const listings = yield* Listings
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { filter, page } = yield* listingFilter(query)
        const { json, total } = yield* listings.list(filter, "listing", "skill")
        return rawJson(`{"listings":${json},"pagination":${JSON.stringify(toPages(page, total))}}`)
      }),
      get: ({ params }) =>
        Effect.flatMap(currentCaller, (caller) => Effect.map(listings.listingJson(caller, params.id), rawJson)),
      create: Effect.fnUntraced(function* ({ payload }) {
        return toListingCreated(yield* listings.create(yield* currentCaller, toListingDraft(payload)))
      }),
      install: ({ params }) => Effect.flatMap(currentCaller, (caller) => listings.install(caller, params.id)),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const caller = yield* currentCaller
        yield* listings.update(caller, params.id, payload)
        return rawJson(yield* listings.listingJson(caller, params.id))
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        return toDeleted(yield* listings.remove(yield* currentCaller, params.id))
      }),
      reviews: Effect.fnUntraced(function* ({ params, query }) {
        const page = pageOf(query)
        const { items, total } = yield* listings.reviews(yield* currentCaller, params.id, page)
        return { reviews: items.map(toReview), pagination: toPages(page, total) }
      }),
      review: Effect.fnUntraced(function* ({ params, payload }) {
        const { comment = null, rating } = payload
        return toReview(yield* listings.review(yield* currentCaller, params.id, { comment, rating }))
      })
    })
  })
)

/** `/api/v1/listings`: the same in the general envelope (WIRE-8). */
export const EnvelopedListingsHandlers = handlerGroup(
  ServedApi,
  "envelopedListings",
  Effect.fnUntraced(function* (handlers) {
    const listings = yield* Listings
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { filter, page } = yield* listingFilter(query)
        const { json, total } = yield* listings.list(filter, "listing", "skill")
        return rawJson(`{"success":true,"data":${json},"meta":${JSON.stringify({ ...page, total })}}`)
      }),
      get: ({ params }) =>
        Effect.flatMap(currentCaller, (caller) => Effect.map(listings.listingJson(caller, params.id), rawData)),
      create: ({ payload }) =>
        forCaller.one(toListingCreated, (caller) => listings.create(caller, toListingDraft(payload))),
      install: ({ params }) =>
        Effect.flatMap(currentCaller, (caller) => Effect.map(listings.install(caller, params.id), toEnvelope)),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const caller = yield* currentCaller
        yield* listings.update(caller, params.id, payload)
        return rawData(yield* listings.listingJson(caller, params.id))
      }),
      remove: ({ params }) => forCaller.one(toDeleted, (caller) => listings.remove(caller, params.id)),
      reviews: ({ params, query }) =>
        forCaller.page(query, toReview, (caller, page) => listings.reviews(caller, params.id, page)),
      review: ({ params, payload: { comment = null, rating } }) =>
        forCaller.one(toReview, (caller) => listings.review(caller, params.id, { comment, rating }))
    })
  })
)
