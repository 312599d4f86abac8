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
import { purchaseStatuses } from "@agent-marketplace/core/purchases/Purchase"
import { Schema } from "effect"
import type { Amount, Time } from "../Row.ts"
import { amount, AmountColumn, nullableTime, oneOf, time, TimeColumn } from "../Row.ts"

/** The columns of the purchased item, as purchases, approvals and subscriptions store it. */
export const itemFields = {
  item_id: Schema.String,
  item_kind: oneOf<PurchasedItem["kind"]>({ soul: true, listing: true }),
  item_name: Schema.String,
  item_slug: Schema.String,
  item_description: Schema.String,
  item_category: Schema.String,
  item_creator: Schema.String
}

export type ItemColumns = Schema.Struct<typeof itemFields>["Type"]

export const itemColumnNames = "item_id, item_kind, item_name, item_slug, item_description, item_category, item_creator"

export const PurchaseRow = Schema.Struct({
  ...itemFields,
  id: Schema.String,
  buyer_id: Schema.String,
  seller_id: Schema.String,
  agent_id: Schema.NullOr(Schema.String),
  amount: AmountColumn,
  fee: AmountColumn,
  status: Schema.Literals(purchaseStatuses),
  failure_reason: Schema.NullOr(
    oneOf<FailureReason>({ rejected: true, expired: true, not_for_sale: true, frozen: true })
  ),
  tracking_id: Schema.NullOr(Schema.String),
  license_key: Schema.NullOr(Schema.String),
  license_type: oneOf<LicenseType>({ perpetual: true, subscription: true, free: true }),
  purchased_at: TimeColumn,
  expires_at: Schema.NullOr(TimeColumn)
})

export type PurchaseRow = typeof PurchaseRow.Type

export const RenewalRow = Schema.Struct({
  id: Schema.String,
  subscription_id: Schema.String,
  purchase_id: Schema.String,
  buyer_id: Schema.String,
  seller_id: Schema.String,
  agent_id: Schema.NullOr(Schema.String),
  amount: AmountColumn,
  fee: AmountColumn,
  status: oneOf<Renewal["status"]>({ completed: true, refunded: true }),
  at: TimeColumn
})

export type RenewalRow = typeof RenewalRow.Type

export const SubscriptionRow = Schema.Struct({
  ...itemFields,
  id: Schema.String,
  purchase_id: Schema.String,
  buyer_id: Schema.String,
  seller_id: Schema.String,
  agent_id: Schema.NullOr(Schema.String),
  price: AmountColumn,
  status: oneOf<SubscriptionStatus>({ active: true, past_due: true, cancelled: true }),
  current_period_start: TimeColumn,
  current_period_end: TimeColumn,
  cancel_at_period_end: Schema.Boolean,
  refused_since: Schema.NullOr(TimeColumn),
  next_attempt_at: Schema.NullOr(TimeColumn)
})

export type SubscriptionRow = typeof SubscriptionRow.Type

export const itemOf = (row: ItemColumns): PurchasedItem => ({
  id: row.item_id as ItemId,
  kind: row.item_kind,
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
  status: row.status,
  failureReason: row.failure_reason,
  licenseKey: row.license_key,
  licenseType: row.license_type,
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
  status: row.status,
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
  status: row.status,
  currentPeriodStart: time(row.current_period_start),
  currentPeriodEnd: time(row.current_period_end),
  cancelAtPeriodEnd: row.cancel_at_period_end,
  refusedSince: nullableTime(row.refused_since),
  nextAttemptAt: nullableTime(row.next_attempt_at)
})
