import type { PurchaseId, RenewalId, SubscriptionId } from "@agent-marketplace/core/ids/Ids"
import { purchaseStatuses } from "@agent-marketplace/core/purchases/Purchase"
import { spendingGroups } from "@agent-marketplace/core/purchases/SpendingReport"
import { earningsSeries, spendingSeries, timelineSteps } from "@agent-marketplace/core/purchases/Timeline"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idempotencyHeaders, trackingHeaders } from "../wire/RequestHeaders.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import { BuyInput, LicenseInput, RefundInput } from "./PurchaseInputs.ts"
import {
  BuyResult,
  LicenseCheck,
  Purchase,
  PurchaseList,
  Sale,
  Spending,
  Subscription,
  Timeline
} from "./PurchaseSchemas.ts"

const params = { id: field(idOf<PurchaseId>(), "The purchase's id.", "pur_01j9zq5k2f8h3m6n7p0r4s") }

const subscriptionParams = {
  id: field(idOf<SubscriptionId>(), "The subscription's id.", "sub_01j9zq5k2f8h3m6n7p0r4s")
}

const buy = endpoint.post("buy", "/api/v1/purchases", {
  summary: "Buy a skill or a soul",
  description:
    "Checked in this order: for sale, price and model as agreed, not an own item, not owned or waiting, the policy's limits, the balance, the " +
    "approval threshold. Above the threshold the price is held and the purchase waits for the owner.",
  priority: "money",
  access: access.write("BUYER", "FULL"),
  headers: { ...idempotencyHeaders, ...trackingHeaders },
  payload: BuyInput,
  success: enveloped(BuyResult).pipe(HttpApiSchema.status(201)),
  errors: [
    "LISTING_NOT_FOUND",
    "SOUL_NOT_FOUND",
    "OWN_LISTING",
    "ALREADY_PURCHASED",
    "PRICE_CHANGED",
    "CONFLICT",
    "SPENDING_LIMIT_EXCEEDED",
    "INSUFFICIENT_BALANCE",
    "IDEMPOTENCY_KEY_REUSED"
  ]
})

const list = endpoint.get("list", "/api/v1/purchases", {
  summary: "List purchases",
  description: "The purchases of the caller's account, newest first.",
  access: access.any,
  query: {
    status: Query.choice(
      purchaseStatuses,
      "Only purchases in this state; by default all except failed ones.",
      "completed"
    ),
    ...pageQuery
  },
  success: pageOf(PurchaseList)
})

const get = endpoint.get("get", "/api/v1/purchases/:id", {
  summary: "Read a purchase",
  description: "One of the caller's purchases.",
  access: access.any,
  params,
  success: enveloped(Purchase),
  errors: ["PURCHASE_NOT_FOUND"]
})

const refund = endpoint.post("refund", "/api/v1/purchases/:id/refund", {
  summary: "Refund a sale",
  description:
    "By the seller within 14 days, by the operator within 180: the seller returns its net, the platform its fee, and the license ends. " +
    "A renewal is refunded by its id, and its subscription ends. The money comes from this sale's escrow, other escrow, then what is " +
    "available; for the operator the platform covers what is missing, and the seller owes it.",
  priority: "money",
  access: access.writeOrAdmin("SELLER", "FULL"),
  stepUp: "operator",
  params: {
    id: field(idOf<PurchaseId | RenewalId>(), "The purchase's id, or a renewal's.", "pur_01j9zq5k2f8h3m6n7p0r4s")
  },
  headers: idempotencyHeaders,
  payload: [RefundInput, HttpApiSchema.NoContent],
  success: enveloped(Sale),
  errors: ["PURCHASE_NOT_FOUND", "CONFLICT", "INSUFFICIENT_BALANCE", "IDEMPOTENCY_KEY_REUSED"]
})

const sales = endpoint.get("sales", "/api/v1/sales", {
  summary: "List sales",
  description: "The caller's sales and their renewals, newest first; without the buyer's name.",
  access: access.any,
  query: pageQuery,
  success: pageOf(Schema.Array(Sale).annotate({ description: "The sales of the page, newest first." }))
})

const spending = endpoint.get("spending", "/api/v1/wallet/spending", {
  summary: "Read the spending",
  description: "The spending of the owner and all agents: completed purchases and renewals, net of refunds.",
  access: access.ownerRead,
  query: {
    by: Query.choice(spendingGroups, "How to group the amounts; `day` by default.", "agent"),
    from: Query.moment("Only payments at or after this time: a date or an instant.", "2025-01-01"),
    to: Query.moment("Only payments before this time.", "2025-02-01T00:00:00Z"),
    ...pageQuery
  },
  success: pageOf(
    Schema.Array(Spending).annotate({
      description: "The groups of the page: days in chronological order, other groups by amount, largest first."
    })
  )
})

