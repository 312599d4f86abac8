import type { ActionDraft } from "@agent-marketplace/core/admin/OperatorAction"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId, HeldDepositId, ItemId, PurchaseId, WithdrawalId } from "@agent-marketplace/core/ids/Ids"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { LicenseKey } from "@agent-marketplace/core/purchases/LicenseKey"
import { isUndecided } from "@agent-marketplace/core/screening/HeldDeposit"
import type {
  Buy,
  Command,
  CreditDeposit,
  DepositDecision,
  WithdrawalStep
} from "@agent-marketplace/core/settlement/Command"
import type { Idempotency } from "@agent-marketplace/core/settlement/Idempotency"
import { idempotencyOf } from "@agent-marketplace/core/settlement/Command"
import type { Withdrawal } from "@agent-marketplace/core/wallets/Withdrawal"
import { isOpen } from "@agent-marketplace/core/wallets/Withdrawal"
import { usdt } from "../fixtures/usdt.ts"
import type { HistoryWorld } from "./HistoryWorld.ts"
import type { Quote, Step } from "./MarketHistory.ts"
import type { MarketModel } from "./MarketModel.ts"

const at = <A>(list: ReadonlyArray<A>, n: number): ReadonlyArray<A> => {
  const found = list[n % list.length]
  return found === undefined ? [] : [found]
}

/** Usually an element that can still change state, sometimes any element. */
const choose = <A>(all: Iterable<A>, open: (one: A) => boolean, n: number): ReadonlyArray<A> => {
  const list = [...all]
  const moving = list.filter(open)
  return at(n % 5 === 0 || moving.length === 0 ? list : moving, Math.floor(n / 5))
}

/** How many of the last commands with a key may be repeated. */
const remembered = 60

const withdrawalFee = usdt(1)

/** Low, so that histories reach it. */
const coverLimit = usdt(25)

const reviewAbove = usdt(12)

/** The model's clock differs from the store's, so quotes end long before or long after every history. */
const quoteEnds: Readonly<Record<Quote, number | null>> = { none: null, held: 9e12, expired: 1, used: 9e12 }

const destinations = ["TJRabPrwbZy45sbavfcjinPJC18kjpRTv8", "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"] as const

/** Turns steps into commands that fit the model's present state, as the services would create them. */
export class HistoryCommands {
  private count = 0
  private readonly keyed: Array<Command> = []
  private readonly model: MarketModel
  private readonly world: HistoryWorld
  private readonly tag: string

  constructor(model: MarketModel, world: HistoryWorld, tag: string) {
    this.model = model
    this.world = world
    this.tag = tag
  }

  of(step: Step): ReadonlyArray<Command> {
    const commands = this.make(step)
    for (const command of commands) if (idempotencyOf(command) !== undefined) this.keyed.push(command)
    if (this.keyed.length > remembered) this.keyed.splice(0, this.keyed.length - remembered)
    return commands
  }

  private make(step: Step): ReadonlyArray<Command> {
    switch (step.kind) {
      case "buy":
        return this.buy(step)
      case "decide":
      case "expire":
      case "expireDue":
        return this.approvals(step)
      case "refund":
      case "refundRenewal":
        return this.refund(step)
      case "release":
      case "releaseDue":
        return this.releases(step)
      case "renew":
      case "renewDue":
      case "cancel":
      case "resume":
        return this.subscriptions(step)
      case "deposit":
        return at(this.world.accounts, step.account).map((accountId) => this.deposit(accountId, step.amount))
      case "holdDeposit":
        return at(this.world.accounts, step.account).map((accountId) => ({
          ...this.deposit(accountId, step.amount),
          hold: {
            id: this.id("dep"),
            sender: "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf",
            evidence: step.flagged ? { source: "a list", reference: "line 1" } : null
          }
        }))
      case "decideDeposit":
        return choose(this.model.heldDeposits.values(), isUndecided, step.deposit).flatMap(({ accountId, id }) =>
          at(this.decisions(id), step.to).map((decision) => ({
            _tag: "DecideDeposit",
            depositId: id,
            accountId,
            decision
          }))
        )
      case "depositAgain":
        return at([...this.model.deposits.values()], step.deposit).map((deposit) => ({
          _tag: "CreditDeposit",
          deposit
        }))
      case "cursor":
        return [
          {
            _tag: "AdvanceCursor",
            network: this.network,
            position: { block: step.block, id: `block ${step.block}`, agreed: Math.min(step.block, step.agreed) }
          }
        ]
      case "withdraw":
      case "move":
        return this.withdrawals(step)
      case "pay":
        return this.payments(step)
      case "withdrawalRules":
      case "saveAddress":
      case "removeAddress":
      case "payouts":
        return this.payoutRules(step)
      case "repeat":
        return this.repeatable(step.command).map((command) => this.again(command))
      default:
        return []
    }
  }

