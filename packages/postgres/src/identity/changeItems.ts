import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Row } from "../Columns.ts"
import { listingColumns, listingOf } from "../listings/ListingRow.ts"
import { updateListings } from "../listings/writeListings.ts"
import { soulOf, soulsById } from "../souls/SoulRow.ts"
import { updateSouls } from "../souls/writeSouls.ts"

const batch = 50

const lockSouls = `
  SELECT id FROM souls WHERE author_id = $1::text AND id > $2::text ORDER BY id LIMIT ${batch} FOR NO KEY UPDATE`

const lockListings = `
  SELECT ${listingColumns} FROM listings WHERE creator_id = $1::text AND id > $2::text ORDER BY id LIMIT ${batch} FOR NO KEY UPDATE`

interface ItemChanges {
  readonly soul: (soul: Soul) => Soul
  readonly listing: (listing: Listing) => Listing
}

const update = { souls: updateSouls, listings: updateListings }

/** Locks and updates all souls and listings of the account, in the current transaction. `write` stores those of one batch. */
export const changeItems = Effect.fnUntraced(function* (
  sql: SqlClient,
  id: AccountId,
  changes: ItemChanges,
  write = update
): Effect.fn.Return<void, SqlError> {
  for (let after = ""; ;) {
    const ids = (yield* sql.unsafe<{ readonly id: string }>(lockSouls, [id, after])).map((row) => row.id)
    if (ids.length === 0) break
    // After the lock, so that each text belongs to its row.
    const souls = (yield* sql.unsafe<Row>(soulsById, [ids])).map(soulOf)
    yield* write.souls(sql, souls.map(changes.soul))
    after = ids.at(-1) ?? ""
  }
  for (let after = ""; ;) {
    const listings = (yield* sql.unsafe<Row>(lockListings, [id, after])).map(listingOf)
    if (listings.length === 0) break
    yield* write.listings(sql, listings.map(changes.listing))
    after = listings.at(-1)?.id ?? ""
  }
})
