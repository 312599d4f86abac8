import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { Review } from "@agent-marketplace/core/listings/Review"
import { reviewPosted } from "@agent-marketplace/core/listings/Review"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect, Option } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { appendEvents } from "../events/appendEvents.ts"
import { liveLicense } from "../purchases/liveLicense.ts"
import { date } from "../Row.ts"
import type { ReviewRow } from "./ListingRow.ts"
import { reviewColumns, reviewOf } from "./ListingRow.ts"

/** An account that downloaded a free soul, which needs no license (SOUL-41). */
const freeDownload = (account: string, item: string): string => `EXISTS (
    SELECT FROM soul_downloads JOIN souls ON souls.id = soul_downloads.soul_id
    WHERE soul_downloads.soul_id = ${item} AND soul_downloads.account_id = ${account} AND souls.price = 0
  )`

/** An erasure of the author comes first or waits. */
const lockAuthor = "SELECT id FROM accounts WHERE id = $1::text AND erased_at IS NULL FOR SHARE"

/** Reviews of one item are serialized, so that each sees the one it replaces. */
const lock = `
  SELECT item_id FROM item_stats WHERE item_id = $1::text AND (
    ${liveLicense("$2::text", "$1::text")} OR ${freeDownload("$2::text", "$1::text")}
  ) FOR UPDATE`

const write = `
  WITH before AS (SELECT rating FROM item_reviews WHERE item_id = $2::text AND author_id = $3::text AND counts),
  stats AS (
    UPDATE item_stats SET
      rating_sum = rating_sum + $5::int - coalesce((SELECT rating FROM before), 0),
      reviews = reviews + CASE WHEN EXISTS (SELECT FROM before) THEN 0 ELSE 1 END
    WHERE item_id = $2::text
  )
  INSERT INTO item_reviews (${reviewColumns})
  VALUES ($1::text, $2::text, $3::text, $4::text, $5::int, $6::text, $7::timestamptz, $8::timestamptz)
  ON CONFLICT (item_id, author_id) DO UPDATE SET
    counts = true, author = EXCLUDED.author, rating = EXCLUDED.rating, comment = EXCLUDED.comment, updated_at = EXCLUDED.updated_at
  RETURNING ${reviewColumns}`

/** The item of the author's first review; nothing if the author has reviewed it before. */
const newlyReviewed = `
  SELECT item.creator_id, item.name FROM (
    SELECT creator_id, name FROM listings WHERE id = $1::text
    UNION ALL SELECT author_id, name FROM souls WHERE id = $1::text
  ) AS item
  WHERE NOT EXISTS (SELECT FROM item_reviews WHERE item_id = $1::text AND author_id = $2::text)`

/** Writes the author's one review and the statistics, in the current transaction; nothing without a live license. */
export const putReview = Effect.fnUntraced(function* (
  sql: SqlClient,
  review: Review
): Effect.fn.Return<Option.Option<Review>, SqlError> {
  const [present] = yield* sql.unsafe(lockAuthor, [review.authorId])
  if (present === undefined) return Option.none()
  const [locked] = yield* sql.unsafe(lock, [review.itemId, review.authorId])
  if (locked === undefined) return Option.none()
  const [item] = yield* sql.unsafe<{ readonly creator_id: string; readonly name: string }>(newlyReviewed, [
    review.itemId,
    review.authorId
  ])
  const { author, authorId, comment, createdAt, id, itemId, rating, updatedAt } = review
  const parameters = [id, itemId, authorId, author, rating, comment, date(createdAt), date(updatedAt)]
  const [written] = yield* sql.unsafe<ReviewRow>(write, parameters)
  if (item !== undefined)
    yield* appendEvents(sql, [reviewPosted(review, { creatorId: item.creator_id as AccountId, name: item.name })])
  return Option.map(Option.fromUndefinedOr(written), reviewOf)
})
