import type { ListingDraft } from "@agent-marketplace/core/listings/Listings"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import { currencies } from "@agent-marketplace/core/money/ExchangeRates"
import { Usdt, UsdtInput } from "@agent-marketplace/core/money/Usdt"
import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { httpsUrl } from "@agent-marketplace/core/text/HttpsUrl"
import { visibleLine } from "@agent-marketplace/core/text/VisibleLine"
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { field } from "../wire/Field.ts"
import { choice, clearable, listUpTo, optional } from "../wire/Input.ts"
import { ResponseField } from "../wire/ResponseField.ts"

/** The categories of listings (LISTING-8). */
export const listingCategories = [
  "productivity",
  "automation",
  "creative",
  "data",
  "communication",
  "development",
  "analytics",
  "security"
] as const

const lowestPrice = Usdt.of(1_000_000n)

const fields = {
  name: visibleLine({ min: 3, max: 50 }),
  description: boundedText({ min: 10, max: 200 }),
  longDescription: boundedText({ min: 0, max: 50_000 }),
  price: UsdtInput.check(
    Schema.makeFilter((price) => (price > lowestPrice ? undefined : "must be greater than 1"))
  ).annotateKey({ messageMissingKey: "is required" }),
  currency: choice(currencies),
  category: choice(listingCategories).annotateKey({ messageMissingKey: "is required" }),
  tags: listUpTo(visibleLine({ min: 1, max: 40 }), 5),
  url: httpsUrl,
  screenshots: listUpTo(httpsUrl, 10)
} as const

const described = {
  name: ["3 to 50 characters.", "CSV Cleaner"],
  description: ["10 to 200 characters.", "Cleans and normalises CSV files of any size."],
  longDescription: [
    "Full Markdown description, at most 50,000 characters.",
    "# CSV Cleaner\n\nHandles quoting and encodings."
  ],
  price: ["Greater than 1, at most 6 decimals.", 12.5],
  currency: ["The currency of the price; USD where absent.", "USD"],
  category: ["One of the listing categories.", "data"],
  tags: ["At most 5 of 1 to 40 characters.", ["csv", "etl"]],
  installUrl: ["A valid HTTPS URL to install from; shown to license holders.", "https://github.com/ada/csv-cleaner"],
  documentationUrl: ["A valid HTTPS URL; recommended.", "https://docs.example.com/csv-cleaner"],
  screenshots: ["At most 10 HTTPS URLs.", ["https://cdn.example.com/csv-1.png"]],
  videoUrl: ["A valid HTTPS URL of a demo.", "https://cdn.example.com/csv.mp4"]
} as const

const d = described

/** The body that creates a listing (LISTING-5, LISTING-6, LISTING-7, LISTING-9, LISTING-10, LISTING-11, LISTING-12, LISTING-13). */
export const ListingCreate = Schema.Struct({
  name: field(fields.name, ...d.name),
  description: field(fields.description, ...d.description),
  longDescription: field(optional(fields.longDescription), ...d.longDescription),
  price: field(fields.price, ...d.price),
  currency: field(optional(fields.currency), ...d.currency),
  category: field(fields.category, ...d.category),
  tags: field(optional(fields.tags), ...d.tags),
  installUrl: field(fields.url, ...d.installUrl),
  documentationUrl: field(optional(fields.url), ...d.documentationUrl),
  screenshots: field(optional(fields.screenshots), ...d.screenshots),
  videoUrl: field(optional(fields.url), ...d.videoUrl)
}).annotate({ identifier: "ListingCreate", description: "A listing to submit for review." })

export const ListingPatch = Schema.Struct({
  name: field(optional(fields.name), ...d.name),
  description: field(optional(fields.description), ...d.description),
  longDescription: field(
    clearable(fields.longDescription),
    `${d.longDescription[0]} Null clears it.`,
    d.longDescription[1]
  ),
  price: field(optional(fields.price), ...d.price),
  currency: field(optional(fields.currency), "The currency of the price.", "USD"),
  category: field(optional(fields.category), ...d.category),
  tags: field(optional(fields.tags), ...d.tags),
  installUrl: field(
    optional(fields.url),
    "A valid HTTPS URL. Under manual review another one sends the listing back to review.",
    d.installUrl[1]
  ),
  documentationUrl: field(clearable(fields.url), "A valid HTTPS URL. Null clears it.", d.documentationUrl[1]),
  screenshots: field(optional(fields.screenshots), ...d.screenshots),
  videoUrl: field(clearable(fields.url), "A valid HTTPS URL of a demo. Null clears it.", d.videoUrl[1])
}).annotate({ identifier: "ListingPatch", description: "What is to change; absent fields stay as they are." })

/** The draft that a create through the listing face stands for; its patch is one as it is. */
export const toListingDraft = (body: typeof ListingCreate.Type): ListingDraft => ({
  shortDesc: null,
  longDescription: null,
  currency: "USD",
  tags: [],
  documentationUrl: null,
  thumbnailUrl: null,
  screenshots: [],
  videoUrl: null,
  pricingModel: "one_time",
  ...body
})

const statuses = ["pending_review", "approved", "rejected", "suspended", "deleted"] as const satisfies ReadonlyArray<
  Listing["status"]
>

export const listingStatus = (description: string) => ResponseField.choice(statuses, description, "approved")

const submitted = "Your listing is submitted for review and is typically approved within 24 hours."

export const ListingCreated = Schema.Struct({
  id: ResponseField.text("Prefix `lst_`.", "lst_01j9zq5k2f8h3m6n7p0r4s"),
  status: field(Schema.Literal("pending_review"), "Always `pending_review`.", "pending_review"),
  message: ResponseField.text("What happens next.", submitted)
}).annotate({ identifier: "ListingCreated", description: "A listing that was submitted." })

export const ListingCreatedRaw = ListingCreated.pipe(HttpApiSchema.status(201))

export const toListingCreated = (listing: Listing): typeof ListingCreated.Type => ({
  id: listing.id,
  status: "pending_review",
  message: submitted
})
