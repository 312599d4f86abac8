import type { ScanPosition } from "../wallets/ScanPosition.ts"
import type { OperatorAction } from "../admin/OperatorAction.ts"
import type { Approval } from "../approvals/Approval.ts"
import type { RevocationProgress } from "../advisories/Revocation.ts"
import { addProgress, noProgress } from "../advisories/Revocation.ts"
import { spentWith } from "../approvals/SpendingWindows.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { MarketEvent } from "../events/MarketEvent.ts"
import { Traceparent } from "../events/Traceparent.ts"
import type {
  AccountId,
  AddressId,
  AgentId,
  ApprovalId,
  HeldDepositId,
  ItemId,
  PurchaseId,
  RenewalId,
  RevocationId,
  SubscriptionId,
  WithdrawalId
} from "../ids/Ids.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { Purchase } from "../purchases/Purchase.ts"
import type { Renewal, Subscription } from "../purchases/Subscription.ts"
import type { HeldDeposit } from "../screening/HeldDeposit.ts"
import type { Deposit } from "../wallets/Deposit.ts"
import type { Escrow } from "../wallets/Escrow.ts"
import type { LedgerAccount, LedgerLine, WalletBalance } from "../wallets/Ledger.ts"
import { emptyBalance, post } from "../wallets/Ledger.ts"
import type { PayoutPause, Withdrawal } from "../wallets/Withdrawal.ts"
import type { SavedAddress, StoredWithdrawalRules } from "../wallets/WithdrawalRules.ts"
import { standingWith } from "../wallets/WithdrawalStanding.ts"
import type { CommandResult } from "./CommandResult.ts"
import type { Change } from "./Change.ts"
import type { Entitlement, MarketState } from "./MarketState.ts"
import { resultKey, depositKey, entitlementKey } from "./MarketState.ts"
import { marketRule } from "./MarketRule.ts"
import type { Command } from "./Command.ts"
import type { Idempotency } from "./Idempotency.ts"
import type { Outcome } from "./Outcome.ts"

/** Every change of a batch, each record once in its final form. This is what a store must write. */
export interface WriteSet {
  /** The new balances of wallets that were loaded and locked. */
  readonly wallets: ReadonlyMap<AccountId, WalletBalance>
  /** Amounts to add to wallets that were not loaded: a seller is credited without a lock. */
  readonly credits: ReadonlyMap<AccountId, WalletBalance>
  readonly lines: ReadonlyArray<LedgerLine>
  readonly purchases: ReadonlyMap<PurchaseId, Purchase>
  readonly approvals: ReadonlyMap<ApprovalId, Approval>
  readonly subscriptions: ReadonlyMap<SubscriptionId, Subscription>
  readonly renewals: ReadonlyMap<RenewalId, Renewal>
  /** By reference; an amount of zero removes it. */
  readonly escrow: ReadonlyMap<string, Escrow>
  readonly withdrawals: ReadonlyMap<WithdrawalId, Withdrawal>
  readonly withdrawalRules: ReadonlyMap<AccountId, StoredWithdrawalRules>
  /** By id; null removes it. */
  readonly savedAddresses: ReadonlyMap<
    AddressId,
    { readonly accountId: AccountId; readonly saved: SavedAddress | null }
  >
  /** The last one counts; none where it stays as it is. */
  readonly payouts: ReadonlyArray<{ readonly pause: PayoutPause | null }>
  readonly actions: ReadonlyArray<OperatorAction>
  readonly deposits: ReadonlyArray<Deposit>
  readonly heldDeposits: ReadonlyMap<HeldDepositId, HeldDeposit>
  readonly cursors: ReadonlyMap<string, ScanPosition>
  /** By entitlementKey; null removes it. */
  readonly entitlements: ReadonlyMap<
    string,
    { readonly buyerId: AccountId; readonly itemId: ItemId; readonly entitlement: Entitlement | null }
  >
  /** Numbers to add to the items' sales counts; may be negative. */
  readonly sold: ReadonlyMap<ItemId, number>
  /** What to add to the totals of revocations. */
  readonly revocations: ReadonlyMap<RevocationId, RevocationProgress>
  readonly events: ReadonlyArray<MarketEvent>
  readonly results: ReadonlyMap<string, { readonly idempotency: Idempotency; readonly result: CommandResult }>
}

type Mutable<A> =
  A extends ReadonlyMap<infer K, infer V>
    ? Map<K, V>
    : A extends ReadonlySet<infer X>
      ? Set<X>
      : A extends ReadonlyArray<infer X>
        ? Array<X>
        : A

