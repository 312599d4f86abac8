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
  /** Transactions that are to settle withdrawals, locked so that each explains one withdrawal or one transfer. */
  readonly transactions: ReadonlyArray<string>
  readonly deposits: ReadonlyArray<readonly [network: string, txid: string, logIndex: number]>
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

/** The records that one command reads; an absent list is empty. */
type CommandReads = Partial<Omit<ReadSet, "escrowOf">> & { readonly refund?: RefundRead }

const given = <A>(id: A | null): ReadonlyArray<A> => (id === null ? [] : [id])

const readsOf = (command: Command): CommandReads => {
  switch (command._tag) {
    case "Buy":
      return {
        wallets: [command.buyerId],
        agents: given(command.agentId),
        items: [command.itemId],
        entitlements: [[command.buyerId, command.itemId]]
      }
    case "Decide":
      return {
        wallets: [command.accountId],
        agents: given(command.agentId),
        items: [command.itemId],
        approvals: [command.approvalId],
        purchases: [command.purchaseId]
      }
    case "Expire":
      return { wallets: [command.accountId], approvals: [command.approvalId], purchases: [command.purchaseId] }
    case "RejectWaiting":
      return { wallets: [command.accountId], approvalsOf: [command.accountId] }
    case "Refund":
      return {
        wallets: [command.buyerId, command.sellerId],
        purchases: [command.purchaseId],
        subscriptionsOf: [command.purchaseId],
        entitlements: [[command.buyerId, command.itemId]],
        renewals: given(command.renewalId),
        refund: { reference: command.renewalId ?? command.purchaseId, account: command.sellerId, net: command.net }
      }
    case "Renew":
      return {
        wallets: [command.buyerId],
        agents: given(command.agentId),
        items: [command.itemId],
        purchases: [command.purchaseId],
        subscriptions: [command.subscriptionId]
      }
    case "ResumeSubscription":
      return { wallets: [command.buyerId], subscriptions: [command.subscriptionId] }
    case "ReleaseEscrow":
      return { wallets: [command.accountId], escrow: command.references }
    case "CancelSubscription":
      return {
        wallets: [command.buyerId],
        purchases: [command.purchaseId],
        subscriptions: [command.subscriptionId]
      }
    case "CreditDeposit": {
      const { accountId, logIndex, network, txid } = command.deposit
      return { wallets: [accountId], deposits: [[network, txid, logIndex]] }
    }
    case "AdvanceCursor":
      return { cursors: [command.network] }
    case "Withdraw":
      return { wallets: [command.accountId], standings: [command.accountId], withdrawals: [command.withdrawalId] }
    case "ChangeWithdrawalRules":
    case "SaveAddress":
    case "RemoveAddress":
      return { wallets: [command.accountId], standings: [command.accountId] }
    case "MoveWithdrawal":
      return {
        wallets: [command.accountId],
        withdrawals: [command.withdrawalId],
        payouts: stoppable.has(command.step.to) ? "read" : "no",
        transactions: command.step.to === "settled" ? [command.step.transaction.txid] : []
      }
    case "SetPayouts":
      return { payouts: "change" }
  }
}

/** Each id once, in order. */
const unique = <Id extends string>(ids: ReadonlyArray<Id>): ReadonlyArray<Id> =>
  ids.length < 2 ? ids : [...new Set(ids)].sort()

/** Each entry once, in order. */
const uniqueEntries = <A extends ReadonlyArray<string | number>>(entries: ReadonlyArray<A>): ReadonlyArray<A> => {
  if (entries.length < 2) return entries
  const byKey = new Map(entries.map((entry) => [entry.join(" "), entry]))
  return [...byKey.keys()].sort().map((key) => byKey.get(key) as A)
}

const escrowReads = (refunds: ReadonlyArray<RefundRead>): ReadonlyArray<EscrowRead> => {
  const byAccount = new Map<AccountId, EscrowRead>()
  for (const { account, net, reference } of new Map(refunds.map((refund) => [refund.reference, refund])).values()) {
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
  const reads = commands.map(readsOf)
  const payouts = new Set(reads.map((each) => each.payouts))
  return {
    wallets: unique(reads.flatMap(({ wallets = [] }) => wallets)),
    agents: unique(reads.flatMap(({ agents = [] }) => agents)),
    items: unique(reads.flatMap(({ items = [] }) => items)),
    entitlements: uniqueEntries(reads.flatMap(({ entitlements = [] }) => entitlements)),
    purchases: unique(reads.flatMap(({ purchases = [] }) => purchases)),
    approvals: unique(reads.flatMap(({ approvals = [] }) => approvals)),
    approvalsOf: unique(reads.flatMap(({ approvalsOf = [] }) => approvalsOf)),
    subscriptions: unique(reads.flatMap(({ subscriptions = [] }) => subscriptions)),
    subscriptionsOf: unique(reads.flatMap(({ subscriptionsOf = [] }) => subscriptionsOf)),
    renewals: unique(reads.flatMap(({ renewals = [] }) => renewals)),
    escrow: unique(reads.flatMap(({ escrow = [] }) => escrow)),
    escrowOf: escrowReads(reads.flatMap(({ refund }) => (refund === undefined ? [] : [refund]))),
    withdrawals: unique(reads.flatMap(({ withdrawals = [] }) => withdrawals)),
    standings: unique(reads.flatMap(({ standings = [] }) => standings)),
    payouts: payouts.has("change") ? "change" : payouts.has("read") ? "read" : "no",
    transactions: unique(reads.flatMap(({ transactions = [] }) => transactions)),
    deposits: uniqueEntries(reads.flatMap(({ deposits = [] }) => deposits)),
    cursors: unique(reads.flatMap(({ cursors = [] }) => cursors)),
    results: uniqueEntries(
      commands.flatMap((command) => {
        const repeat = idempotencyOf(command)
        return repeat === undefined ? [] : [[repeat.accountId, repeat.key] as const]
      })
    )
  }
}
