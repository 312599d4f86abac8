import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Purchase } from "@agent-marketplace/core/purchases/Purchase"
import { saleOf, saleOfRenewal } from "@agent-marketplace/core/purchases/Sale"
import { PurchaseStore } from "@agent-marketplace/core/purchases/PurchaseStore"
import type { Subscription } from "@agent-marketplace/core/purchases/Subscription"
import { Effect, Layer, Option } from "effect"
import { Index } from "../Index.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"
import { spending } from "./spendingReport.ts"
import { earningsTimeline, spendingTimeline } from "./timelines.ts"
import { hasLiveLicense } from "./hasLiveLicense.ts"

const bought = ({ purchasedAt }: Purchase) => purchasedAt

const attempted = ({ nextAttemptAt }: Subscription) => nextAttemptAt ?? Infinity

const shownToSeller: ReadonlySet<Purchase["status"]> = new Set(["completed", "refunded"])

export const MemoryPurchaseStore: { readonly layer: Layer.Layer<PurchaseStore, never, MarketClock | MemoryMarket> } = {
  layer: Layer.effect(
    PurchaseStore,
    Effect.gen(function* () {
      const { tables } = yield* MemoryMarket
      const clock = yield* MarketClock
      return {
        find: (id) => Effect.sync(() => Option.fromUndefinedOr(tables.purchases.get(id))),
        listByBuyer: (buyer, wanted, page) =>
          Effect.sync(() => {
            const own = Index.records(tables.purchasesByBuyer, buyer, tables.purchases)
            const shown = own.filter(({ status }) => (wanted === undefined ? status !== "failed" : status === wanted))
            return Timeline.page(Timeline.newestFirst(shown, bought), page)
          }),
        listSales: (seller, page) =>
          Effect.sync(() => {
            const sold = Index.records(tables.purchasesBySeller, seller, tables.purchases)
            const sales = sold.filter(({ status }) => shownToSeller.has(status)).map(saleOf)
            const renewals = Index.records(tables.renewalsBySeller, seller, tables.renewals).flatMap((renewal) => {
              const purchase = tables.purchases.get(renewal.purchaseId)
              return purchase === undefined ? [] : [saleOfRenewal(renewal, purchase)]
            })
            return Timeline.page(
              Timeline.newestFirst([...sales, ...renewals], ({ soldAt }) => soldAt),
              page
            )
          }),
        spending: (buyer, filter, page) => Effect.sync(() => Timeline.page(spending(tables, buyer, filter), page)),
        spendingTimeline: (buyer, filter) => Effect.sync(() => spendingTimeline(tables, buyer, filter)),
        earningsTimeline: (seller, filter) => Effect.sync(() => earningsTimeline(tables, seller, filter)),
        findRenewal: (id) => Effect.sync(() => Option.fromUndefinedOr(tables.renewals.get(id))),
        isLicensed: (account, item) => Effect.map(clock.now, (now) => hasLiveLicense(tables, account, item, now)),
        findByLicense: (licenseKey) =>
          Effect.sync(() => {
            const id = tables.licenses.get(licenseKey)
            return Option.fromUndefinedOr(id === undefined ? undefined : tables.purchases.get(id))
          }),
        findSubscription: (id) => Effect.sync(() => Option.fromUndefinedOr(tables.subscriptions.get(id))),
        listSubscriptions: (side, account, page) =>
          Effect.sync(() => {
            const index = side === "buyer" ? tables.subscriptionsOf : tables.subscriptionsTo
            const own = Index.records(index, account, tables.subscriptions)
            // In the order in which they started: a renewal does not change it.
            return Timeline.page(own.toReversed(), page)
          }),
        dueSubscriptions: (now, limit) =>
          Effect.sync(() => {
            const due = [...tables.subscriptions.values()].filter(
              ({ nextAttemptAt }) => nextAttemptAt !== null && nextAttemptAt <= now
            )
            return Timeline.oldestFirst(due, attempted).slice(0, limit)
          })
      }
    })
  )
}
