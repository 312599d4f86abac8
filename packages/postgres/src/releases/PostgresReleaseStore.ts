import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { purgedScan } from "@agent-marketplace/core/releases/Purge"
import { waitingStatuses } from "@agent-marketplace/core/releases/Release"
import { ReleaseStore } from "@agent-marketplace/core/releases/ReleaseStore"
import { storableScan } from "@agent-marketplace/core/releases/Verdict"
import { Effect, Layer, Option } from "effect"
import type { Row } from "../Columns.ts"
import { Database } from "../Database.ts"
import { Notifications } from "../Notifications.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import { date } from "../Row.ts"
import { namesakes } from "../catalogue/nameFindings.ts"
import { arrayOf } from "../Rowset.ts"
import type { AlikeRow } from "./alikeReleases.ts"
import { alikeOf, alikeReleases } from "./alikeReleases.ts"
import type { FreeSkillRow } from "./freeSkills.ts"
import { freeSkillsQuery } from "./freeSkills.ts"
import { creatorOf, modifyItemReleases, uploadToItem } from "./modifyItemReleases.ts"
import { isPurged, shareErased } from "./purgeReleases.ts"
import type { ScanRow } from "./ReleaseRow.ts"
import {
  headColumns,
  headOf,
  releaseColumns,
  releaseOf,
  releasesWithVerdicts,
  scanOf,
  stopsBytes
} from "./ReleaseRow.ts"

const find = `SELECT ${releaseColumns} FROM ${releasesWithVerdicts} WHERE item_id = $1::text AND version = $2::text`

const findEach = `
  SELECT ${releaseColumns} FROM ${releasesWithVerdicts} WHERE item_id = $1::text AND version = ANY($2::text[])`

/** As `pageQuery`, over two tables that share names of columns. */
const list = `
  SELECT counted.total, page.* FROM (SELECT count(*) AS total FROM releases WHERE item_id = $3::text) AS counted
  LEFT JOIN (
    SELECT ${releaseColumns} FROM ${releasesWithVerdicts} WHERE item_id = $3::text
    ORDER BY created_at DESC, id DESC LIMIT $1::int OFFSET $2::int
  ) AS page ON true
  ORDER BY created_at DESC, id DESC`

/** As `awaitsOperator` and `waitsSince` in core. The index `releases_waiting` has this order. */
const waiting = pageQuery(
  `${headColumns}, coalesce(to_timestamp((reason ->> 'at')::float8 / 1000), created_at) AS waits_since`,
  "releases",
  `(awaits = 'operator' OR status = 'quarantined') AND status = ANY ($3::text[])
    AND (reason -> 'copied') IS NULL AND (reason -> 'revoked') IS NULL AND purged_at IS NULL
    AND NOT EXISTS (SELECT FROM listings WHERE listings.id = releases.item_id AND listings.status = 'deleted')
    AND NOT EXISTS (SELECT FROM souls WHERE souls.id = releases.item_id AND souls.deleted)`,
  "waits_since, id"
)

const findScan =
  "SELECT ruleset, level, findings, capabilities FROM verdicts WHERE sha256 = $1::text AND ruleset = $2::text"

const keepScan = `
  WITH kept AS (
    INSERT INTO verdicts (sha256, ruleset, level, findings, capabilities)
    VALUES ($1::text, $2::text, $3::text, $4::jsonb, $5::jsonb) ON CONFLICT DO NOTHING
    RETURNING sha256, ruleset
  )
  INSERT INTO sketches (sha256, ruleset, shingles, keys)
  SELECT sha256, ruleset, $6::jsonb, $7::int[] FROM kept WHERE $6::jsonb IS NOT NULL ON CONFLICT DO NOTHING`

/** Each part reads an index of few rows. */
const due = `
  (SELECT ${headColumns} FROM releases WHERE status = 'scanning' AND id <> ALL ($3::text[]) ORDER BY created_at, id LIMIT $2::int)
  UNION ALL
  (SELECT ${headColumns} FROM releases WHERE rescan_due AND id <> ALL ($3::text[]) LIMIT $2::int)
  UNION ALL
  (SELECT ${headColumns} FROM releases
    WHERE status = 'published' AND NOT rescan_due AND (ruleset < $1::text OR ruleset > $1::text) AND ruleset <> $1::text || '+incomplete'
      AND id <> ALL ($3::text[]) LIMIT $2::int)
  UNION ALL
  (SELECT ${headColumns} FROM releases JOIN listings ON listings.id = item_id
    WHERE awaits = 'listing' AND NOT rescan_due AND listings.status IN ('approved', 'suspended')
      AND releases.id <> ALL ($3::text[]) LIMIT $2::int)
  LIMIT $2::int`

const isQuarantined = `SELECT id FROM releases WHERE sha256 = $1::text AND ${stopsBytes("releases")} LIMIT 1`

