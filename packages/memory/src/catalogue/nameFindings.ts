import type { ItemId } from "@agent-marketplace/core/ids/Ids"
import type { ClaimedName, NameFindings } from "@agent-marketplace/core/names/NameFindings"
import { isWithinOne, popularSales } from "@agent-marketplace/core/names/NameFindings"
import { nameKeys } from "@agent-marketplace/core/names/Skeleton"
import { isListed } from "@agent-marketplace/core/souls/Soul"
import type { MarketTables, StoredListing, StoredSoul } from "../MarketTables.ts"

interface Named {
  readonly id: ItemId
  readonly name: string
  readonly keys: ReadonlyArray<string>
}

const publicListing = ({ listing: { creatorId, id, name, status }, nameKeys: keys }: StoredListing) => ({
  id,
  name,
  keys,
  creatorId,
  public: status === "approved"
})

const publicSoul = ({ nameKeys: keys, soul }: StoredSoul) => ({
  id: soul.id,
  name: soul.name,
  keys,
  creatorId: soul.authorId,
  public: isListed({ ...soul, withheld: false, quarantined: false })
})

/** What other creators' public items say about a name (NAME-1 to NAME-3). */
export const nameFindings = (tables: MarketTables, { creatorId, name }: ClaimedName): NameFindings => {
  const others: ReadonlyArray<Named> = [
    ...Array.from(tables.listings.values(), publicListing),
    ...Array.from(tables.souls.values(), publicSoul)
  ].filter((item) => item.public && item.creatorId !== creatorId)
  const { keys, skeleton } = nameKeys(name, null)
  const near = others.filter(
    (item) => (tables.sold.get(item.id) ?? 0) >= popularSales && isWithinOne(item.keys[0] ?? "", skeleton)
  )
  return {
    similar: others.find((item) => item.name !== name && item.keys.some((key) => keys.includes(key)))?.id ?? null,
    same: others.some((item) => item.name === name),
    popular: near[0]?.id ?? null
  }
}
