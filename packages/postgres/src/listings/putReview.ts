import type { Review } from "@agent-marketplace/core/listings/Review"
import type { PgClient } from "@effect/sql-pg"
import { Effect, Option } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { liveLicense } from "../purchases/liveLicense.ts"
import { date } from "../Row.ts"
import type { ReviewRow } from "./ListingRow.ts"
import { reviewColumns, reviewOf } from "./ListingRow.ts"

/** Reviews of one listing go one after another, so that each sees the one it replaces. */
const lock = `
  SELECT item_id FROM item_stats WHERE item_id = $1::text AND ${liveLicense("$2::text", "$1::text")} FOR UPDATE`

const write = `
  WITH before AS (SELECT rating FROM listing_reviews WHERE listing_id = $2::text AND author_id = $3::text),
  stats AS (
    UPDATE item_stats SET
      rating_sum = rating_sum + $5::int - coalesce((SELECT rating FROM before), 0),
      reviews = reviews + CASE WHEN EXISTS (SELECT FROM before) THEN 0 ELSE 1 END
    WHERE item_id = $2::text
  )
  INSERT INTO listing_reviews (${reviewColumns})
  VALUES ($1::text, $2::text, $3::text, $4::text, $5::int, $6::text, $7::timestamptz, $8::timestamptz)
  ON CONFLICT (listing_id, author_id) DO UPDATE SET
    author = EXCLUDED.author, rating = EXCLUDED.rating, comment = EXCLUDED.comment, updated_at = EXCLUDED.updated_at
  RETURNING ${reviewColumns}`

/** Writes the author's one review and the statistics with it, in the transaction that is under way; none without a live license. */
export const putReview = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  review: Review
): Effect.fn.Return<Option.Option<Review>, SqlError> {
  const [locked] = yield* sql.unsafe(lock, [review.listingId, review.authorId])
  if (locked === undefined) return Option.none()
  const { author, authorId, comment, createdAt, id, listingId, rating, updatedAt } = review
  const parameters = [id, listingId, authorId, author, rating, comment, date(createdAt), date(updatedAt)]
  const [written] = yield* sql.unsafe<ReviewRow>(write, parameters)
  return Option.map(Option.fromUndefinedOr(written), reviewOf)
})