/** Quarantined releases are few, and each looks up its digest. */
const affectedByBytes = `
  (SELECT ${headColumns} FROM releases AS stopped
    JOIN releases ON releases.sha256 = stopped.sha256 AND releases.status IN ('published', 'in_review')
    WHERE ${stopsBytes("stopped")} LIMIT $1::int)
  UNION ALL
  (SELECT ${headColumns} FROM releases
    WHERE releases.status = 'quarantined' AND (releases.reason -> 'copied') IS NOT NULL AND NOT EXISTS (
      SELECT FROM releases AS stopped WHERE stopped.sha256 = releases.sha256 AND ${stopsBytes("stopped")})
    LIMIT $1::int)
  LIMIT $1::int`

const licensedBefore = `
  SELECT purchases.id FROM entitlements JOIN purchases ON purchases.id = entitlements.purchase_id AND purchases.buyer_id = entitlements.buyer_id
  WHERE entitlements.buyer_id = $1::text AND entitlements.item_id = $2::text AND entitlements.state = 'owned'
    AND purchases.status = 'completed' AND (purchases.expires_at IS NULL OR purchases.expires_at > market_now())
    AND purchases.purchased_at < $3::timestamptz`

export const PostgresReleaseStore: { readonly layer: Layer.Layer<ReleaseStore, never, Database | Notifications> } = {
  layer: Layer.effect(
    ReleaseStore,
    Effect.gen(function* () {
      const { read, sql, transaction } = yield* Database
      const { hint } = yield* Notifications
      const happened = Effect.sync(() => hint("events"))
      return {
        modify: (item, rule) => Effect.tap(transaction(modifyItemReleases(sql, item, rule)), happened),
        upload: (item, rule) => Effect.tap(transaction(uploadToItem(sql, item, rule)), happened),
        find: (item, version) =>
          Effect.map(read<Row>(find, [item, version]), ([row]) => Option.map(Option.fromUndefinedOr(row), releaseOf)),
        findEach: (item, versions) =>
          versions.length === 0
            ? Effect.succeed([])
            : Effect.map(read<Row>(findEach, [item, versions]), (rows) => rows.map(releaseOf)),
        creatorOf: (item) =>
          Effect.map(read<{ readonly id: AccountId }>(creatorOf, [item]), ([row]) =>
            Option.map(Option.fromUndefinedOr(row), ({ id }) => id)
          ),
        list: (item, page) =>
          Effect.map(read<Row & PageRow>(list, [...pageParameters(page), item]), (rows) => pageOf(rows, releaseOf)),
        waiting: (status, page) => {
          const statuses = status === undefined ? waitingStatuses : [status]
          return Effect.map(read<Row & PageRow>(waiting, [...pageParameters(page), statuses]), (rows) =>
            pageOf(rows, headOf)
          )
        },
        keepScan: Effect.fn("ReleaseStore.keepScan")(function* (sha256, scan, sketch = null) {
          return yield* transaction(
            Effect.gen(function* () {
              const erased = yield* shareErased(sql, sha256)
              const { capabilities, verdict } = erased ? purgedScan(scan) : storableScan(scan)
              const parameters = [
                JSON.stringify(verdict.findings),
                JSON.stringify(capabilities),
                sketch === null || erased ? null : JSON.stringify(sketch.shingles),
                arrayOf("int4", sketch?.keys ?? [])
              ]
              yield* sql.unsafe(keepScan, [sha256, verdict.ruleset, verdict.level, ...parameters])
              const [kept] = yield* sql.unsafe<ScanRow>(findScan, [sha256, verdict.ruleset])
              return kept === undefined ? scan : scanOf(kept)
            })
          )
        }),
        findScan: (sha256, ruleset) =>
          Effect.map(read<ScanRow>(findScan, [sha256, ruleset]), ([row]) =>
            Option.map(Option.fromUndefinedOr(row), scanOf)
          ),
        due: (ruleset, limit, except = []) =>
          Effect.map(read<Row>(due, [ruleset, limit, except]), (rows) => rows.map(headOf)),
        affectedByBytes: (limit) => Effect.map(read<Row>(affectedByBytes, [limit]), (rows) => rows.map(headOf)),
        isPurged: (sha256) => Effect.map(read(isPurged, [sha256]), (rows) => rows.length > 0),
        isQuarantined: (sha256) => Effect.map(read(isQuarantined, [sha256]), (rows) => rows.length > 0),
        freeSkills: (limit, only) => {
          const { parameters, text } = freeSkillsQuery(limit, only)
          return Effect.map(read<FreeSkillRow>(text, parameters), (rows) =>
            rows.map(({ item_id: itemId, slug, version }) => ({ itemId, slug, version }))
          )
        },
        alike: ({ creatorId, ruleset, sha256 }) =>
          Effect.map(read<AlikeRow>(alikeReleases, [sha256, ruleset, creatorId]), ([row]) =>
            Option.map(Option.fromUndefinedOr(row), alikeOf)
          ),
        namesakes: (item) => namesakes(read, item),
        licensedBefore: (account, item, at) =>
          Effect.map(read(licensedBefore, [account, item, date(at)]), (rows) => rows.length > 0)
      }
    })
  )
}
