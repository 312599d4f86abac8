import type { Approval, ApprovalStatus } from "@agent-marketplace/core/approvals/Approval"
import type { SpendingPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import type { AccountId, AgentId, ApprovalId, PurchaseId } from "@agent-marketplace/core/ids/Ids"
import { pricingModels } from "@agent-marketplace/core/listings/ListingFields"
import type { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Schema } from "effect"
import { itemColumns } from "../purchases/PurchaseRow.ts"
import { column, recordColumns } from "../RecordColumns.ts"
import { amount } from "../Row.ts"

export const approvalColumns = recordColumns<Approval>({
  id: column.id<ApprovalId>(),
  purchaseId: column.id<PurchaseId>(),
  accountId: column.id<AccountId>(),
  agentId: column.orNull(column.id<AgentId>()),
  item: itemColumns,
  amount: column.amount,
  pricingModel: column.literals(pricingModels),
  status: column.oneOf<ApprovalStatus>({ pending: true, approved: true, rejected: true, expired: true }),
  requestedAt: column.time,
  expiresAt: column.time,
  decidedAt: column.orNull(column.time)
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
