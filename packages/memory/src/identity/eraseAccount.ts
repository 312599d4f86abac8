import type { EventData } from "@agent-marketplace/core/events/MarketEvent"
import { AccountFrozen, InvalidApiKey } from "@agent-marketplace/core/errors/MarketError"
import {
  erased,
  erasedAgentName,
  erasedKeyName,
  erasedName,
  obstacleToErasure
} from "@agent-marketplace/core/identity/Erasure"
import type { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { isHostKey } from "@agent-marketplace/core/identity/HostSessions"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { PurchasedItem } from "@agent-marketplace/core/purchases/Purchase"
import type { CommandResult } from "@agent-marketplace/core/settlement/CommandResult"
import { isUndecided } from "@agent-marketplace/core/screening/HeldDeposit"
import { resultKey } from "@agent-marketplace/core/settlement/MarketState"
import { isOpen } from "@agent-marketplace/core/wallets/Withdrawal"
import { Effect } from "effect"
import { dropClients } from "../oauth/endGrant.ts"
import { domainKey, domainsOf } from "../domains/accountDomains.ts"
import { Index } from "../Index.ts"
import { endSessionsOf, isActive } from "../sessions/sessionRecords.ts"
import { forgetNotifications } from "../notifications/channelTable.ts"
import { storeListing } from "../listings/storeListing.ts"
import type { MarketTables } from "../MarketTables.ts"
import type { MemoryMarket } from "../MemoryMarket.ts"
import { storeSoul } from "../souls/storeSoul.ts"
import { walletOf } from "../wallets/walletOf.ts"
import { deliveryTable } from "../webhooks/deliveryTable.ts"

const obstacle = (tables: MarketTables, id: AccountId) => {
  const { available, debt, locked } = walletOf(tables, id)
  const withdrawals = Index.records(tables.withdrawalsOf, id, tables.withdrawals)
  return obstacleToErasure({
    available,
    debt,
    locked,
    openWithdrawals: withdrawals.filter(isOpen).length,
    escrowed: tables.escrowOf.get(id)?.size ?? 0,
    pendingDeposits:
      [...tables.pending.values()].flat().filter(({ accountId }) => accountId === id).length +
      [...tables.heldDeposits.values()].filter((deposit) => deposit.accountId === id && isUndecided(deposit)).length
  })
}

const nameless = (item: PurchasedItem): PurchasedItem => ({ ...item, creator: erasedName })

const namelessResult = (result: CommandResult, items: ReadonlySet<string>): CommandResult => {
  switch (result._tag) {
    case "Bought":
      return items.has(result.purchase.item.id)
        ? { ...result, purchase: { ...result.purchase, item: nameless(result.purchase.item) } }
        : result
    case "Decided":
      return items.has(result.approval.item.id)
        ? { ...result, approval: { ...result.approval, item: nameless(result.approval.item) } }
        : result
    case "Refunded":
      return items.has(result.sale.item.id)
        ? { ...result, sale: { ...result.sale, item: nameless(result.sale.item) } }
        : result
    case "Subscription":
      return items.has(result.subscription.item.id)
        ? { ...result, subscription: { ...result.subscription, item: nameless(result.subscription.item) } }
        : result
    default:
      return result
  }
}

/** The items leave the shop; returns their ids. */
const takeDown = (tables: MarketTables, id: AccountId): ReadonlySet<string> => {
  const souls = Index.records(tables.soulsOf, id, tables.souls)
  const listings = Index.records(tables.listingsOf, id, tables.listings)
  for (const { soul } of souls)
    storeSoul(tables, { ...soul, author: erasedName, creatorVerified: false, deleted: true })
  for (const { listing } of listings) {
    storeListing(tables, {
      ...listing,
      creatorName: erasedName,
      creatorVerified: false,
      status: "deleted",
      waitingSince: null
    })
  }
  return new Set([...souls.map(({ soul }) => soul.id), ...listings.map(({ listing }) => listing.id)])
}

const namelessData = (data: EventData): EventData => ({
  ...data,
  ...("author" in data ? { author: erasedName } : {}),
  ...("creator" in data ? { creator: erasedName } : {})
})

const authorField = /"author":"(?:[^"\\]|\\.)*"/

