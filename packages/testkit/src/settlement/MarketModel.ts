import type { ScanPosition } from "@agent-marketplace/core/wallets/ScanPosition"
import type { OperatorAction } from "@agent-marketplace/core/admin/OperatorAction"
import type { Approval } from "@agent-marketplace/core/approvals/Approval"
import type { SpendingPolicy, SpentWindows } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Timestamp as Time } from "@agent-marketplace/core/clock/Timestamp"
import type { MarketEvent } from "@agent-marketplace/core/events/MarketEvent"
import type {
  AccountId,
  AddressId,
  AgentId,
  ApprovalId,
  HeldDepositId,
  ItemId,
  PurchaseId,
  RenewalId,
  SubscriptionId,
  WithdrawalId
} from "@agent-marketplace/core/ids/Ids"
import type { Freeze } from "@agent-marketplace/core/identity/Freeze"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { Purchase } from "@agent-marketplace/core/purchases/Purchase"
import type { Renewal, Subscription } from "@agent-marketplace/core/purchases/Subscription"
import type { CommandResult } from "@agent-marketplace/core/settlement/CommandResult"
import type { WriteSet } from "@agent-marketplace/core/settlement/Batch"
import { settleBatch } from "@agent-marketplace/core/settlement/Batch"
import type { Budget, Entitlement, MarketState, SaleItem } from "@agent-marketplace/core/settlement/MarketState"
import { resultKey, depositKey, entitlementKey } from "@agent-marketplace/core/settlement/MarketState"
import type { Command } from "@agent-marketplace/core/settlement/Command"
import type { Outcome } from "@agent-marketplace/core/settlement/Outcome"
import { readSetOf } from "@agent-marketplace/core/settlement/ReadSet"
import type { HeldDeposit } from "@agent-marketplace/core/screening/HeldDeposit"
import type { Deposit } from "@agent-marketplace/core/wallets/Deposit"
import type { LedgerLine, WalletBalance } from "@agent-marketplace/core/wallets/Ledger"
import type { Escrow } from "@agent-marketplace/core/wallets/Escrow"
import { addBalances, emptyBalance } from "@agent-marketplace/core/wallets/Ledger"
import type { PayoutPause, Withdrawal } from "@agent-marketplace/core/wallets/Withdrawal"
import type { SavedAddress, StoredWithdrawalRules } from "@agent-marketplace/core/wallets/WithdrawalRules"
import { openRules } from "@agent-marketplace/core/wallets/WithdrawalRules"
import type { WithdrawalStanding } from "@agent-marketplace/core/wallets/WithdrawalStanding"
import { isOpen } from "@agent-marketplace/core/wallets/Withdrawal"

interface KeptResult {
  readonly fingerprint: string
  readonly result: CommandResult
  readonly at: Timestamp
}

/** Changes of a listing that its operator has not reviewed yet. */
export type PendingItem = Pick<SaleItem, "name" | "pricingModel">

const pick = <K, V>(from: ReadonlyMap<K, V>, keys: Iterable<K>): Map<K, V> => {
  const found = new Map<K, V>()
  for (const key of keys) {
    const value = from.get(key)
    if (value !== undefined) found.set(key, value)
  }
  return found
}

const put = <K, V>(into: Map<K, V>, from: ReadonlyMap<K, V>): void => {
  for (const [key, value] of from) into.set(key, value)
}

/**
 * The simplest possible store of a market: maps, one batch after the other. It loads only what
 * `readSetOf` names, so that a rule that reads anything else fails its tests.
 */
