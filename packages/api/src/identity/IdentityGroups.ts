import type { AgentId, KeyId } from "@agent-marketplace/core/ids/Ids"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { ControlOperation, limits } from "../access/EndpointLimits.ts"
import { Deleted, enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import { AccountPatch, AgentInput, ClaimInput, FreezeInput, KeyInput, RotateInput, SignUp } from "./IdentityInputs.ts"
import { AccountExport } from "./ExportSchemas.ts"
import {
  Account,
  Agent,
  ClaimedAgent,
  DeactivatedKey,
  IssuedKey,
  Key,
  NewAccount,
  RegisteredAgent,
  Usage
} from "./IdentitySchemas.ts"

/** The status of a request that creates a record (WIRE-14). */
const created = HttpApiSchema.status(201)
const agentParams = { id: field(idOf<AgentId>(), "The agent's id.", "agt_01j9zq5k2f8h3m6n7p0r4s") }
const keyParams = { id: field(idOf<KeyId>(), "The key's id.", "key_01j9zq5k2f8h3m6n7p0r4s") }

/** An optional body. */
const rotateBody = [RotateInput, HttpApiSchema.NoContent] as const

/** Routes for accounts (ACCOUNT-1, ACCOUNT-2, ACCOUNT-3, ACCOUNT-6, ACCOUNT-7). */
export const AccountsGroup = HttpApiGroup.make("accounts")
  .add(
    endpoint.post("create", "/api/v1/accounts", {
      summary: "Create an account",
      description:
        "The response has the account's first key (FULL). No key is needed while sign-up is open; otherwise the operator's token is.",
      access: access.signup,
      limit: limits.signUp,
      payload: SignUp,
      success: enveloped(NewAccount).pipe(created),
      errors: ["INVALID_API_KEY", "INSUFFICIENT_PERMISSIONS"]
    }),
    endpoint.get("get", "/api/v1/account", {
      summary: "Read the account",
      description: "The account that the key acts for.",
      access: access.any,
      success: enveloped(Account),
      errors: ["ACCOUNT_NOT_FOUND"]
    }),
    endpoint
      .get("usage", "/api/v1/account/usage", {
        summary: "Read the usage",
        description: "The limits of the tier and their use: requests of this hour, and the account's quotas.",
        access: access.any,
        success: enveloped(Usage),
        errors: ["ACCOUNT_NOT_FOUND"]
      })
      .annotate(ControlOperation, true),
    endpoint.patch("update", "/api/v1/account", {
      summary: "Change the account",
      description: "A new name also becomes the author and creator name of the account's items.",
      access: access.owner,
      payload: AccountPatch,
      success: enveloped(Account),
      errors: ["ACCOUNT_NOT_FOUND"]
    }),
    endpoint.get("export", "/api/v1/account/export", {
      summary: "Export the account",
      description: "All records of the account, without secrets, streamed as one JSON document of any length.",
      access: access.ownerRead,
      success: enveloped(AccountExport),
      errors: ["ACCOUNT_NOT_FOUND"]
    }),
    endpoint.delete("erase", "/api/v1/account", {
      summary: "Erase the account",
      description:
        "Cannot be undone. Name and e-mail address are removed from every record; keys, agents and webhooks end; items are taken off sale. The ledger, licenses and reviews without a name are kept. CONFLICT while the wallet has money.",
      priority: "control",
      access: access.owner,
      success: enveloped(Deleted),
      errors: ["ACCOUNT_NOT_FOUND", "CONFLICT", "ACCOUNT_FROZEN", "AGENT_FROZEN"]
    })
  )
  .annotateMerge(OpenApi.annotations({ title: "Accounts", description: "Who owns wallets, agents, keys and items." }))

/** Routes for agents (AGENT-1, AGENT-2, AGENT-4, AGENT-5, AGENT-6, AGENT-7, AGENT-8, AGENT-9). */
export const AgentsGroup = HttpApiGroup.make("agents")
  .annotate(ControlOperation, true)
  .add(
    endpoint.post("register", "/api/v1/agents/register", {
      summary: "Register an agent",
      description: "The agent has no owner. Until an account claims it, its key can only read the public catalogue.",
      access: access.public,
      payload: AgentInput,
      success: enveloped(RegisteredAgent).pipe(created)
    }),
    endpoint.post("claim", "/api/v1/agents/claim", {
      summary: "Claim an agent",
      description:
        "From then on the agent's keys act for the caller's account. A code works once. The agent was registered by somebody who has " +
        "its key, so without a policy every paid purchase waits for the owner.",
      access: access.owner,
      stepUp: true,
      closedBody: "policy.",
      payload: ClaimInput,
      success: enveloped(ClaimedAgent),
      errors: ["CLAIM_CODE_NOT_FOUND", "QUOTA_EXCEEDED"]
    }),
    endpoint.post("create", "/api/v1/agents", {
      summary: "Create an agent",
      description: "The caller's account owns it from the start. Create a key for it with POST /api/v1/keys.",
      access: access.owner,
      payload: AgentInput,
      success: enveloped(Agent).pipe(created),
      errors: ["QUOTA_EXCEEDED"]
    }),
    endpoint.get("list", "/api/v1/agents", {
      summary: "List agents",
      description: "The owner's agents, newest first.",
      access: access.ownerRead,
      query: pageQuery,
      success: pageOf(Schema.Array(Agent).annotate({ description: "The agents of the page, newest first." }))
    }),
    endpoint.get("get", "/api/v1/agents/:id", {
      summary: "Read an agent",
      description: "One of the owner's agents.",
      access: access.ownerRead,
      params: agentParams,
      success: enveloped(Agent),
      errors: ["AGENT_NOT_FOUND"]
    }),
    endpoint.patch("rename", "/api/v1/agents/:id", {
      summary: "Rename an agent",
      description: "Its keys do not change.",
      access: access.owner,
      params: agentParams,
      payload: AgentInput,
      success: enveloped(Agent),
      errors: ["AGENT_NOT_FOUND"]
    }),
    endpoint.delete("retire", "/api/v1/agents/:id", {
      summary: "Retire an agent",
      description:
        "Cannot be undone. Its keys are deactivated and its pending approvals rejected. Its records are kept.",
      access: access.owner,
      params: agentParams,
      success: enveloped(Deleted),
      errors: ["AGENT_NOT_FOUND", "ACCOUNT_FROZEN", "AGENT_FROZEN"]
    }),
    endpoint.post("freeze", "/api/v1/agents/:id/freeze", {
      summary: "Freeze an agent",
      description:
        "From this response on, every server process refuses writes with its keys as AGENT_FROZEN. Its pending approvals are " +
        "rejected, and its subscriptions do not renew.",
      access: access.owner,
      servesFrozen: true,
      params: agentParams,
      payload: [FreezeInput, HttpApiSchema.NoContent],
      success: enveloped(Agent),
      errors: ["AGENT_NOT_FOUND", "CONFLICT"]
    }),
    endpoint.post("unfreeze", "/api/v1/agents/:id/unfreeze", {
      summary: "Unfreeze an agent",
      description: "Its keys work again as before.",
      access: access.owner,
      params: agentParams,
      success: enveloped(Agent),
      errors: ["AGENT_NOT_FOUND", "CONFLICT", "ACCOUNT_FROZEN", "AGENT_FROZEN"]
    })
  )
  .annotateMerge(OpenApi.annotations({ title: "Agents", description: "Programs that act with keys of their own." }))

/** Routes for API keys (KEY-3, KEY-5, KEY-6, KEY-7, KEY-8). */
export const KeysGroup = HttpApiGroup.make("keys")
  .annotate(ControlOperation, true)
  .add(
    endpoint.post("create", "/api/v1/keys", {
      summary: "Create a key",
      description: "Only this response contains the secret.",
      access: access.owner,
      stepUp: true,
      payload: KeyInput,
      success: enveloped(IssuedKey).pipe(created),
      errors: ["AGENT_NOT_FOUND", "CONFLICT", "QUOTA_EXCEEDED"]
    }),
    endpoint.get("list", "/api/v1/keys", {
      summary: "List keys",
      description: "Without their secrets, including deactivated ones, newest first.",
      access: access.ownerRead,
      query: pageQuery,
      success: pageOf(Schema.Array(Key).annotate({ description: "The keys of the page, newest first." }))
    }),
    endpoint.get("get", "/api/v1/keys/:id", {
      summary: "Read a key",
      description: "Without its secret.",
      access: access.ownerRead,
      params: keyParams,
      success: enveloped(Key),
      errors: ["KEY_NOT_FOUND"]
    }),
    endpoint.delete("deactivate", "/api/v1/keys/:id", {
      summary: "Deactivate a key",
      description: "Takes effect at once on every server process.",
      access: access.owner,
      servesFrozen: true,
      params: keyParams,
      query: {
        family: Query.flag(
          "Whether to deactivate all keys that descend from the same first key by rotation or refresh.",
          "true"
        )
      },
      success: enveloped(DeactivatedKey),
      errors: ["KEY_NOT_FOUND", "CONFLICT"]
    }),
    endpoint.post("rotate", "/api/v1/keys/:id/rotate", {
      summary: "Rotate a key",
      description:
        "Creates a key with the same scope, which expires when the first key of its family would have. The old key works until " +
        "the grace period ends.",
      access: access.owner,
      stepUp: true,
      params: keyParams,
      payload: rotateBody,
      success: enveloped(IssuedKey).pipe(created),
      errors: ["KEY_NOT_FOUND", "CONFLICT"]
    }),
    endpoint.post("refresh", "/api/v1/keys/refresh", {
      summary: "Renew the calling key",
      description: "The same as rotating it. Every key may renew itself; a session cannot.",
      access: access.key,
      payload: rotateBody,
      success: enveloped(IssuedKey).pipe(created),
      errors: ["ACCOUNT_FROZEN", "AGENT_FROZEN", "CONFLICT"]
    })
  )
  .annotateMerge(OpenApi.annotations({ title: "Keys", description: "API keys and their scopes." }))
