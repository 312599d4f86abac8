import { soulFields } from "@agent-marketplace/core/souls/SoulFields"
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { outputFields } from "../wire/RecordSchemas.ts"
import { ResponseField } from "../wire/ResponseField.ts"

const itemFields = outputFields(soulFields, "soul", "item")
const detailFields = outputFields(soulFields, "soul", "detail")

/** A soul in a list (SOUL-1). */
export const SoulItem = Schema.Struct(itemFields).annotate({ identifier: "SoulItem", description: "A soul in a list." })

/** A soul with its text (SOUL-2). */
export const SoulDetail = Schema.Struct(detailFields).annotate({
  identifier: "SoulDetail",
  description: "A soul with its text."
})

/** What PATCH answers: the detail, and what only the author sees. */
export const OwnSoul = Schema.Struct({ ...detailFields, ...outputFields(soulFields, "own", "detail") }).annotate({
  identifier: "OwnSoul",
  description: "A soul as its author sees it."
})

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

const { author, category, content, createdAt, description, id, name, price, slug, tags } = detailFields

/** A soul that was just created (SOUL-30). */
export const SoulCreated = Schema.Struct({ id, slug, name, description, price, category, tags, author, createdAt })
  .annotate({ identifier: "SoulCreated", description: "The published soul." })
  .pipe(HttpApiSchema.status(201))

export const SoulDownloaded = Schema.Struct({
  slug,
  content,
  version: ResponseField.count("Which version of the text this is.", 2)
}).annotate({ identifier: "SoulDownloaded", description: "A soul's text to install." })
