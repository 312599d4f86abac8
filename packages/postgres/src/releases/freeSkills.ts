import type { ListingId } from "@agent-marketplace/core/ids/Ids"
import { stopsBytes } from "./ReleaseRow.ts"

const freeSkills = (only: string) => `
  SELECT listings.id AS item_id, slug, releases.version FROM listings JOIN item_stats ON item_stats.item_id = listings.id
  JOIN releases ON releases.item_id = listings.id AND releases.version = release_version AND releases.status = 'published'
  WHERE price = 0 AND release_version IS NOT NULL AND shelf IS NOT NULL ${only}
    AND NOT EXISTS (SELECT FROM releases AS stopped WHERE stopped.sha256 = releases.sha256 AND ${stopsBytes("stopped")})
  ORDER BY sales DESC, listed_at DESC, listings.id DESC LIMIT $1::int`

const freeSkillsBy = {
  all: freeSkills(""),
  id: freeSkills("AND listings.id = $2::text"),
  slug: freeSkills("AND slug = $2::text")
}

export interface FreeSkillRow {
  readonly item_id: ListingId
  readonly slug: string
  readonly version: string
}

/** See `ReleaseStore.freeSkills`. A slug never contains an underscore, an id always does. */
export const freeSkillsQuery = (limit: number, only?: string) =>
  only === undefined
    ? { text: freeSkillsBy.all, parameters: [limit] }
    : { text: only.includes("_") ? freeSkillsBy.id : freeSkillsBy.slug, parameters: [limit, only] }
