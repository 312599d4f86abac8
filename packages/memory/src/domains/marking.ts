import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { Index } from "../Index.ts"
import { storeListing } from "../listings/storeListing.ts"
import type { MarketTables } from "../MarketTables.ts"
import { storeSoul } from "../souls/storeSoul.ts"
import { isVerified } from "./accountDomains.ts"

/** Changes the account or its domains, and copies a changed mark to its items (DOMAIN-7). */
export const marking = (tables: MarketTables, account: AccountId, change: () => void): void => {
  const before = isVerified(tables, account)
  change()
  const creatorVerified = isVerified(tables, account)
  if (before === creatorVerified) return
  for (const { soul } of Index.records(tables.soulsOf, account, tables.souls)) {
    storeSoul(tables, { ...soul, creatorVerified })
  }
  for (const { listing } of Index.records(tables.listingsOf, account, tables.listings)) {
    storeListing(tables, { ...listing, creatorVerified })
  }
}
