import type { ActionDraft } from "../admin/OperatorAction.ts"
import { Context, Effect, Layer, Option } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import type { AgentNotClaimed, StoreUnavailable, ValidationFailed } from "../errors/MarketError.ts"
import { Forbidden, NotFound } from "../errors/MarketError.ts"
import type { AccountId, ItemId, PurchaseId, RenewalId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Caller.ts"
import { ListingStore } from "../listings/ListingStore.ts"
import type { PricingModel } from "../listings/Listing.ts"
import { ExchangeRates } from "../money/ExchangeRates.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Replayable } from "../settlement/Idempotency.ts"
import { fingerprint, keyed } from "../settlement/Idempotency.ts"
import type { Refusal } from "../settlement/Outcome.ts"
import { Settlement } from "../settlement/Settlement.ts"
import { LicenseKey } from "./LicenseKey.ts"
import type { Purchase, PurchaseStatus } from "./Purchase.ts"
import { isLicenseValid } from "./Purchase.ts"
import { SoulStore } from "../souls/SoulStore.ts"
import { PurchaseStore } from "./PurchaseStore.ts"
import type { SpendingFilter, Spent } from "./SpendingReport.ts"
import type { EarningsSeries, SpendingSeries, Timeline, TimelineQuery } from "./Timeline.ts"
import { timelineFilter, timelineOf } from "./Timeline.ts"
import type { Sale } from "./Sale.ts"
import type { Renewal } from "./Subscription.ts"

/** A purchase request and its terms. */
export interface BuyRequest {
  /** The id or the slug of a listing or a soul (BUY-2). */
  readonly skillId: string
  readonly autoInstall: boolean
  /** The maximum price in USDT (BUY-4); null accepts any price. */
  readonly maxPrice: Usdt | null
  /** The agreed pricing model (BUY-5); null accepts any. */
  readonly pricingModel: PricingModel | null
  /** `X-Agent-Id`. */
  readonly trackingId: string | null
}

export interface RefundRequest {
  readonly reason: string | null
  /** Whether the operator covers the refund even above the seller's cover limit. */
  readonly force: boolean
}

/** The information that a seller receives about a license key (LICENSE-3). */
export interface LicenseCheck {
  readonly valid: boolean
  readonly purchase: Purchase | null
}

type Failure = AgentNotClaimed | StoreUnavailable

const isRenewal = (id: string): id is RenewalId => id.startsWith("ren_")

const notFound = new NotFound({ resource: "PURCHASE" })

/** Purchases, refunds and licenses (BUY-1, REFUND-1, LICENSE-3). */
export class Purchases extends Context.Service<
  Purchases,
  {
    /** Completes immediately, or waits for the owner if the policy requires approval (BUY-11). */
    readonly buy: (
      caller: Caller,
      request: BuyRequest,
      idempotencyKey?: string
    ) => Effect.Effect<Replayable<Purchase>, Failure | Refusal>
    /** Those of the status or, without one, all except the failed ones (BUY-16, BUY-19). */
    readonly list: (
      caller: Caller,
      status: PurchaseStatus | undefined,
      page: PageRequest
    ) => Effect.Effect<Page<Purchase>, Failure>
    readonly find: (caller: Caller, id: PurchaseId) => Effect.Effect<Purchase, Failure | NotFound>
    /** The caller's sales, including renewals (SALE-3). */
    readonly sales: (caller: Caller, page: PageRequest) => Effect.Effect<Page<Sale>, Failure>
    /** What the caller's owner spent, by agent, category, seller or day (BUDGET-4). */
    readonly spending: (
      caller: Caller,
      filter: SpendingFilter,
      page: PageRequest
    ) => Effect.Effect<Page<Spent>, Failure>
    /** What the caller's owner spent in each period (BUDGET-5). */
    readonly spendingTimeline: (
      caller: Caller,
      query: TimelineQuery<SpendingSeries>
    ) => Effect.Effect<Timeline, Failure | ValidationFailed>
    /** What the caller's owner earned in each period, after fees and refunds (SALE-5). */
    readonly earningsTimeline: (
      caller: Caller,
      query: TimelineQuery<EarningsSeries>
    ) => Effect.Effect<Timeline, Failure | ValidationFailed>
    /**
     * Refunds a purchase or a renewal, as its seller or as the operator. If the seller's money does not suffice, the platform covers the
     * operator's refund (REFUND-1, REFUND-2, REFUND-8).
     */
    readonly refund: (
      by: Caller | "admin",
      id: PurchaseId | RenewalId,
      request: RefundRequest,
      idempotencyKey?: string,
      /** The entry of the operator's log, written in the same transaction. */
      action?: ActionDraft
    ) => Effect.Effect<Replayable<Sale>, Failure | Forbidden | Refusal>
    /** Only for the item's seller. An unknown key, or one of another seller's item, is reported as not valid, without details. */
    readonly validateLicense: (
      caller: Caller,
      licenseKey: string,
      itemId?: string
    ) => Effect.Effect<LicenseCheck, Failure>
  }
>()("@agent-marketplace/core/purchases/Purchases") {
  static readonly layer = Layer.effect(
    Purchases,
    Effect.gen(function* () {
      const store = yield* PurchaseStore
      const settlement = yield* Settlement
      const clock = yield* MarketClock
      const listings = yield* ListingStore
      const souls = yield* SoulStore
      const { platformFeeBps: feeBps, proceedsHoldDays, refundCoverLimit } = yield* MarketConfig
      const { toUsdt } = yield* ExchangeRates
      const ids = yield* idGenerator

      /** An id unchanged, or the id of the listing, else of the soul, with this slug. Any other text is no item's id. */
      const itemIdOf = Effect.fnUntraced(function* (skillId: string) {
        if (/^(lst|soul)_/.test(skillId)) return skillId as ItemId
        const found = yield* listings.detail(skillId, null)
        if (Option.isSome(found)) return found.value.listing.id
        const soul = yield* souls.detail(skillId, null)
        return Option.isSome(soul) ? soul.value.soul.id : (skillId as ItemId)
      })

      /** The present state of a purchase that had to wait (IDEMPOTENCY-7). */
      const present = (purchase: Purchase) =>
        purchase.status === "pending"
          ? Effect.map(store.find(purchase.id), (found) => Option.getOrElse(found, () => purchase))
          : Effect.succeed(purchase)

      const buy = Effect.fnUntraced(function* (caller: Caller, request: BuyRequest, idempotencyKey?: string) {
        const buyerId = yield* ownerOf(caller)
        const { autoInstall, maxPrice, pricingModel, skillId, trackingId } = request
        const agreed = [String(maxPrice), String(pricingModel)]
        const { result, replayed } = yield* settlement.submit({
          _tag: "Buy",
          purchaseId: yield* ids.make("purchase"),
          approvalId: yield* ids.make("approval"),
          subscriptionId: yield* ids.make("subscription"),
          licenseKey: LicenseKey.make(yield* ids.bytes(15)),
          buyerId,
          agentId: caller.agentId,
          trackingId,
          itemId: yield* itemIdOf(skillId),
          maxPrice,
          pricingModel,
          feeBps,
          holdProceeds: proceedsHoldDays * Timestamp.day,
          toUsdt,
          idempotency: keyed(buyerId, idempotencyKey, fingerprint("buy", skillId, autoInstall, ...agreed))
        })
        if (result._tag !== "Bought") return yield* Effect.die(new Error("not the result of a purchase"))
        return { value: replayed ? yield* present(result.purchase) : result.purchase, replayed }
      })

      /** The purchase, if this caller may refund it. */
      const refundable = Effect.fnUntraced(function* (by: Caller | "admin", id: PurchaseId | RenewalId) {
        const renewal = isRenewal(id) ? yield* store.findRenewal(id) : Option.none<Renewal>()
        const purchaseId = Option.isSome(renewal) ? renewal.value.purchaseId : (id as PurchaseId)
        const found = yield* store.find(purchaseId)
        if (Option.isNone(found)) return yield* notFound
        const target = { purchase: found.value, renewal: Option.getOrNull(renewal) }
        if (by === "admin") return { ...target, account: "admin" as const }
        const account: AccountId = yield* ownerOf(by)
        if (found.value.sellerId === account) return { ...target, account }
        return yield* found.value.buyerId === account ? new Forbidden({ required: ["seller"] }) : notFound
      })

      return {
        buy,
        list: Effect.fn("Purchases.list")(function* (caller, status, page) {
          return yield* store.listByBuyer(yield* ownerOf(caller), status, page)
        }),
        find: Effect.fn("Purchases.find")(function* (caller, id) {
          const owner = yield* ownerOf(caller)
          const found = yield* store.find(id)
          if (Option.isNone(found) || found.value.buyerId !== owner) return yield* notFound
          return found.value
        }),
        sales: Effect.fn("Purchases.sales")(function* (caller, page) {
          return yield* store.listSales(yield* ownerOf(caller), page)
        }),
        spending: Effect.fn("Purchases.spending")(function* (caller, filter, page) {
          return yield* store.spending(yield* ownerOf(caller), filter, page)
        }),
        spendingTimeline: Effect.fn("Purchases.spendingTimeline")(function* (caller, query) {
          const filter = yield* Effect.fromResult(timelineFilter(query, yield* clock.now))
          return timelineOf(filter, yield* store.spendingTimeline(yield* ownerOf(caller), filter))
        }),
        earningsTimeline: Effect.fn("Purchases.earningsTimeline")(function* (caller, query) {
          const filter = yield* Effect.fromResult(timelineFilter(query, yield* clock.now))
          return timelineOf(filter, yield* store.earningsTimeline(yield* ownerOf(caller), filter))
        }),
        refund: Effect.fn("Purchases.refund")(function* (by, id, request, idempotencyKey, action) {
          const { account, purchase, renewal } = yield* refundable(by, id)
          const { amount, fee } = renewal ?? purchase
          const force = account === "admin" && request.force
          const { result, replayed } = yield* settlement.submit({
            _tag: "Refund",
            purchaseId: purchase.id,
            renewalId: renewal?.id ?? null,
            buyerId: purchase.buyerId,
            sellerId: purchase.sellerId,
            itemId: purchase.item.id,
            net: Usdt.of(amount - fee),
            by: account === "admin" ? "admin" : "seller",
            reason: request.reason,
            coverLimit: force ? null : refundCoverLimit,
            action,
            idempotency: keyed(account, idempotencyKey, fingerprint("refund", id, request.reason ?? "", request.force))
          })
          if (result._tag !== "Refunded") return yield* Effect.die(new Error("not the result of a refund"))
          return { value: result.sale, replayed }
        }),
        validateLicense: Effect.fn("Purchases.validateLicense")(function* (caller, licenseKey, itemId) {
          const seller = yield* ownerOf(caller)
          const key = LicenseKey.normalise(licenseKey)
          const found = key === undefined ? Option.none<Purchase>() : yield* store.findByLicense(key)
          if (Option.isNone(found) || found.value.sellerId !== seller) return { valid: false, purchase: null }
          const purchase = found.value
          if (itemId !== undefined && itemId !== purchase.item.id && itemId !== purchase.item.slug)
            return { valid: false, purchase: null }
          return { valid: isLicenseValid(purchase, yield* clock.now), purchase }
        })
      }
    })
  )
}
