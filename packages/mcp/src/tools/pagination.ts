import { Schema } from "effect"

/** How much of a list a page is. */
export const pagination = Schema.Struct({
  page: Schema.Finite,
  limit: Schema.Finite,
  total: Schema.Finite,
  totalPages: Schema.Finite,
  hasMore: Schema.Boolean
})
