import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { changedFields } from "@agent-marketplace/core/admin/OperatorAction"
import type { SpendingPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import type { AccountFrozen, QuotaExceeded } from "@agent-marketplace/core/errors/MarketError"
import { Conflict, InvalidApiKey } from "@agent-marketplace/core/errors/MarketError"
import type { AccountId, AgentId, KeyId } from "@agent-marketplace/core/ids/Ids"
import type { Account } from "@agent-marketplace/core/identity/Account"
import type { Agent } from "@agent-marketplace/core/identity/Agent"
import type { ApiKey } from "@agent-marketplace/core/identity/ApiKey"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { settingsOf } from "@agent-marketplace/core/identity/Account"
import { freezeStates, refrozen } from "@agent-marketplace/core/identity/Freeze"
import { isHostKey } from "@agent-marketplace/core/identity/HostSessions"
import { isGrantKey } from "@agent-marketplace/core/oauth/OauthGrant"
import { tokenDigest } from "@agent-marketplace/core/oauth/OauthSecret"
import { keyScopeOf } from "@agent-marketplace/core/oauth/OauthScope"
import { agentFrozen, rotationDue } from "@agent-marketplace/core/identity/IdentityEvents"
import { patchedQuotas } from "@agent-marketplace/core/identity/Quotas"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { emptyBalance } from "@agent-marketplace/core/wallets/Ledger"
import { Effect, Layer, Option, Result, Stream } from "effect"
import { ConstraintViolated } from "../ConstraintViolated.ts"
import { marking } from "../domains/marking.ts"
import { Index } from "../Index.ts"
import { admitRecord } from "./admitRecord.ts"
import { endSessionsOf, isActive } from "../sessions/sessionRecords.ts"
import { registered, writeAgent, writeKey } from "./identityRecords.ts"
import { dropClients } from "../oauth/endGrant.ts"
import { storeListing } from "../listings/storeListing.ts"
import { eraseAccount } from "./eraseAccount.ts"
import type { MarketTables } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"
import { storeSoul } from "../souls/storeSoul.ts"

const created = ({ createdAt }: Agent | ApiKey) => createdAt

const checkKey = (tables: MarketTables, key: ApiKey): void => {
  if (tables.keys.has(key.id)) throw new ConstraintViolated("keys_id", key.id)
  if (tables.keysByHash.has(key.hash)) throw new ConstraintViolated("keys_hash", key.id)
}

const endKey = (tables: MarketTables, key: ApiKey): void => {
  tables.keys.set(key.id, { ...key, status: "deactivated" })
}

const ended = new InvalidApiKey({ reason: "invalid" })

/** Whether the calling key or session was ended meanwhile. */
const isEnded = (tables: MarketTables, by: KeyId | null): boolean => by !== null && !isActive(tables, by)

const callerOf = (tables: MarketTables, key: ApiKey): Caller => {
  const account = key.accountId === null ? undefined : tables.accounts.get(key.accountId)
  return {
    keyId: key.id,
    scope: key.scope,
    agentId: key.agentId,
    accountId: key.accountId,
    accountName: account?.name ?? null,
    seller: account?.seller ?? false,
    tier: account?.tier ?? "free",
    hourlyLimit: account?.hourlyLimit ?? null,
    expiresAt: key.expiresAt,
    frozen: account?.frozen ?? null,
    agentFrozen: (key.agentId === null ? undefined : tables.agents.get(key.agentId)?.frozen) ?? null
  }
}

/** The caller with an access token: the key of its grant, with the token's own scopes and end. */
const tokenCallerOf = (tables: MarketTables, hash: string): Option.Option<Caller> => {
  const token = tables.oauthTokens.get(hash)
  const grant = token === undefined ? undefined : tables.oauthGrants.get(token.grantId)
  const key = grant === undefined ? undefined : tables.keys.get(grant.keyId)
  if (token?.kind !== "access" || key?.status !== "active") return Option.none()
  const { expiresAt, resource, scopes } = token
  return Option.some({ ...callerOf(tables, key), scope: keyScopeOf(scopes), expiresAt, token: { scopes, resource } })
}

/** Updates the owner's name on souls and listings. */
const rename = (tables: MarketTables, id: AccountId, name: string): void => {
  for (const { soul } of Index.records(tables.soulsOf, id, tables.souls)) storeSoul(tables, { ...soul, author: name })
  for (const { listing } of Index.records(tables.listingsOf, id, tables.listings)) {
    storeListing(tables, { ...listing, creatorName: name })
  }
}

/** Withdraws the account's items from the shop or returns them. */
const withhold = (tables: MarketTables, id: AccountId, withheld: boolean): void => {
  for (const { soul } of Index.records(tables.soulsOf, id, tables.souls)) storeSoul(tables, { ...soul, withheld })
  for (const { listing } of Index.records(tables.listingsOf, id, tables.listings)) {
    storeListing(tables, { ...listing, withheld })
  }
}

type Patch = Parameters<IdentityStore["Service"]["updateAccount"]>[1]

const patched = (account: Account, { email, hourlyLimit, name, operator, quotas, seller, tier }: Patch): Account => ({
  ...account,
  name: name ?? account.name,
  email: email === undefined ? account.email : email,
  seller: seller ?? account.seller,
  tier: tier ?? account.tier,
  hourlyLimit: hourlyLimit === undefined ? account.hourlyLimit : hourlyLimit,
  quotas: patchedQuotas(account.quotas, quotas),
  operator: operator ?? account.operator
})

const claim = (
  tables: MarketTables,
  claimCodeHash: string,
  ownerId: AccountId,
  policy: SpendingPolicy
): Option.Option<Agent> => {
  const id = tables.claimCodes.get(claimCodeHash)
  const agent = id === undefined ? undefined : tables.agents.get(id)
  if (agent === undefined) return Option.none()
  if (!tables.accounts.has(ownerId)) throw new ConstraintViolated("agents_owner", ownerId)
  const claimed: Agent = { ...agent, ownerId }
  tables.claimCodes.delete(claimCodeHash)
  writeAgent(tables, claimed)
  tables.policies.set(claimed.id, policy)
  for (const key of Index.records(tables.keysOfAgent, agent.id, tables.keys)) {
    writeKey(tables, { ...key, accountId: ownerId })
  }
  return Option.some(claimed)
}

/** The agent and its keys count against the quotas of the account that claims it. */
const admitClaim = (tables: MarketTables, claimCodeHash: string, owner: AccountId) => {
  const agent = tables.agents.get(tables.claimCodes.get(claimCodeHash) ?? ("" as AgentId))
  if (agent === undefined) return Result.void
  const keys = Index.records(tables.keysOfAgent, agent.id, tables.keys).filter(({ status }) => status === "active")
  const families = new Set(keys.map(({ familyId }) => familyId)).size
  return Result.flatMap(admitRecord(tables, owner, "agents", agent.createdAt), () =>
    families === 0 ? Result.void : admitRecord(tables, owner, "keys", agent.createdAt, families)
  )
}

const openAccount = (tables: MarketTables, account: Account, key: ApiKey): void => {
  if (tables.accounts.has(account.id)) throw new ConstraintViolated("accounts_id", account.id)
  checkKey(tables, key)
  tables.accounts.set(account.id, account)
  tables.wallets.set(account.id, emptyBalance)
  writeKey(tables, key)
}

const accountMethods = ({
  announce,
  tables
}: MemoryMarket["Service"]): Pick<
  IdentityStore["Service"],
  "createAccount" | "createAccountOnce" | "findAccount" | "updateAccount"
> => ({
  createAccount: (account, key) => Effect.sync(() => openAccount(tables, account, key)),
  createAccountOnce: (account, key) =>
    Effect.sync(() => {
      if (tables.keysByHash.has(key.hash)) return false
      openAccount(tables, account, key)
      return true
    }),
  findAccount: (id) => Effect.sync(() => Option.fromUndefinedOr(tables.accounts.get(id))),
  updateAccount: (id, patch, action) =>
    Effect.sync(() => {
      const before = tables.accounts.get(id)
      if (before === undefined || tables.erased.has(id)) return Option.none()
      const account = patched(before, patch)
      tables.accounts.set(id, account)
      if (account.name !== before.name) rename(tables, id, account.name)
      if (action !== undefined)
        tables.actions.push({ ...action, ...changedFields(settingsOf(before), settingsOf(account)) })
      announce(id)
      return Option.some(account)
    })
})

const agentMethods = ({
  announce,
  append,
  tables
}: MemoryMarket["Service"]): Pick<
  IdentityStore["Service"],
  "createAgent" | "claimAgent" | "findAgent" | "listAgents" | "renameAgent" | "retireAgent" | "setFrozen"
> => ({
  createAgent: (agent, key, claimCodeHash) =>
    Effect.suspend(() => {
      const admitted = admitRecord(tables, agent.ownerId, "agents", agent.createdAt)
      if (Result.isFailure(admitted)) return Effect.fail(admitted.failure)
      if (tables.agents.has(agent.id)) throw new ConstraintViolated("agents_id", agent.id)
      if (claimCodeHash !== null && tables.claimCodes.has(claimCodeHash)) {
        throw new ConstraintViolated("agents_claim_code", agent.id)
      }
      if (key !== null) checkKey(tables, key)
      writeAgent(tables, agent)
      if (key !== null) writeKey(tables, key)
      if (claimCodeHash !== null) tables.claimCodes.set(claimCodeHash, agent.id)
      append([registered(agent)])
      return Effect.void
    }),
  claimAgent: (claimCodeHash, owner, policy, by) =>
    Effect.suspend((): Effect.Effect<Option.Option<Agent>, AccountFrozen | InvalidApiKey | QuotaExceeded> => {
      if (isEnded(tables, by)) return Effect.fail(ended)
      const admitted = admitClaim(tables, claimCodeHash, owner)
      if (Result.isFailure(admitted)) return Effect.fail(admitted.failure)
      const claimed = claim(tables, claimCodeHash, owner, policy)
      if (Option.isSome(claimed)) announce(claimed.value.id)
      return Effect.succeed(claimed)
    }),
  renameAgent: (id, owner, name) =>
    Effect.sync(() => {
      const agent = tables.agents.get(id)
      if (agent?.ownerId !== owner || tables.erased.has(owner)) return Option.none()
      const renamed: Agent = { ...agent, name }
      tables.agents.set(id, renamed)
      return Option.some(renamed)
    }),
  retireAgent: (id, owner, at) =>
    Effect.sync(() => {
      const agent = tables.agents.get(id)
      if (agent?.ownerId !== owner) return Option.none()
      const retired: Agent = { ...agent, retiredAt: agent.retiredAt ?? at }
      tables.agents.set(id, retired)
      for (const key of Index.records(tables.keysOfAgent, id, tables.keys)) endKey(tables, key)
      announce(id)
      return Option.some(retired)
    }),
  findAgent: (id: AgentId) => Effect.sync(() => Option.fromUndefinedOr(tables.agents.get(id))),
  setFrozen: (id, frozen, by) =>
    Effect.sync(() => {
      const account = tables.accounts.get(id as AccountId)
      const agent = tables.agents.get(id as AgentId)
      const before = account ?? agent
      const owner = agent === undefined ? (id as AccountId) : agent.ownerId
      if (before === undefined || (owner !== null && tables.erased.has(owner))) return false
      const after = refrozen(before.frozen, frozen)
      if (account !== undefined) {
        marking(tables, account.id, () => void tables.accounts.set(account.id, { ...account, frozen: after }))
        withhold(tables, account.id, after !== null)
      }
      if (agent !== undefined) {
        tables.agents.set(agent.id, { ...agent, frozen: after })
        if (before.frozen === null && after !== null && agent.ownerId !== null) {
          append([agentFrozen({ ...agent, ownerId: agent.ownerId }, after)])
        }
      }
      if (by !== undefined) tables.actions.push({ ...by.action, ...freezeStates(before.frozen, after) })
      announce(id)
      return true
    }),
  listAgents: (owner, page) =>
    Effect.sync(() =>
      Timeline.page(Timeline.newestFirst(Index.records(tables.agentsOf, owner, tables.agents), created), page)
    )
})

const keyChanges = ({
  announce,
  append,
  tables
}: MemoryMarket["Service"]): Pick<
  IdentityStore["Service"],
  | "announceRotations"
  | "createKey"
  | "deactivateFamily"
  | "deactivateKey"
  | "endKey"
  | "recover"
  | "rotateKey"
  | "touchKeys"
> => ({
  createKey: (key, by) =>
    Effect.suspend((): Effect.Effect<void, AccountFrozen | Conflict | InvalidApiKey | QuotaExceeded> => {
      if (isEnded(tables, by)) return Effect.fail(ended)
      const admitted = admitRecord(tables, key.accountId, "keys", key.createdAt)
      if (Result.isFailure(admitted)) return Effect.fail(admitted.failure)
      const agent = key.agentId === null ? undefined : tables.agents.get(key.agentId)
      if (agent !== undefined && agent.retiredAt !== null) return Effect.fail(new Conflict({ state: "retired" }))
      checkKey(tables, key)
      writeKey(tables, key)
      return Effect.void
    }),
  deactivateKey: (id, owner) =>
    Effect.sync(() => {
      const key = tables.keys.get(id)
      if (key?.accountId !== owner || key.status !== "active") return false
      endKey(tables, key)
      announce(id)
      return true
    }),
  deactivateFamily: (id, owner) =>
    Effect.sync(() => {
      const family = tables.keys.get(id)?.familyId
      const active = Index.records(tables.keysOf, owner, tables.keys).filter(
        (key) => key.familyId === family && key.status === "active"
      )
      for (const key of active) {
        endKey(tables, key)
        announce(key.id)
      }
      return active.length > 0
    }),
  endKey: (id, action) =>
    Effect.sync(() => {
      const key = tables.keys.get(id)
      if (key === undefined) return Option.none()
      if (key.status !== "active") return Option.some(false)
      endKey(tables, key)
      tables.actions.push({ ...action, before: { status: "active" }, after: { status: "deactivated" } })
      announce(id)
      return Option.some(true)
    }),
  rotateKey: (id, next, graceEnds, by) =>
    Effect.suspend(() => {
      const key = tables.keys.get(id)
      if (isEnded(tables, by)) return Effect.fail(ended)
      if (key?.status !== "active") return Effect.succeed(false)
      checkKey(tables, next)
      tables.keys.set(id, { ...key, expiresAt: Math.min(graceEnds, key.expiresAt ?? Infinity) })
      writeKey(tables, { ...next, accountId: key.accountId })
      announce(id)
      return Effect.succeed(true)
    }),
  recover: (key, action) =>
    Effect.sync(() => {
      if (!tables.accounts.has(key.accountId) || tables.erased.has(key.accountId)) return false
      checkKey(tables, key)
      const active = Index.records(tables.keysOf, key.accountId, tables.keys).filter(
        (each) => each.status === "active" && !isHostKey(each)
      )
      for (const each of active) endKey(tables, each)
      endSessionsOf(tables, key.accountId)
      dropClients(tables, key.accountId)
      writeKey(tables, key)
      tables.actions.push({ ...action, before: { activeKeys: active.length }, after: { activeKeys: 1, keyId: key.id } })
      announce(key.accountId)
      return true
    }),
  announceRotations: (madeBefore, now, limit) =>
    Effect.sync(() => {
      const replaced = new Set([...tables.keys.values()].map(({ rotatedFrom }) => rotatedFrom))
      const due = [...tables.keys.values()].filter(
        (key) =>
          key.status === "active" &&
          key.createdAt <= madeBefore &&
          key.accountId !== null &&
          !(key.expiresAt !== null && key.expiresAt <= now) &&
          !isHostKey(key) &&
          !isGrantKey(key) &&
          !replaced.has(key.id) &&
          !tables.rotationsAnnounced.has(key.id)
      )
      const taken = Timeline.oldestFirst(due, created).slice(0, limit)
      for (const key of taken) tables.rotationsAnnounced.add(key.id)
      append(taken.map((key) => rotationDue(key, now)))
      return taken.length
    }),
  touchKeys: (uses) =>
    Effect.sync(() => {
      for (const [id, at] of uses) {
        const key = tables.keys.get(id)
        if (key !== undefined && at - Timestamp.minute >= (key.lastUsedAt ?? -Infinity))
          tables.keys.set(id, { ...key, lastUsedAt: at })
      }
    })
})

const keyReads = (tables: MarketTables): Pick<IdentityStore["Service"], "listKeys" | "findKey" | "findCaller"> => ({
  listKeys: (owner, page) =>
    Effect.sync(() =>
      Timeline.page(Timeline.newestFirst(Index.records(tables.keysOf, owner, tables.keys), created), page)
    ),
  findKey: (id) => Effect.sync(() => Option.fromUndefinedOr(tables.keys.get(id))),
  findCaller: (hash) =>
    Effect.sync(() => {
      const accessToken = tokenDigest.hashIn(hash)
      if (accessToken !== undefined) return tokenCallerOf(tables, accessToken)
      const id = tables.keysByHash.get(hash)
      const key = id === undefined ? undefined : tables.keys.get(id)
      return key?.status === "active" ? Option.some(callerOf(tables, key)) : Option.none()
    })
})

export const MemoryIdentityStore: { readonly layer: Layer.Layer<IdentityStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    IdentityStore,
    Effect.map(MemoryMarket, (market) => ({
      ...accountMethods(market),
      ...agentMethods(market),
      ...keyReads(market.tables),
      ...keyChanges(market),
      eraseAccount: eraseAccount(market),
      changes: Stream.fromPubSub(market.changes),
      live: Effect.succeed(true)
    }))
  )
}
