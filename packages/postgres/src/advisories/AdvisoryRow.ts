import type { Advisory, AdvisoryDraft } from "@agent-marketplace/core/advisories/Advisory"
import { advisoryId } from "@agent-marketplace/core/advisories/Advisory"
import type { AccountId, ItemId } from "@agent-marketplace/core/ids/Ids"
import type { Time } from "../Row.ts"
import { time } from "../Row.ts"

interface AboutRow {
  readonly item_id: string
  readonly versions: ReadonlyArray<string>
  readonly sha256: ReadonlyArray<string>
  readonly severity: Advisory["severity"]
  readonly reason: string
  readonly action: Advisory["action"]
}

export interface DraftRow extends AboutRow {
  readonly seq: bigint
  readonly creator_id: string
}

export interface AdvisoryRow extends AboutRow {
  readonly position: bigint
  readonly published_at: Time
  readonly previous: string | null
  readonly envelope: Advisory["envelope"]
}

const aboutOf = ({ action, item_id, reason, severity, sha256, versions }: AboutRow) => ({
  itemId: item_id as ItemId,
  versions,
  sha256,
  severity,
  reason,
  action
})

export const draftOf = (row: DraftRow): AdvisoryDraft => ({ ...aboutOf(row), creatorId: row.creator_id as AccountId })

export const advisoryOf = (row: AdvisoryRow): Advisory => ({
  id: advisoryId(Number(row.position)),
  ...aboutOf(row),
  publishedAt: time(row.published_at),
  previous: row.previous,
  envelope: row.envelope
})
