import { PolicyInput, PolicyPatch } from "@agent-marketplace/api/approvals/PolicySchemas"
import { issuesOf } from "@agent-marketplace/api/errors/Issues"
import { feedLimit } from "@agent-marketplace/api/activity/ActivityGroup"
import { AccountPatch, KeyInput, RotateInput, SignUp } from "@agent-marketplace/api/identity/IdentityInputs"
import { ListingCreate, ListingPatch, toListingDraft } from "@agent-marketplace/api/listings/ListingFields"
import { ReviewInput } from "@agent-marketplace/api/listings/ListingSchemas"
import { SkillCreate, SkillPatch, toSkillDraft, toSkillPatch } from "@agent-marketplace/api/listings/SkillFields"
import { MarketApi } from "@agent-marketplace/api/MarketApi"
import { BuyInput } from "@agent-marketplace/api/purchases/PurchaseInputs"
import { SoulPatch } from "@agent-marketplace/api/souls/SoulFields"
import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Result, Schema } from "effect"
import { assert, describe, it } from "vitest"

const decode = <S extends Schema.Codec<unknown, unknown>>(schema: S, input: unknown): S["Type"] =>
  Schema.decodeUnknownSync(schema)(input)

const issues = (schema: Schema.Codec<unknown, unknown>, input: unknown): Record<string, string> => {
  const decoded = Schema.decodeUnknownResult(schema, { errors: "all" })(input)
  if (Result.isSuccess(decoded)) return {}
  return Object.fromEntries(issuesOf(decoded.failure.issue).map(({ message, path }) => [path, message]))
}

const listing = {
  name: "CSV Cleaner",
  description: "Cleans CSV files of any size.",
  price: 12.5,
  category: "data",
  installUrl: "https://example.com/x"
} as const

