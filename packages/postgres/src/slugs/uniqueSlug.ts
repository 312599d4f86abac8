import type { AccountFrozen, QuotaExceeded } from "@agent-marketplace/core/errors/MarketError"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { SlugRequest } from "@agent-marketplace/core/slugs/Slug"
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { admitRecord, lockOwner } from "../identity/admitRecord.ts"

interface Claimed {
  readonly slug: string
  /** The owner's present name; null if there is no such account. */
  readonly owner: string | null
}

const claim = "SELECT claim_slug($1::text, $2::text, $3::boolean) AS slug"

/**
 * Makes the slug of a new item unique (`claim_slug` of migration 0003) and reserves it permanently, in the current transaction; reads its owner's name. The owner stays locked, so
 * that a change of the name waits until the item exists and can be updated.
 */
export const uniqueSlug = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  kind: "soul" | "listing",
  { base, reserved }: SlugRequest,
  ownerId: AccountId
): Effect.fn.Return<Claimed, AccountFrozen | QuotaExceeded | SqlError> {
  const owner = yield* lockOwner(sql, ownerId)
  yield* admitRecord(sql, owner, kind === "soul" ? "souls" : "listings")
  const [row] = yield* sql.unsafe<{ readonly slug: string }>(claim, [kind, base, reserved])
  return { slug: row?.slug ?? base, owner: owner?.name ?? null }
})
