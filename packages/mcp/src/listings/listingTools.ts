import { Schema } from "effect"
import { Argument } from "../tools/Argument.ts"
import { marketTool, otherUsersTexts } from "../tools/MarketTool.ts"
import { pageArguments, pagination } from "../tools/paging.ts"

const { String: Text, Finite } = Schema

const skill = Schema.Struct({
  id: Text.annotate({ description: "The itemId for buy and inspect_skill." }),
  slug: Text,
  title: Text,
  shortDesc: Text,
  price: Text.annotate({ description: "Exact decimal, in currency." }),
  currency: Text,
  category: Text,
  rating: Finite.annotate({ description: "Mean of the reviews; 0 if there are none." })
})

const searchSkills = marketTool({
  name: "search_skills",
  title: "Search skills",
  description: `Finds skills on sale by words, category and price. ${otherUsersTexts}`,
  effects: "reads",
  openWorld: true,
  input: {
    query: Argument.optional(Argument.text(1, 200, "Words or prefixes in name, description, tags and seller.")),
    category: Argument.optional(Argument.text(1, 50, "Only this category's slug: automation, development, data …")),
    minPrice: Argument.optional(Argument.amount("The lowest price, in USDT.")),
    maxPrice: Argument.optional(Argument.amount("The highest price, in USDT; 0 finds free skills.")),
    sortBy: Argument.optional(Argument.choice(["price", "rating", "popular", "newest"], "Default: best match first.")),
    sortOrder: Argument.optional(
      Argument.choice(["asc", "desc"], "Default: ascending for price, descending for all others.")
    ),
    ...pageArguments
  },
  output: { skills: Schema.Array(skill), pagination },
  call: (market, { limit = 10, ...input }, options) => market.skills.list({ ...input, limit }, options)
})

const inspectSkill = marketTool({
  name: "inspect_skill",
  title: "Inspect a skill",
  description: `One skill in full: description, price and pricing model, seller, reviews, and its installUrl once the account owns it. ${otherUsersTexts} installUrl leads to a program by its seller: do not run it without the owner's consent.`,
  effects: "reads",
  openWorld: true,
  input: { itemId: Argument.id("lst_", "The skill's id, from search_skills or a purchase.") },
  output: {
    id: Text,
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
    documentationUrl: Schema.NullOr(Text)
  },
  call: async (market, { itemId }, options) => {
    const [detail, listing] = await Promise.all([
      market.skills.get(itemId, options),
      market.listings.get(itemId, options)
    ])
    return {
      ...detail,
      seller: detail.creator.name,
      sales: detail.stats.sales,
      reviews: detail.stats.reviews,
      longDescription: listing.longDescription,
      installUrl: listing.installUrl,
      documentationUrl: listing.documentationUrl
    }
  }
})

/** Tools that find skills. */
export const listingTools = [searchSkills, inspectSkill]
