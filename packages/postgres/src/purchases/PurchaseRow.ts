import type { AccountId, AgentId, ItemId, PurchaseId, RenewalId, SubscriptionId } from "@agent-marketplace/core/ids/Ids"
import type {
  FailureReason,
  LicenseType,
  Purchase,
  PurchasedItem,
  PurchaseStatus
} from "@agent-marketplace/core/purchases/Purchase"
import type { Sale } from "@agent-marketplace/core/purchases/Sale"
import type { Renewal, Subscription, SubscriptionStatus } from "@agent-marketplace/core/purchases/Subscription"
import type { Amount, Time } from "../Row.ts"
import { amount, nullableTime, time } from "../Row.ts"

/** The columns of the purchased item, as purchases, approvals and subscriptions store it. */
export interface ItemColumns {
  readonly item_id: string
  readonly item_kind: string
  readonly item_name: string
  readonly item_slug: string
  readonly item_description: string
  readonly item_category: string
  readonly item_creator: string
}

export const itemColumnNames = "item_id, item_kind, item_name, item_slug, item_description, item_category, item_creator"

export interface PurchaseRow extends ItemColumns {
  readonly id: string
  readonly buyer_id: string
  readonly seller_id: string
  readonly agent_id: string | null
  readonly amount: Amount
  readonly fee: Amount
  readonly status: string
  readonly failure_reason: string | null
  readonly tracking_id: string | null
  readonly license_key: string | null
  readonly license_type: string
  readonly purchased_at: Time
  readonly expires_at: Time | null
}

export interface RenewalRow {
  readonly id: string
  readonly subscription_id: string
  readonly purchase_id: string
  readonly buyer_id: string
  readonly seller_id: string
  readonly agent_id: string | null
  readonly amount: Amount
  readonly fee: Amount
  readonly status: string
  readonly at: Time
}

export interface SubscriptionRow extends ItemColumns {
  readonly id: string
  readonly purchase_id: string
  readonly buyer_id: string
  readonly seller_id: string
  readonly agent_id: string | null
  readonly price: Amount
  readonly status: string
  readonly current_period_start: Time
  readonly current_period_end: Time
  readonly cancel_at_period_end: boolean
  readonly refused_since: Time | null
  readonly next_attempt_at: Time | null
}

export const itemOf = (row: ItemColumns): PurchasedItem => ({
  id: row.item_id as ItemId,
  kind: row.item_kind as PurchasedItem["kind"],
  name: row.item_name,
  slug: row.item_slug,
  description: row.item_description,
  category: row.item_category,
  creator: row.item_creator
})

export const itemColumns = (item: PurchasedItem): ItemColumns => ({
  item_id: item.id,
  item_kind: item.kind,
  item_name: item.name,
  item_slug: item.slug,
  item_description: item.description,
  item_category: item.category,
  item_creator: item.creator
})

export const purchaseOf = (row: PurchaseRow): Purchase => ({
  id: row.id as PurchaseId,
  buyerId: row.buyer_id as AccountId,
  sellerId: row.seller_id as AccountId,
  agentId: row.agent_id as AgentId | null,
  trackingId: row.tracking_id,
  item: itemOf(row),
  amount: amount(row.amount),
  fee: amount(row.fee),
  status: row.status as PurchaseStatus,
  failureReason: row.failure_reason as FailureReason | null,
  licenseKey: row.license_key,
  licenseType: row.license_type as LicenseType,
  purchasedAt: time(row.purchased_at),
  expiresAt: nullableTime(row.expires_at)
})

export interface SaleRow extends ItemColumns {
  readonly kind: string
  readonly id: string
  readonly buyer_id: string
  readonly amount: Amount
  readonly fee: Amount
  readonly status: string
  readonly license_type: string
  readonly at: Time
  readonly license_status: string
  readonly expires_at: Time | null
}

export const saleOf = (row: SaleRow): Sale => ({
  kind: row.kind as Sale["kind"],
  id: row.id as Sale["id"],
  buyerId: row.buyer_id as AccountId,
  item: itemOf(row),
  amount: amount(row.amount),
  fee: amount(row.fee),
  status: row.status as PurchaseStatus,
  licenseType: row.license_type as LicenseType,
  soldAt: time(row.at),
  license: { status: row.license_status as PurchaseStatus, expiresAt: nullableTime(row.expires_at) }
})

export const renewalOf = (row: RenewalRow): Renewal => ({
  id: row.id as RenewalId,
  subscriptionId: row.subscription_id as SubscriptionId,
  purchaseId: row.purchase_id as PurchaseId,
  buyerId: row.buyer_id as AccountId,
  sellerId: row.seller_id as AccountId,
  agentId: row.agent_id as AgentId | null,
  amount: amount(row.amount),
  fee: amount(row.fee),
  status: row.status as Renewal["status"],
  at: time(row.at)
})

export const subscriptionOf = (row: SubscriptionRow): Subscription => ({
  id: row.id as SubscriptionId,
  purchaseId: row.purchase_id as PurchaseId,
  buyerId: row.buyer_id as AccountId,
  sellerId: row.seller_id as AccountId,
  agentId: row.agent_id as AgentId | null,
  item: itemOf(row),
  price: amount(row.price),
  status: row.status as SubscriptionStatus,
  currentPeriodStart: time(row.current_period_start),
  currentPeriodEnd: time(row.current_period_end),
  cancelAtPeriodEnd: row.cancel_at_period_end,
  refusedSince: nullableTime(row.refused_since),
  nextAttemptAt: nullableTime(row.next_attempt_at)
})
