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
import type { Row } from "../Columns.ts"
import { column, recordColumns } from "../RecordColumns.ts"
import type { Amount, Time } from "../Row.ts"
import { amount, nullableTime, time } from "../Row.ts"

/** The columns of the purchased item, as purchases, approvals and subscriptions store it. */
export const itemColumns = recordColumns<PurchasedItem>(
  {
    id: column.id<ItemId>(),
    kind: column.oneOf<PurchasedItem["kind"]>({ soul: true, listing: true }),
    name: column.text,
    slug: column.text,
    description: column.text,
    category: column.text,
    creator: column.text
  },
  "item_"
)

export const itemColumnNames = Object.keys(itemColumns.columns).join(", ")

export const purchaseColumns = recordColumns<Purchase>({
  id: column.id<PurchaseId>(),
  buyerId: column.id<AccountId>(),
  sellerId: column.id<AccountId>(),
  agentId: column.orNull(column.id<AgentId>()),
  trackingId: column.orNull(column.text),
  item: itemColumns,
  amount: column.amount,
  fee: column.amount,
  status: column.literals(purchaseStatuses),
  failureReason: column.orNull(
    column.oneOf<FailureReason>({ rejected: true, expired: true, not_for_sale: true, frozen: true })
  ),
  licenseKey: column.orNull(column.text),
  licenseType: column.oneOf<LicenseType>({ perpetual: true, subscription: true, free: true }),
  purchasedAt: column.time,
  expiresAt: column.orNull(column.time)
})

export const renewalColumns = recordColumns<Renewal>({
  id: column.id<RenewalId>(),
  subscriptionId: column.id<SubscriptionId>(),
  purchaseId: column.id<PurchaseId>(),
  buyerId: column.id<AccountId>(),
  sellerId: column.id<AccountId>(),
  agentId: column.orNull(column.id<AgentId>()),
  amount: column.amount,
  fee: column.amount,
  status: column.oneOf<Renewal["status"]>({ completed: true, refunded: true }),
  at: column.time
})

export const subscriptionColumns = recordColumns<Subscription>({
  id: column.id<SubscriptionId>(),
  purchaseId: column.id<PurchaseId>(),
  buyerId: column.id<AccountId>(),
  sellerId: column.id<AccountId>(),
  agentId: column.orNull(column.id<AgentId>()),
  item: itemColumns,
  price: column.amount,
  status: column.oneOf<SubscriptionStatus>({ active: true, past_due: true, cancelled: true }),
  currentPeriodStart: column.time,
  currentPeriodEnd: column.time,
  cancelAtPeriodEnd: column.flag,
  refusedSince: column.orNull(column.time),
  nextAttemptAt: column.orNull(column.time)
})

export interface SaleRow extends Row {
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
  item: itemColumns.read(row),
  amount: amount(row.amount),
  fee: amount(row.fee),
  status: row.status as PurchaseStatus,
  licenseType: row.license_type as LicenseType,
  soldAt: time(row.at),
  license: { status: row.license_status as PurchaseStatus, expiresAt: nullableTime(row.expires_at) }
})
