import { purchaseStatuses } from "@agent-marketplace/core/purchases/Purchase"
import { timelineSteps } from "@agent-marketplace/core/purchases/Timeline"
import { Schema } from "effect"
import { Pagination } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { ResponseField } from "../wire/ResponseField.ts"

const licenseTypes = ["perpetual", "subscription", "free"] as const
const failureReasons = ["rejected", "expired", "not_for_sale", "frozen"] as const
const licenseKey = "7K3QX-0M9TB-V2H8D-4RZWN-C6Y1F"
const purchaseId = ResponseField.text("Prefix `pur_`.", "pur_01j9zq5k2f8h3m6n7p0r4s")
const currency = ResponseField.choice(["USDT"], "Always `USDT`.", "USDT")

const briefFields = {
  id: ResponseField.text("The item's id, prefix `lst_` or `soul_`.", "lst_01j9zq5k2f8h3m6n7p0r4s"),
  name: ResponseField.text("Its name at the time of purchase.", "CSV Cleaner"),
  slug: ResponseField.text("The item's slug.", "csv-cleaner")
}

/** What was bought (BUY-15, CATEGORY-4). */
export const PurchasedSkill = Schema.Struct({
  ...briefFields,
  description: ResponseField.text("What it does.", "Cleans and normalises CSV files of any size."),
  category: ResponseField.text("The category's slug.", "data"),
  categoryIcon: ResponseField.text("The category's icon.", "📊"),
  creator: ResponseField.text("The seller's name.", "Ada")
}).annotate({ identifier: "PurchasedSkill", description: "The item, with its name at the time of purchase." })

const failureReason = Schema.NullOr(Schema.Literals(failureReasons)).annotate({
  description: "Why the approval did not happen; null unless the purchase failed.",
  examples: [null]
})

const saleFields = {
  skill: PurchasedSkill,
  amount: ResponseField.number("What the buyer pays, in USDT, including the fee.", 12.5),
  fee: ResponseField.number("The platform's share of the amount, in USDT.", 0.625),
  currency,
  status: ResponseField.choice(
    purchaseStatuses,
    "`pending`: waits for the owner's approval. `failed`: was not approved.",
    "completed"
  ),
  licenseType: ResponseField.choice(licenseTypes, "How long the license lasts, or that it cost nothing.", "perpetual"),
  isValid: ResponseField.flag("Whether the license is valid now.", true),
  purchasedAt: ResponseField.time("When it was bought.")
}

/** A purchase as its buyer sees it (BUY-15). */
export const Purchase = Schema.Struct({
  id: purchaseId,
  ...saleFields,
  licenseKey: ResponseField.textOrNull("The license; null unless the purchase was completed.", licenseKey),
  failureReason,
  agentId: ResponseField.textOrNull("The agent that bought.", "agt_01j9zq5k2f8h3m6n7p0r4s"),
  trackingId: ResponseField.textOrNull("The `X-Agent-Id` of the request.", "planner-7")
}).annotate({ identifier: "Purchase", description: "A purchase as its buyer sees it." })

/** The seller's side of the same record: neither the buyer nor the license is shown. */
export const Sale = Schema.Struct({
  id: ResponseField.text("Prefix `pur_`, or `ren_` of a renewal.", "pur_01j9zq5k2f8h3m6n7p0r4s"),
  kind: ResponseField.choice(["sale", "renewal"], "Whether it was sold or renewed.", "sale"),
  buyerId: ResponseField.text("The buyer's account.", "usr_01j9zq5k2f8h3m6n7p0r4s"),
  net: ResponseField.number("What the seller gets, in USDT: the amount without the fee.", 11.875),
  ...saleFields
}).annotate({
  identifier: "Sale",
  description: "A purchase as its seller sees it."
})

export const PurchaseList = Schema.Struct({
  purchases: Schema.Array(Purchase).annotate({ description: "The purchases of the page, newest first." }),
  pagination: Pagination
}).annotate({ identifier: "PurchaseList", description: "A page of purchases." })

/** The result of a buy (BUY-1). */
export const BuyResult = Schema.Struct({
  purchaseId,
  skillId: ResponseField.text("What was bought.", "lst_01j9zq5k2f8h3m6n7p0r4s"),
  licenseKey: ResponseField.textOrNull("The license; null while the purchase waits for approval.", licenseKey),
  status: ResponseField.choice(
    ["completed", "pending_approval", "failed"],
    "`pending_approval` if the price exceeds the auto-approve threshold; `failed` only for a repeated request whose purchase waited and was not approved.",
    "completed"
  ),
  failureReason: Schema.optionalKey(ResponseField.choice(failureReasons, "Why it failed.", "rejected")),
  message: Schema.optionalKey(ResponseField.text("What happens next.", "The license is issued."))
}).annotate({ identifier: "BuyResult", description: "The result of a purchase." })

