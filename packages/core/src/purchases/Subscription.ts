import { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, AgentId, PurchaseId, RenewalId, SubscriptionId } from "../ids/Ids.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { PurchasedItem } from "./Purchase.ts"

export type SubscriptionStatus = "active" | "past_due" | "cancelled"

/** A purchase that is renewed from the wallet at each period's end (SUBSCRIPTION-1). */
export interface Subscription {
  readonly id: SubscriptionId
  readonly purchaseId: PurchaseId
  readonly buyerId: AccountId
  readonly sellerId: AccountId
  readonly agentId: AgentId | null
  readonly item: PurchasedItem
  /** For each period, including the fee. */
  readonly price: Usdt
  readonly status: SubscriptionStatus
  readonly currentPeriodStart: Timestamp
  readonly currentPeriodEnd: Timestamp
  readonly cancelAtPeriodEnd: boolean
  /** Since when the balance or the policy has refused every renewal. */
  readonly refusedSince: Timestamp | null
  /** When the worker looks at it next; null once it is cancelled. */
  readonly nextAttemptAt: Timestamp | null
}

/** One payment for a further period. */
export interface Renewal {
  readonly id: RenewalId
  readonly subscriptionId: SubscriptionId
  /** The purchase that the subscription started with. */
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

/** How long a refused renewal is tried again before the subscription ends. */
export const renewalPatience = 3 * Timestamp.day

/** Between two tries of a refused renewal. */
export const renewalRetry = Timestamp.day
