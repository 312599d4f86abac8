import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { SlugRequest } from "@agent-marketplace/core/slugs/Slug"
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"

interface Claimed {
  readonly slug: string
  /** The owner's name as it stands; null where there is no such account. */
  readonly owner: string | null
}

/** The share lock keeps a change of the name out until the item is there to be renamed. */
const claim = `
  SELECT claim_slug($1::text, $2::text, $3::boolean) AS slug,
    (SELECT name FROM accounts WHERE id = $4::text FOR SHARE) AS owner`

/** Takes the slug of a new item for ever, in the transaction that is under way, and reads what its owner is called. */
export const claimSlug = (
  sql: PgClient.PgClient,
  kind: "soul" | "listing",
  { base, reserved }: SlugRequest,
  owner: AccountId
): Effect.Effect<Claimed, SqlError> =>
  Effect.map(sql.unsafe<Claimed>(claim, [kind, base, reserved, owner]), ([row]) => row as Claimed)