/** Removes what the account's own records contain besides its name: labels, names of agents and keys, and tracking ids. */
const forgetOwn = (tables: MarketTables, id: AccountId): void => {
  tables.withdrawalRules.delete(id)
  for (const { domain } of domainsOf(tables, id)) tables.domains.delete(domainKey(id, domain))
  forgetNotifications(tables, id)
  for (const saved of tables.savedAddressesOf.get(id) ?? []) tables.savedAddresses.delete(saved)
  tables.savedAddressesOf.delete(id)
  for (const purchase of Index.records(tables.purchasesByBuyer, id, tables.purchases)) {
    tables.purchases.set(purchase.id, { ...purchase, trackingId: null })
    // ACTIVATION-8
    const machines = tables.activations.get(purchase.id)
    for (const [machine, activation] of machines ?? []) machines?.set(machine, { ...activation, label: null })
  }
  const ownResults = resultKey(id, "")
  for (const key of tables.results.keys()) if (key.startsWith(ownResults)) tables.results.delete(key)
  const named = new Map<string, string>([
    ...[...(tables.agentsOf.get(id) ?? [])].map((agent) => [agent, erasedAgentName] as const),
    ...[...(tables.keysOf.get(id) ?? [])].map((key) => [key, erasedKeyName] as const)
  ])
  for (const [position, event] of tables.events.entries()) {
    const name = named.get(event.subject)
    if (name === undefined || !("name" in event.data)) continue
    const reason = "reason" in event.data ? { reason: null } : {}
    tables.events.splice(position, 1, { ...event, data: { ...event.data, name, ...reason } })
  }
}

/** Removes the account's name from the records of others. */
const forget = (tables: MarketTables, id: AccountId, items: ReadonlySet<string>): void => {
  for (const reviews of tables.reviews.values()) {
    const own = reviews.get(id)
    if (own !== undefined) reviews.set(id, { ...own, review: { ...own.review, author: erasedName } })
  }
  for (const purchase of Index.records(tables.purchasesBySeller, id, tables.purchases)) {
    tables.purchases.set(purchase.id, { ...purchase, item: nameless(purchase.item) })
  }
  for (const subscription of Index.records(tables.subscriptionsTo, id, tables.subscriptions)) {
    tables.subscriptions.set(subscription.id, { ...subscription, item: nameless(subscription.item) })
  }
  for (const approval of tables.approvals.values()) {
    if (items.has(approval.item.id)) tables.approvals.set(approval.id, { ...approval, item: nameless(approval.item) })
  }
  for (const [key, stored] of tables.results) {
    tables.results.set(key, { ...stored, result: namelessResult(stored.result, items) })
  }
  for (const [position, event] of tables.events.entries()) {
    if (items.has(event.subject)) tables.events.splice(position, 1, { ...event, data: namelessData(event.data) })
  }
  for (const delivery of tables.deliveries.values()) {
    const soul = /"soulId":"([^"]+)"/.exec(delivery.payload)?.[1]
    if (soul === undefined || !items.has(soul)) continue
    const payload = delivery.payload.replace(authorField, `"author":${JSON.stringify(erasedName)}`)
    tables.deliveries.set(delivery.id, { ...delivery, payload })
  }
}

const endAccess = (tables: MarketTables, id: AccountId, at: number): void => {
  for (const agent of Index.records(tables.agentsOf, id, tables.agents)) {
    const frozen = agent.frozen === null ? null : { ...agent.frozen, reason: null }
    tables.agents.set(agent.id, { ...agent, name: erasedAgentName, frozen, retiredAt: agent.retiredAt ?? at })
  }
  for (const key of Index.records(tables.keysOf, id, tables.keys)) {
    // The host's user gets a new account on the next visit.
    const hash = isHostKey(key) ? `erased:${key.id}` : key.hash
    tables.keysByHash.delete(key.hash)
    tables.keysByHash.set(hash, key.id)
    tables.keys.set(key.id, { ...key, name: erasedKeyName, hash, status: "deactivated" })
  }
  endSessionsOf(tables, id)
  dropClients(tables, id)
  const table = deliveryTable(tables)
  for (const webhook of Index.records(tables.webhooksOf, id, tables.webhooks)) table.dropWebhook(webhook)
}

/** See `IdentityStore.eraseAccount`. */
export const eraseAccount =
  ({ announce, tables }: MemoryMarket["Service"]): IdentityStore["Service"]["eraseAccount"] =>
  (id, at, by) =>
    Effect.suspend((): ReturnType<IdentityStore["Service"]["eraseAccount"]> => {
      const account = tables.accounts.get(id)
      if (account === undefined) return Effect.succeed(false)
      if (tables.erased.has(id)) return Effect.succeed(true)
      if (account.frozen !== null) return Effect.fail(new AccountFrozen(account.frozen))
      if (by !== null && !isActive(tables, by)) {
        return Effect.fail(new InvalidApiKey({ reason: "invalid" }))
      }
      const conflict = obstacle(tables, id)
      if (conflict !== undefined) return Effect.fail(conflict)
      endAccess(tables, id, at)
      forgetOwn(tables, id)
      forget(tables, id, takeDown(tables, id))
      tables.accounts.set(id, erased(account, at))
      tables.erased.add(id)
      announce(id)
      return Effect.succeed(true)
    })
