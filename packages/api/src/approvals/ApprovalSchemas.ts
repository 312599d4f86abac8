import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { Approval as CoreApproval } from "@agent-marketplace/core/approvals/Approval"
import { pricingModels } from "@agent-marketplace/core/listings/ListingFields"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Schema } from "effect"
import { PurchasedSkill } from "../purchases/PurchaseSchemas.ts"
import { toPurchasedSkill } from "../purchases/PurchaseWire.ts"
import { ResponseField } from "../wire/ResponseField.ts"

export const approvalStatuses = ["pending", "approved", "rejected", "expired"] as const

/** A purchase that waits (APPROVAL-1). */
export const Approval = Schema.Struct({
  id: ResponseField.text("Prefix `apr_`.", "apr_01j9zq5k2f8h3m6n7p0r4s"),
  purchaseId: ResponseField.text("The purchase that waits.", "pur_01j9zq5k2f8h3m6n7p0r4s"),
  skill: PurchasedSkill,
  amount: ResponseField.number("The price, in USDT; held while it waits.", 12.5),
  pricingModel: ResponseField.choice(pricingModels, "The model that was agreed to.", "subscription"),
  period: ResponseField.textOrNull("How often the price is paid; null if it is paid once.", "30 days"),
  agentId: ResponseField.textOrNull("The agent that wants to buy.", "agt_01j9zq5k2f8h3m6n7p0r4s"),
  status: ResponseField.choice(approvalStatuses, "Whether it was decided, and how.", "pending"),
  requestedAt: ResponseField.time("When it was requested."),
  expiresAt: ResponseField.time("When the approval expires: 7 days after the request.", "2025-01-22T12:00:00.000Z"),
  decidedAt: ResponseField.timeOrNull("When it was decided.", null)
}).annotate({ identifier: "Approval", description: "A purchase that waits for its owner." })

export const toApproval = (approval: CoreApproval): typeof Approval.Type => ({
  id: approval.id,
  purchaseId: approval.purchaseId,
  skill: toPurchasedSkill(approval.item),
  amount: Usdt.toNumber(approval.amount),
  pricingModel: approval.pricingModel,
  period: approval.pricingModel === "subscription" ? "30 days" : null,
  agentId: approval.agentId,
  status: approval.status,
  requestedAt: Timestamp.toIso(approval.requestedAt),
  expiresAt: Timestamp.toIso(approval.expiresAt),
  decidedAt: approval.decidedAt === null ? null : Timestamp.toIso(approval.decidedAt)
})
