import type { AccountId, SoulId } from "@agent-marketplace/core/ids/Ids"
import type { Soul, Visibility } from "@agent-marketplace/core/souls/Soul"
import type { Amount, Time } from "../Row.ts"
import { amount, time } from "../Row.ts"

/** Of a soul from `souls`, its text from `soul_versions v`. */
export const soulColumns = `souls.id, souls.slug, souls.name, souls.description, souls.price, souls.category, souls.tags, souls.author_id,
  souls.author, v.content, souls.version, souls.visibility, souls.deleted, souls.created_at, souls.updated_at,
  (SELECT downloads FROM item_stats WHERE item_id = souls.id) AS downloads`

export interface SoulRow {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly price: Amount
  readonly category: string
  readonly tags: ReadonlyArray<string>
  readonly author_id: string
  readonly author: string
  readonly content: string
  readonly version: number
  readonly visibility: string
  readonly deleted: boolean
  readonly created_at: Time
  readonly updated_at: Time
  readonly downloads: number
}

export const soulOf = (row: SoulRow): Soul => ({
  id: row.id as SoulId,
  slug: row.slug,
  name: row.name,
  description: row.description,
  price: amount(row.price),
  category: row.category,
  tags: row.tags,
  authorId: row.author_id as AccountId,
  author: row.author,
  content: row.content,
  version: row.version,
  visibility: row.visibility as Visibility,
  deleted: row.deleted,
  downloads: row.downloads,
  createdAt: time(row.created_at),
  updatedAt: time(row.updated_at)
})
