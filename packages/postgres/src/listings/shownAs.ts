import type { CatalogueFilter } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import type { ItemKind, ListingFace } from "@agent-marketplace/core/listings/ListingStore"
import { listingCatalogue, soulCatalogue } from "../catalogue/Catalogue.ts"
import type { Shown } from "../catalogue/listItems.ts"

const stats = `',"stats":{"sales":' || sales || ',"rating":' || rating || ',"reviews":' || reviews || '}}'`

const rating = `',"rating":' || rating || '}'`

/** The fields of a listing that only its creator sees in a list (SEARCH-6). */
const listingOwn = `',"status":"' || listings.status || '","rejectionReason":' || coalesce(to_json(listings.rejection_reason)::text, 'null')
  || ',"reasonCode":' || coalesce(to_json(listings.reason_code)::text, 'null')`

/** The same fields of a soul, with a listing's values. */
const soulOwn = `',"status":"' || CASE WHEN souls.suspension IS NULL THEN 'approved' ELSE 'suspended' END || '","rejectionReason":null,"reasonCode":'
  || coalesce(to_json(souls.reason_code)::text, 'null')`

/** Building these texts took a twentieth of the time of a list. There are at most 12. */
const known = new Map<string, Shown>()

/** How the items are rendered in each format: the stored heads of `ListingJson` and `SoulJson`, with the fields that complete them. */
export const shownAs = (face: ListingFace, kind: ItemKind, { own = false }: Pick<CatalogueFilter, "own">): Shown => {
  const key = `${face} ${kind} ${own}`
  const shown = known.get(key) ?? made(face, kind, own)
  known.set(key, shown)
  return shown
}

const made = (face: ListingFace, kind: ItemKind, own: boolean): Shown => {
  const withOwn = (head: string, fields: string): string => (own ? `${head} || ${fields}` : head)
  const listing = withOwn(face === "listing" ? "listings.listing_head" : "listings.skill_head", listingOwn)
  const soul = withOwn("souls.skill_head", soulOwn)
  if (face === "listing" || kind === "skill") {
    return {
      catalogues: [listingCatalogue],
      from: "JOIN listings ON listings.id = page.id",
      json: `${listing} || ${face === "listing" ? stats : rating}`
    }
  }
  if (kind === "soul") {
    return { catalogues: [soulCatalogue], from: "JOIN souls ON souls.id = page.id", json: `${soul} || ${rating}` }
  }
  return {
    catalogues: [listingCatalogue, soulCatalogue],
    from: "LEFT JOIN listings ON listings.id = page.id LEFT JOIN souls ON souls.id = page.id",
    json: `CASE WHEN listings.id IS NULL THEN ${soul} ELSE ${listing} END || ${rating}`
  }
}