/** The result of a license check for a seller (LICENSE-3). An unknown key is `valid: false`, and all other fields are null (LICENSE-4). */
export const LicenseCheck = Schema.Struct({
  valid: ResponseField.flag("Whether the license is valid now.", true),
  purchaseId: ResponseField.textOrNull("The purchase behind it.", "pur_01j9zq5k2f8h3m6n7p0r4s"),
  skillId: ResponseField.textOrNull("The item that the license is for.", "lst_01j9zq5k2f8h3m6n7p0r4s"),
  licenseType: ResponseField.textOrNull("`perpetual`, `subscription` or `free`.", "perpetual"),
  status: ResponseField.textOrNull("`completed`, `pending`, `refunded` or `failed`.", "completed"),
  purchasedAt: ResponseField.timeOrNull("When it was bought."),
  expiresAt: ResponseField.timeOrNull("The end of the paid period; null if the license does not expire.", null)
}).annotate({ identifier: "LicenseCheck", description: "The result of a license check." })

/** A subscription (SUBSCRIPTION-9). */
export const Subscription = Schema.Struct({
  id: ResponseField.text("Prefix `sub_`.", "sub_01j9zq5k2f8h3m6n7p0r4s"),
  skill: Schema.Struct(briefFields).annotate({ identifier: "SubscribedSkill", description: "What is subscribed to." }),
  price: ResponseField.number("For each 30 days, in USDT.", 12.5),
  currency,
  status: ResponseField.choice(
    ["active", "past_due", "cancelled"],
    "`past_due` while the balance or the policy refuses the renewal.",
    "active"
  ),
  currentPeriodStart: ResponseField.time("When the current period started."),
  currentPeriodEnd: ResponseField.time("When it ends and is renewed.", "2025-02-14T12:00:00.000Z"),
  cancelAtPeriodEnd: ResponseField.flag("Whether it ends then without being renewed.", false)
}).annotate({ identifier: "Subscription", description: "A purchase that renews automatically, paid from the wallet." })

/** The sums of a group, and of each period (BUDGET-5, SALE-5). */
const TimelineSeries = Schema.Struct({
  key: ResponseField.textOrNull(
    "An id, a category's slug, `owner` or `total`; null for all groups after the five largest together.",
    "lst_01j9zq5k2f8h3m6n7p0r4s"
  ),
  name: ResponseField.text(
    "The name of the agent, seller or item; else the category, `Total` or `Others`.",
    "Mail Sorter"
  ),
  amount: ResponseField.number("The sum of all periods, in USDT.", 12.5),
  count: ResponseField.count("The number of payments.", 2),
  amounts: field(Schema.Array(Schema.Finite), "The sum of each period, in the order of `periods`.", [0, 12.5])
})

/** Amounts in each period (BUDGET-5, SALE-5). */
export const Timeline = Schema.Struct({
  per: ResponseField.choice(timelineSteps, "Whether periods are days or months, which begin at 00:00 UTC.", "month"),
  from: ResponseField.time("Payments at or after this time are contained.", "2025-01-01T00:00:00.000Z"),
  to: ResponseField.time("Payments before this time are contained.", "2025-03-01T00:00:00.000Z"),
  periods: ResponseField.texts("All UTC days or months, also those without payments.", ["2025-01", "2025-02"]),
  series: field(Schema.Array(TimelineSeries), "The largest sum first.", [
    { key: "total", name: "Total", amount: 12.5, count: 2, amounts: [0, 12.5] }
  ])
}).annotate({ identifier: "Timeline", description: "Amounts over time, net of refunds." })

/** What was spent on one agent, category, seller or day (BUDGET-4). */
export const Spending = Schema.Struct({
  key: ResponseField.text("An agent's id or `owner`, a category's slug, a seller's id, or a UTC date.", "2025-01-15"),
  name: ResponseField.text("The name of the agent or seller; else the key.", "2025-01-15"),
  amount: ResponseField.number("What was spent, in USDT.", 12.5),
  count: ResponseField.number("The number of payments.", 2)
}).annotate({ identifier: "Spending", description: "What was spent, net of refunds." })