const timelineQuery = {
  per: Query.choice(timelineSteps, "The periods, which begin at 00:00 UTC; `day` by default.", "month"),
  from: Query.moment(
    "Only payments at or after this time: a date or an instant; the start of the last 30 days or 12 months by default.",
    "2025-01-01"
  ),
  to: Query.moment("Only payments before this time; now by default. At most 366 periods after `from`.", "2025-03-01")
}

const spendingTimeline = endpoint.get("spendingTimeline", "/api/v1/wallet/spending/timeline", {
  summary: "Read the spending over time",
  description:
    "The spending of the owner and all agents in each UTC day or month, net of refunds. The five largest groups have a series each, the others one together.",
  access: access.ownerRead,
  query: {
    by: Query.choice(spendingSeries, "What has a series of its own; `total` by default.", "agent"),
    ...timelineQuery
  },
  success: enveloped(Timeline)
})

const earningsTimeline = endpoint.get("earningsTimeline", "/api/v1/sales/timeline", {
  summary: "Read the earnings over time",
  description:
    "The earnings from sales and renewals in each UTC day or month, after fees and refunds. The five largest items have a series each, the others one together.",
  access: access.any,
  query: {
    by: Query.choice(earningsSeries, "What has a series of its own; `total` by default.", "item"),
    ...timelineQuery
  },
  success: enveloped(Timeline)
})

const validate = endpoint.post("validateLicense", "/api/v1/licenses/validate", {
  summary: "Validate a license",
  description: "For the item's seller. A license that is unknown, or is for another seller's item, is `valid: false`.",
  access: access.write("SELLER", "FULL"),
  payload: LicenseInput,
  success: enveloped(LicenseCheck)
})

/** Routes for purchases, sales and licenses (BUY-1, BUY-16, SALE-3, REFUND-1, LICENSE-3). */
export const PurchasesGroup = HttpApiGroup.make("purchases")
  .add(buy, list, get, refund, sales, spending, spendingTimeline, earningsTimeline, validate)
  .annotateMerge(OpenApi.annotations({ title: "Purchases", description: "Buying, selling, licenses." }))

/** Routes for subscriptions (SUBSCRIPTION-3, SUBSCRIPTION-9). */
export const SubscriptionsGroup = HttpApiGroup.make("subscriptions")
  .add(
    endpoint.get("list", "/api/v1/subscriptions", {
      summary: "List subscriptions",
      description: "The caller's subscriptions, or those to the caller's items, newest first.",
      access: access.any,
      query: {
        side: Query.choice(
          ["buyer", "seller"],
          "`seller`: those to the caller's items, instead of the caller's own.",
          "buyer"
        ),
        ...pageQuery
      },
      success: pageOf(
        Schema.Array(Subscription).annotate({ description: "The subscriptions of the page, newest first." })
      )
    }),
    endpoint.get("get", "/api/v1/subscriptions/:id", {
      summary: "Read a subscription",
      description: "The caller's account must be its buyer or its seller.",
      access: access.any,
      params: subscriptionParams,
      success: enveloped(Subscription),
      errors: ["SUBSCRIPTION_NOT_FOUND"]
    }),
    endpoint.post("resume", "/api/v1/subscriptions/:id/resume", {
      summary: "Resume a subscription",
      description: "Undoes a cancellation until the period ends.",
      priority: "money",
      access: access.write("BUYER", "FULL"),
      params: subscriptionParams,
      success: enveloped(Subscription),
      errors: ["SUBSCRIPTION_NOT_FOUND", "CONFLICT", "ACCOUNT_FROZEN"]
    }),
    endpoint.post("cancel", "/api/v1/subscriptions/:id/cancel", {
      summary: "Cancel a subscription",
      description: "It stays valid until the end of the period and is not renewed.",
      priority: "money",
      access: access.write("BUYER", "FULL"),
      params: subscriptionParams,
      success: enveloped(Subscription),
      errors: ["SUBSCRIPTION_NOT_FOUND", "CONFLICT", "ACCOUNT_FROZEN"]
    })
  )
  .annotateMerge(OpenApi.annotations({ title: "Subscriptions", description: "Purchases that renew themselves." }))
