import type { Approval, ApprovalStatus } from "@agent-marketplace/core/approvals/Approval"
import type { SpendingPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import type { AccountId, AgentId, ApprovalId, PurchaseId } from "@agent-marketplace/core/ids/Ids"
import { pricingModels } from "@agent-marketplace/core/listings/ListingFields"
import type { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Schema } from "effect"
import { itemFields, itemOf } from "../purchases/PurchaseRow.ts"
import { amount, AmountColumn, nullableTime, oneOf, time, TimeColumn } from "../Row.ts"

export const ApprovalRow = Schema.Struct({
  ...itemFields,
  id: Schema.String,
  purchase_id: Schema.String,
  account_id: Schema.String,
  agent_id: Schema.NullOr(Schema.String),
  amount: AmountColumn,
  pricing_model: Schema.Literals(pricingModels),
  status: oneOf<ApprovalStatus>({ pending: true, approved: true, rejected: true, expired: true }),
  requested_at: TimeColumn,
  expires_at: TimeColumn,
  decided_at: Schema.NullOr(TimeColumn)
})

export type ApprovalRow = typeof ApprovalRow.Type

export const approvalOf = (row: ApprovalRow): Approval => ({
  id: row.id as ApprovalId,
  purchaseId: row.purchase_id as PurchaseId,
  accountId: row.account_id as AccountId,
  agentId: row.agent_id as AgentId | null,
  item: itemOf(row),
  amount: amount(row.amount),
  pricingModel: row.pricing_model,
  status: row.status,
  requestedAt: time(row.requested_at),
  expiresAt: time(row.expires_at),
  decidedAt: nullableTime(row.decided_at)
})

const limit = Schema.NullOr(Schema.String.check(Schema.isPattern(/^\d+$/)))
const list = Schema.NullOr(Schema.Array(Schema.String))

/** A policy as stored in JSON, with amounts as text. */
export const PolicyJson = Schema.Struct({
  autoApprove: Schema.Boolean,
  autoApproveThreshold: limit,
  perTransactionLimit: limit,
  dailyLimit: limit,
  weeklyLimit: limit,
  monthlyLimit: limit,
  allowedCategories: list,
  blockedSellers: list
})

export type PolicyJson = typeof PolicyJson.Type

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
