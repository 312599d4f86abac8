import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { listingColumns, listingOf } from "../listings/ListingRow.ts"
import type { Row } from "../Columns.ts"
import { updateListings } from "../listings/writeListings.ts"
import { soulOf, soulsById } from "../souls/SoulRow.ts"
import { updateSouls } from "../souls/writeSouls.ts"

const batch = 50

const lockSouls = `
  SELECT id FROM souls WHERE author_id = $1::text AND id > $2::text ORDER BY id LIMIT ${batch} FOR NO KEY UPDATE`

const listingsAfter = `
  SELECT ${listingColumns} FROM listings WHERE creator_id = $1::text AND id > $2::text ORDER BY id LIMIT ${batch} FOR NO KEY UPDATE`

/** Updates the name on the account's souls and listings, in the current transaction. */
export const renameItems = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  id: AccountId,
  name: string
): Effect.fn.Return<void, SqlError> {
  for (let after = ""; ;) {
    const ids = (yield* sql.unsafe<{ readonly id: string }>(lockSouls, [id, after])).map((row) => row.id)
    if (ids.length === 0) break
    // After the lock, so that each text belongs to its row.
    const souls = (yield* sql.unsafe<Row>(soulsById, [ids])).map(soulOf)
    yield* updateSouls(
      sql,
      souls.map((soul) => ({ ...soul, author: name }))
    )
    after = ids.at(-1) ?? ""
  }
  for (let after = ""; ;) {
    const listings = (yield* sql.unsafe<Row>(listingsAfter, [id, after])).map(listingOf)
    if (listings.length === 0) break
    yield* updateListings(
      sql,
      listings.map((listing) => ({ ...listing, creatorName: name }))
    )
    after = listings.at(-1)?.id ?? ""
  }
})
