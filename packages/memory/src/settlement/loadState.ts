import { defaultPolicy, nothingSpent } from "@agent-marketplace/core/approvals/SpendingPolicy"
import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId, AgentId, ItemId, ListingId, SoulId, SubscriptionId } from "@agent-marketplace/core/ids/Ids"
import type { Budget, MarketState, SaleItem } from "@agent-marketplace/core/settlement/MarketState"
import { resultLifetime } from "@agent-marketplace/core/settlement/Idempotency"
import { resultKey, depositKey, entitlementKey } from "@agent-marketplace/core/settlement/MarketState"
import { isListed } from "@agent-marketplace/core/souls/Soul"
import type { ReadSet } from "@agent-marketplace/core/settlement/ReadSet"
import { Index } from "../Index.ts"
import type { MarketTables } from "../MarketTables.ts"
import { isUsed, payoutPause } from "../wallets/MemoryTreasuryStore.ts"
import { walletOf } from "../wallets/walletOf.ts"
import { withdrawalStanding } from "./withdrawalStanding.ts"

const isFrozen = (tables: MarketTables, seller: AccountId): boolean =>
  (tables.accounts.get(seller)?.frozen ?? null) !== null

const owes = (tables: MarketTables, seller: AccountId): boolean => walletOf(tables, seller).debt > 0n

const soulItem = (tables: MarketTables, id: SoulId): SaleItem | undefined => {
  const soul = tables.souls.get(id)?.soul
  return soul === undefined
    ? undefined
    : {
        id: soul.id,
        kind: "soul",
        name: soul.name,
        slug: soul.slug,
        description: soul.description,
        category: soul.category,
        creator: soul.author,
        sellerId: soul.authorId,
        price: soul.price,
        currency: "USDC",
        pricingModel: soul.price === 0n ? "free" : "one_time",
        onSale: isListed(soul) && !isFrozen(tables, soul.authorId),
        sellerOwes: owes(tables, soul.authorId)
      }
}

const listingItem = (tables: MarketTables, id: ListingId): SaleItem | undefined => {
  const listing = tables.listings.get(id)?.listing
  return listing === undefined
    ? undefined
    : {
        id: listing.id,
        kind: "listing",
        name: listing.name,
        slug: listing.slug,
        description: listing.description,
        category: listing.category,
        creator: listing.creatorName,
        sellerId: listing.creatorId,
        price: listing.price,
        currency: listing.currency,
        pricingModel: listing.pricingModel,
        onSale: listing.status === "approved" && !listing.quarantined && !isFrozen(tables, listing.creatorId),
        sellerOwes: owes(tables, listing.creatorId)
      }
}

const itemOf = (tables: MarketTables, id: ItemId): SaleItem | undefined =>
  soulItem(tables, id as SoulId) ?? listingItem(tables, id as ListingId)

const budgetOf = (tables: MarketTables, spender: AccountId | AgentId, now: Timestamp): Budget => ({
  policy: tables.policies.get(spender) ?? defaultPolicy,
  spent: tables.spending.get(spender)?.spent(now) ?? nothingSpent
})

/** The entries of those keys that exist. */
const found = <K, V>(keys: Iterable<K>, get: (key: K) => V | undefined): Map<K, V> => {
  const map = new Map<K, V>()
  for (const key of keys) {
    const value = get(key)
    if (value !== undefined) map.set(key, value)
  }
  return map
}

const subscriptionIds = (tables: MarketTables, reads: ReadSet): Set<SubscriptionId> => {
  const ids = new Set(reads.subscriptions)
  for (const purchase of reads.subscriptionsOf) {
    const id = tables.subscriptionByPurchase.get(purchase)
    if (id !== undefined) ids.add(id)
  }
  return ids
}

const escrowReferences = (tables: MarketTables, reads: ReadSet): Set<string> =>
  new Set([...reads.escrow, ...reads.escrowOf.flatMap(({ account }) => [...(tables.escrowOf.get(account) ?? [])])])

/** The state that the batch reads, at `now`. */
export const loadState = (tables: MarketTables, reads: ReadSet, now: Timestamp): MarketState => {
  const entitlements = reads.entitlements.map(([buyer, item]) => entitlementKey(buyer, item))
  const deposits = reads.deposits.map(([network, txid, logIndex]) => depositKey(network, txid, logIndex))
  const results = reads.results.map(([account, key]) => resultKey(account, key))
  const waiting = reads.approvalsOf
    .flatMap((account) => Index.records(tables.approvalsOf, account, tables.approvals))
    .filter(({ status }) => status === "pending")
  return {
    now,
    wallets: new Map(reads.wallets.map((id) => [id, walletOf(tables, id)])),
    budgets: found([...reads.wallets, ...reads.agents], (id) => budgetOf(tables, id, now)),
    frozen: found(
      [...reads.wallets, ...reads.agents],
      (id) => (tables.accounts.get(id as AccountId) ?? tables.agents.get(id as AgentId))?.frozen ?? undefined
    ),
    items: found(reads.items, (id) => itemOf(tables, id)),
    entitlements: found(entitlements, (key) => tables.entitlements.get(key)),
    purchases: found([...reads.purchases, ...waiting.map(({ purchaseId }) => purchaseId)], (id) =>
      tables.purchases.get(id)
    ),
    approvals: found([...reads.approvals, ...waiting.map(({ id }) => id)], (id) => tables.approvals.get(id)),
    subscriptions: found(subscriptionIds(tables, reads), (id) => tables.subscriptions.get(id)),
    renewals: found(reads.renewals, (id) => tables.renewals.get(id)),
    escrow: found(escrowReferences(tables, reads), (reference) => tables.escrow.get(reference)),
    withdrawals: found(reads.withdrawals, (id) => tables.withdrawals.get(id)),
    standings: new Map(reads.standings.map((account) => [account, withdrawalStanding(tables, account, now)])),
    payoutPause: reads.payouts === "no" ? null : payoutPause(tables),
    usedTransactions: new Set(reads.transactions.filter((txid) => isUsed(tables, txid))),
    heldDeposits: found(reads.heldDeposits, (id) => tables.heldDeposits.get(id)),
    credited: new Set(deposits.filter((key) => tables.deposits.has(key))),
    cursors: found(reads.cursors, (network) => tables.cursors.get(network)),
    results: found(results, (key) => {
      const result = tables.results.get(key)
      return result !== undefined && now - result.at < resultLifetime ? result : undefined
    })
  }
}