export class MarketModel {
  now: Timestamp
  readonly wallets = new Map<AccountId, WalletBalance>()
  readonly policies = new Map<AccountId | AgentId, SpendingPolicy>()
  /** The time of the last change of a policy. */
  readonly policySince = new Map<AccountId | AgentId, Timestamp>()
  readonly frozen = new Map<AccountId | AgentId, Freeze>()
  readonly items = new Map<ItemId, SaleItem>()
  /** Changes of listings that wait for review. */
  readonly pendingItems = new Map<ItemId, PendingItem>()
  readonly sold = new Map<ItemId, number>()
  readonly entitlements = new Map<string, Entitlement>()
  readonly purchases = new Map<PurchaseId, Purchase>()
  readonly approvals = new Map<ApprovalId, Approval>()
  readonly subscriptions = new Map<SubscriptionId, Subscription>()
  readonly renewals = new Map<RenewalId, Renewal>()
  readonly escrow = new Map<string, Escrow>()
  readonly withdrawals = new Map<WithdrawalId, Withdrawal>()
  readonly withdrawalRules = new Map<AccountId, StoredWithdrawalRules>()
  readonly savedAddresses = new Map<AddressId, { readonly accountId: AccountId; readonly saved: SavedAddress }>()
  payoutPause: PayoutPause | null = null
  readonly actions: Array<OperatorAction> = []
  readonly deposits = new Map<string, Deposit>()
  readonly heldDeposits = new Map<HeldDepositId, HeldDeposit>()
  readonly cursors = new Map<string, ScanPosition>()
  readonly results = new Map<string, KeptResult>()
  readonly lines: Array<LedgerLine> = []
  readonly events: Array<MarketEvent> = []

  constructor(now: Timestamp) {
    this.now = now
  }

  setPolicy(subject: AccountId | AgentId, policy: SpendingPolicy): void {
    this.policies.set(subject, policy)
    this.policySince.set(subject, this.now)
  }

  /** One transaction: loads, decides and writes. */
  settle(commands: ReadonlyArray<Command>): ReadonlyArray<Outcome> {
    const { outcomes, writes } = settleBatch(this.load(commands), commands)
    this.write(writes)
    return outcomes
  }

  load(commands: ReadonlyArray<Command>): MarketState {
    const reads = readSetOf(commands)
    const credited = reads.deposits.map((key) => depositKey(...key)).filter((key) => this.deposits.has(key))
    const refunding = new Set(reads.escrowOf.map(({ account }) => account))
    const approvalsOf = new Set(reads.approvalsOf)
    const waiting =
      approvalsOf.size === 0
        ? []
        : [...this.approvals.values()].filter(
            ({ accountId, status }) => status === "pending" && approvalsOf.has(accountId)
          )
    const subscriptionsOf = new Set(reads.subscriptionsOf)
    const subscriptions = pick(this.subscriptions, reads.subscriptions)
    for (const one of this.subscriptions.values()) {
      if (subscriptionsOf.has(one.purchaseId)) subscriptions.set(one.id, one)
    }
    return {
      now: this.now,
      wallets: pick(this.wallets, reads.wallets),
      budgets: new Map([...reads.wallets, ...reads.agents].map((spender) => [spender, this.budget(spender)])),
      frozen: pick(this.frozen, [...reads.wallets, ...reads.agents]),
      items: new Map(
        [...pick(this.items, reads.items)].map(([id, item]) => [
          id,
          {
            ...item,
            onSale: item.onSale && !this.frozen.has(item.sellerId),
            sellerOwes: (this.wallets.get(item.sellerId)?.debt ?? 0n) > 0n
          }
        ])
      ),
      entitlements: pick(
        this.entitlements,
        reads.entitlements.map(([buyer, item]) => entitlementKey(buyer, item))
      ),
      purchases: pick(this.purchases, [...reads.purchases, ...waiting.map(({ purchaseId }) => purchaseId)]),
      approvals: pick(this.approvals, [...reads.approvals, ...waiting.map(({ id }) => id)]),
      subscriptions,
      renewals: pick(this.renewals, reads.renewals),
      escrow: pick(this.escrow, [
        ...reads.escrow,
        ...(refunding.size === 0 ? [] : [...this.escrow.values()])
          .filter(({ accountId }) => refunding.has(accountId))
          .map(({ reference }) => reference)
      ]),
      withdrawals: pick(this.withdrawals, reads.withdrawals),
      standings: new Map(reads.standings.map((account) => [account, this.standing(account)])),
      payoutPause: reads.payouts === "no" ? null : this.payoutPause,
      heldDeposits: pick(this.heldDeposits, reads.heldDeposits),
      credited: new Set(credited),
      usedTransactions: new Set(
        [...this.withdrawals.values()].flatMap(({ transaction }) =>
          transaction !== null && reads.transactions.includes(transaction.txid) ? [transaction.txid] : []
        )
      ),
      cursors: pick(this.cursors, reads.cursors),
      results: new Map(
        [
          ...pick(
            this.results,
            reads.results.map(([account, key]) => resultKey(account, key))
          )
        ].filter(([, { at }]) => this.now - at < Time.day)
      )
    }
  }

