import type { AgentId, ApprovalId } from "@agent-marketplace/core/ids/Ids"
import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { ControlOperation } from "../access/EndpointLimits.ts"
import { enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idempotencyHeaders } from "../wire/RequestHeaders.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import { Approval, approvalStatuses } from "./ApprovalSchemas.ts"
import { Budget, Policy, PolicyInput, PolicyPatch } from "./PolicySchemas.ts"

const params = { id: field(idOf<ApprovalId>(), "The approval's id.", "apr_01j9zq5k2f8h3m6n7p0r4s") }
const agentParams = {
  id: field(idOf<AgentId>(), "The agent's id; `me` is the agent whose key is used.", "agt_01j9zq5k2f8h3m6n7p0r4s")
}

/** Routes for approvals (APPROVAL-1, APPROVAL-3, APPROVAL-4). */
export const ApprovalsGroup = HttpApiGroup.make("approvals")
  .annotate(ControlOperation, true)
  .add(
    endpoint.get("list", "/api/v1/approvals", {
      summary: "List approvals",
      description: "Purchases that wait, or waited, for the owner; newest first. An agent's key lists its own.",
      access: access.any,
      query: {
        status: Query.choice(approvalStatuses, "Only those in this state.", "pending"),
        ...pageQuery
      },
      success: pageOf(Schema.Array(Approval).annotate({ description: "The approvals of the page, newest first." }))
    }),
    endpoint.get("get", "/api/v1/approvals/:id", {
      summary: "Read an approval",
      description: "Whether a purchase was approved; an agent's key reads its own.",
      access: access.any,
      params,
      success: enveloped(Approval),
      errors: ["APPROVAL_NOT_FOUND"]
    }),
    endpoint.post("approve", "/api/v1/approvals/:id/approve", {
      summary: "Approve a purchase",
      description:
        "All checks but the balance are repeated. If one fails, the hold is released and CONFLICT gives the reason.",
      access: access.owner,
      stepUp: true,
      params,
      headers: idempotencyHeaders,
      success: enveloped(Approval),
      errors: ["APPROVAL_NOT_FOUND", "CONFLICT", "ACCOUNT_FROZEN", "IDEMPOTENCY_KEY_REUSED"]
    }),
    endpoint.post("reject", "/api/v1/approvals/:id/reject", {
      summary: "Reject a purchase",
      description: "The hold is released and the purchase fails.",
      access: access.owner,
      servesFrozen: true,
      params,
      headers: idempotencyHeaders,
      success: enveloped(Approval),
      errors: ["APPROVAL_NOT_FOUND", "CONFLICT", "ACCOUNT_FROZEN", "IDEMPOTENCY_KEY_REUSED"]
    })
  )
  .annotateMerge(OpenApi.annotations({ title: "Approvals", description: "Purchases that wait for their owner." }))

/** Routes for spending policies (POLICY-3, POLICY-4). */
export const PoliciesGroup = HttpApiGroup.make("policies")
  .annotate(ControlOperation, true)
  .add(
    endpoint.get("get", "/api/v1/wallet/policy", {
      summary: "Read the spending policy",
      description: "What the owner's keys and agents may spend.",
      access: access.any,
      success: enveloped(Policy)
    }),
    endpoint.put("set", "/api/v1/wallet/policy", {
      summary: "Replace the spending policy",
      description: "Every field must be named, and unknown fields are refused. Applies to every later purchase.",
      access: access.owner,
      stepUp: true,
      closedBody: true,
      servesFrozen: true,
      payload: PolicyInput,
      success: enveloped(Policy)
    }),
    endpoint.patch("change", "/api/v1/wallet/policy", {
      summary: "Change the spending policy",
      description: "Absent fields keep their values. Applies to every later purchase.",
      access: access.owner,
      stepUp: true,
      closedBody: true,
      servesFrozen: true,
      payload: PolicyPatch,
      success: enveloped(Policy)
    }),
    endpoint.get("budget", "/api/v1/wallet/budget", {
      summary: "Read the budget",
      description: "What the caller may still spend; for an agent's key, its own rules count too.",
      access: access.any,
      success: enveloped(Budget)
    }),
    endpoint.get("getForAgent", "/api/v1/agents/:id/policy", {
      summary: "Read an agent's spending policy",
      description: "It applies in addition to the owner's policy, so it can only tighten it.",
      access: access.any,
      params: agentParams,
      success: enveloped(Policy),
      errors: ["AGENT_NOT_FOUND"]
    }),
    endpoint.put("setForAgent", "/api/v1/agents/:id/policy", {
      summary: "Replace an agent's spending policy",
      description: "Every field must be named, and unknown fields are refused. Applies to every later purchase.",
      access: access.owner,
      stepUp: true,
      closedBody: true,
      servesFrozen: true,
      payload: PolicyInput,
      success: enveloped(Policy),
      params: agentParams,
      errors: ["AGENT_NOT_FOUND"]
    }),
    endpoint.patch("changeForAgent", "/api/v1/agents/:id/policy", {
      summary: "Change an agent's spending policy",
      description: "Absent fields keep their values. Applies to every later purchase.",
      access: access.owner,
      stepUp: true,
      closedBody: true,
      servesFrozen: true,
      params: agentParams,
      payload: PolicyPatch,
      success: enveloped(Policy),
      errors: ["AGENT_NOT_FOUND"]
    }),
    endpoint.get("agentBudget", "/api/v1/agents/:id/budget", {
      summary: "Read an agent's budget",
      description: "What the agent may still spend. For its owner, and for its own key.",
      access: access.any,
      params: agentParams,
      success: enveloped(Budget),
      errors: ["AGENT_NOT_FOUND"]
    })
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Spending policies", description: "What may be spent without the owner's approval." })
  )
