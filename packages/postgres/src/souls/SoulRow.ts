import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { soulFields } from "@agent-marketplace/core/souls/SoulFields"
import type { SoulVersion } from "@agent-marketplace/core/souls/SoulStore"
import type { Row } from "../Columns.ts"
import { columnsOf } from "../Columns.ts"
import type { Time } from "../Row.ts"
import { time } from "../Row.ts"

/** A row of `souls`, with its text from `soul_versions v`. */
export const soulRecord = columnsOf(soulFields, "souls", {
  content: "v.content",
  downloads: "(SELECT downloads FROM item_stats WHERE item_id = souls.id)"
})

export const soulColumns = soulRecord.select

export const soulOf = (row: Row): Soul => soulRecord.recordOf(row)

export interface VersionRow {
  readonly version: number
  readonly content: string
  readonly created_at: Time
}

export const versionOf = ({ content, created_at, version }: VersionRow): SoulVersion => ({
  version,
  content,
  createdAt: time(created_at)
})

/** Each soul with its present text. */
export const soulsById = `
  SELECT ${soulColumns} FROM souls JOIN soul_versions v ON v.soul_id = souls.id AND v.version = souls.version
  WHERE souls.id = ANY($1::text[])`
