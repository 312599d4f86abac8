import { Context, Effect, Layer, Option } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import type { AgentNotClaimed } from "../errors/MarketError.ts"
import { NotFound } from "../errors/MarketError.ts"
import type { SubscriptionId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Caller.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Refusal } from "../settlement/Outcome.ts"
import { batchSize, Settlement } from "../settlement/Settlement.ts"
import { PurchaseStore } from "./PurchaseStore.ts"
import type { Subscription } from "./Subscription.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/** Purchases that renew automatically (SUBSCRIPTION-3, SUBSCRIPTION-9). */
export class Subscriptions extends Context.Service<
  Subscriptions,
  {
    /** The caller's own subscriptions, or those to the caller's items (SUBSCRIPTION-9, SUBSCRIPTION-10). */
    readonly list: (
      caller: Caller,
      side: "buyer" | "seller",
      page: PageRequest
    ) => StoreEffect<Page<Subscription>, AgentNotClaimed>
    /** A subscription of which the caller's account is the buyer or the seller. */
    readonly find: (caller: Caller, id: SubscriptionId) => StoreEffect<Subscription, AgentNotClaimed | NotFound>
    /** Undoes a cancellation before the period ends. */
    readonly resume: (caller: Caller, id: SubscriptionId) => StoreEffect<Subscription, AgentNotClaimed | Refusal>
    /** The license stays valid to the end of the period. */
    readonly cancel: (caller: Caller, id: SubscriptionId) => StoreEffect<Subscription, AgentNotClaimed | Refusal>
    /** Renews, postpones or ends due subscriptions. Returns the number examined, at most one batch. */
    readonly renewDue: StoreEffect<number>
  }
>()("@agent-marketplace/core/purchases/Subscriptions") {
  static readonly layer = Layer.effect(
    Subscriptions,
    Effect.gen(function* () {
      const store = yield* PurchaseStore
      const settlement = yield* Settlement
      const clock = yield* MarketClock
      const { platformFeeBps: feeBps, proceedsHoldDays } = yield* MarketConfig
      const ids = yield* idGenerator

      return {
        list: Effect.fn("Subscriptions.list")(function* (caller, side, page) {
          return yield* store.listSubscriptions(side, yield* ownerOf(caller), page)
        }),
        find: Effect.fn("Subscriptions.find")(function* (caller, id) {
          const account = yield* ownerOf(caller)
          const found = yield* store.findSubscription(id)
          if (Option.isNone(found) || (found.value.buyerId !== account && found.value.sellerId !== account)) {
            return yield* new NotFound({ resource: "SUBSCRIPTION" })
          }
          return found.value
        }),
        resume: Effect.fn("Subscriptions.resume")(function* (caller, subscriptionId) {
          const buyerId = yield* ownerOf(caller)
          const { result } = yield* settlement.submit({ _tag: "ResumeSubscription", subscriptionId, buyerId })
          if (result._tag !== "Subscription") return yield* Effect.die(new Error("not the result of a resumption"))
          return result.subscription
        }),
        cancel: Effect.fn("Subscriptions.cancel")(function* (caller, subscriptionId) {
          const buyerId = yield* ownerOf(caller)
          const found = yield* store.findSubscription(subscriptionId)
          if (Option.isNone(found) || found.value.buyerId !== buyerId) {
            return yield* new NotFound({ resource: "SUBSCRIPTION" })
          }
          const { purchaseId } = found.value
          const { result } = yield* settlement.submit({
            _tag: "CancelSubscription",
            subscriptionId,
            purchaseId,
            buyerId
          })
          if (result._tag !== "Subscription") return yield* Effect.die(new Error("not the result of a cancellation"))
          return result.subscription
        }),
        renewDue: Effect.gen(function* () {
          const due = yield* store.dueSubscriptions(yield* clock.now, batchSize)
          if (due.length === 0) return 0
          const commands = yield* Effect.forEach(due, ({ agentId, buyerId, id, item, purchaseId }) =>
            Effect.map(ids.make("renewal"), (renewalId) => ({
              _tag: "Renew" as const,
              subscriptionId: id,
              renewalId,
              purchaseId,
              buyerId,
              agentId,
              itemId: item.id,
              feeBps,
              holdProceeds: proceedsHoldDays * Timestamp.day
            }))
          )
          yield* settlement.submitAll(commands)
          return due.length
        })
      }
    })
  )
}
