import { Context, Effect, Layer, Option } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import type { AgentNotClaimed, StoreUnavailable } from "../errors/MarketError.ts"
import { Forbidden, NotFound } from "../errors/MarketError.ts"
import type { AccountId, ItemId, PurchaseId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Owner.ts"
import { ExchangeRates } from "../money/ExchangeRates.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Replayable } from "../settlement/Idempotency.ts"
import { fingerprint, keyed } from "../settlement/Idempotency.ts"
import type { Refusal } from "../settlement/Outcome.ts"
import { Settlement } from "../settlement/Settlement.ts"
import { LicenseKey } from "./LicenseKey.ts"
import type { Purchase } from "./Purchase.ts"
import { isLicenseValid } from "./Purchase.ts"
import { PurchaseStore } from "./PurchaseStore.ts"

/** What a seller learns of a license key (LICENSE-3). */
export interface LicenseCheck {
  readonly valid: boolean
  readonly purchase: Purchase | null
}

type Failure = AgentNotClaimed | StoreUnavailable

const notFound = new NotFound({ resource: "PURCHASE" })

/** Buying, refunding, licenses (BUY-1, REFUND-1, LICENSE-3). */
export class Purchases extends Context.Service<
  Purchases,
  {
    /** Completed at once, or waiting for the owner where the policy says so (BUY-11). */
    readonly buy: (
      caller: Caller,
      request: { readonly itemId: ItemId; readonly autoInstall: boolean },
      idempotencyKey?: string
    ) => Effect.Effect<Replayable<Purchase>, Failure | Refusal>
    readonly list: (caller: Caller, page: PageRequest) => Effect.Effect<Page<Purchase>, Failure>
    readonly find: (caller: Caller, id: PurchaseId) => Effect.Effect<Purchase, Failure | NotFound>
    /** The seller's side of the same records. */
    readonly sales: (caller: Caller, page: PageRequest) => Effect.Effect<Page<Purchase>, Failure>
    /** By the seller, or by the operator, whose refund the platform covers where the seller's money does not suffice (REFUND-8). */
    readonly refund: (
      by: Caller | "admin",
      id: PurchaseId,
      idempotencyKey?: string
    ) => Effect.Effect<Replayable<Purchase>, Failure | Forbidden | Refusal>
    /** By the item's seller; a key that is unknown, or another's, is not valid, and nothing more is said of it. */
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
      const { platformFeeBps: feeBps } = yield* MarketConfig
      const { toUsdt } = yield* ExchangeRates
      const ids = yield* idGenerator

      const buy = Effect.fnUntraced(function* (
        caller: Caller,
        request: { readonly itemId: ItemId; readonly autoInstall: boolean },
        idempotencyKey?: string
      ) {
        const buyerId = yield* ownerOf(caller)
        const { result, replayed } = yield* settlement.submit({
          _tag: "Buy",
          purchaseId: yield* ids.make("purchase"),
          approvalId: yield* ids.make("approval"),
          subscriptionId: yield* ids.make("subscription"),
          licenseKey: LicenseKey.make(yield* ids.bytes(15)),
          buyerId,
          agentId: caller.agentId,
          itemId: request.itemId,
          feeBps,
          toUsdt,
          idempotency: keyed(buyerId, idempotencyKey, fingerprint("buy", request.itemId, request.autoInstall))
        })
        if (result._tag !== "Bought") return yield* Effect.die(new Error("not the result of a purchase"))
        return { value: result.purchase, replayed }
      })

      /** The purchase, where this caller may refund it. */
      const refundable = Effect.fnUntraced(function* (by: Caller | "admin", id: PurchaseId) {
        const found = yield* store.find(id)
        if (Option.isNone(found)) return yield* notFound
        if (by === "admin") return { purchase: found.value, account: "admin" as const }
        const account: AccountId = yield* ownerOf(by)
        if (found.value.sellerId === account) return { purchase: found.value, account }
        return yield* found.value.buyerId === account ? new Forbidden({ required: ["seller"] }) : notFound
      })

      return {
        buy,
        list: Effect.fn("Purchases.list")(function* (caller, page) {
          return yield* store.listByBuyer(yield* ownerOf(caller), page)
        }),
        find: Effect.fn("Purchases.find")(function* (caller, id) {
          const owner = yield* ownerOf(caller)
          const found = yield* store.find(id)
          if (Option.isNone(found) || found.value.buyerId !== owner) return yield* notFound
          if (found.value.status === "rejected" || found.value.status === "expired") return yield* notFound
          return found.value
        }),
        sales: Effect.fn("Purchases.sales")(function* (caller, page) {
          return yield* store.listBySeller(yield* ownerOf(caller), page)
        }),
        refund: Effect.fn("Purchases.refund")(function* (by, id, idempotencyKey) {
          const { account, purchase } = yield* refundable(by, id)
          const { result, replayed } = yield* settlement.submit({
            _tag: "Refund",
            purchaseId: purchase.id,
            buyerId: purchase.buyerId,
            sellerId: purchase.sellerId,
            by: account === "admin" ? "admin" : "seller",
            idempotency: keyed(account, idempotencyKey, fingerprint("refund", id))
          })
          if (result._tag !== "Refunded") return yield* Effect.die(new Error("not the result of a refund"))
          return { value: result.purchase, replayed }
        }),
        validateLicense: Effect.fn("Purchases.validateLicense")(function* (caller, licenseKey, itemId) {
          const seller = yield* ownerOf(caller)
          const key = LicenseKey.normalise(licenseKey)
          const found = key === undefined ? Option.none<Purchase>() : yield* store.findByLicense(key)
          if (Option.isNone(found) || found.value.sellerId !== seller) return { valid: false, purchase: null }
          const purchase = found.value
          if (itemId !== undefined && itemId !== purchase.item.id) return { valid: false, purchase: null }
          return { valid: isLicenseValid(purchase, yield* clock.now), purchase }
        })
      }
    })
  )
}
