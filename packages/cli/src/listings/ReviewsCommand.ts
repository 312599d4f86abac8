import type { Review } from "@agent-marketplace/client/wire/Endpoints"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { callMarket } from "../identity/session.ts"
import { when } from "../terminal/format.ts"
import { list, pageFlags } from "../terminal/list.ts"
import { report } from "../terminal/report.ts"
import type { Column } from "../terminal/table.ts"
import { findItem, itemArguments } from "./findItem.ts"
import { optionalText } from "../terminal/optionalText.ts"

const columns: ReadonlyArray<Column<Review>> = [
  { title: "RATING", value: ({ rating }) => `${rating} of 5` },
  { title: "BY", value: ({ author }) => author, yields: true },
  { title: "COMMENT", value: ({ comment }) => comment ?? "", yields: true },
  { title: "WHEN", value: ({ updatedAt }) => when(updatedAt) }
]

export const reviewsCommand = Command.make("reviews", { ...itemArguments, ...pageFlags }, (input) =>
  Effect.gen(function* () {
    const { id, slug, type } = yield* findItem(input.item, Option.getOrUndefined(input.type))
    const page = { page: input.page, limit: input.limit }
    const found = yield* callMarket<ReadonlyArray<Review>>(async (market, options) =>
      type === "soul"
        ? market.souls.reviews(slug, page, options)
        : (await market.listings.reviews(id, page, options)).reviews
    )
    yield* report(found, (page) => list(page, { rows: found, columns, empty: "No reviews yet." }))
  })
).pipe(Command.withDescription("List the reviews of a skill or a SOUL"))

export const reviewCommand = Command.make(
  "review",
  {
    ...itemArguments,
    rating: Flag.Int("rating").pipe(Flag.withDescription("1 to 5")),
    comment: optionalText("comment", "At most 2,000 characters")
  },
  ({ comment, item, rating, type }) =>
    Effect.gen(function* () {
      const found = yield* findItem(item, Option.getOrUndefined(type))
      const input = { rating, comment: Option.getOrUndefined(comment) }
      const review = yield* callMarket((market, options) =>
        found.type === "soul"
          ? market.souls.review(found.slug, input, options)
          : market.listings.review(found.id, input, options)
      )
      yield* report(review, (page) => list(page, { rows: [review], columns, empty: "" }))
    })
).pipe(Command.withDescription("Review a purchased item; replaces an earlier review"))
