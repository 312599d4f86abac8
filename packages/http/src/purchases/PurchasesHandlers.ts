import {
  toBuyResult,
  toLicenseCheck,
  toPurchase,
  toSale,
  toSpending,
  toTimeline
} from "@agent-marketplace/api/purchases/PurchaseWire"
import { toEnvelope, toPage, toPagination } from "@agent-marketplace/api/wire/Envelope"
import { Administration } from "@agent-marketplace/core/admin/Administration"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { Purchases } from "@agent-marketplace/core/purchases/Purchases"
import { Effect } from "effect"
import { handlerGroup } from "../edge/RequestServices.ts"
import { currentCaller, currentOperator, currentRequest, replayable } from "../edge/CurrentRequest.ts"
import { forCaller } from "../edge/Reply.ts"
import { pageOf } from "../paging/PageOf.ts"
import { ServedApi } from "../ServedApi.ts"

/** Purchases, sales, refunds and licenses over HTTP (BUY-1, SALE-3, REFUND-1, REFUND-2, LICENSE-3). */
export const PurchasesHandlers = handlerGroup(
  ServedApi,
  "purchases",
  Effect.fnUntraced(function* (handlers) {
    const purchases = yield* Purchases
    const clock = yield* MarketClock
    const administration = yield* Administration
    return handlers.handleAll({
      buy: Effect.fnUntraced(function* ({ headers, payload }) {
        const { autoInstall = false, maxPrice = null, pricingModel = null, skillId } = payload
        const { trackingId } = yield* currentRequest
        const request = { skillId, autoInstall, maxPrice, pricingModel, trackingId }
        const bought = purchases.buy(yield* currentCaller, request, headers["idempotency-key"])
        return toEnvelope(toBuyResult(yield* replayable(bought)))
      }),
      list: Effect.fnUntraced(function* ({ query }) {
        const page = pageOf(query)
        const { items, total } = yield* purchases.list(yield* currentCaller, query.status, page)
        const now = yield* clock.now
        const list = { purchases: items.map((item) => toPurchase(item, now)), pagination: toPagination(page, total) }
        return toPage(list, page, total)
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        return toEnvelope(toPurchase(yield* purchases.find(yield* currentCaller, params.id), yield* clock.now))
      }),
      refund: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const { admin, caller } = yield* currentRequest
        const { force = false, reason = null } = payload ?? {}
        const request = { force, reason }
        const asSeller = (seller: Caller) => purchases.refund(seller, params.id, request, headers["idempotency-key"])
        const asOperator = Effect.gen(function* () {
          const action = yield* administration.draft(yield* currentOperator, "purchase.refund", params.id, reason)
          return yield* purchases.refund("admin", params.id, request, headers["idempotency-key"], action)
        })
        // An operator's account returns the price of its own sales itself: the platform does not cover them.
        const asEither = (own: Caller) => Effect.catchTag(asSeller(own), "NotFound", () => asOperator)
        const refund = admin ? (caller === null ? asOperator : asEither(caller)) : asSeller(yield* currentCaller)
        return toEnvelope(toSale(yield* replayable(refund), yield* clock.now))
      }),
      spending: ({ query: { by = "day", from = null, to = null, ...query } }) =>
        forCaller.page(query, toSpending, (caller, page) => purchases.spending(caller, { by, from, to }, page)),
      spendingTimeline: ({ query: { by = "total", per = "day", from = null, to = null } }) =>
        forCaller.one(toTimeline, (caller) => purchases.spendingTimeline(caller, { by, per, from, to })),
      earningsTimeline: ({ query: { by = "total", per = "day", from = null, to = null } }) =>
        forCaller.one(toTimeline, (caller) => purchases.earningsTimeline(caller, { by, per, from, to })),
      sales: Effect.fnUntraced(function* ({ query }) {
        const page = pageOf(query)
        const { items, total } = yield* purchases.sales(yield* currentCaller, page)
        const now = yield* clock.now
        return toPage(
          items.map((item) => toSale(item, now)),
          page,
          total
        )
      }),
      validateLicense: ({ payload: { licenseKey, skillId } }) =>
        forCaller.one(toLicenseCheck, (caller) => purchases.validateLicense(caller, licenseKey, skillId))
    })
  })
)
