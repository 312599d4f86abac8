import type { AccountFrozen, QuotaExceeded, QuotaName } from "@agent-marketplace/core/errors/MarketError"
import { AccountFrozen as Frozen } from "@agent-marketplace/core/errors/MarketError"
import type { Tier } from "@agent-marketplace/core/identity/Account"
import { checkQuota, quotaOf } from "@agent-marketplace/core/identity/Quotas"
import type { Quotas } from "@agent-marketplace/core/identity/Quotas"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { FrozenColumns } from "./IdentityRow.ts"
import { freezeOf } from "./IdentityRow.ts"

/**
 * SQL for the number of live records of the account given by the parameter, for each quota. The keys of one family count once, and
 * those of a host's sessions and of grants to applications do not count (QUOTA-3). An agent's webhooks are its owner's (QUOTA-5).
 */
export const liveRecords = {
  souls: (account: string) => `(SELECT count(*)::int FROM souls WHERE author_id = ${account} AND NOT deleted)`,
  listings: (account: string) =>
    `(SELECT count(*)::int FROM listings WHERE creator_id = ${account} AND status <> 'deleted')`,
  agents: (account: string) => `(SELECT count(*)::int FROM agents WHERE owner_id = ${account} AND retired_at IS NULL)`,
  keys: (account: string) => `(SELECT count(DISTINCT family_id)::int FROM api_keys
    WHERE account_id = ${account} AND status = 'active' AND (expires_at IS NULL OR expires_at > market_now())
      AND hash NOT LIKE 'host:%' AND hash NOT LIKE 'oauth:%')`,
  webhooks: (account: string) => `(SELECT count(*)::int FROM webhooks WHERE account_id = ${account})`,
  // As float8: exact up to 2⁵³, far above what fits on a disk. Purged bytes are not stored (PURGE-10).
  releaseBytes: (account: string) => `(SELECT coalesce(sum(size), 0)::float8 FROM releases
    JOIN listings ON listings.id = item_id WHERE listings.creator_id = ${account} AND listings.status <> 'deleted'
      AND releases.purged_at IS NULL)`
} as const

/** Creations for one account are serialized, also with a change of its name, a freeze and a recovery. */
const lock = `
  SELECT name, tier, quotas, frozen_at, frozen_reason FROM accounts WHERE id = $1::text FOR NO KEY UPDATE`

interface OwnerRow extends FrozenColumns {
  readonly name: string
  readonly tier: Tier
  readonly quotas: Quotas
}

/** The account that a record is created for; locked until the current transaction ends. */
export interface RecordOwner extends OwnerRow {
  readonly id: AccountId
}

/** Locks the account and fails if it is frozen; undefined if there is no such account. */
export const lockOwner = Effect.fnUntraced(function* (
  sql: SqlClient,
  id: AccountId
): Effect.fn.Return<RecordOwner | undefined, AccountFrozen | SqlError> {
  const [row] = yield* sql.unsafe<OwnerRow>(lock, [id])
  if (row === undefined) return undefined
  const freeze = freezeOf(row)
  if (freeze !== null) return yield* new Frozen(freeze)
  return { ...row, id }
})

type Counted = keyof typeof liveRecords & QuotaName

/** Fails if `added` more records, or bytes, would exceed the quota (QUOTA-1). Runs in a statement after the lock, so that it sees all of them. */
export const admitRecord = Effect.fnUntraced(function* (
  sql: SqlClient,
  owner: RecordOwner | undefined,
  quota: Counted,
  added = 1
): Effect.fn.Return<void, QuotaExceeded | SqlError> {
  if (owner === undefined || quotaOf(owner, quota) === null) return
  const [row] = yield* sql.unsafe<{ readonly used: number }>(`SELECT ${liveRecords[quota]("$1::text")} AS used`, [
    owner.id
  ])
  yield* Effect.fromResult(checkQuota(owner, quota, (row?.used ?? 0) + added, added))
})
