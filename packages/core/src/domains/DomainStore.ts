import type { Option } from "effect"
import { Context } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountFrozen, Conflict } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { AccountId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Domain } from "./Domain.ts"

/**
 * The domains of accounts.
 *
 * Contract: each method is one transaction. Whether an account has a verified domain and is not frozen is copied to its souls and listings in the
 * transaction that changes it (DOMAIN-7). At most one account has a domain verified. Erasing an account removes its domains.
 */
export class DomainStore extends Context.Service<
  DomainStore,
  {
    /** Adds the domain, or returns the account's record of it. Fails with Conflict `domain_limit` above {@link domainLimit}. */
    readonly add: (domain: Domain) => StoreEffect<Domain, AccountFrozen | Conflict>
    /** In the order of their names. */
    readonly list: (account: AccountId, page: PageRequest) => StoreEffect<Page<Domain>>
    readonly find: (account: AccountId, domain: string) => StoreEffect<Option.Option<Domain>>
    /** False if the account has no such domain. */
    readonly remove: (account: AccountId, domain: string) => StoreEffect<boolean>
    /**
     * Stores the account's record after a check. If it became verified, the record of any other account becomes pending (DOMAIN-6). None if the
     * record was removed in the meantime.
     */
    readonly settle: (
      account: AccountId,
      domain: string,
      rule: (before: Domain) => Domain
    ) => StoreEffect<Option.Option<Domain>>
    /** Verified domains that are due for a check, the longest overdue first. */
    readonly due: (now: Timestamp, limit: number) => StoreEffect<ReadonlyArray<Domain>>
    /** The verified domains of an account, in the order of their names; none while it is frozen. */
    readonly verified: (account: AccountId) => StoreEffect<ReadonlyArray<string>>
  }
>()("@agent-marketplace/core/domains/DomainStore") {}
