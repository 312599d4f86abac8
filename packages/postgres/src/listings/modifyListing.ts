import type { ListingId } from "@agent-marketplace/core/ids/Ids"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import type { ListingChange } from "@agent-marketplace/core/listings/ListingRules"
import type { NameFindings } from "@agent-marketplace/core/names/NameFindings"
import { noFindings } from "@agent-marketplace/core/names/NameFindings"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect, Option, Result } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { appendActions } from "../admin/appendActions.ts"
import { nameFindings } from "../catalogue/nameFindings.ts"
import { appendEvents } from "../events/appendEvents.ts"
import type { Row } from "../Columns.ts"
import { listingColumns, listingOf } from "./ListingRow.ts"
import { recordOnSale } from "../releases/recordOnSale.ts"
import { updateListings } from "./writeListings.ts"

const lock = `SELECT ${listingColumns} FROM listings WHERE id = $1::text FOR NO KEY UPDATE`

/** See `ListingStore.modify`; in the current transaction. */
export const modifyListing = Effect.fnUntraced(function* <E>(
  sql: SqlClient,
  id: ListingId,
  rule: (listing: Listing, names: NameFindings) => Result.Result<ListingChange, E>,
  claims?: (listing: Listing) => string | null
): Effect.fn.Return<Option.Option<Result.Result<Listing, E>>, SqlError> {
  const [row] = yield* sql.unsafe<Row>(lock, [id])
  if (row === undefined) return Option.none()
  const before = listingOf(row)
  const name = claims?.(before) ?? null
  const names = name === null ? noFindings : yield* nameFindings(sql, { name, creatorId: before.creatorId })
  const ruled = rule(before, names)
  if (Result.isFailure(ruled)) return Option.some(Result.fail(ruled.failure))
  const { action, events, listing } = ruled.success
  yield* updateListings(sql, [listing])
  yield* recordOnSale(sql, id)
  yield* appendEvents(sql, events)
  yield* appendActions(sql, action === undefined ? [] : [action])
  return Option.some(Result.succeed(listing))
})
