import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { isHostKey } from "@agent-marketplace/core/identity/HostSessions"
import { Index } from "../Index.ts"
import type { MarketTables } from "../MarketTables.ts"

/** The number of the account's live records; the keys of one family count once (QUOTA-3). */
export const liveRecords = (tables: MarketTables, account: AccountId, now: Timestamp) => {
  const keys = Index.records(tables.keysOf, account, tables.keys).filter(
    (key) => key.status === "active" && (key.expiresAt === null || key.expiresAt > now) && !isHostKey(key)
  )
  return {
    souls: Index.records(tables.soulsOf, account, tables.souls).filter(({ soul }) => !soul.deleted).length,
    listings: Index.records(tables.listingsOf, account, tables.listings).filter(
      ({ listing }) => listing.status !== "deleted"
    ).length,
    agents: Index.records(tables.agentsOf, account, tables.agents).filter(({ retiredAt }) => retiredAt === null).length,
    keys: new Set(keys.map(({ familyId }) => familyId)).size,
    webhooks: Index.records(tables.webhooksOf, account, tables.webhooks).length
  }
}
