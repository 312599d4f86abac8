import type {
  AccountId,
  AgentId,
  ApprovalId,
  ItemId,
  PurchaseId,
  RenewalId,
  SubscriptionId,
  WithdrawalId
} from "../ids/Ids.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Command, WithdrawalStep } from "./Command.ts"
import { idempotencyOf } from "./Command.ts"

/** Proceeds that a refund may need: those of `references` and, if they are less than `wanted`, others of the account. */
export interface EscrowRead {
  readonly account: AccountId
  readonly references: ReadonlyArray<string>
  /** The maximum that all refunds of the batch take from this account. */
  readonly wanted: Usdt
}

/** The records that a batch of commands reads, without duplicates. Each list is sorted, so that stores lock in one order. */
export interface ReadSet {
  /** Wallets to lock, with their policies and rolling windows. */
  readonly wallets: ReadonlyArray<AccountId>
  readonly agents: ReadonlyArray<AgentId>
  readonly items: ReadonlyArray<ItemId>
  /** Accounts and items whose entitlements are read. */
  readonly entitlements: ReadonlyArray<readonly [AccountId, ItemId]>
  readonly purchases: ReadonlyArray<PurchaseId>
  readonly approvals: ReadonlyArray<ApprovalId>
  /** Accounts whose pending approvals are loaded, with their purchases. */
  readonly approvalsOf: ReadonlyArray<AccountId>
  readonly subscriptions: ReadonlyArray<SubscriptionId>
  /** Subscriptions, by their purchase. */
  readonly subscriptionsOf: ReadonlyArray<PurchaseId>
  readonly renewals: ReadonlyArray<RenewalId>
  /** Locked proceeds, by reference. */
  readonly escrow: ReadonlyArray<string>
  /** Locked proceeds of accounts that refund. */
  readonly escrowOf: ReadonlyArray<EscrowRead>
  readonly withdrawals: ReadonlyArray<WithdrawalId>
  /** Accounts whose `WithdrawalStanding` is loaded; their wallets are locked too. */
  readonly standings: ReadonlyArray<AccountId>
  /** Whether the pause of payouts is read, or changed: locked against changes or against everything. */
  readonly payouts: "no" | "read" | "change"
  readonly deposits: ReadonlyArray<readonly [network: string, txid: string, logIndex: number]>
  readonly cursors: ReadonlyArray<string>
  readonly results: ReadonlyArray<readonly [AccountId | "admin", string]>
}

/** The steps of a withdrawal that a pause of payouts may prevent. */
const stoppable: ReadonlySet<WithdrawalStep["to"]> = new Set(["broadcasting", "cancelled", "rejected"])

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
  readonly renewals: Set<RenewalId>
  readonly escrow: Set<string>
  readonly refunds: Map<string, { readonly account: AccountId; readonly net: Usdt }>
  readonly withdrawals: Set<WithdrawalId>
  readonly standings: Set<AccountId>
  payouts: ReadSet["payouts"]
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
      reads.entitlements.set(`${command.buyerId} ${command.itemId}`, [command.buyerId, command.itemId])
      if (command.renewalId !== null) reads.renewals.add(command.renewalId)
      reads.refunds.set(command.renewalId ?? command.purchaseId, { account: command.sellerId, net: command.net })
      return
    case "Renew":
      reads.wallets.add(command.buyerId)
      if (command.agentId !== null) reads.agents.add(command.agentId)
      reads.items.add(command.itemId)
      reads.purchases.add(command.purchaseId)
      reads.subscriptions.add(command.subscriptionId)
      return
    case "ResumeSubscription":
      reads.wallets.add(command.buyerId)
      reads.subscriptions.add(command.subscriptionId)
      return
    case "ReleaseEscrow":
      reads.wallets.add(command.accountId)
      for (const reference of command.references) reads.escrow.add(reference)
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
      reads.standings.add(command.accountId)
      reads.withdrawals.add(command.withdrawalId)
      return
    case "ChangeWithdrawalRules":
    case "SaveAddress":
    case "RemoveAddress":
      reads.wallets.add(command.accountId)
      reads.standings.add(command.accountId)
      return
    case "MoveWithdrawal":
      reads.wallets.add(command.accountId)
      reads.withdrawals.add(command.withdrawalId)
      if (stoppable.has(command.step.to) && reads.payouts === "no") reads.payouts = "read"
      return
    case "SetPayouts":
      reads.payouts = "change"
      return
  }
}

const escrowReads = (refunds: Gathered["refunds"]): ReadonlyArray<EscrowRead> => {
  const byAccount = new Map<AccountId, EscrowRead>()
  for (const [reference, { account, net }] of refunds) {
    const before = byAccount.get(account)
    byAccount.set(account, {
      account,
      references: [...(before?.references ?? []), reference].sort(),
      wanted: Usdt.of((before?.wanted ?? 0n) + net)
    })
  }
  return [...byAccount.values()].sort((one, other) => (one.account < other.account ? -1 : 1))
}

/** The records that these commands read. Pure. */
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
    renewals: new Set(),
    escrow: new Set(),
    refunds: new Map(),
    withdrawals: new Set(),
    standings: new Set(),
    payouts: "no",
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
    renewals: [...reads.renewals].sort(),
    escrow: [...reads.escrow].sort(),
    escrowOf: escrowReads(reads.refunds),
    withdrawals: [...reads.withdrawals].sort(),
    standings: [...reads.standings].sort(),
    payouts: reads.payouts,
    deposits: byKey(reads.deposits),
    cursors: [...reads.cursors].sort(),
    results: byKey(reads.results)
  }
}
