import { Context, Effect, Layer, Option } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import type { AgentNotClaimed, StoreUnavailable } from "../errors/MarketError.ts"
import { NotFound } from "../errors/MarketError.ts"
import type { SubscriptionId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Owner.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { Refusal } from "../settlement/Outcome.ts"
import { batchSize, Settlement } from "../settlement/Settlement.ts"
import { PurchaseStore } from "./PurchaseStore.ts"
import type { Subscription } from "./Subscription.ts"

/** Purchases that renew themselves (SUBSCRIPTION-3, SUBSCRIPTION-9). */
export class Subscriptions extends Context.Service<
  Subscriptions,
  {
    readonly list: (
      caller: Caller,
      page: PageRequest
    ) => Effect.Effect<Page<Subscription>, AgentNotClaimed | StoreUnavailable>
    /** Valid to the period's end. */
    readonly cancel: (
      caller: Caller,
      id: SubscriptionId
    ) => Effect.Effect<Subscription, AgentNotClaimed | Refusal | StoreUnavailable>
    /** Renews, postpones or ends those whose time has come; answers how many it looked at, at most one batch. */
    readonly renewDue: Effect.Effect<number, StoreUnavailable>
  }
>()("@agent-marketplace/core/purchases/Subscriptions") {
  static readonly layer = Layer.effect(
    Subscriptions,
    Effect.gen(function* () {
      const store = yield* PurchaseStore
      const settlement = yield* Settlement
      const clock = yield* MarketClock
      const { platformFeeBps: feeBps } = yield* MarketConfig
      const ids = yield* idGenerator

      return {
        list: Effect.fn("Subscriptions.list")(function* (caller, page) {
          return yield* store.listSubscriptions(yield* ownerOf(caller), page)
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
          const orders = yield* Effect.forEach(due, ({ agentId, buyerId, id, purchaseId }) =>
            Effect.map(ids.make("renewal"), (renewalId) => ({
              _tag: "Renew" as const,
              subscriptionId: id,
              renewalId,
              purchaseId,
              buyerId,
              agentId,
              feeBps
            }))
          )
          yield* settlement.submitAll(orders)
          return due.length
        })
      }
    })
  )
}
