import type {
  AccountId,
  AgentId,
  ApprovalId,
  HeldDepositId,
  ItemId,
  PurchaseId,
  RenewalId,
  SubscriptionId,
  WithdrawalId
} from "../ids/Ids.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Command, WithdrawalStep } from "./Command.ts"
import { idempotencyOf } from "./Command.ts"
import { depositKey, entitlementKey, resultKey } from "./MarketState.ts"

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
  /** Transactions that are to settle withdrawals, locked so that each explains one withdrawal or one transfer. */
  readonly transactions: ReadonlyArray<string>
  readonly deposits: ReadonlyArray<readonly [network: string, txid: string, logIndex: number]>
  readonly heldDeposits: ReadonlyArray<HeldDepositId>
  readonly cursors: ReadonlyArray<string>
  readonly results: ReadonlyArray<readonly [AccountId | "admin", string]>
}

/** The steps of a withdrawal that a pause of payouts may prevent. */
const stoppable: ReadonlySet<WithdrawalStep["to"]> = new Set(["broadcasting", "cancelled", "rejected"])

/** A refund, by the sale or renewal that it refunds. */
interface RefundRead {
  readonly reference: string
  readonly account: AccountId
  readonly net: Usdt
}

/** The parts of a read set that commands add to: its lists, and the refunds that {@link escrowReads} merges. */
interface Lists extends Omit<ReadSet, "escrowOf" | "payouts"> {
  readonly refunds: ReadonlyArray<RefundRead>
  readonly payouts: ReadonlyArray<"read" | "change">
}

type Gathered = { readonly [L in keyof Lists]: Array<Lists[L][number]> }

type Tag = Command["_tag"]
type CommandOf<T extends Tag> = Extract<Command, { readonly _tag: T }>

/** One id, none, or any number of entries. */
type Entries<A> = ReadonlyArray<A> | (A extends string ? A : never) | null

/** The records that a command reads, by list; an absent list gets none. */
type Reads<C> = { readonly [L in keyof Lists]?: (command: C) => Entries<Lists[L][number]> }

const account = { wallets: (command: { readonly accountId: AccountId }) => command.accountId }
const buyer = { wallets: (command: { readonly buyerId: AccountId }) => command.buyerId }
const agent = { agents: (command: { readonly agentId: AgentId | null }) => command.agentId }
const item = { items: (command: { readonly itemId: ItemId }) => command.itemId }
const purchase = { purchases: (command: { readonly purchaseId: PurchaseId }) => command.purchaseId }
const approval = { approvals: (command: { readonly approvalId: ApprovalId }) => command.approvalId }
const subscription = { subscriptions: (command: { readonly subscriptionId: SubscriptionId }) => command.subscriptionId }
const withdrawal = { withdrawals: (command: { readonly withdrawalId: WithdrawalId }) => command.withdrawalId }
const standing = { ...account, standings: account.wallets }
const entitlement = {
  entitlements: (command: { readonly buyerId: AccountId; readonly itemId: ItemId }) => [
    [command.buyerId, command.itemId] as const
  ]
}

/** The records that each kind of command reads, besides the result of its Idempotency-Key. */
const readsOf: { readonly [T in Tag]: Reads<CommandOf<T>> } = {
  Buy: { ...buyer, ...agent, ...item, ...entitlement },
  Decide: { ...account, ...agent, ...item, ...approval, ...purchase },
  Expire: { ...account, ...approval, ...purchase },
  EndApproval: { ...account, ...approval, ...purchase },
  RejectWaiting: { ...account, approvalsOf: account.wallets },
  Refund: {
    ...purchase,
    ...entitlement,
    wallets: ({ buyerId, sellerId }) => [buyerId, sellerId],
    subscriptionsOf: purchase.purchases,
    renewals: ({ renewalId }) => renewalId,
    refunds: ({ net, purchaseId, renewalId, sellerId }) => [
      { reference: renewalId ?? purchaseId, account: sellerId, net }
    ]
  },
  Renew: { ...buyer, ...agent, ...item, ...purchase, ...subscription },
  ResumeSubscription: { ...buyer, ...subscription },
  ReleaseEscrow: { ...account, escrow: ({ references }) => references },
  CancelSubscription: { ...buyer, ...purchase, ...subscription },
  CreditDeposit: {
    wallets: ({ deposit }) => deposit.accountId,
    deposits: ({ deposit: { logIndex, network, txid } }) => [[network, txid, logIndex]]
  },
  DecideDeposit: { ...account, heldDeposits: ({ depositId }) => depositId },
  AdvanceCursor: { cursors: ({ network }) => network },
  Withdraw: { ...standing, ...withdrawal },
  ChangeWithdrawalRules: standing,
  SaveAddress: standing,
  RemoveAddress: standing,
  MoveWithdrawal: {
    ...account,
    ...withdrawal,
    payouts: ({ step }) => (stoppable.has(step.to) ? "read" : null),
    transactions: ({ step }) => (step.to === "settled" ? step.transaction.txid : null)
  },
  SetPayouts: { payouts: () => "change" }
}

