import type { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import type { ItemId, ReleaseId } from "@agent-marketplace/core/ids/Ids"
import type {
  FrontMatter,
  Release,
  ReleaseContent,
  ReleaseFile,
  ReleaseHead,
  ReleaseReason
} from "@agent-marketplace/core/releases/Release"
import {
  releaseAwaits,
  releaseDeciders,
  releaseMediaTypes,
  releaseStatuses
} from "@agent-marketplace/core/releases/Release"
import type { Capabilities, Finding, Scan } from "@agent-marketplace/core/releases/Verdict"
import { levels, withFindings } from "@agent-marketplace/core/releases/Verdict"
import type { DsseEnvelope } from "@agent-marketplace/core/signing/DsseEnvelope"
import type { Row } from "../Columns.ts"
import { column, recordColumns } from "../RecordColumns.ts"

/** Sizes are far below 2⁵³. */
const size = { schema: column.amount.schema, read: (value: bigint | number | string) => Number(value), write: String }

const reason = column.orNull(column.json<ReleaseReason>())

const headRecord = recordColumns<ReleaseHead>({
  id: column.id<ReleaseId>(),
  itemId: column.id<ItemId>(),
  version: column.text,
  mediaType: column.literals(releaseMediaTypes),
  sha256: column.id<Sha256>(),
  size,
  status: column.literals(releaseStatuses),
  ruleset: column.orNull(column.text),
  level: column.orNull(column.literals(levels)),
  itemFindings: column.json<ReadonlyArray<Finding>>(),
  decidedBy: column.literals(releaseDeciders),
  awaits: column.orNull(column.literals(releaseAwaits)),
  reason,
  createdAt: column.time,
  yankedAt: column.orNull(column.time),
  rescannedAt: column.orNull(column.time),
  rescanDue: column.flag,
  purgedAt: column.orNull(column.time)
})

const names = Object.keys(headRecord.columns)

export const headColumns = names.map((name) => `releases.${name}`).join(", ")

export const headOf: (row: Row) => ReleaseHead = headRecord.read

/** As the function of this name in core, of a row with the alias. */
export const isStolen = (alias: string): string =>
  `(${alias}.status = 'quarantined' AND ${alias}.decided_by = 'operator' AND coalesce(${alias}.reason ->> 'code', '') IN ('copy', 'impersonation'))`

/** As the function of this name in core, of a row with the alias. */
export const stopsBytes = (alias: string): string =>
  `${alias}.status = 'quarantined' AND (${alias}.reason -> 'copied') IS NULL AND NOT ${isStolen(alias)}`

/** Of an item, oldest first. */
export const releaseHeads = `SELECT ${headColumns} FROM releases WHERE item_id = $1::text ORDER BY created_at, id`

/** Of a new release. The version of a soul that it is of has a release since. */
export const insertRelease = `
  WITH added AS (
    INSERT INTO releases (${names.join(", ")}, files, front_matter, statement)
    SELECT ${names.join(", ")}, files, front_matter, statement FROM json_populate_record(NULL::releases, $1::json)
    RETURNING item_id, version, media_type
  )
  UPDATE soul_versions SET released = true FROM added
  WHERE added.media_type = 'text/markdown' AND soul_id = added.item_id AND soul_versions.version || '.0.0' = added.version`

export const insertParameter = (release: ReleaseContent & ReleaseHead, statement: DsseEnvelope | null = null): string =>
  JSON.stringify({ ...headRecord.write(release), files: release.files, front_matter: release.frontMatter, statement })

const changing = names.filter((name) => !["id", "item_id", "version", "media_type", "sha256", "size"].includes(name))

/** Of changed releases, whose item is locked. */
export const updateReleases = `
  UPDATE releases SET ${changing.map((name) => `${name} = given.${name}`).join(", ")}
  FROM json_populate_recordset(NULL::releases, $1::json) AS given WHERE releases.id = given.id`

export const updateParameter = (releases: ReadonlyArray<ReleaseHead>): string =>
  JSON.stringify(releases.map(headRecord.write))

/** A release with its verdict. */
export const releaseColumns = `${headColumns}, releases.files, releases.front_matter, releases.statement, verdicts.findings, verdicts.capabilities`

export const releasesWithVerdicts =
  "releases LEFT JOIN verdicts ON verdicts.sha256 = releases.sha256 AND verdicts.ruleset = releases.ruleset"

export interface ScanRow {
  readonly ruleset: string
  readonly level: Scan["verdict"]["level"]
  readonly findings: ReadonlyArray<Finding>
  readonly capabilities: Capabilities
}

export const scanOf = ({ capabilities, findings, level, ruleset }: ScanRow): Scan => ({
  verdict: { level, ruleset, findings },
  capabilities
})

export const releaseOf = (row: Row): Release => {
  const stored = row as Row & {
    readonly files: ReadonlyArray<ReleaseFile>
    readonly front_matter: FrontMatter | null
    readonly statement: DsseEnvelope | null
  }
  const scan = row["ruleset"] === null ? null : scanOf(row as unknown as ScanRow)
  const head = headOf(row)
  return {
    ...head,
    files: stored.files,
    frontMatter: stored.front_matter,
    statement: stored.statement,
    verdict: scan === null ? null : withFindings(scan.verdict, head.itemFindings),
    capabilities: scan?.capabilities ?? null
  }
}