describe("bodies", () => {
  it("report every issue together, each with its rule (ERROR-2)", () => {
    assert.deepStrictEqual(issues(ListingCreate, {}), {
      name: "is required",
      description: "is required",
      price: "is required",
      category: "is required",
      installUrl: "is required"
    })
    assert.deepStrictEqual(
      issues(ListingCreate, {
        name: "x",
        description: 5,
        price: 1,
        currency: "EUR",
        category: "pets",
        tags: ["a", "", 3],
        installUrl: "http://example.com",
        documentationUrl: 7,
        screenshots: "x"
      }),
      {
        name: "must be 3 to 50 characters",
        description: "must be a string",
        price: "must be greater than 1",
        currency: "must be one of: USD, USDC, USDT",
        category:
          "must be one of: productivity, automation, creative, data, communication, development, analytics, security",
        "tags.1": "must be 1 to 40 characters",
        "tags.2": "must be a string",
        installUrl: "must be a valid HTTPS URL",
        documentationUrl: "must be a string",
        screenshots: "must be a list"
      }
    )
    assert.deepStrictEqual(issues(ListingCreate, "text"), { "": "must be a JSON object" })
    assert.deepStrictEqual(issues(ListingCreate, [1]), { "": "must be a JSON object" })
    assert.deepStrictEqual(issues(ListingCreate, null), { "": "must be a JSON object" })
  })

  it("bound tags to 5 and screenshots to 10 (LISTING-10, LISTING-12)", () => {
    assert.deepStrictEqual(issues(ListingCreate, { ...listing, tags: ["a", "b", "c", "d", "e", "f"] }), {
      tags: "must have at most 5 items"
    })
    assert.deepStrictEqual(issues(ListingCreate, { ...listing, screenshots: Array(11).fill("https://a.example") }), {
      screenshots: "must have at most 10 items"
    })
  })

  it("ignore unknown fields and take null for absent (WIRE-20)", () => {
    const decoded = decode(ListingCreate, { ...listing, price: "12.50", currency: null, tags: null, unknown: 1 })
    assert.deepStrictEqual(decoded, { ...listing, price: Usdt.of(12_500_000n) })
    const draft = toListingDraft(decoded)
    assert.deepStrictEqual([draft.currency, draft.tags, draft.pricingModel], ["USD", [], "one_time"])
  })

  it("of a PATCH distinguish absent fields from null, which clears an optional field", () => {
    assert.deepStrictEqual(decode(ListingPatch, {}), {})
    assert.deepStrictEqual(decode(ListingPatch, { name: null, longDescription: null, price: "3" }), {
      longDescription: null,
      price: Usdt.of(3_000_000n)
    })
    assert.deepStrictEqual(decode(SoulPatch, { visibility: "private", tags: null }), { visibility: "private" })
    assert.deepStrictEqual(decode(AccountPatch, { email: null, name: null }), { email: null })
    assert.deepStrictEqual(issues(ListingPatch, { price: 1 }), { price: "must be greater than 1" })
  })

  it("check a skill against the rules of the skill face (SKILL-5, SKILL-6)", () => {
    const skill = { name: "CSV Cleaner", description: "Cleans CSV files.", price: 0 }
    const made = toSkillDraft(decode(SkillCreate, skill))
    assert.deepStrictEqual([made.category, made.currency, made.price, made.installUrl], ["other", "USDT", 0n, null])
    assert.strictEqual(toSkillDraft(decode(SkillCreate, { ...skill, category: "Data" })).category, "data")
    assert.strictEqual(toSkillDraft(decode(SkillCreate, { ...skill, categoryId: "data" })).category, "data")
    assert.deepStrictEqual(toSkillPatch(decode(SkillPatch, { categoryId: "data", shortDesc: null })), {
      category: "data",
      shortDesc: null
    })
    assert.deepStrictEqual(
      issues(SkillCreate, { ...skill, category: "🦀", shortDesc: "x".repeat(281), pricingModel: "x" }),
      {
        category:
          "must be one of: productivity, automation, creative, data, communication, development, analytics, security, other",
        shortDesc: "must be at most 280 characters",
        pricingModel: "must be one of: one_time, free, subscription"
      }
    )
  })

  it("of identity, reviews and purchases report the violated rules (REVIEW-1)", () => {
    assert.deepStrictEqual(issues(SignUp, { name: " ", email: "x", seller: "yes" }), {
      name: "must be 1 to 100 characters",
      email: "must be an e-mail address",
      seller: "must be true or false"
    })
    assert.deepStrictEqual(issues(KeyInput, { name: "CI", expiresAt: "tomorrow" }), {
      scope: "is required",
      expiresAt: "must be an ISO 8601 instant with a time zone"
    })
    assert.strictEqual(
      decode(KeyInput, { name: "CI", scope: "READ", expiresAt: "2030-01-01T00:00:00Z" }).expiresAt,
      1_893_456_000_000
    )
    assert.deepStrictEqual(issues(RotateInput, { graceSeconds: 604_801 }), {
      graceSeconds: "must be a whole number from 0 to 604800"
    })
    for (const rating of [0, 6, 4.5, "5", null]) {
      assert.deepStrictEqual(issues(ReviewInput, { rating }), { rating: "must be a whole number from 1 to 5" })
    }
    assert.deepStrictEqual(issues(BuyInput, {}), { skillId: "is required" })
    assert.deepStrictEqual(issues(BuyInput, { skillId: "a\0b" }), {
      skillId: "must not contain NUL or unpaired surrogates"
    })
  })
})