type Step<C> = (gathered: Gathered, command: C) => void

/** Adds what `read` returns to one list. */
const step =
  <C, L extends keyof Lists>(list: L, read: (command: C) => Entries<Lists[L][number]>): Step<C> =>
  (gathered, command) => {
    const found = read(command)
    if (found === null) return
    const entries: Array<Lists[L][number]> = gathered[list]
    if (typeof found === "string") entries.push(found)
    else for (const entry of found) entries.push(entry)
  }

const stepsOf = <C>(described: Reads<C>): ReadonlyArray<Step<C>> =>
  (Object.keys(described) as ReadonlyArray<keyof Lists>).flatMap((list) => {
    const read = described[list]
    return read === undefined ? [] : [step(list, read)]
  })

/** The steps of each kind of command, made once: a batch runs only those that its commands need. They get commands of their kind only. */
const steps = Object.fromEntries(
  Object.entries(readsOf).map(([tag, described]) => [tag, stepsOf(described as Reads<never>)])
) as Readonly<Record<Tag, ReadonlyArray<Step<Command>>>>

/** Each id once, in order. */
const unique = <Id extends string>(ids: ReadonlyArray<Id>): ReadonlyArray<Id> =>
  ids.length < 2 ? ids : [...new Set(ids)].sort()

/** Each entry once, in the order of the keys. */
const uniqueBy = <A>(entries: ReadonlyArray<A>, keyOf: (entry: A) => string): ReadonlyArray<A> => {
  if (entries.length < 2) return entries
  const byKey = new Map<string, A>()
  for (const entry of entries) byKey.set(keyOf(entry), entry)
  const sorted: Array<A> = []
  for (const key of [...byKey.keys()].sort()) sorted.push(byKey.get(key) as A)
  return sorted
}

const escrowReads = (refunds: ReadonlyArray<RefundRead>): ReadonlyArray<EscrowRead> => {
  const seen = new Set<string>()
  const byAccount = new Map<AccountId, { references: Array<string>; wanted: Usdt }>()
  for (const { account, net, reference } of refunds) {
    if (seen.has(reference)) continue
    seen.add(reference)
    const before = byAccount.get(account)
    if (before === undefined) byAccount.set(account, { references: [reference], wanted: net })
    else {
      before.references.push(reference)
      before.wanted = Usdt.of(before.wanted + net)
    }
  }
  return [...byAccount]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([account, { references, wanted }]) => ({ account, references: references.sort(), wanted }))
}

const nothingGathered = (): Gathered => ({
  wallets: [],
  agents: [],
  items: [],
  entitlements: [],
  purchases: [],
  approvals: [],
  approvalsOf: [],
  subscriptions: [],
  subscriptionsOf: [],
  renewals: [],
  escrow: [],
  refunds: [],
  withdrawals: [],
  standings: [],
  payouts: [],
  transactions: [],
  deposits: [],
  heldDeposits: [],
  cursors: [],
  results: []
})

/** The records that these commands read. Pure. */
export const readSetOf = (commands: ReadonlyArray<Command>): ReadSet => {
  const all = nothingGathered()
  for (const command of commands) {
    for (const add of steps[command._tag]) add(all, command)
    const repeat = idempotencyOf(command)
    if (repeat !== undefined) all.results.push([repeat.accountId, repeat.key])
  }
  return {
    wallets: unique(all.wallets),
    agents: unique(all.agents),
    items: unique(all.items),
    entitlements: uniqueBy(all.entitlements, ([buyerId, itemId]) => entitlementKey(buyerId, itemId)),
    purchases: unique(all.purchases),
    approvals: unique(all.approvals),
    approvalsOf: unique(all.approvalsOf),
    subscriptions: unique(all.subscriptions),
    subscriptionsOf: unique(all.subscriptionsOf),
    renewals: unique(all.renewals),
    escrow: unique(all.escrow),
    escrowOf: escrowReads(all.refunds),
    withdrawals: unique(all.withdrawals),
    standings: unique(all.standings),
    payouts: all.payouts.includes("change") ? "change" : all.payouts.includes("read") ? "read" : "no",
    transactions: unique(all.transactions),
    deposits: uniqueBy(all.deposits, (deposit) => depositKey(...deposit)),
    heldDeposits: unique(all.heldDeposits),
    cursors: unique(all.cursors),
    results: uniqueBy(all.results, ([accountId, key]) => resultKey(accountId, key))
  }
}
