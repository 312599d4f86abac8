import type { Approval } from "@agent-marketplace/core/approvals/Approval"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { MarketEvent } from "@agent-marketplace/core/events/MarketEvent"
import type { Purchase } from "@agent-marketplace/core/purchases/Purchase"
import type { Sale } from "@agent-marketplace/core/purchases/Sale"
import type { Renewal, Subscription } from "@agent-marketplace/core/purchases/Subscription"
import type { CommandResult } from "@agent-marketplace/core/settlement/CommandResult"
import type { Outcome, Refusal } from "@agent-marketplace/core/settlement/Outcome"
import type { PayoutPause, Withdrawal } from "@agent-marketplace/core/wallets/Withdrawal"
import type { SavedAddress, StoredWithdrawalRules } from "@agent-marketplace/core/wallets/WithdrawalRules"
import { Result } from "effect"

const hour = Timestamp.hour

/**
 * Records with their times as whole hours since the market's start, so that the records of a store, whose time keeps running, can be
 * compared with those of a model.
 */
export class RelativeTimes {
  private readonly start: number

  constructor(start: number) {
    this.start = start
  }

  time(at: number): number {
    return Math.floor((at - this.start) / hour)
  }

  private maybe(at: number | null): number | null {
    return at === null ? null : this.time(at)
  }

  purchase(one: Purchase) {
    return { ...one, purchasedAt: this.time(one.purchasedAt), expiresAt: this.maybe(one.expiresAt) }
  }

  approval(one: Approval) {
    const { decidedAt, expiresAt, requestedAt } = one
    return {
      ...one,
      requestedAt: this.time(requestedAt),
      expiresAt: this.time(expiresAt),
      decidedAt: this.maybe(decidedAt)
    }
  }

  subscription(one: Subscription) {
    return {
      ...one,
      currentPeriodStart: this.time(one.currentPeriodStart),
      currentPeriodEnd: this.time(one.currentPeriodEnd),
      refusedSince: this.maybe(one.refusedSince),
      nextAttemptAt: this.maybe(one.nextAttemptAt)
    }
  }

  renewal(one: Renewal) {
    return { ...one, at: this.time(one.at) }
  }

  private sale(one: Sale) {
    const license = { ...one.license, expiresAt: this.maybe(one.license.expiresAt) }
    return { ...one, soldAt: this.time(one.soldAt), license }
  }

  withdrawal(one: Withdrawal) {
    return { ...one, createdAt: this.time(one.createdAt), completedAt: this.maybe(one.completedAt) }
  }

  withdrawalRules({ pending, policy }: StoredWithdrawalRules) {
    return { policy, pending: pending === null ? null : { ...pending, effectiveAt: this.time(pending.effectiveAt) } }
  }

  savedAddress(saved: SavedAddress) {
    return { ...saved, createdAt: this.time(saved.createdAt) }
  }

  payoutPause(pause: PayoutPause | null) {
    return pause === null ? null : { ...pause, since: this.time(pause.since) }
  }

  event({ accounts, at, data, subject, type }: MarketEvent) {
    const end = data.currentPeriodEnd
    const comparable = typeof end === "string" ? { ...data, currentPeriodEnd: this.time(Date.parse(end)) } : data
    return { accounts, at: this.time(at), data: comparable, subject, type }
  }

  private result(result: CommandResult) {
    switch (result._tag) {
      case "Bought":
        return { _tag: result._tag, purchase: this.purchase(result.purchase) }
      case "Refunded":
        return { _tag: result._tag, sale: this.sale(result.sale) }
      case "Decided":
        return { _tag: result._tag, approval: this.approval(result.approval) }
      case "Subscription":
        return { _tag: result._tag, subscription: this.subscription(result.subscription) }
      case "Withdrawal":
        return { _tag: result._tag, withdrawal: this.withdrawal(result.withdrawal) }
      case "WithdrawalRules":
        return { _tag: result._tag, stored: this.withdrawalRules(result.stored) }
      case "SavedAddress":
        return { _tag: result._tag, saved: this.savedAddress(result.saved) }
      case "Payouts":
        return { _tag: result._tag, pause: this.payoutPause(result.pause) }
      case "Done":
        return result
    }
  }

  private refusal(refusal: Refusal) {
    return "since" in refusal ? { ...refusal, since: this.time(refusal.since) } : { ...refusal }
  }

  outcome(outcome: Outcome): unknown {
    return Result.isFailure(outcome)
      ? { refused: this.refusal(outcome.failure) }
      : { result: this.result(outcome.success.result), replayed: outcome.success.replayed }
  }
}
