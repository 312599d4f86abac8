import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Purchase } from "@agent-marketplace/core/purchases/Purchase"
import { PurchaseStore } from "@agent-marketplace/core/purchases/PurchaseStore"
import type { Subscription } from "@agent-marketplace/core/purchases/Subscription"
import { Effect, Layer, Option } from "effect"
import { Index } from "../Index.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { NewestFirst } from "../paging/NewestFirst.ts"
import { hasLiveLicense } from "./hasLiveLicense.ts"

const bought = ({ id, purchasedAt }: Purchase) => ({ id, at: purchasedAt })

/** Ids are in the order in which subscriptions began; renewals do not move them. */
const begun = ({ id }: Subscription) => ({ id, at: 0 })

const attempted = ({ id, nextAttemptAt }: Subscription) => ({ id, at: nextAttemptAt ?? Infinity })

const shownToBuyer: ReadonlySet<Purchase["status"]> = new Set(["pending", "completed", "refunded"])

const shownToSeller: ReadonlySet<Purchase["status"]> = new Set(["completed", "refunded"])

export const MemoryPurchaseStore: { readonly layer: Layer.Layer<PurchaseStore, never, MarketClock | MemoryMarket> } = {
  layer: Layer.effect(
    PurchaseStore,
    Effect.gen(function* () {
      const { tables } = yield* MemoryMarket
      const clock = yield* MarketClock
      return {
        find: (id) => Effect.sync(() => Option.fromUndefinedOr(tables.purchases.get(id))),
        listByBuyer: (buyer, page) =>
          Effect.sync(() => {
            const own = Index.records(tables.purchasesByBuyer, buyer, tables.purchases)
            const shown = own.filter(({ status }) => shownToBuyer.has(status))
            return NewestFirst.page(NewestFirst.sort(shown, bought), page)
          }),
        listBySeller: (seller, page) =>
          Effect.sync(() => {
            const sold = Index.records(tables.purchasesBySeller, seller, tables.purchases)
            const shown = sold.filter(({ status }) => shownToSeller.has(status))
            return NewestFirst.page(NewestFirst.sort(shown, bought), page)
          }),
        isLicensed: (account, item) => Effect.map(clock.now, (now) => hasLiveLicense(tables, account, item, now)),
        findByLicense: (licenseKey) =>
          Effect.sync(() => {
            const id = tables.licenses.get(licenseKey)
            return Option.fromUndefinedOr(id === undefined ? undefined : tables.purchases.get(id))
          }),
        findSubscription: (id) => Effect.sync(() => Option.fromUndefinedOr(tables.subscriptions.get(id))),
        listSubscriptions: (buyer, page) =>
          Effect.sync(() => {
            const own = Index.records(tables.subscriptionsOf, buyer, tables.subscriptions)
            return NewestFirst.page(NewestFirst.sort(own, begun), page)
          }),
        dueSubscriptions: (now, limit) =>
          Effect.sync(() => {
            const due = [...tables.subscriptions.values()].filter(
              ({ nextAttemptAt }) => nextAttemptAt !== null && nextAttemptAt <= now
            )
            return NewestFirst.reverse(due, attempted).slice(0, limit)
          })
      }
    })
  )
}