  /** Any of the last commands with a key; every fourth time a decision, which are few. */
  private repeatable(n: number): ReadonlyArray<Command> {
    const decisions = this.keyed.filter(({ _tag }) => _tag === "Decide")
    return at(n % 4 === 0 && decisions.length > 0 ? decisions : this.keyed, Math.floor(n / 4))
  }

  /** A network that only this run uses. */
  get network(): string {
    return `test:${this.tag}`
  }

  private id<Id extends string>(prefix: string): Id {
    this.count += 1
    return `${prefix}_${this.tag}_${this.count}` as Id
  }

  private saleIds() {
    this.count += 1
    const bytes = new Uint8Array(15)
    for (let i = 0; i < this.tag.length; i++) {
      const slot = i % 11
      bytes[slot] = ((bytes[slot] ?? 0) * 31 + this.tag.charCodeAt(i)) & 255
    }
    new DataView(bytes.buffer).setUint32(11, this.count)
    return { licenseKey: LicenseKey.make(bytes), subscriptionId: this.id<never>("sub") }
  }

  private key(accountId: Idempotency["accountId"], key: number | null, fingerprint: string): Idempotency | undefined {
    return key === null ? undefined : { accountId, key: `${this.tag}-${key}`, fingerprint }
  }

  private buy(step: Extract<Step, { kind: "buy" }>): ReadonlyArray<Command> {
    const [agent] = step.agent === null ? [] : at(this.world.agents, step.agent)
    const buyers = agent === undefined ? at(this.world.accounts, step.buyer) : [agent.ownerId]
    return buyers.flatMap((buyerId) =>
      at(this.world.items, step.item).map((item): Command => ({
        _tag: "Buy",
        ...this.saleIds(),
        purchaseId: this.id("pur"),
        approvalId: this.id("apr"),
        buyerId,
        agentId: agent?.id ?? null,
        trackingId: null,
        itemId: item.id,
        ...this.agreed(item.id, step.agreed),
        feeBps: 500,
        holdProceeds: step.holdDays * Timestamp.day,
        toUsdt: (price) => price,
        idempotency: this.key(buyerId, step.key, `buy ${item.id} ${step.agreed}`)
      }))
    )
  }

  private agreed(
    item: ItemId,
    agreed: Extract<Step, { kind: "buy" }>["agreed"]
  ): Pick<Buy, "maxPrice" | "pricingModel"> {
    const { price = usdt(0), pricingModel = "one_time" } = this.model.items.get(item) ?? {}
    switch (agreed) {
      case "nothing":
        return { maxPrice: null, pricingModel: null }
      case "as it is":
        return { maxPrice: price, pricingModel }
      case "a lower price":
        return { maxPrice: price > 0n ? Usdt.of(price - 1n) : price, pricingModel: null }
      case "another model":
        return { maxPrice: null, pricingModel: pricingModel === "subscription" ? "one_time" : "subscription" }
    }
  }

