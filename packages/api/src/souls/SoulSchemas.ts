import { soulFields } from "@agent-marketplace/core/souls/SoulFields"
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { wholeText } from "@agent-marketplace/core/fields/InputRules"
import { ListingStats } from "../listings/ListingSchemas.ts"
import { releaseStatuses } from "@agent-marketplace/core/releases/Release"
import { nullable, Release, ReleaseReason, Verdict } from "../releases/ReleaseSchemas.ts"
import { field } from "../wire/Field.ts"
import { outputFields } from "../wire/RecordSchemas.ts"
import { ResponseField } from "../wire/ResponseField.ts"

const exampleSoul = soulFields.content.input.soul.example

const itemFields = outputFields(soulFields, "soul", "item")
const detailFields = outputFields(soulFields, "soul", "detail")

/** A soul in a list (SOUL-1). */
export const SoulItem = Schema.Struct(itemFields).annotate({ identifier: "SoulItem", description: "A soul in a list." })

const ownFields = outputFields(soulFields, "own", "detail")

/** A version that is not on sale (SOUL-54). */
const PendingVersion = Schema.Struct({
  version: ResponseField.count("Counts up from 1.", 2),
  status: ResponseField.choice(releaseStatuses, "`in_review` waits for an operator.", "in_review"),
  verdict: nullable(Verdict, "The result of its scan; null until it was scanned."),
  reason: nullable(ReleaseReason, "Why it is not on sale."),
  createdAt: ResponseField.time("When this text was stored.")
}).annotate({ identifier: "PendingSoulVersion", description: "A version of a soul that is not on sale." })

/** A soul with its text (SOUL-2, SOUL-3). */
export const SoulDetail = Schema.Struct({
  ...detailFields,
  stats: ListingStats,
  preview: Schema.optionalKey(
    ResponseField.flag("True if `content` is only the start, because the caller may not read the rest.", true)
  ),
  visibility: Schema.optionalKey(ownFields.visibility),
  suspensionReason: Schema.optionalKey(ownFields.suspensionReason),
  reasonCode: Schema.optionalKey(ownFields.reasonCode),
  pendingVersion: Schema.optionalKey(
    nullable(PendingVersion, "The newest version, if it waits for an operator or is quarantined; null otherwise.")
  )
}).annotate({
  identifier: "SoulDetail",
  description: "A soul with its text; `visibility`, `suspensionReason` and `pendingVersion` are shown to its author."
})

/** What an operator sees of a soul (OPERATOR-12). */
export const AdminSoul = Schema.Struct({
  ...itemFields,
  authorId: detailFields.authorId,
  version: detailFields.version,
  ...ownFields,
  status: ResponseField.choice(["active", "suspended"], "Whether an operator suspended it.", "active")
}).annotate({ identifier: "AdminSoul", description: "A soul as an operator sees it." })

const versionFields = {
  version: ResponseField.count("Counts up from 1.", 2),
  createdAt: ResponseField.time("When this text was stored."),
  release: nullable(
    Release,
    "Its release, with the state, the verdict and the signed statement; null until it was made, for a text from before souls had releases."
  )
}

/** One version of a soul (SOUL-39). */
export const SoulVersion = Schema.Struct({
  ...versionFields,
  current: ResponseField.flag("Whether it is the text that is shown and sold.", true)
}).annotate({ identifier: "SoulVersion", description: "A version of a soul." })

export const SoulVersionText = Schema.Struct({
  ...versionFields,
  content: detailFields.content,
  preview: ResponseField.flag("True if `content` is only the start.", false)
}).annotate({ identifier: "SoulVersionText", description: "The text of a version." })

/** The body of the linter (SOUL-42): any text up to the length of a soul's. */
export const SoulLintInput = Schema.Struct({
  content: field(
    wholeText(0, 500_000).annotateKey({ messageMissingKey: "is required" }),
    "The SOUL.md to check.",
    exampleSoul
  )
}).annotate({ identifier: "SoulLintInput", description: "A SOUL.md to check." })

const Finding = Schema.Struct({
  rule: ResponseField.choice(
    ["format", "front-matter", "length", "section", "tags"],
    "Which recommendation it is about.",
    "section"
  ),
  level: ResponseField.choice(["error", "warning"], "`error` if it cannot be published.", "warning"),
  line: ResponseField.count("The line, counted from 1; 1 if it is about the whole text.", 1),
  message: ResponseField.text("What to do.", 'a section "Tone" is recommended')
}).annotate({ identifier: "SoulFinding", description: "A recommendation that the text does not follow." })

/** What the linter found (SOUL-42, SOUL-43). */
export const SoulLint = Schema.Struct({
  valid: ResponseField.flag("Whether it can be published.", true),
  words: ResponseField.count("How many words it has after its front matter.", 512),
  findings: Schema.Array(Finding).annotate({ description: "The recommendations that the text does not follow." })
}).annotate({ identifier: "SoulLint", description: "The result of checking a SOUL.md against the recommendations." })

/** A page of souls (WIRE-17). */
export const SoulList = Schema.Struct({
  souls: Schema.Array(SoulItem).annotate({ description: "The souls of the page, newest first." }),
  pagination: Schema.Struct({
    total: ResponseField.count("How many souls match.", 1),
    limit: ResponseField.count("The requested number of souls.", 50),
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
