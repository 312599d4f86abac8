import { Query } from "../wire/Query.ts"

/** The parameters that lists of souls, listings and skills share (SEARCH-1, SEARCH-3, SOUL-8). */
export const searchQuery = {
  search: Query.text(200, {
    description:
      "Words or prefixes of words in name, description, tags and creator; best match first unless `sortBy` is given.",
    example: "csv clean"
  }),
  query: Query.text(200, {
    description: "The same as `search`, which takes precedence if both are given.",
    example: "csv clean"
  }),
  minPrice: Query.money({ description: "The lowest price.", example: "1.50" }),
  maxPrice: Query.money({ description: "The highest price.", example: "20" }),
  minRating: Query.number(0, 5, { description: "The lowest mean rating.", example: "4" }),
  sortBy: Query.choice(["price", "rating", "popular", "newest"], {
    description: "What to sort by.",
    example: "rating"
  }),
  sortOrder: Query.choice(["asc", "desc"], {
    description: "The direction; by default ascending for `price`, otherwise descending.",
    example: "desc"
  })
} as const