  private standing(account: AccountId): WithdrawalStanding {
    const own = [...this.withdrawals.values()].filter(({ accountId }) => accountId === account)
    const today = own.filter(
      ({ createdAt, state }) => this.now - createdAt < Time.day && state !== "failed" && state !== "cancelled"
    )
    const saved = [...this.savedAddresses].filter(([, { accountId }]) => accountId === account)
    return {
      open: own.filter(isOpen).length,
      day: Usdt.of(today.reduce((sum, { amount }) => sum + amount, 0n)),
      rules: this.withdrawalRules.get(account) ?? openRules,
      addresses: new Map(saved.map(([id, entry]) => [id, entry.saved]))
    }
  }

  private budget(spender: AccountId | AgentId): Budget {
    return { policy: this.policies.get(spender) ?? defaultPolicy, spent: this.spent(spender) }
  }

  private spent(spender: AccountId | AgentId): SpentWindows {
    const by = { day: 0n, week: 0n, month: 0n }
    const count = (amount: Usdt, at: Timestamp): void => {
      const age = this.now - at
      if (age < Time.day) by.day += amount
      if (age < 7 * Time.day) by.week += amount
      if (age < 30 * Time.day) by.month += amount
    }
    for (const { agentId, amount, buyerId, purchasedAt, status } of this.purchases.values()) {
      if ((status === "pending" || status === "completed") && (buyerId === spender || agentId === spender)) {
        count(amount, purchasedAt)
      }
    }
    for (const { agentId, amount, at, buyerId, status } of this.renewals.values()) {
      if (status === "completed" && (buyerId === spender || agentId === spender)) count(amount, at)
    }
    return { day: Usdt.of(by.day), week: Usdt.of(by.week), month: Usdt.of(by.month) }
  }

  private write(writes: WriteSet): void {
    put(this.wallets, writes.wallets)
    for (const [id, credit] of writes.credits)
      this.wallets.set(id, addBalances(this.wallets.get(id) ?? emptyBalance, credit))
    put(this.purchases, writes.purchases)
    put(this.approvals, writes.approvals)
    put(this.subscriptions, writes.subscriptions)
    put(this.withdrawals, writes.withdrawals)
    put(this.cursors, writes.cursors)
    put(this.heldDeposits, writes.heldDeposits)
    put(this.withdrawalRules, writes.withdrawalRules)
    for (const [id, { accountId, saved }] of writes.savedAddresses) {
      if (saved === null) this.savedAddresses.delete(id)
      else this.savedAddresses.set(id, { accountId, saved })
    }
    for (const { pause } of writes.payouts) this.payoutPause = pause
    this.actions.push(...writes.actions)
    for (const [key, { entitlement }] of writes.entitlements) {
      if (entitlement === null) this.entitlements.delete(key)
      else this.entitlements.set(key, entitlement)
    }
    for (const [id, by] of writes.sold) this.sold.set(id, (this.sold.get(id) ?? 0) + by)
    for (const one of writes.deposits) this.deposits.set(depositKey(one.network, one.txid, one.logIndex), one)
    for (const [key, { result, idempotency }] of writes.results) {
      this.results.set(key, { fingerprint: idempotency.fingerprint, result, at: this.now })
    }
    put(this.renewals, writes.renewals)
    for (const escrow of writes.escrow.values()) {
      if (escrow.amount > 0n) this.escrow.set(escrow.reference, escrow)
      else this.escrow.delete(escrow.reference)
    }
    this.lines.push(...writes.lines)
    this.events.push(...writes.events)
  }
}
