import type { Domain } from "@agent-marketplace/core/domains/Domain"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { MarketTables } from "../MarketTables.ts"

export const domainKey = (account: AccountId, domain: string): string => `${account} ${domain}`

export const domainsOf = (tables: MarketTables, account: AccountId): ReadonlyArray<Domain> =>
  [...tables.domains.values()].filter(({ accountId }) => accountId === account)

/** Whether the account has proven a domain (DOMAIN-7). */
export const isVerified = (tables: MarketTables, account: AccountId): boolean =>
  domainsOf(tables, account).some(({ status }) => status === "verified")
