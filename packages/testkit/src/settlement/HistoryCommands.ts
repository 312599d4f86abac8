import type { AccountId, PurchaseId } from "@agent-marketplace/core/ids/Ids"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { LicenseKey } from "@agent-marketplace/core/purchases/LicenseKey"
import type { Command, WithdrawalStep } from "@agent-marketplace/core/settlement/Command"
import type { Idempotency } from "@agent-marketplace/core/settlement/Idempotency"
import { idempotencyOf } from "@agent-marketplace/core/settlement/Command"
import type { Withdrawal } from "@agent-marketplace/core/wallets/Withdrawal"
import { usdt } from "../fixtures/usdt.ts"
import type { HistoryWorld } from "./HistoryWorld.ts"
import type { Step } from "./MarketHistory.ts"
import type { MarketModel } from "./MarketModel.ts"

const at = <A>(list: ReadonlyArray<A>, n: number): ReadonlyArray<A> => {
  const found = list[n % list.length]
  return found === undefined ? [] : [found]
}

/** Mostly one of those that can still move, now and then any at all. */
const choose = <A>(all: Iterable<A>, open: (one: A) => boolean, n: number): ReadonlyArray<A> => {
  const list = [...all]
  const moving = list.filter(open)
  return at(n % 5 === 0 || moving.length === 0 ? list : moving, Math.floor(n / 5))
}

/** The last so many orders with a key may be sent again. */
const remembered = 60

const withdrawalFee = usdt(1)

/** Turns steps into orders that fit the model as it stands, as the services would make them. */
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
        return this.refund(step)
      case "renew":
      case "renewDue":
      case "cancel":
        return this.subscriptions(step)
      case "deposit":
        return at(this.world.accounts, step.account).map((accountId) => this.deposit(accountId, step.amount))
      case "depositAgain":
        return at([...this.model.deposits.values()], step.deposit).map((deposit) => ({
          _tag: "CreditDeposit",
          deposit
        }))
      case "cursor":
        return [{ _tag: "AdvanceCursor", network: this.network, block: step.block }]
      case "withdraw":
      case "move":
        return this.withdrawals(step)
      case "repeat":
        return at(this.keyed, step.command).map((command) => this.again(command))
      default:
        return []
    }
  }

  /** A network of this run's own. */
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
        itemId: item.id,
        feeBps: 500,
        toUsdt: (price) => price,
        idempotency: this.key(buyerId, step.key, `buy ${item.id}`)
      }))
    )
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

  private refund(step: Extract<Step, { kind: "refund" }>): ReadonlyArray<Command> {
    const recent = [...this.model.purchases.values()].slice(-80)
    return choose(recent, ({ status }) => status === "completed", step.purchase).map((purchase) => ({
      _tag: "Refund",
      purchaseId: purchase.id,
      buyerId: purchase.buyerId,
      sellerId: purchase.sellerId,
      by: step.by,
      idempotency: this.key(step.by === "admin" ? "admin" : purchase.sellerId, step.key, `refund ${purchase.id}`)
    }))
  }

  private subscriptions(step: Extract<Step, { kind: "renew" | "renewDue" | "cancel" }>): ReadonlyArray<Command> {
    const all = this.model.subscriptions.values()
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
      feeBps: 500
    }))
  }

  private deposit(accountId: AccountId, amount: Usdt): Command {
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
      return at(this.world.accounts, step.account).map((accountId) => {
        const available = this.model.wallets.get(accountId)?.available ?? 0n
        const all = Usdt.of(available > withdrawalFee ? available - withdrawalFee : 1n)
        const amount = step.amount ?? all
        return {
          _tag: "Withdraw",
          withdrawalId: this.id("wdr"),
          accountId,
          amount,
          fee: withdrawalFee,
          network: this.network,
          destinationAddress: "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
          idempotency: this.key(accountId, step.key, `withdraw ${amount}`)
        }
      })
    }
    const open = ({ state }: Withdrawal) => state === "queued" || state === "broadcasting"
    return choose(this.model.withdrawals.values(), open, step.withdrawal).flatMap((withdrawal) =>
      at(this.steps(withdrawal), step.to).map((next) => ({
        _tag: "MoveWithdrawal",
        withdrawalId: withdrawal.id,
        accountId: withdrawal.accountId,
        step: next
      }))
    )
  }

  /** All that may be asked of a withdrawal, allowed or not. */
  private steps({ id, transaction }: Withdrawal): ReadonlyArray<WithdrawalStep> {
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
      { to: "cancelled" }
    ]
  }

  /** The same request once more: what the caller sent is the same, what the service adds is new. */
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
