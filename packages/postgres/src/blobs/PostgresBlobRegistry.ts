import { BlobRegistry } from "@agent-marketplace/core/blobs/BlobRegistry"
import type { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Effect, Layer } from "effect"
import { Database } from "../Database.ts"

/** In one order, so that two announcements never wait for each other. */
const announceBlobs = `
  INSERT INTO blobs (sha256, announced_at)
  SELECT DISTINCT ON (given) given, clock_timestamp() FROM unnest($1::text[]) AS given ORDER BY given
  ON CONFLICT (sha256) DO UPDATE SET announced_at = EXCLUDED.announced_at`

/** Must be a later statement than the announcement: that one waits for a garbage collection, and this one sees what it claimed. */
const findRemovals = `SELECT sha256 FROM blob_removals WHERE sha256 = ANY ($1::text[]) LIMIT 1`

/** From here to the end of the transaction, nobody announces these blobs or refers to them. */
const lockGarbage = `
  SELECT sha256 FROM blobs
  WHERE announced_at <= clock_timestamp() - make_interval(secs => $1::float8)
    AND NOT EXISTS (SELECT FROM blob_references WHERE blob_references.sha256 = blobs.sha256)
  ORDER BY announced_at LIMIT $2::int FOR UPDATE SKIP LOCKED`

/** Must be a later statement than the lock, to see references that were committed while it waited. */
const claimLocked = `
  WITH claimed AS (
    DELETE FROM blobs WHERE sha256 = ANY ($1::text[])
      AND NOT EXISTS (SELECT FROM blob_references WHERE blob_references.sha256 = blobs.sha256)
    RETURNING sha256
  )
  INSERT INTO blob_removals (sha256, claimed_at) SELECT sha256, clock_timestamp() FROM claimed RETURNING sha256`

/** Locks them, and keeps others from announcing them, also those that are not announced. In one order, as `announceBlobs`. */
const lockAll = `
  INSERT INTO blobs (sha256, announced_at)
  SELECT DISTINCT ON (given) given, clock_timestamp() FROM unnest($1::text[]) AS given ORDER BY given
  ON CONFLICT (sha256) DO UPDATE SET announced_at = blobs.announced_at`

/** Waits for transactions that are adding references. */
const lockForClaim = `SELECT sha256 FROM blobs WHERE sha256 = ANY ($1::text[]) ORDER BY sha256 FOR UPDATE`

const findAllRemovals = `SELECT sha256 FROM blob_removals WHERE sha256 = ANY ($1::text[])`

const forget = `DELETE FROM blobs WHERE sha256 = ANY ($1::text[])`

const claimAgain = `
  UPDATE blob_removals SET claimed_at = clock_timestamp() WHERE sha256 IN (
    SELECT sha256 FROM blob_removals WHERE claimed_at <= clock_timestamp() - make_interval(secs => $1::float8)
    ORDER BY claimed_at LIMIT $2::int FOR UPDATE SKIP LOCKED
  ) RETURNING sha256`

interface BlobRow {
  readonly sha256: Sha256
}

export const PostgresBlobRegistry: { readonly layer: Layer.Layer<BlobRegistry, never, Database> } = {
  layer: Layer.effect(
    BlobRegistry,
    Effect.map(Database, ({ attempt, sql, transaction }) => ({
      announce: Effect.fn("PostgresBlobRegistry.announce")(function* (blobs) {
        if (blobs.length === 0) return
        yield* transaction(
          Effect.gen(function* () {
            yield* sql.unsafe(announceBlobs, [blobs])
            const removals = yield* sql.unsafe(findRemovals, [blobs])
            if (removals.length > 0) return yield* new StoreUnavailable({ cause: "the same bytes are being removed" })
          })
        )
      }),
      claim: Effect.fn("PostgresBlobRegistry.claim")(function* ({ limit, unfinishedFor, unusedFor }) {
        return yield* transaction(
          Effect.gen(function* () {
            const again = yield* sql.unsafe<BlobRow>(claimAgain, [unfinishedFor, limit])
            const locked = yield* sql.unsafe<BlobRow>(lockGarbage, [unusedFor, limit - again.length])
            const claimed = yield* sql.unsafe<BlobRow>(claimLocked, [locked.map(({ sha256 }) => sha256)])
            return [...again, ...claimed].map(({ sha256 }) => sha256)
          })
        )
      }),
      claimUnused: Effect.fn("PostgresBlobRegistry.claimUnused")(function* (blobs) {
        return yield* transaction(
          Effect.gen(function* () {
            yield* sql.unsafe(lockAll, [blobs])
            yield* sql.unsafe(lockForClaim, [blobs])
            const removing = (yield* sql.unsafe<BlobRow>(findAllRemovals, [blobs])).map(({ sha256 }) => sha256)
            // Their bytes are about to be removed, so nobody may refer to them yet.
            yield* sql.unsafe(forget, [removing])
            const free = blobs.filter((blob) => !removing.includes(blob))
            const claimed = yield* sql.unsafe<BlobRow>(claimLocked, [free])
            return { claimed: claimed.map(({ sha256 }) => sha256), removing }
          })
        )
      }),
      removed: Effect.fn("PostgresBlobRegistry.removed")(function* (blob) {
        yield* attempt(sql`DELETE FROM blob_removals WHERE sha256 = ${blob}`)
      })
    }))
  )
}
