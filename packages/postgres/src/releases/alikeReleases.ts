import type { AccountId, ItemId } from "@agent-marketplace/core/ids/Ids"
import type { AlikeReleases } from "@agent-marketplace/core/releases/ReleaseStore"
import { eachListed } from "../catalogue/listedItems.ts"
import { isStolen } from "./ReleaseRow.ts"

/** Of each key, the releases that were on sale first. If the creator's own release is not among them, it is later than they are. */
const perKey = 64

/**
 * See `ReleaseStore.alike`: at most 32 short ranges of the index `copy_keys_by_key`, and then the sketches of at most 32 releases.
 */
export const alikeReleases = `
  WITH own AS MATERIALIZED (SELECT shingles, keys FROM sketches WHERE sha256 = $1::text AND ruleset = $2::text),
  matches AS MATERIALIZED (
    SELECT release_id, creator_id, min(since) AS since, count(*) AS common
    FROM own CROSS JOIN LATERAL unnest(keys) AS wanted (key) CROSS JOIN LATERAL (
      SELECT release_id, creator_id, since FROM copy_keys WHERE copy_keys.key = wanted.key ORDER BY since LIMIT ${perKey}
    ) AS known
    GROUP BY release_id, creator_id
  ),
  nearest AS MATERIALIZED (
    (SELECT * FROM matches WHERE creator_id <> $3::text ORDER BY common DESC, since, release_id LIMIT 24)
    UNION ALL
    (SELECT * FROM matches WHERE creator_id = $3::text ORDER BY common DESC, since, release_id LIMIT 8)
  )
  SELECT own.shingles, (
    SELECT json_agg(json_build_object('item_id', releases.item_id, 'creator_id', nearest.creator_id, 'since', extract(epoch FROM nearest.since) * 1000,
      'listed', ${eachListed("releases.item_id")}, 'shingles', sketches.shingles))
    FROM nearest JOIN releases ON releases.id = release_id
    JOIN sketches ON sketches.sha256 = releases.sha256 AND sketches.ruleset = releases.ruleset
    WHERE NOT ${isStolen("releases")}
  ) AS releases
  FROM own`

export interface AlikeRow {
  readonly shingles: ReadonlyArray<number>
  readonly releases: ReadonlyArray<{
    readonly item_id: ItemId
    readonly creator_id: AccountId
    readonly since: number
    readonly listed: boolean
    readonly shingles: ReadonlyArray<number>
  }> | null
}

export const alikeOf = ({ releases, shingles }: AlikeRow): AlikeReleases => ({
  shingles,
  releases: (releases ?? []).map((row) => ({
    itemId: row.item_id,
    creatorId: row.creator_id,
    since: row.since,
    listed: row.listed,
    shingles: row.shingles
  }))
})
