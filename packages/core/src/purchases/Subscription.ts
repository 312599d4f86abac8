import { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, AgentId, PurchaseId, RenewalId, SubscriptionId } from "../ids/Ids.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { PurchasedItem } from "./Purchase.ts"

export type SubscriptionStatus = "active" | "past_due" | "cancelled"

/** A purchase that is renewed from the wallet at the end of each period (SUBSCRIPTION-1). */
export interface Subscription {
  readonly id: SubscriptionId
  readonly purchaseId: PurchaseId
  readonly buyerId: AccountId
  readonly sellerId: AccountId
  readonly agentId: AgentId | null
  readonly item: PurchasedItem
  /** The price of each period, including the fee. */
  readonly price: Usdt
  readonly status: SubscriptionStatus
  readonly currentPeriodStart: Timestamp
  readonly currentPeriodEnd: Timestamp
  readonly cancelAtPeriodEnd: boolean
  /** When renewals started to be refused because of the balance or the policy. */
  readonly refusedSince: Timestamp | null
  /** When the worker examines it next; null once it is cancelled. */
  readonly nextAttemptAt: Timestamp | null
}

/** A payment for one more period. */
export interface Renewal {
  readonly id: RenewalId
  readonly subscriptionId: SubscriptionId
  /** The purchase that started the subscription. */
  readonly purchaseId: PurchaseId
  readonly buyerId: AccountId
  readonly sellerId: AccountId
  readonly agentId: AgentId | null
  readonly amount: Usdt
  readonly fee: Usdt
  readonly status: "completed" | "refunded"
  readonly at: Timestamp
}

export const periodLength = 30 * Timestamp.day

/** How long a refused renewal is retried before the subscription ends. */
export const renewalRetryPeriod = 3 * Timestamp.day

/** The interval between attempts of a refused renewal. */
export const renewalRetry = Timestamp.day
