import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId, ItemId, ListingId, SoulId } from "@agent-marketplace/core/ids/Ids"
import type { ClaimedName, NameFindings } from "@agent-marketplace/core/names/NameFindings"
import { isWithinOne, popularSales } from "@agent-marketplace/core/names/NameFindings"
import type { NamedItem, Namesakes } from "@agent-marketplace/core/releases/ReleaseStore"
import { nameKeys } from "@agent-marketplace/core/names/Skeleton"
import { isListed } from "@agent-marketplace/core/souls/Soul"
import type { MarketTables, StoredListing, StoredSoul } from "../MarketTables.ts"

interface Named {
  readonly id: ItemId
  readonly name: string
  readonly keys: ReadonlyArray<string>
  readonly namedAt: Timestamp
}

const publicListing = ({ listing: { creatorId, id, name, status }, nameKeys: keys, namedAt }: StoredListing) => ({
  id,
  name,
  keys,
  namedAt,
  creatorId,
  public: status === "approved"
})

const publicSoul = ({ nameKeys: keys, namedAt, soul }: StoredSoul) => ({
  id: soul.id,
  name: soul.name,
  keys,
  namedAt,
  creatorId: soul.authorId,
  public: isListed({ ...soul, withheld: false, quarantined: false })
})

const publicItemsOfOthers = (tables: MarketTables, creatorId: AccountId): ReadonlyArray<Named> =>
  [...Array.from(tables.listings.values(), publicListing), ...Array.from(tables.souls.values(), publicSoul)].filter(
    (item) => item.public && item.creatorId !== creatorId
  )

const popularNear = (tables: MarketTables, items: ReadonlyArray<Named>, skeleton: string): ItemId | null =>
  items.find((item) => (tables.sold.get(item.id) ?? 0) >= popularSales && isWithinOne(item.keys[0] ?? "", skeleton))
    ?.id ?? null

/** What other creators' public items say about a name (NAME-1 to NAME-3). */
export const nameFindings = (tables: MarketTables, { creatorId, name }: ClaimedName): NameFindings => {
  const others = publicItemsOfOthers(tables, creatorId)
  const { keys, skeleton } = nameKeys(name, null)
  return {
    similar: others.find((item) => item.name !== name && item.keys.some((key) => keys.includes(key)))?.id ?? null,
    same: others.some((item) => item.name === name),
    popular: popularNear(tables, others, skeleton)
  }
}

/** See `ReleaseStore.namesakes`. */
export const namesakes = (tables: MarketTables, { creatorId, itemId, name }: NamedItem): Namesakes => {
  const listing = tables.listings.get(itemId as ListingId)
  const soul = tables.souls.get(itemId as SoulId)
  const stored = listing === undefined ? soul && publicSoul(soul) : publicListing(listing)
  const wanted = name ?? stored?.name
  if (wanted === undefined) return { name: null, same: null, popular: null }
  const since = stored?.name === wanted ? stored.namedAt : Number.POSITIVE_INFINITY
  const older = publicItemsOfOthers(tables, creatorId).filter((item) => item.namedAt < since)
  const [oldest] = older.filter((item) => item.name === wanted).toSorted((a, b) => a.namedAt - b.namedAt)
  return {
    name: wanted,
    same: oldest?.id ?? null,
    popular: popularNear(tables, older, nameKeys(wanted, null).skeleton)
  }
}