type Working<State> = { -readonly [K in keyof State]: Mutable<State[K]> }

/** A copy whose collections may be changed. The records in them never are. */
const copied = (state: MarketState): Working<MarketState> => ({
  now: state.now,
  wallets: new Map(state.wallets),
  budgets: new Map(state.budgets),
  frozen: new Map(state.frozen),
  items: new Map(state.items),
  entitlements: new Map(state.entitlements),
  purchases: new Map(state.purchases),
  approvals: new Map(state.approvals),
  subscriptions: new Map(state.subscriptions),
  renewals: new Map(state.renewals),
  escrow: new Map(state.escrow),
  withdrawals: new Map(state.withdrawals),
  standings: new Map(state.standings),
  payoutPause: state.payoutPause,
  heldDeposits: new Map(state.heldDeposits),
  credited: new Set(state.credited),
  usedTransactions: new Set(state.usedTransactions),
  cursors: new Map(state.cursors),
  results: new Map(state.results)
})

const owner = (account: LedgerAccount): AccountId | undefined => {
  const colon = account.indexOf(":")
  return colon < 0 ? undefined : (account.slice(colon + 1) as AccountId)
}

const counts = (purchase: Purchase): boolean => purchase.status === "pending" || purchase.status === "completed"

/** Each command changes a private copy of the loaded state in turn, and the changes to be written are collected. */
class WorkingState {
  readonly state: Working<MarketState>
  readonly writes: Working<WriteSet> = {
    wallets: new Map(),
    credits: new Map(),
    lines: [],
    purchases: new Map(),
    approvals: new Map(),
    subscriptions: new Map(),
    renewals: new Map(),
    escrow: new Map(),
    withdrawals: new Map(),
    withdrawalRules: new Map(),
    savedAddresses: new Map(),
    payouts: [],
    actions: [],
    deposits: [],
    heldDeposits: new Map(),
    cursors: new Map(),
    entitlements: new Map(),
    sold: new Map(),
    revocations: new Map(),
    events: [],
    results: new Map()
  }

  constructor(state: MarketState) {
    this.state = copied(state)
  }

  private line(line: LedgerLine): void {
    this.writes.lines.push(line)
    for (const account of new Set([owner(line.debit), owner(line.credit)])) {
      if (account === undefined) continue
      const loaded = this.state.wallets.get(account)
      if (loaded === undefined) {
        this.writes.credits.set(account, post(this.writes.credits.get(account) ?? emptyBalance, account, line))
      } else {
        const next = post(loaded, account, line)
        this.state.wallets.set(account, next)
        this.writes.wallets.set(account, next)
      }
    }
  }

  private spend(
    by: { buyerId: AccountId; agentId: AgentId | null },
    amount: Usdt,
    at: Timestamp,
    sign: 1n | -1n
  ): void {
    for (const spender of [by.buyerId, by.agentId]) {
      const budget = spender === null ? undefined : this.state.budgets.get(spender)
      if (spender === null || budget === undefined) continue
      this.state.budgets.set(spender, { ...budget, spent: spentWith(budget.spent, amount, at, this.state.now, sign) })
    }
  }

  private purchase(purchase: Purchase): void {
    const before = this.state.purchases.get(purchase.id)
    if (before !== undefined && counts(before)) this.spend(before, before.amount, before.purchasedAt, -1n)
    if (counts(purchase)) this.spend(purchase, purchase.amount, purchase.purchasedAt, 1n)
    this.state.purchases.set(purchase.id, purchase)
    this.writes.purchases.set(purchase.id, purchase)
  }

  private renewal(renewal: Renewal): void {
    const before = this.state.renewals.get(renewal.id)
    if (before?.status === "completed") this.spend(before, before.amount, before.at, -1n)
    if (renewal.status === "completed") this.spend(renewal, renewal.amount, renewal.at, 1n)
    this.state.renewals.set(renewal.id, renewal)
    this.writes.renewals.set(renewal.id, renewal)
  }

  private entitlement(change: Extract<Change, { _tag: "Entitlement" }>): void {
    const key = entitlementKey(change.buyerId, change.itemId)
    if (change.entitlement === null) this.state.entitlements.delete(key)
    else this.state.entitlements.set(key, change.entitlement)
    this.writes.entitlements.set(key, change)
  }

