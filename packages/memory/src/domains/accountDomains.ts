import type { Domain } from "@agent-marketplace/core/domains/Domain"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { MarketTables } from "../MarketTables.ts"

export const domainKey = (account: AccountId, domain: string): string => `${account} ${domain}`

export const domainsOf = (tables: MarketTables, account: AccountId): ReadonlyArray<Domain> =>
  [...tables.domains.values()].filter(({ accountId }) => accountId === account)

/** The verified domains of an account that is not frozen. */
export const provenDomains = (tables: MarketTables, account: AccountId): ReadonlyArray<Domain> =>
  tables.accounts.get(account)?.frozen === null
    ? domainsOf(tables, account).filter(({ status }) => status === "verified")
    : []

/** Whether the account has proven a domain and is not frozen (DOMAIN-7). */
export const isVerified = (tables: MarketTables, account: AccountId): boolean =>
  provenDomains(tables, account).length > 0
