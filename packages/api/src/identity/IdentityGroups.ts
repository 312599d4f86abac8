import type { AgentId, KeyId } from "@agent-marketplace/core/ids/Ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { operation } from "../access/Operation.ts"
import { ControlOperation, limits } from "../access/EndpointLimits.ts"
import { failures } from "../errors/Failures.ts"
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
    HttpApiEndpoint.post("create", "/api/v1/accounts", {
      payload: SignUp,
      success: enveloped(NewAccount).pipe(created),
      error: failures.openBody("INVALID_API_KEY", "INSUFFICIENT_PERMISSIONS")
    }).annotateMerge(
      operation({
        summary: "Create an account",
        description:
          "The response has the account's first key (FULL). No key is needed while sign-up is open; otherwise the operator's token is.",
        access: access.signup,
        limit: limits.signUp
      })
    ),
    HttpApiEndpoint.get("get", "/api/v1/account", {
      success: enveloped(Account),
      error: failures.keyed("ACCOUNT_NOT_FOUND")
    }).annotateMerge(
      operation({ summary: "Read the account", description: "The account that the key acts for.", access: access.any })
    ),
    HttpApiEndpoint.get("usage", "/api/v1/account/usage", {
      success: enveloped(Usage),
      error: failures.keyed("ACCOUNT_NOT_FOUND")
    })
      .annotate(ControlOperation, true)
      .annotateMerge(
        operation({
          summary: "Read the usage",
          description: "The limits of the tier and their use: requests of this hour, and the account's quotas.",
          access: access.any
        })
      ),
    HttpApiEndpoint.patch("update", "/api/v1/account", {
      payload: AccountPatch,
      success: enveloped(Account),
      error: failures.keyedBody("ACCOUNT_NOT_FOUND")
    }).annotateMerge(
      operation({
        summary: "Change the account",
        description: "A new name also becomes the author and creator name of the account's items.",
        access: access.owner
      })
    ),
    HttpApiEndpoint.get("export", "/api/v1/account/export", {
      success: enveloped(AccountExport),
      error: failures.keyed("ACCOUNT_NOT_FOUND")
    }).annotateMerge(
      operation({
        summary: "Export the account",
        description: "All records of the account, without secrets, streamed as one JSON document of any length.",
        access: access.ownerRead
      })
    ),
    HttpApiEndpoint.delete("erase", "/api/v1/account", {
      success: enveloped(Deleted),
      error: failures.keyedWrite("ACCOUNT_NOT_FOUND", "CONFLICT")
    }).annotateMerge(
      operation({
        summary: "Erase the account",
        description:
          "Cannot be undone. Name and e-mail address are removed from every record; keys, agents and webhooks end; items are taken off sale. The ledger, licenses and reviews without a name are kept. CONFLICT while the wallet has money.",
        access: access.owner
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Accounts", description: "Who owns wallets, agents, keys and items." }))

/** Routes for agents (AGENT-1, AGENT-2, AGENT-4, AGENT-5, AGENT-6, AGENT-7, AGENT-8, AGENT-9). */
export const AgentsGroup = HttpApiGroup.make("agents")
  .annotate(ControlOperation, true)
  .add(
    HttpApiEndpoint.post("register", "/api/v1/agents/register", {
      payload: AgentInput,
      success: enveloped(RegisteredAgent).pipe(created),
      error: failures.openBody()
    }).annotateMerge(
      operation({
        summary: "Register an agent",
        description: "The agent has no owner. Until an account claims it, its key can only read the public catalogue.",
        access: access.public
      })
    ),
    HttpApiEndpoint.post("claim", "/api/v1/agents/claim", {
      payload: ClaimInput,
      success: enveloped(ClaimedAgent),
      error: failures.keyedBody("CLAIM_CODE_NOT_FOUND", "QUOTA_EXCEEDED")
    }).annotateMerge(
      operation({
        summary: "Claim an agent",
        description:
          "From then on the agent's keys act for the caller's account. A code works once. The agent was registered by somebody who has " +
          "its key, so without a policy every paid purchase waits for the owner.",
        access: access.owner,
        closedBody: "policy."
      })
    ),
    HttpApiEndpoint.post("create", "/api/v1/agents", {
      payload: AgentInput,
      success: enveloped(Agent).pipe(created),
      error: failures.keyedBody("QUOTA_EXCEEDED")
    }).annotateMerge(
      operation({
        summary: "Create an agent",
        description: "The caller's account owns it from the start. Create a key for it with POST /api/v1/keys.",
        access: access.owner
      })
    ),
    HttpApiEndpoint.get("list", "/api/v1/agents", {
      query: pageQuery,
      success: pageOf(Schema.Array(Agent).annotate({ description: "The agents of the page, newest first." })),
      error: failures.keyed()
    }).annotateMerge(
      operation({ summary: "List agents", description: "The owner's agents, newest first.", access: access.ownerRead })
    ),
    HttpApiEndpoint.get("get", "/api/v1/agents/:id", {
      params: agentParams,
      success: enveloped(Agent),
      error: failures.keyed("AGENT_NOT_FOUND")
    }).annotateMerge(
      operation({ summary: "Read an agent", description: "One of the owner's agents.", access: access.ownerRead })
    ),
    HttpApiEndpoint.patch("rename", "/api/v1/agents/:id", {
      params: agentParams,
      payload: AgentInput,
      success: enveloped(Agent),
      error: failures.keyedBody("AGENT_NOT_FOUND")
    }).annotateMerge(
      operation({ summary: "Rename an agent", description: "Its keys do not change.", access: access.owner })
    ),
    HttpApiEndpoint.delete("retire", "/api/v1/agents/:id", {
      params: agentParams,
      success: enveloped(Deleted),
      error: failures.keyedWrite("AGENT_NOT_FOUND")
    }).annotateMerge(
      operation({
        summary: "Retire an agent",
        description:
          "Cannot be undone. Its keys are deactivated and its pending approvals rejected. Its records are kept.",
        access: access.owner
      })
    ),
    HttpApiEndpoint.post("freeze", "/api/v1/agents/:id/freeze", {
      params: agentParams,
      payload: [FreezeInput, HttpApiSchema.NoContent],
      success: enveloped(Agent),
      error: failures.keyedBody("AGENT_NOT_FOUND", "CONFLICT")
    }).annotateMerge(
      operation({
        summary: "Freeze an agent",
        description:
          "From this response on, every server process refuses writes with its keys as AGENT_FROZEN. Its pending approvals are " +
          "rejected, and its subscriptions do not renew.",
        access: access.owner,
        servesFrozen: true,
        optionalBody: true
      })
    ),
    HttpApiEndpoint.post("unfreeze", "/api/v1/agents/:id/unfreeze", {
      params: agentParams,
      success: enveloped(Agent),
      error: failures.keyedWrite("AGENT_NOT_FOUND", "CONFLICT")
    }).annotateMerge(
      operation({ summary: "Unfreeze an agent", description: "Its keys work again as before.", access: access.owner })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Agents", description: "Programs that act with keys of their own." }))

/** Routes for API keys (KEY-3, KEY-5, KEY-6, KEY-7, KEY-8). */
export const KeysGroup = HttpApiGroup.make("keys")
  .annotate(ControlOperation, true)
  .add(
    HttpApiEndpoint.post("create", "/api/v1/keys", {
      payload: KeyInput,
      success: enveloped(IssuedKey).pipe(created),
      error: failures.keyedBody("AGENT_NOT_FOUND", "CONFLICT", "QUOTA_EXCEEDED")
    }).annotateMerge(
      operation({
        summary: "Create a key",
        description: "Only this response contains the secret.",
        access: access.owner
      })
    ),
    HttpApiEndpoint.get("list", "/api/v1/keys", {
      query: pageQuery,
      success: pageOf(Schema.Array(Key).annotate({ description: "The keys of the page, newest first." })),
      error: failures.keyed()
    }).annotateMerge(
      operation({
        summary: "List keys",
        description: "Without their secrets, including deactivated ones, newest first.",
        access: access.ownerRead
      })
    ),
    HttpApiEndpoint.get("get", "/api/v1/keys/:id", {
      params: keyParams,
      success: enveloped(Key),
      error: failures.keyed("KEY_NOT_FOUND")
    }).annotateMerge(
      operation({ summary: "Read a key", description: "Without its secret.", access: access.ownerRead })
    ),
    HttpApiEndpoint.delete("deactivate", "/api/v1/keys/:id", {
      params: keyParams,
      query: {
        family: Query.flag({
          description: "Whether to deactivate all keys that descend from the same first key by rotation or refresh.",
          example: "true"
        })
      },
      success: enveloped(DeactivatedKey),
      error: failures.keyed("KEY_NOT_FOUND", "CONFLICT")
    }).annotateMerge(
      operation({
        summary: "Deactivate a key",
        description: "Takes effect at once on every server process.",
        access: access.owner,
        servesFrozen: true
      })
    ),
    HttpApiEndpoint.post("rotate", "/api/v1/keys/:id/rotate", {
      params: keyParams,
      payload: rotateBody,
      success: enveloped(IssuedKey).pipe(created),
      error: failures.keyedBody("KEY_NOT_FOUND", "CONFLICT")
    }).annotateMerge(
      operation({
        summary: "Rotate a key",
        description:
          "Creates a key with the same scope, which expires when the first key of its family would have. The old key works until " +
          "the grace period ends.",
        access: access.owner,
        optionalBody: true
      })
    ),
    HttpApiEndpoint.post("refresh", "/api/v1/keys/refresh", {
      payload: rotateBody,
      success: enveloped(IssuedKey).pipe(created),
      error: failures.catalogue(
        "ACCOUNT_FROZEN",
        "AGENT_FROZEN",
        "CONFLICT",
        "PAYLOAD_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE"
      )
    }).annotateMerge(
      operation({
        summary: "Renew the calling key",
        description: "The same as rotating it. Every key may renew itself.",
        access: access.anyKey,
        optionalBody: true
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Keys", description: "API keys and their scopes." }))
