import { Schema } from "effect"
import { Argument } from "./Argument.ts"

/** The requested part of a list. A model reads everything it receives, so pages are short by default. */
export const pageArguments = {
  page: Argument.optional(Argument.whole(1, 1_000_000, "The page, from 1; 1 where absent.")),
  limit: Argument.optional(Argument.whole(1, 100, "How many to return; default 10."))
}

/** The position of a page within its list. */
export const pagination = Schema.Struct({
  page: Schema.Finite,
  limit: Schema.Finite,
  total: Schema.Finite,
  totalPages: Schema.Finite,
  hasMore: Schema.Boolean
})
