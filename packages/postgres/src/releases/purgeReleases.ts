import type { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import type { ReleaseId } from "@agent-marketplace/core/ids/Ids"
import { purgedContent, purgedScan } from "@agent-marketplace/core/releases/Purge"
import type { ReleaseFile } from "@agent-marketplace/core/releases/Release"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { advisoryLockClasses } from "../AdvisoryLocks.ts"
import { dropBlobReferences } from "../blobs/referBlobs.ts"
import type { ScanRow } from "./ReleaseRow.ts"
import { scanOf } from "./ReleaseRow.ts"

type Sql = SqlClient

const keyOf = (sha256: string): string => `${advisoryLockClasses.digests}, hashtext(${sha256})`

const share = `SELECT pg_advisory_xact_lock_shared(${keyOf("$1::text")})`

const lock = `
  SELECT pg_advisory_xact_lock(${advisoryLockClasses.digests}, key)
  FROM (SELECT DISTINCT hashtext(sha256) AS key FROM unnest($1::text[]) AS sha256 ORDER BY key) AS keys`

export const isPurged = `SELECT id FROM releases WHERE sha256 = $1::text AND purged_at IS NOT NULL LIMIT 1`

const isKept = `SELECT id FROM releases WHERE sha256 = $1::text AND purged_at IS NULL LIMIT 1`

/** Whether a release with this digest was purged. Until the current transaction ends, none is (PURGE-6). */
export const sharePurged = Effect.fnUntraced(function* (sql: Sql, sha256: Sha256): Effect.fn.Return<boolean, SqlError> {
  yield* sql.unsafe(share, [sha256])
  return (yield* sql.unsafe(isPurged, [sha256])).length > 0
})

/** Whether the evidence of a scan of these bytes must not be stored; as {@link sharePurged}. */
export const shareErased = Effect.fnUntraced(function* (sql: Sql, sha256: Sha256): Effect.fn.Return<boolean, SqlError> {
  return (yield* sharePurged(sql, sha256)) && (yield* sql.unsafe(isKept, [sha256])).length === 0
})

const findContents = `SELECT id, sha256, files FROM releases WHERE id = ANY ($1::text[])`

const emptyContents = `
  UPDATE releases SET files = given.files, front_matter = NULL, statement = NULL
  FROM json_populate_recordset(NULL::releases, $1::json) AS given WHERE releases.id = given.id`

const emptyTexts = `
  UPDATE soul_versions SET content = '' FROM releases
  WHERE releases.id = ANY ($1::text[]) AND releases.media_type = 'text/markdown'
    AND soul_versions.soul_id = releases.item_id AND soul_versions.version || '.0.0' = releases.version`

/** Verdicts on bytes that every release with them has lost. */
const findScans = `
  SELECT sha256, ruleset, level, findings, capabilities FROM verdicts WHERE sha256 = ANY ($1::text[])
    AND NOT EXISTS (SELECT FROM releases WHERE releases.sha256 = verdicts.sha256 AND purged_at IS NULL)`

const emptyScans = `
  UPDATE verdicts SET findings = given.findings, capabilities = given.capabilities
  FROM json_populate_recordset(NULL::verdicts, $1::json) AS given
  WHERE verdicts.sha256 = given.sha256 AND verdicts.ruleset = given.ruleset`

const forgetSketches = `
  DELETE FROM sketches WHERE sha256 = ANY ($1::text[])
    AND NOT EXISTS (SELECT FROM releases WHERE releases.sha256 = sketches.sha256 AND purged_at IS NULL)`

/** Other releases of the item may have the same keys, which `recordOnSale` stores for them again. */
const forgetKeys = `
  WITH forgotten AS (DELETE FROM copy_keys WHERE release_id = ANY ($1::text[]))
  UPDATE releases SET keyed_ruleset = NULL
  WHERE status = 'published' AND item_id IN (SELECT item_id FROM releases WHERE id = ANY ($1::text[]))`

interface ContentRow {
  readonly id: ReleaseId
  readonly sha256: Sha256
  readonly files: ReadonlyArray<ReleaseFile>
}

/** Removes, as part of the caller's transaction, what is stored of the content of releases that are marked as purged (PURGE-2, PURGE-4, PURGE-7). */
export const purgeReleases = Effect.fnUntraced(function* (
  sql: Sql,
  ids: ReadonlyArray<ReleaseId>
): Effect.fn.Return<void, SqlError> {
  if (ids.length === 0) return
  const contents = yield* sql.unsafe<ContentRow>(findContents, [ids])
  const digests = contents.map(({ sha256 }) => sha256)
  yield* sql.unsafe(emptyContents, [
    JSON.stringify(contents.map((content) => ({ id: content.id, files: purgedContent(content).files })))
  ])
  yield* sql.unsafe(emptyTexts, [ids])
  const scans = yield* sql.unsafe<ScanRow & { readonly sha256: Sha256 }>(findScans, [digests])
  const emptied = scans.map((row) => {
    const { capabilities, verdict } = purgedScan(scanOf(row))
    return { sha256: row.sha256, ruleset: row.ruleset, findings: verdict.findings, capabilities }
  })
  yield* sql.unsafe(emptyScans, [JSON.stringify(emptied)])
  yield* sql.unsafe(forgetSketches, [digests])
  yield* sql.unsafe(forgetKeys, [ids])
  yield* dropBlobReferences(sql, ids)
})

/** Waits for transactions that add releases or verdicts of the bytes of these releases; others wait until the current transaction ends. */
export const lockDigests = (sql: Sql, digests: ReadonlyArray<Sha256>): Effect.Effect<void, SqlError> =>
  digests.length === 0 ? Effect.void : Effect.asVoid(sql.unsafe(lock, [digests]))
