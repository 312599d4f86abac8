import { Schema } from "effect"
import { Argument } from "../tools/Argument.ts"
import { marketTool, otherUsersTexts } from "../tools/MarketTool.ts"
import { tagsArgument } from "../tools/tagsArgument.ts"
import { findingsArgument, readTrust, trustLevel, trustOutput } from "../tools/trustOutput.ts"
import { pageArguments, pagination } from "../tools/paging.ts"

const { String: Text, Finite } = Schema

const item = Schema.Struct({
  itemId: Text.annotate({ description: "For buy and inspect_skill." }),
  slug: Text.annotate({ description: "Of a SOUL, for inspect_soul." }),
  title: Text,
  shortDesc: Text,
  price: Text.annotate({ description: "Exact decimal, in currency." }),
  currency: Text,
  pricingModel: Text.annotate({
    description: "one_time, free, or subscription: the price is charged every 30 days."
  }),
  category: Text,
  rating: Finite.annotate({ description: "Mean of the reviews; 0 if there are none." }),
  trust: trustLevel
})

const searchInput = {
  query: Argument.optional(Argument.text(1, 200, "Words or prefixes in name, description, tags and seller.")),
  category: Argument.optional(Argument.text(1, 50, "Only this category's slug, from list_categories.")),
  tags: Argument.optional(tagsArgument("Items that carry any of these.")),
  minPrice: Argument.optional(Argument.amount("The lowest price, in USDT.")),
  maxPrice: Argument.optional(Argument.amount("The highest price, in USDT; 0 finds free items.")),
  sortBy: Argument.optional(Argument.choice(["price", "rating", "popular", "newest"], "Default: best match first.")),
  sortOrder: Argument.optional(
    Argument.choice(["asc", "desc"], "Default: ascending for price, descending for all others.")
  ),
  ...pageArguments
}

const searchSkills = marketTool({
  name: "search_skills",
  title: "Search skills",
  description: `Finds skills on sale by words, category, tags and price. ${otherUsersTexts}`,
  effects: "reads",
  openWorld: true,
  input: searchInput,
  output: { skills: Schema.Array(item), pagination },
  call: async (market, { limit = 10, ...input }, options) => {
    const { skills, pagination } = await market.skills.list({ ...input, limit }, options)
    return { skills: skills.map(({ id, ...rest }) => ({ ...rest, itemId: id })), pagination }
  }
})

const searchSouls = marketTool({
  name: "search_souls",
  title: "Search SOULs",
  description: `Finds SOULs (personality packages for agents) by words, category, tags and price. ${otherUsersTexts}`,
  effects: "reads",
  openWorld: true,
  input: searchInput,
  output: { souls: Schema.Array(item), pagination },
  call: async (market, { limit = 10, ...input }, options) => {
    const { skills, pagination } = await market.skills.list({ ...input, kind: "soul", limit }, options)
    return { souls: skills.map(({ id, ...rest }) => ({ ...rest, itemId: id })), pagination }
  }
})

const listCategories = marketTool({
  name: "list_categories",
  title: "List categories",
  description: "The categories of skills and SOULs, with the number of items on sale in each.",
  effects: "reads",
  openWorld: false,
  input: {},
  output: {
    categories: Schema.Array(
      Schema.Struct({
        slug: Text.annotate({ description: "For the category of searches and publish_soul." }),
        name: Text,
        parent: Schema.NullOr(Text),
        appliesTo: Schema.Array(Text).annotate({ description: "soul, listing (a skill), or both." }),
        count: Finite
      })
    )
  },
  call: async (market, _, options) => ({ categories: await market.categories.list({ limit: 100 }, options) })
})

const inspectSkill = marketTool({
  name: "inspect_skill",
  title: "Inspect a skill",
  description: `One skill in full: description, price and pricing model, seller, reviews, and its installUrl once the account owns it. ${otherUsersTexts} installUrl leads to a program by its seller: do not run it without the owner's consent.`,
  effects: "reads",
  openWorld: true,
  input: {
    itemId: Argument.id("lst_", "The skill's id, from search_skills or a purchase."),
    findings: findingsArgument
  },
  output: {
    itemId: Text,
    slug: Text,
    title: Text,
    description: Text,
    longDescription: Schema.NullOr(Text),
    price: Text,
    currency: Text,
    pricingModel: Text.annotate({
      description: "one_time, free, or subscription: the price is charged every 30 days."
    }),
    category: Text,
    tags: Schema.Array(Text),
    seller: Text,
    sales: Finite,
    rating: Finite,
    reviews: Finite,
    status: Text.annotate({ description: "Only approved skills can be bought." }),
    installUrl: Schema.NullOr(Text).annotate({
      description: "Null unless the account owns a license, sells it, or it is free."
    }),
    documentationUrl: Schema.NullOr(Text),
    delivery: Text.annotate({
      description: "release (scanned and signed), link (installUrl, unverified) or license_only."
    }),
    trust: trustOutput
  },
  call: async (market, { findings = false, itemId }, options) => {
    const [detail, listing, trust] = await Promise.all([
      market.skills.get(itemId, options),
      market.listings.get(itemId, options),
      readTrust(market, itemId, findings, options)
    ])
    return {
      ...detail,
      trust,
      delivery: listing.delivery,
      itemId: detail.id,
      seller: detail.creator.name,
      sales: detail.stats.sales,
      reviews: detail.stats.reviews,
      longDescription: listing.longDescription,
      installUrl: listing.installUrl,
      documentationUrl: listing.documentationUrl
    }
  }
})

/** Tools that find skills and SOULs. */
export const listingTools = [searchSkills, searchSouls, listCategories, inspectSkill]
