import { BlobRemoved } from "@agent-marketplace/core/blobs/BlobRegistry"
import type { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/** The lock waits for a garbage collection that is about to remove the blob; its row is then not found. */
const refer = `
  WITH known AS (SELECT sha256 FROM blobs WHERE sha256 = ANY ($2::text[]) ORDER BY sha256 FOR KEY SHARE),
  added AS (INSERT INTO blob_references (owner, sha256) SELECT $1::text, sha256 FROM known ON CONFLICT DO NOTHING)
  SELECT count(*)::int AS count FROM known`

/**
 * Records, as part of the caller's transaction, that the record `owner` refers to the blobs (BLOB-6). Fails if one of them was announced so long ago
 * that it may be removed, or was purged: the upload must be repeated.
 */
export const referBlobs = Effect.fnUntraced(function* (
  sql: SqlClient,
  owner: string,
  blobs: ReadonlyArray<Sha256>
): Effect.fn.Return<void, StoreUnavailable | SqlError> {
  const all = [...new Set(blobs)]
  const [row] = yield* sql.unsafe<{ readonly count: number }>(refer, [owner, all])
  if (row?.count !== all.length) return yield* new StoreUnavailable({ cause: new BlobRemoved({ owner }) })
})

const dropReferences = `DELETE FROM blob_references WHERE owner = ANY($1::text[]) RETURNING sha256`

/** In one order, so that it never waits for an announcement that waits for it. */
const makeDue = `
  UPDATE blobs SET announced_at = to_timestamp(0) WHERE sha256 IN (
    SELECT sha256 FROM blobs WHERE sha256 = ANY ($1::text[])
      AND NOT EXISTS (SELECT FROM blob_references WHERE blob_references.sha256 = blobs.sha256)
    ORDER BY sha256 FOR NO KEY UPDATE)`

/**
 * Removes, as part of the caller's transaction, the references of these records. Garbage collection no longer waits for blobs that have none left, so
 * that they are removed within minutes if the process stops after the commit (PURGE-2, PURGE-3).
 */
export const dropBlobReferences = Effect.fnUntraced(function* (
  sql: SqlClient,
  owners: ReadonlyArray<string>
): Effect.fn.Return<void, SqlError> {
  const dropped = yield* sql.unsafe<{ readonly sha256: Sha256 }>(dropReferences, [owners])
  // A later statement, which does not see the dropped references.
  yield* sql.unsafe(makeDue, [dropped.map(({ sha256 }) => sha256)])
})
