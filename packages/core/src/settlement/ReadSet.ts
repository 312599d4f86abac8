import type { AccountId, AgentId, ApprovalId, ItemId, PurchaseId, SubscriptionId, WithdrawalId } from "../ids/Ids.ts"
import type { Command } from "./Command.ts"
import { idempotencyOf } from "./Command.ts"

/** What a batch of orders needs to see, without repeats. Each list is sorted, so that stores lock in one order. */
export interface ReadSet {
  /** Wallets to lock; policies and rolling windows come with them. */
  readonly wallets: ReadonlyArray<AccountId>
  readonly agents: ReadonlyArray<AgentId>
  readonly items: ReadonlyArray<ItemId>
  /** Who may already hold what. */
  readonly entitlements: ReadonlyArray<readonly [AccountId, ItemId]>
  readonly purchases: ReadonlyArray<PurchaseId>
  readonly approvals: ReadonlyArray<ApprovalId>
  /** Accounts of which every pending approval is loaded, with its purchase. */
  readonly approvalsOf: ReadonlyArray<AccountId>
  readonly subscriptions: ReadonlyArray<SubscriptionId>
  /** Subscriptions found by their purchase. */
  readonly subscriptionsOf: ReadonlyArray<PurchaseId>
  readonly withdrawals: ReadonlyArray<WithdrawalId>
  readonly deposits: ReadonlyArray<readonly [network: string, txid: string, logIndex: number]>
  readonly cursors: ReadonlyArray<string>
  readonly results: ReadonlyArray<readonly [AccountId | "admin", string]>
}

interface Gathered {
  readonly wallets: Set<AccountId>
  readonly agents: Set<AgentId>
  readonly items: Set<ItemId>
  readonly entitlements: Map<string, readonly [AccountId, ItemId]>
  readonly purchases: Set<PurchaseId>
  readonly approvals: Set<ApprovalId>
  readonly approvalsOf: Set<AccountId>
  readonly subscriptions: Set<SubscriptionId>
  readonly subscriptionsOf: Set<PurchaseId>
  readonly withdrawals: Set<WithdrawalId>
  readonly deposits: Map<string, readonly [string, string, number]>
  readonly cursors: Set<string>
  readonly results: Map<string, readonly [AccountId | "admin", string]>
}

const gather = (reads: Gathered, command: Command): void => {
  switch (command._tag) {
    case "Buy":
      reads.wallets.add(command.buyerId)
      if (command.agentId !== null) reads.agents.add(command.agentId)
      reads.items.add(command.itemId)
      reads.entitlements.set(`${command.buyerId} ${command.itemId}`, [command.buyerId, command.itemId])
      return
    case "Decide":
      reads.wallets.add(command.accountId)
      if (command.agentId !== null) reads.agents.add(command.agentId)
      reads.items.add(command.itemId)
      reads.approvals.add(command.approvalId)
      reads.purchases.add(command.purchaseId)
      return
    case "Expire":
      reads.wallets.add(command.accountId)
      reads.approvals.add(command.approvalId)
      reads.purchases.add(command.purchaseId)
      return
    case "RejectWaiting":
      reads.wallets.add(command.accountId)
      reads.approvalsOf.add(command.accountId)
      return
    case "Refund":
      reads.wallets.add(command.buyerId)
      reads.wallets.add(command.sellerId)
      reads.purchases.add(command.purchaseId)
      reads.subscriptionsOf.add(command.purchaseId)
      return
    case "Renew":
      reads.wallets.add(command.buyerId)
      if (command.agentId !== null) reads.agents.add(command.agentId)
      reads.purchases.add(command.purchaseId)
      reads.subscriptions.add(command.subscriptionId)
      return
    case "CancelSubscription":
      reads.wallets.add(command.buyerId)
      reads.purchases.add(command.purchaseId)
      reads.subscriptions.add(command.subscriptionId)
      return
    case "CreditDeposit": {
      const { accountId, logIndex, network, txid } = command.deposit
      reads.wallets.add(accountId)
      reads.deposits.set(`${network} ${txid} ${logIndex}`, [network, txid, logIndex])
      return
    }
    case "AdvanceCursor":
      reads.cursors.add(command.network)
      return
    case "Withdraw":
      reads.wallets.add(command.accountId)
      return
    case "MoveWithdrawal":
      reads.wallets.add(command.accountId)
      reads.withdrawals.add(command.withdrawalId)
      return
  }
}

/** What these orders need to see. Pure. */
export const readSetOf = (commands: ReadonlyArray<Command>): ReadSet => {
  const reads: Gathered = {
    wallets: new Set(),
    agents: new Set(),
    items: new Set(),
    entitlements: new Map(),
    purchases: new Set(),
    approvals: new Set(),
    approvalsOf: new Set(),
    subscriptions: new Set(),
    subscriptionsOf: new Set(),
    withdrawals: new Set(),
    deposits: new Map(),
    cursors: new Set(),
    results: new Map()
  }
  for (const command of commands) {
    gather(reads, command)
    const repeat = idempotencyOf(command)
    if (repeat !== undefined) reads.results.set(`${repeat.accountId} ${repeat.key}`, [repeat.accountId, repeat.key])
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
    entitlements: byKey(reads.entitlements),
    purchases: [...reads.purchases].sort(),
    approvals: [...reads.approvals].sort(),
    approvalsOf: [...reads.approvalsOf].sort(),
    subscriptions: [...reads.subscriptions].sort(),
    subscriptionsOf: [...reads.subscriptionsOf].sort(),
    withdrawals: [...reads.withdrawals].sort(),
    deposits: byKey(reads.deposits),
    cursors: [...reads.cursors].sort(),
    results: byKey(reads.results)
  }
}
