import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { AccountId } from "../ids/Ids.ts"
import type { Account } from "../identity/Account.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Purchase } from "../purchases/Purchase.ts"
import type { Withdrawal, WithdrawalState } from "../wallets/Withdrawal.ts"

export interface AccountFilter {
  /** Part of a name or an e-mail address, without case, or a whole id. */
  readonly search?: string | undefined
  readonly frozen?: boolean | undefined
}

/** How many of its records are alive. */
export interface AccountCounts {
  readonly souls: number
  readonly listings: number
  readonly agents: number
  readonly keys: number
  readonly webhooks: number
  /** In whatever state. */
  readonly purchases: number
  readonly sales: number
}

export interface PurchaseFilter {
  /** The buyer or the seller. */
  readonly account?: string | undefined
  /** The id of what was bought. */
  readonly item?: string | undefined
  readonly status?: Purchase["status"] | undefined
}

export interface WithdrawalFilter {
  /** In one of these. */
  readonly states?: ReadonlyArray<WithdrawalState> | undefined
}

/** What an operator reads across all accounts (OPERATOR-6, OPERATOR-11, OPERATOR-21). */
export class AdminStore extends Context.Service<
  AdminStore,
  {
    /** Newest first; erased accounts too. */
    readonly accounts: (filter: AccountFilter, page: PageRequest) => Effect.Effect<Page<Account>, StoreUnavailable>
    /** All zero for an unknown account. */
    readonly counts: (account: AccountId) => Effect.Effect<AccountCounts, StoreUnavailable>
    /** In whatever state, newest first. */
    readonly purchases: (filter: PurchaseFilter, page: PageRequest) => Effect.Effect<Page<Purchase>, StoreUnavailable>
    /** Newest first. */
    readonly withdrawals: (
      filter: WithdrawalFilter,
      page: PageRequest
    ) => Effect.Effect<Page<Withdrawal>, StoreUnavailable>
  }
>()("@agent-marketplace/core/admin/AdminStore") {}
