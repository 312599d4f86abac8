import { Query } from "../wire/Query.ts"

/** The parameters that lists of souls, listings and skills share (SEARCH-1, SEARCH-3, SOUL-8). */
export const searchQuery = {
  search: Query.text(
    200,
    "Words or prefixes of words in name, description, tags and creator; best match first unless `sortBy` is given.",
    "csv clean"
  ),
  query: Query.text(200, "The same as `search`, which takes precedence if both are given.", "csv clean"),
  minPrice: Query.money("The lowest price.", "1.50"),
  maxPrice: Query.money("The highest price.", "20"),
  minRating: Query.number(0, 5, "The lowest mean rating.", "4"),
  sortBy: Query.choice(["price", "rating", "popular", "newest"], "What to sort by.", "rating"),
  sortOrder: Query.choice(
    ["asc", "desc"],
    "The direction; by default ascending for `price`, otherwise descending.",
    "desc"
  )
} as const
