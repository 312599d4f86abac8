import type { PurchaseId, SubscriptionId } from "@agent-marketplace/core/ids/Ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { operation } from "../access/Operation.ts"
import { failures } from "../errors/Failures.ts"
import { enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idempotencyHeaders } from "../wire/IdempotencyKey.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery } from "../wire/Query.ts"
import { BuyInput, LicenseInput } from "./PurchaseInputs.ts"
import { BuyResult, LicenseCheck, Purchase, PurchaseList, Sale, Subscription } from "./PurchaseSchemas.ts"

const params = { id: field(idOf<PurchaseId>(), "The purchase's id.", "pur_01j9zq5k2f8h3m6n7p0r4s") }

const buy = HttpApiEndpoint.post("buy", "/api/v1/purchases", {
  headers: idempotencyHeaders,
  payload: BuyInput,
  success: enveloped(BuyResult).pipe(HttpApiSchema.status(201)),
  error: failures.keyedBody(
    "LISTING_NOT_FOUND",
    "SOUL_NOT_FOUND",
    "OWN_LISTING",
    "ALREADY_PURCHASED",
    "CONFLICT",
    "SPENDING_LIMIT_EXCEEDED",
    "INSUFFICIENT_BALANCE",
    "IDEMPOTENCY_KEY_REUSED"
  )
}).annotateMerge(
  operation({
    summary: "Buy a skill or a soul",
    description:
      "Checked in this order: for sale, not one's own, not already owned or waiting, the policy's limits, the balance, the " +
      "approval threshold. Above the threshold the price is held and the purchase waits for the owner.",
    access: access.write("BUYER", "FULL")
  })
)

const list = HttpApiEndpoint.get("list", "/api/v1/purchases", {
  query: pageQuery,
  success: pageOf(PurchaseList),
  error: failures.keyed()
}).annotateMerge(
  operation({
    summary: "List purchases",
    description: "What the caller's account bought, newest first.",
    access: access.any
  })
)

const get = HttpApiEndpoint.get("get", "/api/v1/purchases/:id", {
  params,
  success: enveloped(Purchase),
  error: failures.keyed("PURCHASE_NOT_FOUND")
}).annotateMerge(
  operation({ summary: "Read a purchase", description: "One of the caller's purchases.", access: access.any })
)

const refund = HttpApiEndpoint.post("refund", "/api/v1/purchases/:id/refund", {
  params,
  headers: idempotencyHeaders,
  success: enveloped(Sale),
  error: failures.keyed("PURCHASE_NOT_FOUND", "CONFLICT", "INSUFFICIENT_BALANCE", "IDEMPOTENCY_KEY_REUSED")
}).annotateMerge(
  operation({
    summary: "Refund a sale",
    description:
      "By the seller or the operator, within 14 days: the seller returns its net, the platform its fee, and the license ends.",
    access: access.writeOrAdmin("SELLER", "FULL")
  })
)

const sales = HttpApiEndpoint.get("sales", "/api/v1/sales", {
  query: pageQuery,
  success: pageOf(Schema.Array(Sale).annotate({ description: "The sales of the page, newest first." })),
  error: failures.keyed()
}).annotateMerge(
  operation({
    summary: "List sales",
    description: "The seller's side of the same records; the buyer is not named.",
    access: access.any
  })
)

const validate = HttpApiEndpoint.post("validateLicense", "/api/v1/licenses/validate", {
  payload: LicenseInput,
  success: enveloped(LicenseCheck),
  error: failures.keyedBody()
}).annotateMerge(
  operation({
    summary: "Validate a license",
    description: "By the item's seller. A license that is unknown, or for another's item, is `valid: false`.",
    access: access.write("SELLER", "FULL")
  })
)

/** Routes for purchases, sales and licenses (BUY-1, BUY-16, SALE-3, REFUND-1, LICENSE-3). */
export const PurchasesGroup = HttpApiGroup.make("purchases")
  .add(buy, list, get, refund, sales, validate)
  .annotateMerge(OpenApi.annotations({ title: "Purchases", description: "Buying, selling, licenses." }))

/** Routes for subscriptions (SUBSCRIPTION-3, SUBSCRIPTION-9). */
export const SubscriptionsGroup = HttpApiGroup.make("subscriptions")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/subscriptions", {
      query: pageQuery,
      success: pageOf(
        Schema.Array(Subscription).annotate({ description: "The subscriptions of the page, newest first." })
      ),
      error: failures.keyed()
    }).annotateMerge(
      operation({
        summary: "List subscriptions",
        description: "The caller's subscriptions, newest first.",
        access: access.any
      })
    ),
    HttpApiEndpoint.post("cancel", "/api/v1/subscriptions/:id/cancel", {
      params: { id: field(idOf<SubscriptionId>(), "The subscription's id.", "sub_01j9zq5k2f8h3m6n7p0r4s") },
      success: enveloped(Subscription),
      error: failures.keyed("SUBSCRIPTION_NOT_FOUND", "CONFLICT")
    }).annotateMerge(
      operation({
        summary: "Cancel a subscription",
        description: "It stays valid to the period's end and is not renewed.",
        access: access.write("BUYER", "FULL")
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Subscriptions", description: "Purchases that renew themselves." }))
