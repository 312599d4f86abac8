import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { AccountId } from "../ids/Ids.ts"
import type { Account } from "../identity/Account.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Purchase } from "../purchases/Purchase.ts"
import type { Withdrawal, WithdrawalState } from "../wallets/Withdrawal.ts"

export interface AccountFilter {
  /** Part of a name or an e-mail address (case is ignored), or a complete id. */
  readonly search?: string | undefined
  readonly frozen?: boolean | undefined
}

/** The number of records of an account that are not deleted. */
export interface AccountCounts {
  readonly souls: number
  readonly listings: number
  readonly agents: number
  readonly keys: number
  readonly webhooks: number
  readonly releaseBytes: number
  /** Includes every status. */
  readonly purchases: number
  readonly sales: number
}

export interface PurchaseFilter {
  /** The buyer or the seller. */
  readonly account?: string | undefined
  /** The id of the purchased item. */
  readonly item?: string | undefined
  readonly status?: Purchase["status"] | undefined
}

export interface WithdrawalFilter {
  /** In one of these. */
  readonly states?: ReadonlyArray<WithdrawalState> | undefined
}

/** Reads across all accounts, for operators (OPERATOR-6, OPERATOR-11, OPERATOR-21). */
export class AdminStore extends Context.Service<
  AdminStore,
  {
    /** Newest first, including erased accounts. */
    readonly accounts: (filter: AccountFilter, page: PageRequest) => Effect.Effect<Page<Account>, StoreUnavailable>
    /** All zero for an unknown account. */
    readonly counts: (account: AccountId) => Effect.Effect<AccountCounts, StoreUnavailable>
    /** Every status, newest first. */
    readonly purchases: (filter: PurchaseFilter, page: PageRequest) => Effect.Effect<Page<Purchase>, StoreUnavailable>
    /** Newest first. */
    readonly withdrawals: (
      filter: WithdrawalFilter,
      page: PageRequest
    ) => Effect.Effect<Page<Withdrawal>, StoreUnavailable>
  }
>()("@agent-marketplace/core/admin/AdminStore") {}
