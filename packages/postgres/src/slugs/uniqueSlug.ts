import type { AccountFrozen, QuotaExceeded } from "@agent-marketplace/core/errors/MarketError"
import { NameTooSimilar } from "@agent-marketplace/core/errors/MarketError"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { NameFindings } from "@agent-marketplace/core/names/NameFindings"
import type { SlugRequest } from "@agent-marketplace/core/slugs/Slug"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { nameFindings } from "../catalogue/nameFindings.ts"
import { isVerified } from "../domains/isVerified.ts"
import { admitRecord, lockOwner } from "../identity/admitRecord.ts"

interface Claimed {
  readonly slug: string
  /** The owner's present name; null if there is no such account. */
  readonly owner: string | null
  readonly names: NameFindings
  /** The owner has proven a domain (DOMAIN-7). */
  readonly verified: boolean
}

const claim = `
  SELECT claim_slug($1::text, $2::text, $3::boolean) AS slug, ${isVerified("$4::text")} AS verified`

/**
 * Makes the slug of a new item unique (`claim_slug` of migration 0003) and reserves it permanently, in the current transaction; reads its owner's name. The owner stays locked, so
 * that a change of the name waits until the item exists and can be updated. Fails if the item's name looks like another's (NAME-1).
 */
export const uniqueSlug = Effect.fnUntraced(function* (
  sql: SqlClient,
  kind: "soul" | "listing",
  { base, reserved }: SlugRequest,
  ownerId: AccountId,
  name: string
): Effect.fn.Return<Claimed, AccountFrozen | NameTooSimilar | QuotaExceeded | SqlError> {
  const owner = yield* lockOwner(sql, ownerId)
  yield* admitRecord(sql, owner, kind === "soul" ? "souls" : "listings")
  const names = yield* nameFindings(sql, { name, creatorId: ownerId })
  if (names.similar !== null) return yield* new NameTooSimilar({ conflictsWith: names.similar })
  // Last, because all items with the same base wait for each other.
  const [row] = yield* sql.unsafe<{ readonly slug: string; readonly verified: boolean }>(claim, [
    kind,
    base,
    reserved,
    ownerId
  ])
  return { slug: row?.slug ?? base, owner: owner?.name ?? null, names, verified: row?.verified ?? false }
})
