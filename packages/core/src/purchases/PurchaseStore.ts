import type { Option } from "effect"
import { Context } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, ItemId, PurchaseId, RenewalId, SubscriptionId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Purchase, PurchaseStatus } from "./Purchase.ts"
import type { SpendingFilter, Spent } from "./SpendingReport.ts"
import type { EarningsSeries, SpendingSeries, TimelineFilter, TimelineSum } from "./Timeline.ts"
import type { Sale } from "./Sale.ts"
import type { Renewal, Subscription } from "./Subscription.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/** Reads of sales, licenses and subscriptions, which only the SettlementStore changes. */
export class PurchaseStore extends Context.Service<
  PurchaseStore,
  {
    /** Finds a purchase of any status. */
    readonly find: (id: PurchaseId) => StoreEffect<Option.Option<Purchase>>
    /** The buyer's purchases, newest first: those of the status or, without one, all except the failed ones. */
    readonly listByBuyer: (
      buyer: AccountId,
      status: PurchaseStatus | undefined,
      page: PageRequest
    ) => StoreEffect<Page<Purchase>>
    /** The seller's completed and refunded sales and renewals, newest first (BUY-16, BUY-19, SALE-3). */
    readonly listSales: (seller: AccountId, page: PageRequest) => StoreEffect<Page<Sale>>
    /** The buyer's spending by group. Days are sorted by date, other groups by amount, largest first (BUDGET-4). */
    readonly spending: (buyer: AccountId, filter: SpendingFilter, page: PageRequest) => StoreEffect<Page<Spent>>
    /** The buyer's payments over time, in the order of their series and then of time (BUDGET-5). */
    readonly spendingTimeline: (
      buyer: AccountId,
      filter: TimelineFilter<SpendingSeries>
    ) => StoreEffect<ReadonlyArray<TimelineSum>>
    /** The seller's earnings after fees and refunds over time, in the order of their series and then of time (SALE-5). */
    readonly earningsTimeline: (
      seller: AccountId,
      filter: TimelineFilter<EarningsSeries>
    ) => StoreEffect<ReadonlyArray<TimelineSum>>
    readonly findRenewal: (id: RenewalId) => StoreEffect<Option.Option<Renewal>>
    /** Whether the account holds a live license for the item. */
    readonly isLicensed: (account: AccountId, item: ItemId) => StoreEffect<boolean>
    /** By the normalised license key. */
    readonly findByLicense: (licenseKey: string) => StoreEffect<Option.Option<Purchase>>
    readonly findSubscription: (id: SubscriptionId) => StoreEffect<Option.Option<Subscription>>
    /** The buyer's subscriptions, or those to the seller's items, newest first. */
    readonly listSubscriptions: (
      side: "buyer" | "seller",
      account: AccountId,
      page: PageRequest
    ) => StoreEffect<Page<Subscription>>
    /** Subscriptions that are due at `now`, earliest first. */
    readonly dueSubscriptions: (now: Timestamp, limit: number) => StoreEffect<ReadonlyArray<Subscription>>
  }
>()("@agent-marketplace/core/purchases/PurchaseStore") {}
