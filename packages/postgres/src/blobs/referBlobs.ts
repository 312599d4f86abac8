import type { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/** The lock waits for a garbage collection that is about to remove the blob; its row is then not found. */
const refer = `
  WITH known AS (SELECT sha256 FROM blobs WHERE sha256 = ANY ($2::text[]) ORDER BY sha256 FOR KEY SHARE),
  added AS (INSERT INTO blob_references (owner, sha256) SELECT $1::text, sha256 FROM known ON CONFLICT DO NOTHING)
  SELECT count(*)::int AS count FROM known`

/**
 * Records, as part of the caller's transaction, that the record `owner` refers to the blobs (BLOB-6). Fails if one of them was announced so long ago
 * that it may be removed: the upload must be repeated.
 */
export const referBlobs = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  owner: string,
  blobs: ReadonlyArray<Sha256>
): Effect.fn.Return<void, StoreUnavailable | SqlError> {
  const all = [...new Set(blobs)]
  const [row] = yield* sql.unsafe<{ readonly count: number }>(refer, [owner, all])
  if (row?.count !== all.length)
    return yield* new StoreUnavailable({ cause: `a blob of ${owner} was removed, because its upload took too long` })
})
