import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Row } from "../Columns.ts"
import { listingColumns, listingOf } from "../listings/ListingRow.ts"
import { updateListings } from "../listings/writeListings.ts"
import { soulOf, soulsById } from "../souls/SoulRow.ts"
import { updateSouls } from "../souls/writeSouls.ts"

const someSouls = `
  SELECT id FROM souls
  WHERE author_id = $1::text AND NOT deleted AND withheld <> $2::boolean ORDER BY id LIMIT 50 FOR NO KEY UPDATE`

const someListings = `
  SELECT ${listingColumns} FROM listings
  WHERE creator_id = $1::text AND status <> 'deleted' AND withheld <> $2::boolean ORDER BY id LIMIT 50 FOR NO KEY UPDATE`

/** Withdraws the account's items from the shop or returns them, in the current transaction. */
export const withholdItems = Effect.fnUntraced(function* (
  sql: SqlClient,
  account: AccountId,
  withheld: boolean
): Effect.fn.Return<void, SqlError> {
  for (;;) {
    const ids = (yield* sql.unsafe<{ readonly id: string }>(someSouls, [account, withheld])).map(({ id }) => id)
    if (ids.length === 0) break
    // After the lock, so that each text belongs to its row.
    const souls = (yield* sql.unsafe<Row>(soulsById, [ids])).map(soulOf)
    yield* updateSouls(
      sql,
      souls.map((soul) => ({ ...soul, withheld }))
    )
  }
  for (;;) {
    const listings = (yield* sql.unsafe<Row>(someListings, [account, withheld])).map(listingOf)
    if (listings.length === 0) return
    yield* updateListings(
      sql,
      listings.map((listing) => ({ ...listing, withheld }))
    )
  }
})
