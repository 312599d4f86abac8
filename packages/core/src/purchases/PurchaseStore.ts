import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { AccountId, ItemId, PurchaseId, SubscriptionId } from "../ids/Ids.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Purchase } from "./Purchase.ts"
import type { Subscription } from "./Subscription.ts"

/** Reads on sales, licenses and subscriptions; they change only through the SettlementStore. */
export class PurchaseStore extends Context.Service<
  PurchaseStore,
  {
    /** In whatever state. */
    readonly find: (id: PurchaseId) => Effect.Effect<Option.Option<Purchase>, StoreUnavailable>
    /** The buyer's, newest first, without rejected and expired ones (BUY-16, BUY-19). */
    readonly listByBuyer: (buyer: AccountId, page: PageRequest) => Effect.Effect<Page<Purchase>, StoreUnavailable>
    /** The seller's completed and refunded sales, newest first (SALE-3). */
    readonly listBySeller: (seller: AccountId, page: PageRequest) => Effect.Effect<Page<Purchase>, StoreUnavailable>
    /** Whether the account holds a live license for the item. */
    readonly isLicensed: (account: AccountId, item: ItemId) => Effect.Effect<boolean, StoreUnavailable>
    /** By the normalised license key. */
    readonly findByLicense: (licenseKey: string) => Effect.Effect<Option.Option<Purchase>, StoreUnavailable>
    readonly findSubscription: (id: SubscriptionId) => Effect.Effect<Option.Option<Subscription>, StoreUnavailable>
    /** The buyer's, newest first. */
    readonly listSubscriptions: (
      buyer: AccountId,
      page: PageRequest
    ) => Effect.Effect<Page<Subscription>, StoreUnavailable>
    /** Subscriptions whose time has come at `now`, earliest first. */
    readonly dueSubscriptions: (
      now: Timestamp,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Subscription>, StoreUnavailable>
  }
>()("@agent-marketplace/core/purchases/PurchaseStore") {}
