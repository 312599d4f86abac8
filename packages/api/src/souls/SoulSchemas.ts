import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { field } from "../wire/Field.ts"
import { choice, optional } from "../wire/Input.ts"
import { ResponseField } from "../wire/ResponseField.ts"
import { soulDescriptions, soulDocument, soulExamples, soulFields } from "./SoulFields.ts"

const id = ResponseField.text("Prefix `soul_`; works as `skillId` when buying.", "soul_01j9zq5k2f8h3m6n7p0r4s")
const slug = ResponseField.text("Lowercase, hyphenated, unique, never changed.", "senior-rust-reviewer")
const name = ResponseField.text("What the soul is called.", soulExamples.name)
const description = ResponseField.text("What it is good for.", soulExamples.description)
const price = ResponseField.money("In USDC.", "4.99")
const category = ResponseField.text("The category's slug.", "soul-developer")
const tags = ResponseField.texts("Words to find it by.", soulExamples.tags)
const author = ResponseField.text("The author account's name.", "Ada")
const createdAt = ResponseField.time("When it was published.")

const itemFields = {
  id,
  slug,
  name,
  description,
  price,
  category,
  tags,
  author,
  downloads: ResponseField.count("How many accounts have downloaded it.", 42),
  createdAt,
  updatedAt: ResponseField.time("When it was last changed.")
}

const content = ResponseField.text(
  "The full SOUL.md text. Empty where the server sells texts to license holders only and the caller is none.",
  soulExamples.content
)

/** A soul in a list (SOUL-1). */
export const SoulItem = Schema.Struct(itemFields).annotate({ identifier: "SoulItem", description: "A soul in a list." })

/** A soul with its text (SOUL-2). */
export const SoulDetail = Schema.Struct({ ...itemFields, content }).annotate({
  identifier: "SoulDetail",
  description: "A soul with its text."
})

/** What PATCH answers: the detail, and what only the author sees. */
export const OwnSoul = Schema.Struct({
  ...itemFields,
  content,
  version: ResponseField.count("Counts up from 1 with every change of the content.", 2),
  visibility: ResponseField.choice(
    ["public", "private"],
    "Private souls are in no list and open to their author only.",
    "public"
  )
}).annotate({ identifier: "OwnSoul", description: "A soul as its author sees it." })

/** A page of souls (WIRE-17). */
export const SoulList = Schema.Struct({
  souls: Schema.Array(SoulItem).annotate({ description: "The souls of the page, newest first." }),
  pagination: Schema.Struct({
    total: ResponseField.count("How many souls match.", 1),
    limit: ResponseField.count("How many were asked for.", 50),
    offset: ResponseField.count("How many were skipped.", 0),
    hasMore: ResponseField.flag("Whether more come after these.", false)
  }).annotate({ description: "Which part of the list this is." })
}).annotate({ identifier: "SoulList", description: "A page of public souls." })

export const SoulGot = Schema.Struct({ soul: SoulDetail }).annotate({ identifier: "SoulGot", description: "One soul." })

/** A soul that was just created (SOUL-30). */
export const SoulCreated = Schema.Struct({ id, slug, name, description, price, category, tags, author, createdAt })
  .annotate({ identifier: "SoulCreated", description: "The published soul." })
  .pipe(HttpApiSchema.status(201))

export const SoulDownloaded = Schema.Struct({
  slug,
  content,
  version: ResponseField.count("Which version of the text this is.", 2)
}).annotate({ identifier: "SoulDownloaded", description: "A soul's text to install." })

/** Documented whole; the server decodes it with {@link decodeSoulDraft}, whose order and words are the specification's. */
export const SoulCreate = Schema.Struct({
  name: field(soulFields.name, soulDescriptions.name, soulExamples.name),
  description: field(soulFields.description, soulDescriptions.description, soulExamples.description),
  content: field(soulFields.content, soulDescriptions.content, soulExamples.content),
  price: field(optional(soulFields.price), soulDescriptions.price, soulExamples.price),
  category: field(optional(soulFields.category), soulDescriptions.category, soulExamples.category),
  tags: field(optional(soulFields.tags), soulDescriptions.tags, soulExamples.tags)
}).annotate({ identifier: "SoulCreate", description: "A soul to publish." })

export const SoulPatch = Schema.Struct({
  name: field(optional(soulFields.name), "3 to 100 characters; the slug stays.", soulExamples.name),
  description: field(optional(soulFields.description), soulDescriptions.description, soulExamples.description),
  content: field(optional(soulDocument(soulFields.content)), soulDescriptions.content, soulExamples.content),
  price: field(optional(soulFields.price), "In USDC, at most 6 decimals; 0 is free.", soulExamples.price),
  category: field(optional(soulFields.category), soulDescriptions.category, soulExamples.category),
  tags: field(optional(soulFields.tags), soulDescriptions.tags, soulExamples.tags),
  visibility: field(
    optional(choice(["public", "private"])),
    "Private souls are in no list and open to their author only.",
    "private"
  )
}).annotate({ identifier: "SoulPatch", description: "What is to change; absent fields stay as they are." })
