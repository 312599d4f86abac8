import { Schema } from "effect"
import type { Fields } from "../fields/Field.ts"
import { FieldType } from "../fields/Field.ts"
import { choice, listUpTo, wholeText } from "../fields/InputRules.ts"
import type { AccountId, SoulId } from "../ids/Ids.ts"
import { Usdt, UsdtInput } from "../money/Usdt.ts"
import { reasonCodes } from "../moderation/ReasonCode.ts"
import type { ReleaseReason } from "../releases/Release.ts"
import { levels } from "../releases/Verdict.ts"
import { boundedText } from "../text/BoundedText.ts"
import { visibleLine } from "../text/VisibleLine.ts"
import { Slug } from "../slugs/Slug.ts"
import { mainCategories, personaCategories } from "./SoulCategory.ts"

const { amount, flag, integer, json, orNull, text, texts, time } = FieldType

const visibilities = ["public", "private"] as const

/** The maximum number of tags; at most 5 are recommended. */
const maxTags = 50

const soulCategory = Schema.String.annotate({ message: "must be a string" })
  .check(
    Schema.makeFilter(
      (value) => (Slug.isCategory(value) ? undefined : "must be a lowercase, hyphenated slug of at most 50 characters"),
      { toJsonSchema: () => ({ pattern: "^[a-z0-9]+(-[a-z0-9]+)*$", maxLength: 50 }) }
    )
  )
  .annotateKey({ messageMissingKey: "is required" })

const exampleName = "Senior Rust Reviewer"
const exampleDescription = "Reviews Rust code for soundness, clarity and idiom."
const exampleContent =
  "---\nname: Senior Rust Reviewer\nprice: 4.99\ncategory: soul-developer\ntags: [rust, review]\n---\n\n# SOUL\n\n## Identity\n\nYou review Rust code.\n"
const exampleTags = ["rust", "review"]
const exampleTime = "2025-01-15T12:00:00.000Z"

/**
 * The fields of a soul, each described once. Inputs are checked in this order (SOUL-14, SOUL-15, SOUL-16, SOUL-17, SOUL-18). The record's type,
 * the columns, the stored JSON, the bodies of create and patch, the responses and the OpenAPI document are derived from it. A face is one API
 * view of the record: `soul`, and `own`, which adds what only authors see. `docs/contributing.md` explains how to add a field.
 */
