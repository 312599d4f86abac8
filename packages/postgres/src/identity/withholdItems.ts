import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Row } from "../Columns.ts"
import { listingColumns, listingOf } from "../listings/ListingRow.ts"
import { updateListings } from "../listings/writeListings.ts"

const hideSouls = `
  UPDATE souls SET withheld = true, visibility = 'private'
  WHERE author_id = $1::text AND visibility = 'public' AND NOT deleted`

const showSouls = `UPDATE souls SET withheld = false, visibility = 'public' WHERE author_id = $1::text AND withheld`

const someListings = `
  SELECT ${listingColumns} FROM listings
  WHERE creator_id = $1::text AND status <> 'deleted' AND withheld <> $2::boolean ORDER BY id LIMIT 50 FOR NO KEY UPDATE`

/** The account's items leave the shop or return to it, in the transaction that is under way. */
export const withholdItems = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  account: AccountId,
  withheld: boolean
): Effect.fn.Return<void, SqlError> {
  yield* sql.unsafe(withheld ? hideSouls : showSouls, [account])
  for (;;) {
    const listings = (yield* sql.unsafe<Row>(someListings, [account, withheld])).map(listingOf)
    if (listings.length === 0) return
    yield* updateListings(
      sql,
      listings.map((listing) => ({ ...listing, withheld }))
    )
  }
})