  private withdrawal(withdrawal: Withdrawal): void {
    const standing = this.state.standings.get(withdrawal.accountId)
    if (standing !== undefined) {
      const before = this.state.withdrawals.get(withdrawal.id)
      this.state.standings.set(withdrawal.accountId, standingWith(standing, before, withdrawal, this.state.now))
    }
    if (withdrawal.transaction !== null) this.state.usedTransactions.add(withdrawal.transaction.txid)
    this.state.withdrawals.set(withdrawal.id, withdrawal)
    this.writes.withdrawals.set(withdrawal.id, withdrawal)
  }

  private withdrawalRules({ accountId, stored }: Extract<Change, { _tag: "WithdrawalRules" }>): void {
    const standing = this.state.standings.get(accountId)
    if (standing !== undefined) this.state.standings.set(accountId, { ...standing, rules: stored })
    this.writes.withdrawalRules.set(accountId, stored)
  }

  private savedAddress({ accountId, id, saved }: Extract<Change, { _tag: "SavedAddress" }>): void {
    const standing = this.state.standings.get(accountId)
    if (standing !== undefined) {
      const addresses = new Map(standing.addresses)
      if (saved === null) addresses.delete(id)
      else addresses.set(id, saved)
      this.state.standings.set(accountId, { ...standing, addresses })
    }
    this.writes.savedAddresses.set(id, { accountId, saved })
  }

  apply(change: Change, traceparent: Traceparent | undefined): void {
    switch (change._tag) {
      case "Line":
        return this.line(change.line)
      case "Purchase":
        return this.purchase(change.purchase)
      case "Entitlement":
        return this.entitlement(change)
      case "Approval":
        this.state.approvals.set(change.approval.id, change.approval)
        this.writes.approvals.set(change.approval.id, change.approval)
        return
      case "Subscription":
        this.state.subscriptions.set(change.subscription.id, change.subscription)
        this.writes.subscriptions.set(change.subscription.id, change.subscription)
        return
      case "Renewal":
        return this.renewal(change.renewal)
      case "Escrow":
        if (change.escrow.amount === 0n) this.state.escrow.delete(change.escrow.reference)
        else this.state.escrow.set(change.escrow.reference, change.escrow)
        this.writes.escrow.set(change.escrow.reference, change.escrow)
        return
      case "Withdrawal":
        return this.withdrawal(change.withdrawal)
      case "WithdrawalRules":
        return this.withdrawalRules(change)
      case "SavedAddress":
        return this.savedAddress(change)
      case "Payouts":
        this.state.payoutPause = change.pause
        this.writes.payouts.push({ pause: change.pause })
        return
      case "Action":
        this.writes.actions.push(change.action)
        return
      case "Deposit":
        this.state.credited.add(depositKey(change.deposit.network, change.deposit.txid, change.deposit.logIndex))
        this.writes.deposits.push(change.deposit)
        return
      case "HeldDeposit":
        this.state.heldDeposits.set(change.deposit.id, change.deposit)
        this.writes.heldDeposits.set(change.deposit.id, change.deposit)
        return
      case "Cursor":
        this.state.cursors.set(change.network, change.position)
        this.writes.cursors.set(change.network, change.position)
        return
      case "Sold":
        this.writes.sold.set(change.itemId, (this.writes.sold.get(change.itemId) ?? 0) + change.by)
        return
      case "RevocationProgress": {
        const { progress, revocationId } = change
        const before = this.writes.revocations.get(revocationId) ?? noProgress
        this.writes.revocations.set(revocationId, addProgress(before, progress))
        return
      }
      case "Event":
        this.writes.events.push(Traceparent.on(change.event, traceparent))
        return
      case "IdempotentResult": {
        const key = resultKey(change.idempotency.accountId, change.idempotency.key)
        this.state.results.set(key, { fingerprint: change.idempotency.fingerprint, result: change.result })
        this.writes.results.set(key, change)
        return
      }
    }
  }
}

/**
 * Applies the rule to each command in turn, each on the state after the previous one. Returns the outcome of each command and the changes to be
 * written. Pure: the given state does not change.
 */
export const settleBatch = (
  state: MarketState,
  commands: ReadonlyArray<Command>
): { readonly outcomes: ReadonlyArray<Outcome>; readonly writes: WriteSet } => {
  const working = new WorkingState(state)
  const outcomes = commands.map((command) => {
    const decision = marketRule(working.state, command)
    for (const change of decision.changes) working.apply(change, command.traceparent)
    return decision.outcome
  })
  return { outcomes, writes: working.writes }
}