export const soulFields = {
  id: {
    type: text<SoulId>(),
    output: {
      soul: {
        at: "item",
        description: "Prefix `soul_`; works as `skillId` when buying.",
        example: "soul_01j9zq5k2f8h3m6n7p0r4s"
      }
    }
  },
  slug: {
    type: text(),
    output: {
      soul: {
        at: "item",
        description: "Lowercase, hyphenated, unique, never changed.",
        example: "senior-rust-reviewer"
      }
    }
  },
  name: {
    type: text(),
    input: {
      soul: {
        schema: visibleLine({ min: 3, max: 100 }),
        required: true,
        description: "3 to 100 characters; the slug is derived from it.",
        patchDescription: "3 to 100 characters; the slug does not change.",
        example: exampleName
      }
    },
    output: { soul: { at: "item", description: "The soul's name.", example: exampleName } }
  },
  description: {
    type: text(),
    input: {
      soul: {
        schema: boundedText({ min: 10, max: 500 }),
        required: true,
        description: "10 to 500 characters.",
        example: exampleDescription
      }
    },
    output: { soul: { at: "item", description: "What the soul does.", example: exampleDescription } }
  },
  content: {
    type: text(),
    apart: true,
    input: {
      soul: {
        schema: wholeText(1, 500_000),
        required: true,
        description:
          "The full SOUL.md: an optional YAML front matter, and a heading `# SOUL` or a section `## Identity`.",
        example: exampleContent
      }
    },
    output: {
      soul: {
        at: "detail",
        description:
          "The full SOUL.md text; only its first 280 characters, and `preview`, if the texts of paid souls require a license that the caller does not have.",
        example: exampleContent
      }
    }
  },
  /** In USDC. */
  price: {
    type: amount,
    absent: Usdt.zero,
    input: {
      soul: {
        schema: UsdtInput,
        description: "In USDC, at most 6 decimals; 0 is free. By default the front matter's price, otherwise 0.",
        patchDescription: "In USDC, at most 6 decimals; 0 is free.",
        example: "4.99"
      }
    },
    output: { soul: { at: "item", description: "In USDC.", example: "4.99" } }
  },
  category: {
    type: text(),
    absent: "personas",
    input: {
      soul: {
        schema: soulCategory,
        description: `A category slug. Main: ${mainCategories.join(", ")}. Of personas: ${personaCategories.join(", ")}. Others are allowed.`,
        example: "soul-developer"
      }
    },
    output: { soul: { at: "item", description: "The category's slug.", example: "soul-developer" } }
  },
  tags: {
    type: texts,
    absent: [],
    input: {
      soul: {
        schema: listUpTo(visibleLine({ min: 1, max: 40 }), maxTags),
        description: "Recommended: at most 5, lowercase and hyphen-separated.",
        example: exampleTags
      }
    },
    output: { soul: { at: "item", description: "Search terms.", example: exampleTags } }
  },
  authorId: {
    type: text<AccountId>(),
    output: {
      soul: { at: "detail", description: "The author's account.", example: "usr_01j9zq5k2f8h3m6n7p0r4s" }
    }
  },
  /** The author account's name (SOUL-32). */
  author: {
    type: text(),
    output: { soul: { at: "item", description: "The author account's name.", example: "Ada" } }
  },
  creatorVerified: {
    type: flag,
    absent: false,
    output: {
      soul: {
        at: "item",
        as: "authorVerified",
        description: "Whether the author has proven to own a domain.",
        example: true
      }
    }
  },
  /** Starts at 1 and increases with every change of the content. Earlier versions are kept. */
  version: {
    type: integer,
    absent: 1,
    output: {
      soul: { at: "detail", description: "Starts at 1 and increases with every change of the content.", example: 2 }
    }
  },
  visibility: {
    type: FieldType.choice(visibilities),
    absent: "public",
    input: {
      soul: {
        schema: choice(visibilities),
        description: "A private soul is not listed, and only its author can read it; `public` by default.",
        patchDescription: "A private soul is not listed, and only its author can read it.",
        example: "private"
      }
    },
    output: {
      own: {
        at: "detail",
        description: "A private soul is not listed, and only its author can read it.",
        example: "public"
      }
    }
  },
  deleted: { type: flag, absent: false },
  /** Not for sale while its author is frozen (OPERATOR-8). */
  withheld: { type: flag, absent: false },
  /** The newest release on sale that is no pre-release; null if there is none (RELEASE-11). */
  releaseVersion: { type: orNull(text()), absent: null },
  /** The level of that release. */
  trust: {
    type: orNull(FieldType.choice(levels)),
    absent: null,
    output: {
      soul: {
        at: "item",
        description: "The level of the verdict on the version on sale; null if it was not scanned.",
        example: "clean"
      }
    }
  },
  /** Not for sale, because its releases are quarantined (RELEASE-10). */
  quarantined: { type: flag, absent: false },
  /** Why an operator quarantined the item as a whole; null if it is not. */
  quarantine: { type: orNull(json<ReleaseReason>()), absent: null },
  /** The operator's reason for a suspension; null if it is not suspended (SOUL-47). */
  suspension: {
    type: orNull(text()),
    absent: null,
    output: {
      own: {
        at: "detail",
        as: "suspensionReason",
        description: "Why an operator suspended it; null if it is not suspended.",
        example: null
      }
    }
  },
  /** The code of that reason (REASON-2). */
  reasonCode: {
    type: orNull(FieldType.choice(reasonCodes)),
    absent: null,
    output: {
      own: { at: "detail", description: "The code of the reason; null if there is none.", example: null }
    }
  },
  /** When it was rejected or suspended; null if it was not. */
  decidedAt: { type: orNull(time), absent: null },
  /** The URL of its uploaded thumbnail, which its skill page shows (IMAGE-9). */
  thumbnailUrl: { type: orNull(text()), absent: null },
  /** When it first became public, which is when `soul.created` is emitted; null before that (EVENT-13). */
  publishedAt: { type: orNull(time), absent: null },
  /** Stored in the table of statistics. */
  downloads: {
    type: integer,
    apart: true,
    absent: 0,
    output: {
      soul: { at: "item", guarded: true, description: "The number of accounts that downloaded it.", example: 42 }
    }
  },
  createdAt: {
    type: time,
    output: { soul: { at: "item", description: "When it was published.", example: exampleTime } }
  },
  updatedAt: {
    type: time,
    output: { soul: { at: "item", description: "When it was last changed.", example: exampleTime } }
  }
} as const satisfies Fields

/**
 * The version of a soul's stored JSON. Increase it by one with each change of that JSON. Rows with a lower version are rendered again while
 * the market runs. `npm run check:migrations` fails if the JSON changed and the version did not.
 */
export const soulRendering = 7
