import { Schema } from "effect"
import { Argument } from "./Argument.ts"

/** Which part of a list. A model reads all that it gets, so that a page is short where it does not say. */
export const pageArguments = {
  page: Argument.optional(Argument.whole(1, 1_000_000, "The page, from 1; 1 where absent.")),
  limit: Argument.optional(Argument.whole(1, 100, "How many to return; default 10."))
}

/** How much of a list a page is. */
export const pagination = Schema.Struct({
  page: Schema.Finite,
  limit: Schema.Finite,
  total: Schema.Finite,
  totalPages: Schema.Finite,
  hasMore: Schema.Boolean
})
