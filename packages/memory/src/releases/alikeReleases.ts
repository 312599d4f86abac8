import type { AccountId, ItemId, ListingId, SoulId } from "@agent-marketplace/core/ids/Ids"
import { isPublic } from "@agent-marketplace/core/listings/Listing"
import { isStolen } from "@agent-marketplace/core/releases/Release"
import type { AlikeRelease, AlikeReleases } from "@agent-marketplace/core/releases/ReleaseStore"
import type { Sketch } from "@agent-marketplace/core/releases/Verdict"
import { isListed } from "@agent-marketplace/core/souls/Soul"
import { Option } from "effect"
import { Index } from "../Index.ts"
import type { MarketTables, StoredRelease } from "../MarketTables.ts"
import { scanKey } from "./releaseTables.ts"

const isItemListed = (tables: MarketTables, item: ItemId): boolean => {
  const listing = tables.listings.get(item as ListingId)?.listing
  if (listing !== undefined) return isPublic(listing)
  const soul = tables.souls.get(item as SoulId)?.soul
  return soul !== undefined && isListed(soul)
}

const creatorOf = (tables: MarketTables, item: ItemId): AccountId | undefined =>
  tables.listings.get(item as ListingId)?.listing.creatorId ?? tables.souls.get(item as SoulId)?.soul.authorId

/** Notes the published releases of a public item: part of the step that changes the item. */
export const recordOnSale = (tables: MarketTables, item: ItemId): void => {
  if (!isItemListed(tables, item)) return
  for (const { id, status } of Index.records(tables.releasesOf, item, tables.releases)) {
    if (status === "published" && !tables.onSaleSince.has(id)) tables.onSaleSince.set(id, tables.onSaleSince.size)
  }
}

const sketchOf = (tables: MarketTables, { ruleset, sha256 }: StoredRelease): Sketch | undefined =>
  ruleset === null ? undefined : tables.sketches.get(scanKey(sha256, ruleset))

/** See `ReleaseStore.alike`. */
export const alikeReleases = (
  tables: MarketTables,
  own: Sketch | undefined,
  creatorId: AccountId
): Option.Option<AlikeReleases> => {
  if (own === undefined) return Option.none()
  const wanted = new Set(own.keys)
  // A key of an item counts for the first of its releases that has it.
  const counted = new Map<ItemId, Set<number>>()
  const found = [...tables.onSaleSince].flatMap(
    ([id, since]): ReadonlyArray<AlikeRelease & { readonly common: number }> => {
      const release = tables.releases.get(id)
      const sketch = release === undefined ? undefined : sketchOf(tables, release)
      const creator = release === undefined ? undefined : creatorOf(tables, release.itemId)
      if (release === undefined || sketch === undefined || creator === undefined || isStolen(release)) return []
      const { itemId } = release
      const before = counted.get(itemId) ?? new Set()
      const common = sketch.keys.filter((key) => wanted.has(key) && !before.has(key)).length
      counted.set(itemId, new Set([...before, ...sketch.keys]))
      const listed = isItemListed(tables, itemId)
      return common === 0 ? [] : [{ itemId, creatorId: creator, since, listed, shingles: sketch.shingles, common }]
    }
  )
  const nearest = found.toSorted((a, b) => b.common - a.common || a.since - b.since)
  const others = nearest.filter((one) => one.creatorId !== creatorId).slice(0, 24)
  const mine = nearest.filter((one) => one.creatorId === creatorId).slice(0, 8)
  return Option.some({
    shingles: own.shingles,
    releases: [...others, ...mine].map(({ common: _, ...release }) => release)
  })
}
