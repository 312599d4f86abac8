import type { MarketEvent } from "@agent-marketplace/core/events/MarketEvent"
import type { AccountId, AgentId } from "@agent-marketplace/core/ids/Ids"
import type { Account } from "@agent-marketplace/core/identity/Account"
import type { Agent } from "@agent-marketplace/core/identity/Agent"
import type { ApiKey } from "@agent-marketplace/core/identity/ApiKey"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { emptyBalance } from "@agent-marketplace/core/wallets/Ledger"
import { Effect, Layer, Option, Stream } from "effect"
import { ConstraintViolated } from "../ConstraintViolated.ts"
import { Index } from "../Index.ts"
import { storeListing } from "../listings/storeListing.ts"
import type { MarketTables } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"
import { storeSoul } from "../souls/storeSoul.ts"

const created = ({ createdAt }: Agent | ApiKey) => createdAt

const checkKey = (tables: MarketTables, key: ApiKey): void => {
  if (tables.keys.has(key.id)) throw new ConstraintViolated("keys_id", key.id)
  if (tables.keysByHash.has(key.hash)) throw new ConstraintViolated("keys_hash", key.id)
}

const writeKey = (tables: MarketTables, key: ApiKey): void => {
  tables.keys.set(key.id, key)
  tables.keysByHash.set(key.hash, key.id)
  if (key.accountId !== null) Index.add(tables.keysOf, key.accountId, key.id)
  if (key.agentId !== null) Index.add(tables.keysOfAgent, key.agentId, key.id)
}

const writeAgent = (tables: MarketTables, agent: Agent): void => {
  tables.agents.set(agent.id, agent)
  if (agent.ownerId !== null) Index.add(tables.agentsOf, agent.ownerId, agent.id)
}

const registered = (agent: Agent): MarketEvent => ({
  type: "agent.registered",
  at: agent.createdAt,
  subject: agent.id,
  accounts: [],
  data: { agentId: agent.id }
})

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
    expiresAt: key.expiresAt
  }
}

/** Souls and listings show their owner under the new name. */
const rename = (tables: MarketTables, id: AccountId, name: string): void => {
  for (const { soul } of Index.records(tables.soulsOf, id, tables.souls)) storeSoul(tables, { ...soul, author: name })
  for (const { listing } of Index.records(tables.listingsOf, id, tables.listings)) {
    storeListing(tables, { ...listing, creatorName: name })
  }
}

type Patch = Parameters<IdentityStore["Service"]["updateAccount"]>[1]

const patched = (account: Account, { email, hourlyLimit, name, seller, tier }: Patch): Account => ({
  ...account,
  name: name ?? account.name,
  email: email === undefined ? account.email : email,
  seller: seller ?? account.seller,
  tier: tier ?? account.tier,
  hourlyLimit: hourlyLimit === undefined ? account.hourlyLimit : hourlyLimit
})

const claim = (tables: MarketTables, claimCodeHash: string, ownerId: AccountId): Option.Option<Agent> => {
  const id = tables.claimCodes.get(claimCodeHash)
  const agent = id === undefined ? undefined : tables.agents.get(id)
  if (agent === undefined) return Option.none()
  if (!tables.accounts.has(ownerId)) throw new ConstraintViolated("agents_owner", ownerId)
  const claimed: Agent = { ...agent, ownerId }
  tables.claimCodes.delete(claimCodeHash)
  writeAgent(tables, claimed)
  for (const key of Index.records(tables.keysOfAgent, agent.id, tables.keys)) {
    writeKey(tables, { ...key, accountId: ownerId })
  }
  return Option.some(claimed)
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
  updateAccount: (id, patch) =>
    Effect.sync(() => {
      const before = tables.accounts.get(id)
      if (before === undefined) return Option.none()
      const account = patched(before, patch)
      tables.accounts.set(id, account)
      if (account.name !== before.name) rename(tables, id, account.name)
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
  "createAgent" | "claimAgent" | "findAgent" | "listAgents" | "setFrozen"
> => ({
  createAgent: (agent, key, claimCodeHash) =>
    Effect.sync(() => {
      if (tables.agents.has(agent.id)) throw new ConstraintViolated("agents_id", agent.id)
      if (claimCodeHash !== null && tables.claimCodes.has(claimCodeHash)) {
        throw new ConstraintViolated("agents_claim_code", agent.id)
      }
      if (key !== null) checkKey(tables, key)
      writeAgent(tables, agent)
      if (key !== null) writeKey(tables, key)
      if (claimCodeHash !== null) tables.claimCodes.set(claimCodeHash, agent.id)
      append([registered(agent)])
    }),
  claimAgent: (claimCodeHash, owner) =>
    Effect.sync(() => {
      const claimed = claim(tables, claimCodeHash, owner)
      if (Option.isSome(claimed)) announce(claimed.value.id)
      return claimed
    }),
  findAgent: (id: AgentId) => Effect.sync(() => Option.fromUndefinedOr(tables.agents.get(id))),
  setFrozen: (id, frozen) =>
    Effect.sync(() => {
      const account = tables.accounts.get(id as AccountId)
      const agent = tables.agents.get(id as AgentId)
      if (account !== undefined) tables.accounts.set(account.id, { ...account, frozen })
      if (agent !== undefined) tables.agents.set(agent.id, { ...agent, frozen })
      const known = account !== undefined || agent !== undefined
      if (known) announce(id)
      return known
    }),
  listAgents: (owner, page) =>
    Effect.sync(() =>
      Timeline.page(Timeline.newestFirst(Index.records(tables.agentsOf, owner, tables.agents), created), page)
    )
})

const keyChanges = ({
  announce,
  tables
}: MemoryMarket["Service"]): Pick<
  IdentityStore["Service"],
  "createKey" | "deactivateKey" | "rotateKey" | "touchKeys"
> => ({
  createKey: (key) =>
    Effect.sync(() => {
      checkKey(tables, key)
      writeKey(tables, key)
    }),
  deactivateKey: (id, owner) =>
    Effect.sync(() => {
      const key = tables.keys.get(id)
      if (key?.accountId !== owner || key.status !== "active") return false
      tables.keys.set(id, { ...key, status: "deactivated" })
      announce(id)
      return true
    }),
  rotateKey: (id, next, graceEnds) =>
    Effect.sync(() => {
      const key = tables.keys.get(id)
      if (key?.status !== "active") return false
      checkKey(tables, next)
      tables.keys.set(id, { ...key, expiresAt: Math.min(graceEnds, key.expiresAt ?? Infinity) })
      writeKey(tables, next)
      announce(id)
      return true
    }),
  touchKeys: (uses) =>
    Effect.sync(() => {
      for (const [id, at] of uses) {
        const key = tables.keys.get(id)
        if (key !== undefined && at > (key.lastUsedAt ?? -Infinity)) tables.keys.set(id, { ...key, lastUsedAt: at })
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
      changes: Stream.fromPubSub(market.changes),
      live: Effect.succeed(true)
    }))
  )
}