  private releases(step: Extract<Step, { kind: "release" | "releaseDue" }>): ReadonlyArray<Command> {
    const all = [...this.model.escrow.values()]
    const meant =
      step.kind === "release" ? at(all, step.sale) : all.filter(({ releasedAt }) => releasedAt <= this.model.now)
    const byAccount = new Map<AccountId, Array<string>>()
    for (const { accountId, reference } of meant) {
      byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), reference])
    }
    return [...byAccount].map(([accountId, references]) => ({ _tag: "ReleaseEscrow", accountId, references }))
  }

  private approvals(step: Extract<Step, { kind: "decide" | "expire" | "expireDue" }>): ReadonlyArray<Command> {
    const all = this.model.approvals.values()
    if (step.kind === "decide") {
      return choose(all, ({ status }) => status === "pending", step.approval).map((approval) => ({
        _tag: "Decide",
        ...this.saleIds(),
        approvalId: approval.id,
        accountId: approval.accountId,
        agentId: approval.agentId,
        purchaseId: approval.purchaseId,
        itemId: approval.item.id,
        decision: step.decision,
        holdProceeds: Timestamp.day,
        idempotency: this.key(approval.accountId, step.key, `${step.decision} ${approval.id}`)
      }))
    }
    const meant =
      step.kind === "expire"
        ? choose(all, ({ status }) => status === "pending", step.approval)
        : [...all].filter(({ expiresAt, status }) => status === "pending" && expiresAt <= this.model.now)
    return meant.map(({ accountId, id: approvalId, purchaseId }) => ({
      _tag: "Expire",
      approvalId,
      accountId,
      purchaseId
    }))
  }

  private refund(step: Extract<Step, { kind: "refund" | "refundRenewal" }>): ReadonlyArray<Command> {
    const terms = {
      by: step.by === "seller" ? ("seller" as const) : ("admin" as const),
      reason: null,
      coverLimit: step.by === "admin, forced" ? null : coverLimit
    }
    if (step.kind === "refundRenewal") {
      const renewals = [...this.model.renewals.values()].slice(-80)
      return choose(renewals, ({ status }) => status === "completed", step.renewal).map((renewal) => ({
        _tag: "Refund",
        purchaseId: renewal.purchaseId,
        renewalId: renewal.id,
        buyerId: renewal.buyerId,
        sellerId: renewal.sellerId,
        itemId: this.model.purchases.get(renewal.purchaseId)?.item.id ?? ("" as ItemId),
        net: Usdt.of(renewal.amount - renewal.fee),
        ...terms
      }))
    }
    const recent = [...this.model.purchases.values()].slice(-80)
    return choose(recent, ({ status }) => status === "completed", step.purchase).map((purchase) => ({
      _tag: "Refund",
      purchaseId: purchase.id,
      renewalId: null,
      buyerId: purchase.buyerId,
      sellerId: purchase.sellerId,
      itemId: purchase.item.id,
      net: Usdt.of(purchase.amount - purchase.fee),
      ...terms,
      idempotency: this.key(terms.by === "admin" ? "admin" : purchase.sellerId, step.key, `refund ${purchase.id}`)
    }))
  }

  private subscriptions(
    step: Extract<Step, { kind: "renew" | "renewDue" | "cancel" | "resume" }>
  ): ReadonlyArray<Command> {
    const all = this.model.subscriptions.values()
    if (step.kind === "resume") {
      return choose(all, ({ cancelAtPeriodEnd }) => cancelAtPeriodEnd, step.subscription).map((one) => ({
        _tag: "ResumeSubscription",
        subscriptionId: one.id,
        buyerId: one.buyerId
      }))
    }
    if (step.kind === "cancel") {
      const stranger = this.world.accounts[0] ?? ("" as AccountId)
      return choose(all, ({ cancelAtPeriodEnd }) => !cancelAtPeriodEnd, step.subscription).map((one) => ({
        _tag: "CancelSubscription",
        subscriptionId: one.id,
        purchaseId: one.purchaseId,
        buyerId: step.stranger ? stranger : one.buyerId
      }))
    }
    const meant =
      step.kind === "renew"
        ? choose(all, ({ nextAttemptAt }) => nextAttemptAt !== null, step.subscription)
        : [...all].filter(({ nextAttemptAt }) => nextAttemptAt !== null && nextAttemptAt <= this.model.now)
    return meant.map((one) => ({
      _tag: "Renew",
      subscriptionId: one.id,
      renewalId: this.id("ren"),
      purchaseId: one.purchaseId,
      buyerId: one.buyerId,
      agentId: one.agentId,
      itemId: one.item.id,
      feeBps: 500,
      holdProceeds: 7 * Timestamp.day
    }))
  }

  private decisions(id: HeldDepositId): ReadonlyArray<DepositDecision> {
    return [
      { to: "cleared" },
      { to: "held", evidence: { source: "a service", reference: "case 7" } },
      { to: "released", action: this.action("deposit.release", id) },
      { to: "released", action: this.action("deposit.release", id) },
      { to: "rejected", action: this.action("deposit.reject", id) }
    ]
  }

  private deposit(accountId: AccountId, amount: Usdt): CreditDeposit {
    const txid = this.id<string>("tx")
    const deposit = {
      network: this.network,
      txid,
      logIndex: 0,
      accountId,
      address: `T${accountId}`,
      amount,
      block: 1,
      at: 0
    }
    return { _tag: "CreditDeposit", deposit }
  }

  private withdrawals(step: Extract<Step, { kind: "withdraw" | "move" }>): ReadonlyArray<Command> {
    if (step.kind === "withdraw") {
      return at(this.world.accounts, step.account).flatMap((accountId) => {
        const available = this.model.wallets.get(accountId)?.available ?? 0n
        const all = Usdt.of(available > withdrawalFee ? available - withdrawalFee : 1n)
        const amount = step.amount ?? all
        return at(destinations, step.to).map((destinationAddress) => ({
          _tag: "Withdraw",
          withdrawalId: (step.quote === "used" ? this.usedQuote(accountId) : undefined) ?? this.id("wdr"),
          accountId,
          amount,
          fee: withdrawalFee,
          network: this.network,
          destinationAddress,
          reviewAbove,
          quoteExpiresAt: quoteEnds[step.quote],
          idempotency: this.key(accountId, step.key, `withdraw ${amount} ${destinationAddress}`)
        }))
      })
    }
    return choose(this.model.withdrawals.values(), isOpen, step.withdrawal).flatMap((withdrawal) =>
      at(this.steps(withdrawal), step.to).map((next) => ({
        _tag: "MoveWithdrawal",
        withdrawalId: withdrawal.id,
        accountId: withdrawal.accountId,
        step: next
      }))
    )
  }

  private payments({ withdrawal: n }: Extract<Step, { kind: "pay" }>): ReadonlyArray<Command> {
    const open = [...this.model.withdrawals.values()].filter(isOpen)
    return at(open, n).map((withdrawal) => ({
      _tag: "MoveWithdrawal",
      withdrawalId: withdrawal.id,
      accountId: withdrawal.accountId,
      step: this.nextStep(withdrawal)
    }))
  }

  private nextStep({ id, state, transaction }: Withdrawal): WithdrawalStep {
    if (state === "in_review") return { to: "approved", action: this.action("withdrawal.approve", id) }
    return transaction === null
      ? { to: "broadcasting", transaction: { txid: this.id("tx"), raw: "00", expiresAt: 1_000 } }
      : { to: "completed", txid: transaction.txid }
  }

  /** The id of the account's first withdrawal: a quote names its withdrawal in advance. */
  private usedQuote(account: AccountId): WithdrawalId | undefined {
    for (const { accountId, id } of this.model.withdrawals.values()) if (accountId === account) return id
    return undefined
  }

  private payoutRules(
    step: Extract<Step, { kind: "withdrawalRules" | "saveAddress" | "removeAddress" | "payouts" }>
  ): ReadonlyArray<Command> {
    switch (step.kind) {
      case "withdrawalRules":
        return at(this.world.accounts, step.account).map((accountId) => ({
          _tag: "ChangeWithdrawalRules",
          accountId,
          patch: step.patch
        }))
      case "saveAddress":
        return at(this.world.accounts, step.account).flatMap((accountId) =>
          at(destinations, step.to).map((address) => ({
            _tag: "SaveAddress",
            accountId,
            id: this.id("adr"),
            address,
            label: null
          }))
        )
      case "removeAddress":
        return at([...this.model.savedAddresses], step.address).map(([id, { accountId }]) => ({
          _tag: "RemoveAddress",
          accountId,
          id
        }))
      case "payouts":
        return [
          {
            _tag: "SetPayouts",
            paused: step.paused,
            reason: "a history",
            action: this.action(step.paused ? "payouts.pause" : "payouts.resume", "payouts")
          }
        ]
    }
  }

  private action(action: string, subject: string): ActionDraft {
    return {
      id: this.id("act"),
      at: this.model.now,
      actor: "history",
      action,
      subject,
      reason: "a history",
      requestId: this.tag
    }
  }

  /** Every possible request for a withdrawal, allowed or not. */
  private steps({ id, state, transaction }: Withdrawal): ReadonlyArray<WithdrawalStep> {
    const approved: WithdrawalStep = { to: "approved", action: this.action("withdrawal.approve", id) }
    const rejected: WithdrawalStep = {
      to: "rejected",
      reason: "unknown to us",
      action: this.action("withdrawal.reject", id)
    }
    if (state === "in_review") return [approved, approved, approved, rejected, { to: "cancelled" }]
    const txid = transaction?.txid ?? `${id}-never`
    const broadcasting: WithdrawalStep = {
      to: "broadcasting",
      transaction: { txid: this.id("tx"), raw: "00", expiresAt: 1_000 }
    }
    return [
      broadcasting,
      broadcasting,
      { to: "completed", txid },
      { to: "completed", txid: `${id}-other` },
      { to: "queued", abandoned: txid },
      { to: "failed", reason: "reverted", txid: transaction?.txid ?? null },
      { to: "failed", reason: "reverted", txid: `${id}-other` },
      { to: "cancelled" },
      { to: "flagged", evidence: { source: "a list", reference: "line 2" } },
      approved,
      rejected
    ]
  }

  /** The same request again: the caller's input is the same, the values that the service generates are new. */
  private again(command: Command): Command {
    switch (command._tag) {
      case "Buy":
        return { ...command, ...this.saleIds(), purchaseId: this.id<PurchaseId>("pur"), approvalId: this.id("apr") }
      case "Decide":
        return { ...command, ...this.saleIds() }
      case "Withdraw":
        return { ...command, withdrawalId: this.id("wdr") }
      default:
        return command
    }
  }
}
