import type { AccountFilter, PurchaseFilter } from "@agent-marketplace/core/admin/AdminStore"
import { AdminStore } from "@agent-marketplace/core/admin/AdminStore"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Account } from "@agent-marketplace/core/identity/Account"
import type { Purchase } from "@agent-marketplace/core/purchases/Purchase"
import { Effect, Layer, Record } from "effect"
import { Index } from "../Index.ts"
import { liveRecords } from "../identity/liveRecords.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"

const isFound = ({ email, frozen, id, name }: Account, filter: AccountFilter): boolean => {
  const search = filter.search?.toLowerCase() ?? ""
  return (
    (filter.frozen === undefined || (frozen !== null) === filter.frozen) &&
    (search === "" || id === filter.search || `${name}\n${email ?? ""}`.toLowerCase().includes(search))
  )
}

const isWanted = ({ buyerId, item, sellerId, status }: Purchase, filter: PurchaseFilter): boolean =>
  (filter.account === undefined || buyerId === filter.account || sellerId === filter.account) &&
  (filter.item === undefined || item.id === filter.item) &&
  (filter.status === undefined || status === filter.status)

export const MemoryAdminStore: { readonly layer: Layer.Layer<AdminStore, never, MarketClock | MemoryMarket> } = {
  layer: Layer.effect(
    AdminStore,
    Effect.map(Effect.all([MemoryMarket, MarketClock]), ([{ tables }, clock]) => ({
      accounts: (filter, page) =>
        Effect.sync(() => {
          const found = [...tables.accounts.values()].filter((account) => isFound(account, filter))
          return Timeline.page(
            Timeline.newestFirst(found, ({ createdAt }) => createdAt),
            page
          )
        }),
      counts: (account) =>
        Effect.map(clock.now, (now) => ({
          ...Record.map(liveRecords, (count) => count(tables, account, now)),
          purchases: Index.records(tables.purchasesByBuyer, account, tables.purchases).length,
          sales: Index.records(tables.purchasesBySeller, account, tables.purchases).length
        })),
      purchases: (filter, page) =>
        Effect.sync(() => {
          const wanted = [...tables.purchases.values()].filter((purchase) => isWanted(purchase, filter))
          return Timeline.page(
            Timeline.newestFirst(wanted, ({ purchasedAt }) => purchasedAt),
            page
          )
        }),
      withdrawals: ({ states }, page) =>
        Effect.sync(() => {
          const wanted = [...tables.withdrawals.values()].filter(
            ({ state }) => states === undefined || states.includes(state)
          )
          return Timeline.page(
            Timeline.newestFirst(wanted, ({ createdAt }) => createdAt),
            page
          )
        })
    }))
  )
}
