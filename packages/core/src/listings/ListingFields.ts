import { Effect, Schema, SchemaGetter, SchemaIssue } from "effect"
import type { Fields } from "../fields/Field.ts"
import { FieldType } from "../fields/Field.ts"
import { choice, integer as wholeNumber, listUpTo } from "../fields/InputRules.ts"
import type { AccountId, ListingId } from "../ids/Ids.ts"
import { currencies } from "../money/ExchangeRates.ts"
import { Usdt, UsdtInput } from "../money/Usdt.ts"
import { reasonCodes } from "../moderation/ReasonCode.ts"
import type { ReleaseReason } from "../releases/Release.ts"
import { levels } from "../releases/Verdict.ts"
import { Slug } from "../slugs/Slug.ts"
import { boundedText } from "../text/BoundedText.ts"
import { httpsUrl } from "../text/HttpsUrl.ts"
import { visibleLine } from "../text/VisibleLine.ts"

const { amount, flag, integer, json, orNull, text, texts, time } = FieldType

/** `pending_review` → `approved` | `rejected`; `approved` ⇄ `suspended`; `rejected` → `pending_review`; any → `deleted` (LISTING-22). */
const statuses = ["pending_review", "approved", "rejected", "suspended", "deleted"] as const

export const pricingModels = ["one_time", "free", "subscription"] as const

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

/** The categories of skills (SKILL-7). */
const skillCategories = [...listingCategories, "other"] as const

const skillCategorySlugs: ReadonlyArray<string> = skillCategories

const lowestPrice = Usdt.of(1_000_000n)

const listingPrice = UsdtInput.check(
  Schema.makeFilter((price) => (price > lowestPrice ? undefined : "must be greater than 1"))
).annotateKey({ messageMissingKey: "is required" })

/** A category by its name or slug, decoded to the slug. */
export const categoryByName = boundedText({ min: 1, max: 50 }).pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transformEffect((name: string, options) => {
      const slug = Slug.of(name)
      const message = `must be one of: ${skillCategories.join(", ")}`
      return skillCategorySlugs.includes(slug)
        ? Effect.succeed(slug)
        : Effect.fail(new SchemaIssue.InvalidValue({ message }, name, options))
    }),
    encode: SchemaGetter.passthrough()
  })
)

/** Changes of an approved listing that wait for an operator's review (LISTING-16). */
export interface PendingChanges {
  readonly name?: string
  readonly installUrl?: string | null
  readonly pricingModel?: (typeof pricingModels)[number]
}

const tagList = listUpTo(visibleLine({ min: 1, max: 40 }), 5)

const examplePending: PendingChanges = { name: "CSV Cleaner 2" }

const exampleId = "lst_01j9zq5k2f8h3m6n7p0r4s"
const exampleDescription = "Cleans and normalises CSV files of any size."
const exampleMarkdown = "# CSV Cleaner\n\nHandles quoting and encodings."
const exampleInstall = "https://github.com/ada/csv-cleaner"
const exampleDocumentation = "https://docs.example.com/csv-cleaner"
const exampleScreenshots = ["https://cdn.example.com/csv-1.png"]
const exampleVideo = "https://cdn.example.com/csv.mp4"
const examplePicture = "https://cdn.example.com/csv-thumb.png"
const exampleTags = ["csv", "etl"]
const exampleTime = "2025-01-15T12:00:00.000Z"

/** The same for both faces. */
const both = <const F>(field: F) => ({ listing: field, skill: field })

/**
 * The fields of a listing, each described once. The record's type, the columns, the stored JSON, the bodies of create and patch, the
 * responses and the OpenAPI document are derived from it. A face is one API view of the record: `listing`, `skill`, and `admin`, which adds
 * what operators see. `docs/contributing.md` explains how to add a field.
 */
