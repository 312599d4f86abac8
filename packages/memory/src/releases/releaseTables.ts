import type { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import type { ItemId } from "@agent-marketplace/core/ids/Ids"
import type { ReleaseHead } from "@agent-marketplace/core/releases/Release"
import { stopsBytes } from "@agent-marketplace/core/releases/Release"
import { Index } from "../Index.ts"
import type { MarketTables, StoredRelease } from "../MarketTables.ts"
import { Timeline } from "../paging/Timeline.ts"

/** The key of a scan: the bytes and the ruleset. */
export const scanKey = (sha256: Sha256, ruleset: string): string => `${sha256} ${ruleset}`

export const headOf = ({
  files: _files,
  frontMatter: _frontMatter,
  statement: _statement,
  ...head
}: StoredRelease): ReleaseHead => head

/** Of the item, oldest first. */
export const releaseHeads = (tables: MarketTables, item: ItemId): ReadonlyArray<ReleaseHead> =>
  Timeline.oldestFirst(Index.records(tables.releasesOf, item, tables.releases), ({ createdAt }) => createdAt).map(
    headOf
  )

/** Stores a new or changed release. */
export const putRelease = (tables: MarketTables, release: StoredRelease): void => {
  tables.releases.set(release.id, release)
  Index.add(tables.releasesOf, release.itemId, release.id)
  if (stopsBytes(release)) tables.quarantinedReleases.add(release.id)
  else tables.quarantinedReleases.delete(release.id)
}

/** Whether bytes with this digest are quarantined, in any item (RELEASE-13). */
export const isQuarantined = (tables: MarketTables, sha256: Sha256): boolean =>
  Array.from(tables.quarantinedReleases).some((id) => tables.releases.get(id)?.sha256 === sha256)

/** Whether a release with this digest was purged (PURGE-6). */
export const isPurged = (tables: MarketTables, sha256: Sha256): boolean =>
  Array.from(tables.releases.values()).some((release) => release.sha256 === sha256 && release.purgedAt !== null)

/** Whether a release of another item stops these bytes. */
export const isQuarantinedElsewhere = (tables: MarketTables, sha256: Sha256, item: ItemId): boolean =>
  Array.from(tables.quarantinedReleases).some((id) => {
    const release = tables.releases.get(id)
    return release?.sha256 === sha256 && release.itemId !== item
  })
