import type { ListingDraft } from "@agent-marketplace/core/listings/Listings"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import { currencies } from "@agent-marketplace/core/money/ExchangeRates"
import { UsdtInput } from "@agent-marketplace/core/money/Usdt"
import { Slug } from "@agent-marketplace/core/souls/Slug"
import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { httpsUrl } from "@agent-marketplace/core/text/HttpsUrl"
import { visibleLine } from "@agent-marketplace/core/text/VisibleLine"
import { Effect, Schema, SchemaGetter, SchemaIssue } from "effect"
import { field } from "../wire/Field.ts"
import { choice, clearable, optional } from "../wire/Input.ts"

export const pricingModels = ["one_time", "free", "subscription"] as const satisfies ReadonlyArray<
  Listing["pricingModel"]
>

/** A category by its name or slug, decoded to the slug (SKILL-7). */
const category = boundedText({ min: 1, max: 50 }).pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transformEffect((name: string, options) => {
      const slug = Slug.of(name)
      return Slug.isCategory(slug)
        ? Effect.succeed(slug)
        : Effect.fail(new SchemaIssue.InvalidValue({ message: "must be a category's name or slug" }, name, options))
    }),
    encode: SchemaGetter.passthrough()
  })
)

const fields = {
  name: visibleLine({ min: 3, max: 100 }),
  description: boundedText({ min: 10, max: 5000 }),
  price: UsdtInput,
  shortDesc: boundedText({ min: 0, max: 280 }),
  thumbnailUrl: httpsUrl,
  currency: choice(currencies),
  pricingModel: choice(pricingModels)
} as const

const d = {
  name: ["3 to 100 characters.", "CSV Cleaner"],
  description: ["10 to 5,000 characters.", "Cleans and normalises CSV files of any size."],
  price: ["0 for free, at most 6 decimals; for each 30 days where it is a subscription.", 12.5],
  category: ["The category's name or slug; `other` where neither this nor `categoryId` is given.", "data"],
  categoryId: ["The category's slug, where `category` is not given.", "data"],
  shortDesc: ["At most 280 characters; the description cut at 280 where absent.", "Cleans CSV files."],
  thumbnailUrl: ["A valid HTTPS URL of a picture.", "https://cdn.example.com/csv-thumb.png"],
  currency: ["The currency of the price; USDT where absent.", "USDT"],
  pricingModel: ["`one_time` where absent; `free` needs the price 0, `subscription` one above it.", "one_time"]
} as const

/** The body that creates a skill (SKILL-5, SKILL-6, SKILL-8). */
export const SkillCreate = Schema.Struct({
  name: field(fields.name, ...d.name),
  description: field(fields.description, ...d.description),
  price: field(fields.price, ...d.price),
  category: field(optional(category), ...d.category),
  categoryId: field(optional(category), ...d.categoryId),
  shortDesc: field(optional(fields.shortDesc), ...d.shortDesc),
  thumbnailUrl: field(optional(fields.thumbnailUrl), ...d.thumbnailUrl),
  currency: field(optional(fields.currency), ...d.currency),
  pricingModel: field(optional(fields.pricingModel), ...d.pricingModel)
}).annotate({ identifier: "SkillCreate", description: "A skill to submit for review." })

export const SkillPatch = Schema.Struct({
  name: field(optional(fields.name), ...d.name),
  description: field(optional(fields.description), ...d.description),
  price: field(optional(fields.price), ...d.price),
  category: field(optional(category), "The category's name or slug.", "data"),
  categoryId: field(optional(category), ...d.categoryId),
  shortDesc: field(clearable(fields.shortDesc), "At most 280 characters. Null clears it.", "Cleans CSV files."),
  thumbnailUrl: field(
    clearable(fields.thumbnailUrl),
    "A valid HTTPS URL of a picture. Null clears it.",
    d.thumbnailUrl[1]
  ),
  currency: field(optional(fields.currency), "The currency of the price.", "USDT"),
  pricingModel: field(
    optional(fields.pricingModel),
    "`free` needs the price 0, `subscription` one above it.",
    "one_time"
  )
}).annotate({ identifier: "SkillPatch", description: "What is to change; absent fields stay as they are." })

export const toSkillDraft = ({ categoryId, ...body }: typeof SkillCreate.Type): ListingDraft => ({
  shortDesc: null,
  longDescription: null,
  currency: "USDT",
  tags: [],
  installUrl: null,
  documentationUrl: null,
  thumbnailUrl: null,
  screenshots: [],
  videoUrl: null,
  pricingModel: "one_time",
  ...body,
  category: body.category ?? categoryId ?? "other"
})

export const toSkillPatch = ({ categoryId, ...patch }: typeof SkillPatch.Type): Partial<ListingDraft> =>
  categoryId === undefined || patch.category !== undefined ? patch : { ...patch, category: categoryId }
