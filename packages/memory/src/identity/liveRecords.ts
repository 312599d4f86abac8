import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { isGrantKey } from "@agent-marketplace/core/oauth/OauthGrant"
import { isHostKey } from "@agent-marketplace/core/identity/HostSessions"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { Index } from "../Index.ts"
import type { MarketTables } from "../MarketTables.ts"

export type LiveRecord = "souls" | "listings" | "agents" | "keys" | "webhooks" | "releaseBytes"
type Count = (tables: MarketTables, account: AccountId, now: Timestamp) => number

/** How many live records of each kind an account has; the keys of one family count once (QUOTA-3), and purged bytes do not (PURGE-10). */
export const liveRecords: Readonly<Record<LiveRecord, Count>> = {
  souls: (tables, account) =>
    Index.records(tables.soulsOf, account, tables.souls).filter(({ soul }) => !soul.deleted).length,
  listings: (tables, account) =>
    Index.records(tables.listingsOf, account, tables.listings).filter(({ listing }) => listing.status !== "deleted")
      .length,
  agents: (tables, account) =>
    Index.records(tables.agentsOf, account, tables.agents).filter(({ retiredAt }) => retiredAt === null).length,
  keys: (tables, account, now) => {
    const keys = Index.records(tables.keysOf, account, tables.keys).filter(
      (key) =>
        key.status === "active" &&
        (key.expiresAt === null || key.expiresAt > now) &&
        !isHostKey(key) &&
        !isGrantKey(key)
    )
    return new Set(keys.map(({ familyId }) => familyId)).size
  },
  webhooks: (tables, account) => Index.records(tables.webhooksOf, account, tables.webhooks).length,
  releaseBytes: (tables, account) =>
    Index.records(tables.listingsOf, account, tables.listings)
      .filter(({ listing }) => listing.status !== "deleted")
      .flatMap(({ listing }) => Index.records(tables.releasesOf, listing.id, tables.releases))
      .reduce((bytes, { purgedAt, size }) => (purgedAt === null ? bytes + size : bytes), 0)
}