export const listingFields = {
  id: {
    type: text<ListingId>(),
    output: {
      listing: { at: "item", description: "Prefix `lst_`.", example: exampleId },
      skill: { at: "item", description: "Prefix `lst_`; the same as the listing's.", example: exampleId }
    }
  },
  slug: {
    type: text(),
    output: {
      listing: { at: "detail", description: "Lowercase, hyphenated, unique, never changed.", example: "csv-cleaner" },
      skill: { at: "item", description: "Lowercase, hyphenated, unique, never changed.", example: "csv-cleaner" }
    }
  },
  name: {
    type: text(),
    input: {
      listing: {
        schema: visibleLine({ min: 3, max: 50 }),
        required: true,
        description: "3 to 50 characters.",
        example: "CSV Cleaner"
      },
      skill: {
        schema: visibleLine({ min: 3, max: 100 }),
        required: true,
        description: "3 to 100 characters.",
        example: "CSV Cleaner"
      }
    },
    output: {
      listing: { at: "item", description: "The listing's name.", example: "CSV Cleaner" },
      skill: { at: "item", as: "title", description: "The skill's name.", example: "CSV Cleaner" }
    }
  },
  description: {
    type: text(),
    input: {
      listing: {
        schema: boundedText({ min: 10, max: 200 }),
        required: true,
        description: "10 to 200 characters.",
        example: exampleDescription
      },
      skill: {
        schema: boundedText({ min: 10, max: 5000 }),
        required: true,
        description: "10 to 5,000 characters.",
        example: exampleDescription
      }
    },
    output: {
      listing: { at: "item", description: "What the listing does.", example: exampleDescription },
      skill: { at: "detail", description: "What the skill does.", example: exampleDescription }
    }
  },
  /** If null, the first 280 characters of the description are shown (SKILL-4). */
  shortDesc: {
    type: orNull(text()),
    absent: null,
    input: {
      skill: {
        schema: boundedText({ min: 0, max: 280 }),
        description: "At most 280 characters; by default the first 280 characters of the description.",
        patchDescription: "At most 280 characters.",
        example: "Cleans CSV files."
      }
    }
  },
  longDescription: {
    type: orNull(text()),
    absent: null,
    input: both({
      schema: boundedText({ min: 0, max: 50_000 }),
      description: "Full Markdown description, at most 50,000 characters.",
      example: exampleMarkdown
    }),
    output: { listing: { at: "detail", description: "Full Markdown description.", example: exampleMarkdown } }
  },
  /** In 10⁻⁶ of `currency`. */
  price: {
    type: amount,
    input: {
      listing: {
        schema: listingPrice,
        required: true,
        description: "Greater than 1, at most 6 decimals.",
        example: 12.5
      },
      skill: {
        schema: UsdtInput,
        required: true,
        description: "0 for a free skill; at most 6 decimals. The price of a subscription is for 30 days.",
        example: 12.5
      }
    },
    output: {
      listing: { at: "item", format: "number", description: "In `currency`.", example: 12.5 },
      skill: { at: "item", description: "In `currency`.", example: "12.50" }
    }
  },
  currency: {
    type: FieldType.choice(currencies),
    input: {
      listing: {
        schema: choice(currencies),
        absent: "USD",
        description: "The currency of the price; USD by default.",
        patchDescription: "The currency of the price.",
        example: "USD"
      },
      skill: {
        schema: choice(currencies),
        absent: "USDT",
        description: "The currency of the price; USDT by default.",
        patchDescription: "The currency of the price.",
        example: "USDT"
      }
    },
    output: {
      listing: { at: "item", description: "The currency of the price.", example: "USD" },
      skill: { at: "item", description: "The currency of the price.", example: "USDT" }
    }
  },
  category: {
    type: text(),
    input: {
      listing: {
        schema: choice(listingCategories).annotateKey({ messageMissingKey: "is required" }),
        required: true,
        description: "One of the listing categories.",
        example: "data"
      },
      skill: {
        schema: categoryByName,
        absent: "other",
        description: "The category's name or slug; `other` if neither this nor `categoryId` is given.",
        patchDescription: "The category's name or slug.",
        example: "data"
      }
    },
    output: both({ at: "item", description: "The category's slug.", example: "data" })
  },
  tags: {
    type: texts,
    absent: [],
    input: both({ schema: tagList, description: "At most 5 of 1 to 40 characters.", example: exampleTags }),
    output: both({ at: "detail", description: "Search terms.", example: exampleTags })
  },
  installUrl: {
    type: orNull(text()),
    absent: null,
    input: {
      listing: {
        schema: httpsUrl,
        required: true,
        description: "A valid HTTPS URL to install from; visible to license holders.",
        patchDescription:
          "A valid HTTPS URL. Under manual review, a new URL of an approved listing waits for an operator's approval.",
        example: exampleInstall
      },
      skill: {
        schema: httpsUrl,
        description: "A valid HTTPS URL to install from; visible to license holders.",
        example: exampleInstall
      }
    },
    output: {
      listing: {
        at: "detail",
        guarded: true,
        description:
          "The URL to install from; null unless the caller owns a license, is the creator, or the price is 0.",
        example: exampleInstall
      }
    }
  },
  documentationUrl: {
    type: orNull(text()),
    absent: null,
    input: {
      listing: {
        schema: httpsUrl,
        description: "A valid HTTPS URL; recommended.",
        patchDescription: "A valid HTTPS URL.",
        example: exampleDocumentation
      }
    },
    output: { listing: { at: "detail", description: "Its documentation.", example: exampleDocumentation } }
  },
  thumbnailUrl: {
    type: orNull(text()),
    absent: null,
    input: {
      skill: { schema: httpsUrl, description: "A valid HTTPS URL of a picture.", example: examplePicture }
    },
    output: { skill: { at: "item", description: "A picture.", example: examplePicture } }
  },
  screenshots: {
    type: texts,
    absent: [],
    input: {
      listing: {
        schema: listUpTo(httpsUrl, 10),
        description: "At most 10 HTTPS URLs.",
        example: exampleScreenshots
      }
    },
    output: { listing: { at: "detail", description: "Screenshots.", example: exampleScreenshots } }
  },
  videoUrl: {
    type: orNull(text()),
    absent: null,
    input: {
      listing: { schema: httpsUrl, description: "A valid HTTPS URL of a demo.", example: exampleVideo }
    },
    output: { listing: { at: "detail", description: "A demo.", example: exampleVideo } }
  },
  pricingModel: {
    type: FieldType.choice(pricingModels),
    absent: "one_time",
    input: {
      listing: {
        schema: choice(pricingModels),
        description: "`one_time` by default; a `subscription` is paid every 30 days.",
        patchDescription: "`one_time` or `subscription`, which is paid every 30 days.",
        example: "one_time"
      },
      skill: {
        schema: choice(pricingModels),
        description: "`one_time` by default; `free` requires the price 0, `subscription` a higher price.",
        patchDescription: "`free` requires the price 0, `subscription` a higher price.",
        example: "one_time"
      }
    },
    output: both({ at: "item", description: "Whether it is paid once, never, or every 30 days.", example: "one_time" })
  },
  /** On how many machines each license may be active; null if there is no limit (ACTIVATION-3). */
  maxActivations: {
    type: orNull(integer),
    absent: null,
    input: both({
      schema: wholeNumber(1, 1_000_000),
      description: "On how many machines each license may be active, 1 or more; without a limit by default.",
      patchDescription: "On how many machines each license may be active, 1 or more; null for no limit.",
      example: 3
    }),
    output: both({
      at: "detail",
      description: "On how many machines each license may be active; null if there is no limit.",
      example: 3
    })
  },
  status: {
    type: FieldType.choice(statuses),
    output: {
      listing: { at: "detail", description: "The state of the listing's review.", example: "approved" },
      skill: { at: "detail", description: "The state of the skill's review.", example: "approved" }
    }
  },
  /** Visible to the creator and to operators (SEARCH-6). */
  rejectionReason: {
    type: orNull(text()),
    absent: null,
    output: {
      own: { at: "item", description: "Why it was rejected or suspended; null if it was not.", example: null },
      admin: { at: "detail", description: "Why it was rejected or suspended.", example: null }
    }
  },
  /** The code of that reason (REASON-2). */
  reasonCode: {
    type: orNull(FieldType.choice(reasonCodes)),
    absent: null,
    output: {
      own: { at: "item", description: "The code of the reason; null if there is none.", example: null },
      admin: { at: "detail", description: "The code of the reason; null if there is none.", example: null }
    }
  },
  /** When it was rejected or suspended; null if it was not. */
  decidedAt: { type: orNull(time), absent: null },
  featured: {
    type: flag,
    absent: false,
    output: both({ at: "item", description: "Whether it is shown as featured.", example: false })
  },
  /** Changes that wait for review while the approved version stays on sale; null if there are none (LISTING-17). */
  pendingChanges: {
    type: orNull(json<PendingChanges>()),
    absent: null,
    output: {
      own: {
        at: "detail",
        description: "Changes of name, installUrl and pricingModel that wait for review; null if there are none.",
        example: examplePending
      },
      admin: {
        at: "detail",
        description: "Changes that wait for review; null if there are none.",
        example: examplePending
      }
    }
  },
  /** Whether fields that need no review changed since the last review (LISTING-19). */
  changedSinceReview: {
    type: flag,
    absent: false,
    output: {
      admin: {
        at: "detail",
        description: "Whether fields that need no review changed since the last review.",
        example: false
      }
    }
  },
  /** When the listing, or a change of it, was submitted for review; null if neither waits (OPERATOR-2). */
  waitingSince: {
    type: orNull(time),
    absent: null,
    output: {
      admin: {
        at: "detail",
        description: "When it, or a change of it, was submitted for review; null if neither waits.",
        example: exampleTime
      }
    }
  },
  /** Not for sale while its creator is frozen (OPERATOR-8). */
  withheld: { type: flag, absent: false },
  /** The newest release on sale that is no pre-release; null if there is none (RELEASE-11). */
  releaseVersion: { type: orNull(text()), absent: null },
  /** The level of that release. */
  trust: {
    type: orNull(FieldType.choice(levels)),
    absent: null,
    output: both({
      at: "item",
      description: "The level of the verdict on the newest release on sale; null if there is none.",
      example: "clean"
    })
  },
  /** Not for sale, because its releases are quarantined (RELEASE-10). */
  quarantined: { type: flag, absent: false },
  /** Why an operator quarantined the item as a whole; null if it is not. */
  quarantine: { type: orNull(json<ReleaseReason>()), absent: null },
  creatorId: { type: text<AccountId>() },
  creatorName: { type: text() },
  /** Whether the creator has proven a domain (DOMAIN-7). */
  creatorVerified: { type: flag, absent: false },
  createdAt: {
    type: time,
    output: both({ at: "detail", description: "When it was submitted.", example: exampleTime })
  },
  updatedAt: {
    type: time,
    output: { listing: { at: "detail", description: "When it was last changed.", example: exampleTime } }
  }
} as const satisfies Fields

/**
 * The version of a listing's stored JSON. Increase it by one with each change of that JSON. Rows with a lower version are rendered again
 * while the market runs. `npm run check:migrations` fails if the JSON changed and the version did not.
 */
export const listingRendering = 6
