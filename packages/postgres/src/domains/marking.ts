import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { changeItems } from "../identity/changeItems.ts"
import { isVerified } from "./isVerified.ts"

const marked = `SELECT ${isVerified("$1::text")} AS verified`

const isMarked = (sql: SqlClient, account: AccountId) =>
  Effect.map(sql.unsafe<{ readonly verified: boolean }>(marked, [account]), ([row]) => row?.verified === true)

/** Runs a change of the account or its domains, and copies a changed mark to its items (DOMAIN-7). The account is locked. */
export const marking = Effect.fnUntraced(function* <A>(
  sql: SqlClient,
  account: AccountId,
  change: Effect.Effect<A, SqlError>
): Effect.fn.Return<A, SqlError> {
  const before = yield* isMarked(sql, account)
  const result = yield* change
  const creatorVerified = yield* isMarked(sql, account)
  if (creatorVerified !== before) {
    yield* changeItems(sql, account, {
      soul: (soul) => ({ ...soul, creatorVerified }),
      listing: (listing) => ({ ...listing, creatorVerified })
    })
  }
  return result
})
