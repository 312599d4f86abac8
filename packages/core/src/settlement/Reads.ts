import type { AccountId, AgentId, ApprovalId, ItemId, PurchaseId, SubscriptionId, WithdrawalId } from "../ids/Ids.ts"
import type { Order } from "./Order.ts"
import { idempotencyOf } from "./Order.ts"

/** What a batch of orders needs to see, without repeats. Each list is sorted, so that stores lock in one order. */
export interface Reads {
  /** Wallets to lock; policies and rolling windows come with them. */
  readonly wallets: ReadonlyArray<AccountId>
  readonly agents: ReadonlyArray<AgentId>
  readonly items: ReadonlyArray<ItemId>
  /** Who may already hold what. */
  readonly holdings: ReadonlyArray<readonly [AccountId, ItemId]>
  readonly purchases: ReadonlyArray<PurchaseId>
  readonly approvals: ReadonlyArray<ApprovalId>
  readonly subscriptions: ReadonlyArray<SubscriptionId>
  /** Subscriptions found by their purchase. */
  readonly subscriptionsOf: ReadonlyArray<PurchaseId>
  readonly withdrawals: ReadonlyArray<WithdrawalId>
  readonly deposits: ReadonlyArray<readonly [network: string, txid: string, logIndex: number]>
  readonly cursors: ReadonlyArray<string>
  readonly answers: ReadonlyArray<readonly [AccountId | "admin", string]>
}

interface Gathered {
  readonly wallets: Set<AccountId>
  readonly agents: Set<AgentId>
  readonly items: Set<ItemId>
  readonly holdings: Map<string, readonly [AccountId, ItemId]>
  readonly purchases: Set<PurchaseId>
  readonly approvals: Set<ApprovalId>
  readonly subscriptions: Set<SubscriptionId>
  readonly subscriptionsOf: Set<PurchaseId>
  readonly withdrawals: Set<WithdrawalId>
  readonly deposits: Map<string, readonly [string, string, number]>
  readonly cursors: Set<string>
  readonly answers: Map<string, readonly [AccountId | "admin", string]>
}

const gather = (reads: Gathered, order: Order): void => {
  switch (order._tag) {
    case "Buy":
      reads.wallets.add(order.buyerId)
      if (order.agentId !== null) reads.agents.add(order.agentId)
      reads.items.add(order.itemId)
      reads.holdings.set(`${order.buyerId} ${order.itemId}`, [order.buyerId, order.itemId])
      return
    case "Decide":
      reads.wallets.add(order.accountId)
      if (order.agentId !== null) reads.agents.add(order.agentId)
      reads.items.add(order.itemId)
      reads.approvals.add(order.approvalId)
      reads.purchases.add(order.purchaseId)
      return
    case "Expire":
      reads.wallets.add(order.accountId)
      reads.approvals.add(order.approvalId)
      reads.purchases.add(order.purchaseId)
      return
    case "Refund":
      reads.wallets.add(order.buyerId)
      reads.wallets.add(order.sellerId)
      reads.purchases.add(order.purchaseId)
      reads.subscriptionsOf.add(order.purchaseId)
      return
    case "Renew":
      reads.wallets.add(order.buyerId)
      if (order.agentId !== null) reads.agents.add(order.agentId)
      reads.purchases.add(order.purchaseId)
      reads.subscriptions.add(order.subscriptionId)
      return
    case "CancelSubscription":
      reads.wallets.add(order.buyerId)
      reads.purchases.add(order.purchaseId)
      reads.subscriptions.add(order.subscriptionId)
      return
    case "CreditDeposit": {
      const { accountId, logIndex, network, txid } = order.deposit
      reads.wallets.add(accountId)
      reads.deposits.set(`${network} ${txid} ${logIndex}`, [network, txid, logIndex])
      return
    }
    case "AdvanceCursor":
      reads.cursors.add(order.network)
      return
    case "Withdraw":
      reads.wallets.add(order.accountId)
      return
    case "MoveWithdrawal":
      reads.wallets.add(order.accountId)
      reads.withdrawals.add(order.withdrawalId)
      return
  }
}

/** What these orders need to see. Pure. */
export const readsOf = (orders: ReadonlyArray<Order>): Reads => {
  const reads: Gathered = {
    wallets: new Set(),
    agents: new Set(),
    items: new Set(),
    holdings: new Map(),
    purchases: new Set(),
    approvals: new Set(),
    subscriptions: new Set(),
    subscriptionsOf: new Set(),
    withdrawals: new Set(),
    deposits: new Map(),
    cursors: new Set(),
    answers: new Map()
  }
  for (const order of orders) {
    gather(reads, order)
    const repeat = idempotencyOf(order)
    if (repeat !== undefined) reads.answers.set(`${repeat.accountId} ${repeat.key}`, [repeat.accountId, repeat.key])
  }
  const byKey = <A>(map: Map<string, A>): Array<A> =>
    [...map.keys()].sort().flatMap((key) => {
      const value = map.get(key)
      return value === undefined ? [] : [value]
    })
  return {
    wallets: [...reads.wallets].sort(),
    agents: [...reads.agents].sort(),
    items: [...reads.items].sort(),
    holdings: byKey(reads.holdings),
    purchases: [...reads.purchases].sort(),
    approvals: [...reads.approvals].sort(),
    subscriptions: [...reads.subscriptions].sort(),
    subscriptionsOf: [...reads.subscriptionsOf].sort(),
    withdrawals: [...reads.withdrawals].sort(),
    deposits: byKey(reads.deposits),
    cursors: [...reads.cursors].sort(),
    answers: byKey(reads.answers)
  }
}