describe("a spending policy", () => {
  const whole = {
    autoApprove: true,
    autoApproveThreshold: null,
    perTransactionLimit: null,
    dailyLimit: null,
    weeklyLimit: null,
    monthlyLimit: null,
    allowedCategories: null,
    blockedSellers: null
  }

  it("must name every field if it replaces another (POLICY-4)", () => {
    assert.deepStrictEqual(decode(PolicyInput, whole), defaultPolicy)
    const missing = Object.fromEntries(Object.keys(whole).map((name) => [name, "is required"]))
    assert.deepStrictEqual(issues(PolicyInput, {}), missing)
    assert.deepStrictEqual(issues(PolicyInput, { ...whole, autoApprove: null }), {
      autoApprove: "must be true or false"
    })
  })

  it("is changed in the fields that are named (POLICY-4)", () => {
    assert.deepStrictEqual(decode(PolicyPatch, {}), {})
    assert.deepStrictEqual(decode(PolicyPatch, { dailyLimit: "5", weeklyLimit: null }), {
      dailyLimit: Usdt.of(5_000_000n),
      weeklyLimit: null
    })
  })

  it("has limits in ascending order, ignoring nulls (POLICY-5)", () => {
    const limits = { ...whole, perTransactionLimit: 5, weeklyLimit: 5, monthlyLimit: 6 }
    assert.deepStrictEqual(issues(PolicyInput, limits), {})
    assert.deepStrictEqual(issues(PolicyInput, { ...limits, weeklyLimit: 4, monthlyLimit: 3 }), {
      weeklyLimit: "must be at least perTransactionLimit",
      monthlyLimit: "must be at least weeklyLimit"
    })
    assert.deepStrictEqual(issues(PolicyInput, { ...whole, dailyLimit: -1 }), { dailyLimit: "must not be negative" })
  })
})

describe("queries", () => {
  const query = MarketApi.groups.listings.endpoints.list.query as unknown as Schema.Codec<unknown, unknown>
  const souls = MarketApi.groups.souls.endpoints.list.query as unknown as Schema.Codec<unknown, unknown>

  it("have their defaults (WIRE-10, SOUL-4, LISTING-2)", () => {
    assert.deepStrictEqual(decode(query, {}), { page: 1, limit: 20 })
    assert.deepStrictEqual(decode(souls, { category: "data", unknown: "x" }), {
      category: "data",
      limit: 50,
      offset: 0
    })
  })

  it("without any tag do not filter by tags", () => {
    for (const tags of ["", " ", ","]) assert.notProperty(decode(query, { tags }), "tags")
  })

  it("are decoded to the values that they encode", () => {
    assert.deepStrictEqual(
      decode(query, { page: "2", limit: "100", minPrice: "1.50", minRating: "4.5", featured: "false", tags: " a,,b " }),
      { page: 2, limit: 100, minPrice: 1_500_000n, minRating: 4.5, featured: false, tags: ["a", "b"] }
    )
  })

  it("are refused if a known parameter has a wrong value (WIRE-21)", () => {
    assert.deepStrictEqual(
      issues(query, {
        page: "0",
        limit: "101",
        minPrice: "-1",
        maxPrice: "1e3",
        minRating: "6",
        featured: "yes",
        sortBy: "x",
        creator: "you",
        search: "\0",
        sortOrder: ["asc", "desc"]
      }),
      {
        page: "must be a whole number from 1 to 1000000000",
        limit: "must be a whole number from 1 to 100",
        minPrice: "must not be negative",
        maxPrice: "must be a plain decimal number",
        minRating: "must be a number from 0 to 5",
        featured: "must be true or false",
        sortBy: "must be one of: price, rating, popular, newest",
        creator: "must be me or the id of an account (usr_…)",
        search: "must not contain NUL or unpaired surrogates",
        sortOrder: "must be given once"
      }
    )
    for (const limit of ["", " 5", "5.5", "NaN", "1e1", "0x10"]) {
      assert.deepStrictEqual(issues(souls, { limit }), { limit: "must be a whole number from 1 to 100" })
    }
  })

  it("of the feed are never refused (FEED-2)", () => {
    const feed = MarketApi.groups.activity.endpoints.live.query as unknown as Schema.Codec<unknown, unknown>
    assert.deepStrictEqual(decode(feed, { limit: ["7", "8"] }), { limit: 7 })
    assert.deepStrictEqual(decode(feed, {}), {})
    const limits = [undefined, "", "x", "5.5", "0", "-3", "1", "50", "51", "99999999999999999999", "1e9"].map(feedLimit)
    assert.deepStrictEqual(limits, [10, 10, 10, 10, 1, 1, 1, 50, 50, 50, 10])
  })
})
