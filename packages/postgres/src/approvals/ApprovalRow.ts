import type { Approval, ApprovalStatus } from "@agent-marketplace/core/approvals/Approval"
import type { SpendingPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import type { AccountId, AgentId, ApprovalId, PurchaseId } from "@agent-marketplace/core/ids/Ids"
import type { PricingModel } from "@agent-marketplace/core/listings/Listing"
import type { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { ItemColumns } from "../purchases/PurchaseRow.ts"
import { itemOf } from "../purchases/PurchaseRow.ts"
import type { Amount, Time } from "../Row.ts"
import { amount, nullableTime, time } from "../Row.ts"

export interface ApprovalRow extends ItemColumns {
  readonly id: string
  readonly purchase_id: string
  readonly account_id: string
  readonly agent_id: string | null
  readonly amount: Amount
  readonly pricing_model: string
  readonly status: string
  readonly requested_at: Time
  readonly expires_at: Time
  readonly decided_at: Time | null
}

export const approvalOf = (row: ApprovalRow): Approval => ({
  id: row.id as ApprovalId,
  purchaseId: row.purchase_id as PurchaseId,
  accountId: row.account_id as AccountId,
  agentId: row.agent_id as AgentId | null,
  item: itemOf(row),
  amount: amount(row.amount),
  pricingModel: row.pricing_model as PricingModel,
  status: row.status as ApprovalStatus,
  requestedAt: time(row.requested_at),
  expiresAt: time(row.expires_at),
  decidedAt: nullableTime(row.decided_at)
})

type Limit = "autoApproveThreshold" | "perTransactionLimit" | "dailyLimit" | "weeklyLimit" | "monthlyLimit"

/** A policy as stored in JSON, with amounts as text. */
export type PolicyJson = Omit<SpendingPolicy, Limit> & { readonly [K in Limit]: string | null }

const text = (limit: Usdt | null): string | null => (limit === null ? null : limit.toString())
const units = (limit: string | null): Usdt | null => (limit === null ? null : amount(limit))

export const policyJson = (policy: SpendingPolicy): PolicyJson => ({
  ...policy,
  autoApproveThreshold: text(policy.autoApproveThreshold),
  perTransactionLimit: text(policy.perTransactionLimit),
  dailyLimit: text(policy.dailyLimit),
  weeklyLimit: text(policy.weeklyLimit),
  monthlyLimit: text(policy.monthlyLimit)
})

export const policyOf = (json: PolicyJson): SpendingPolicy => ({
  ...json,
  autoApproveThreshold: units(json.autoApproveThreshold),
  perTransactionLimit: units(json.perTransactionLimit),
  dailyLimit: units(json.dailyLimit),
  weeklyLimit: units(json.weeklyLimit),
  monthlyLimit: units(json.monthlyLimit)
})
