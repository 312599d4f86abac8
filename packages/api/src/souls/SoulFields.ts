import { UsdtInput } from "@agent-marketplace/core/money/Usdt"
import { mainCategories, personaCategories } from "@agent-marketplace/core/souls/SoulCategory"
import { Slug } from "@agent-marketplace/core/souls/Slug"
import { SoulDocument } from "@agent-marketplace/core/souls/SoulDocument"
import { boundedText } from "@agent-marketplace/core/text/BoundedText"
import { visibleLine } from "@agent-marketplace/core/text/VisibleLine"
import { Result, Schema } from "effect"
import { listUpTo, wholeText } from "../wire/Input.ts"

/** More tags than that are no tags; at most 5 are recommended (SOUL-43). */
const maxTags = 50

export const invalidFormat = "Invalid SOUL format - content should be a valid SOUL.md file"

/** A soul's text whose format counts among its rules (SOUL-19): where no other order is prescribed. */
export const soulDocument = <S extends Schema.Codec<string>>(content: S) =>
  content.check(
    Schema.makeFilter((text: string) => (Result.isFailure(SoulDocument.parse(text)) ? invalidFormat : undefined), {
      toJsonSchema: () => ({})
    })
  )

export const soulCategory = Schema.String.annotate({ message: "must be a string" })
  .check(
    Schema.makeFilter(
      (value) => (Slug.isCategory(value) ? undefined : "must be a lowercase, hyphenated slug of at most 50 characters"),
      { toJsonSchema: () => ({ pattern: "^[a-z0-9]+(-[a-z0-9]+)*$", maxLength: 50 }) }
    )
  )
  .annotateKey({ messageMissingKey: "is required" })

/** The rules for each field of a soul, in the order in which they are checked (SOUL-14, SOUL-15, SOUL-16, SOUL-17, SOUL-18). */
export const soulFields = {
  name: visibleLine({ min: 3, max: 100 }),
  description: boundedText({ min: 10, max: 500 }),
  content: wholeText(1, 500_000),
  price: UsdtInput,
  category: soulCategory,
  tags: listUpTo(visibleLine({ min: 1, max: 40 }), maxTags)
} as const

export const soulDescriptions = {
  name: "3 to 100 characters; the slug is made from it.",
  description: "10 to 500 characters.",
  content: "The full SOUL.md: an optional YAML front matter, and a heading `# SOUL` or a section `## Identity`.",
  price: "In USDC, at most 6 decimals; 0 is free. Where absent, the front matter's, else 0.",
  category: `A category slug. Main: ${mainCategories.join(", ")}. Of personas: ${personaCategories.join(", ")}. Others are allowed.`,
  tags: "Recommended: at most 5, lowercase and hyphen-separated."
} as const

export const soulExamples = {
  name: "Senior Rust Reviewer",
  description: "Reviews Rust code for soundness, clarity and idiom.",
  content:
    "---\nname: Senior Rust Reviewer\nprice: 4.99\ncategory: soul-developer\ntags: [rust, review]\n---\n\n# SOUL\n\n## Identity\n\nYou review Rust code.\n",
  price: "4.99",
  category: "soul-developer",
  tags: ["rust", "review"]
} as const
