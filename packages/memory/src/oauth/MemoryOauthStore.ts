import type { AccountFrozen, QuotaExceeded } from "@agent-marketplace/core/errors/MarketError"
import { AccountFrozen as Frozen, Conflict, InvalidApiKey } from "@agent-marketplace/core/errors/MarketError"
import type { KeyId } from "@agent-marketplace/core/ids/Ids"
import type { AuthorizationRequest } from "@agent-marketplace/core/oauth/AuthorizationRequest"
import type { OauthGrant } from "@agent-marketplace/core/oauth/OauthGrant"
import type { Exchange, GrantDraft, OauthStore as Store } from "@agent-marketplace/core/oauth/OauthStore"
import { OauthStore } from "@agent-marketplace/core/oauth/OauthStore"
import type { OauthToken } from "@agent-marketplace/core/oauth/OauthToken"
import { Effect, Layer, Option, Result } from "effect"
import { admitRecord } from "../identity/admitRecord.ts"
import { registered, writeAgent, writeKey } from "../identity/identityRecords.ts"
import type { MarketTables } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"
import { isActive } from "../sessions/sessionRecords.ts"
import { endGrant, isLive } from "./endGrant.ts"

type Market = MemoryMarket["Service"]

const ended = new InvalidApiKey({ reason: "invalid" })

const isEnded = (tables: MarketTables, by: KeyId | null): boolean => by !== null && !isActive(tables, by)

const created = ({ createdAt }: { readonly createdAt: number }) => createdAt

const addTokens = (tables: MarketTables, tokens: ReadonlyArray<OauthToken>): void => {
  for (const token of tokens) tables.oauthTokens.set(token.hash, token)
}

const addGrant = ({ append, tables }: Market, { agent, grant, key, policy }: GrantDraft): void => {
  writeAgent(tables, agent)
  writeKey(tables, key)
  tables.policies.set(agent.id, policy)
  tables.oauthGrants.set(grant.id, grant)
  append([registered(agent)])
}

const grantOf = (tables: MarketTables, id: OauthGrant["id"] | null): OauthGrant | undefined =>
  id === null ? undefined : tables.oauthGrants.get(id)

/** Ends the grant of a code or token that was exchanged before. */
const repeated = (market: Market, grant: OauthGrant, at: number): Exchange => {
  if (!isLive(market.tables, grant)) return { _tag: "Ended" }
  endGrant(market, grant, at)
  return { _tag: "Repeated", grant }
}

type Clients = Pick<Store["Service"], "createClient" | "deleteClient" | "findClient" | "listClients">

const clientMethods = (market: Market): Clients => {
  const { tables } = market
  return {
    createClient: (client, by, limit) =>
      Effect.suspend((): Effect.Effect<void, AccountFrozen | Conflict | InvalidApiKey> => {
        if (isEnded(tables, by)) return Effect.fail(ended)
        const owner = client.ownerId === null ? undefined : tables.accounts.get(client.ownerId)
        if (owner !== undefined && owner.frozen !== null) return Effect.fail(new Frozen(owner.frozen))
        const own = [...tables.oauthClients.values()].filter(({ ownerId }) => ownerId === client.ownerId)
        if (owner !== undefined && own.length >= limit)
          return Effect.fail(new Conflict({ state: "clients_used", limit }))
        tables.oauthClients.set(client.id, client)
        return Effect.void
      }),
    findClient: (id) => Effect.sync(() => Option.fromUndefinedOr(tables.oauthClients.get(id))),
    listClients: (owner, page) =>
      Effect.sync(() => {
        const own = [...tables.oauthClients.values()].filter(({ ownerId }) => ownerId === owner)
        return Timeline.page(Timeline.newestFirst(own, created), page)
      }),
    deleteClient: (id, owner, at) =>
      Effect.sync(() => {
        if (tables.oauthClients.get(id)?.ownerId !== owner) return Option.none()
        tables.oauthClients.delete(id)
        const grants = [...tables.oauthGrants.values()].filter((each) => each.clientId === id && isLive(tables, each))
        for (const grant of grants) endGrant(market, grant, at)
        return Option.some(grants)
      })
  }
}

type Requests = Pick<
  Store["Service"],
  "createRequest" | "decide" | "findRequest" | "findRequestByCode" | "findRequestByUserCode" | "notePoll" | "redeem"
>

const requestMethods = (market: Market): Requests => {
  const { tables } = market
  const find = (matches: (request: AuthorizationRequest) => boolean) =>
    Effect.sync(() => Option.fromUndefinedOr([...tables.oauthRequests.values()].find(matches)))
  return {
    createRequest: (request) => Effect.sync(() => void tables.oauthRequests.set(request.id, request)),
    findRequest: (id) => Effect.sync(() => Option.fromUndefinedOr(tables.oauthRequests.get(id))),
    findRequestByCode: (hash) => find(({ codeHash }) => codeHash === hash),
    findRequestByUserCode: (hash) => find(({ userCodeHash }) => userCodeHash === hash),
    decide: (id, decision, by, at) =>
      Effect.suspend((): Effect.Effect<boolean, AccountFrozen | InvalidApiKey | QuotaExceeded> => {
        if (isEnded(tables, by)) return Effect.fail(ended)
        const request = tables.oauthRequests.get(id)
        if (request?.decision !== "pending" || request.expiresAt <= at) return Effect.succeed(false)
        if (decision._tag === "Denied") {
          tables.oauthRequests.set(id, { ...request, decision: "denied" })
          return Effect.succeed(true)
        }
        const { code, draft } = decision
        const admitted = admitRecord(tables, draft.grant.accountId, "agents", at)
        if (Result.isFailure(admitted)) return Effect.fail(admitted.failure)
        addGrant(market, draft)
        tables.oauthRequests.set(id, {
          ...request,
          decision: "approved",
          scopes: draft.grant.scopes,
          grantId: draft.grant.id,
          ...(code === null ? {} : { codeHash: code.hash, codeExpiresAt: code.expiresAt })
        })
        return Effect.succeed(true)
      }),
    notePoll: (id, at) =>
      Effect.sync(() => {
        const before = tables.oauthPolls.get(id) ?? null
        tables.oauthPolls.set(id, at)
        return before
      }),
    redeem: (id, tokens, at) =>
      Effect.sync((): Exchange => {
        const request = tables.oauthRequests.get(id)
        const grant = grantOf(tables, request?.grantId ?? null)
        if (request === undefined || grant === undefined || !isLive(tables, grant)) return { _tag: "Ended" }
        if (request.redeemedAt !== null) return repeated(market, grant, at)
        tables.oauthRequests.set(id, { ...request, redeemedAt: at })
        addTokens(tables, tokens)
        return { _tag: "Exchanged" }
      })
  }
}

type Grants = Pick<Store["Service"], "endGrant" | "endToken" | "findToken" | "issueToClient" | "listGrants" | "refresh">

const grantMethods = (market: Market): Grants => {
  const { announce, tables } = market
  return {
    refresh: (hash, tokens, at) =>
      Effect.sync((): Exchange => {
        const token = tables.oauthTokens.get(hash)
        const grant = grantOf(tables, token?.grantId ?? null)
        if (token === undefined || grant === undefined || !isLive(tables, grant)) return { _tag: "Ended" }
        if (token.usedAt !== null) return repeated(market, grant, at)
        tables.oauthTokens.set(hash, { ...token, usedAt: at })
        addTokens(tables, tokens)
        return { _tag: "Exchanged" }
      }),
    issueToClient: (draft, tokenOf) =>
      Effect.suspend((): Effect.Effect<Option.Option<OauthGrant>, AccountFrozen | QuotaExceeded> => {
        const { clientId } = draft.grant
        if (!tables.oauthClients.has(clientId)) return Effect.succeedNone
        const known = [...tables.oauthGrants.values()].find((each) => each.forClient && each.clientId === clientId)
        if (known !== undefined && !isLive(tables, known)) return Effect.succeedNone
        if (known === undefined) {
          const admitted = admitRecord(tables, draft.grant.accountId, "agents", draft.grant.createdAt)
          if (Result.isFailure(admitted)) return Effect.fail(admitted.failure)
          addGrant(market, draft)
        }
        const grant = known ?? draft.grant
        addTokens(tables, [tokenOf(grant)])
        return Effect.succeedSome(grant)
      }),
    findToken: (hash) =>
      Effect.sync(() => {
        const token = tables.oauthTokens.get(hash)
        const grant = grantOf(tables, token?.grantId ?? null)
        if (token === undefined || grant === undefined) return Option.none()
        return Option.some({ token, grant, live: isLive(tables, grant) })
      }),
    endToken: (hash) =>
      Effect.sync(() => {
        const grant = grantOf(tables, tables.oauthTokens.get(hash)?.grantId ?? null)
        tables.oauthTokens.delete(hash)
        if (grant !== undefined) announce(grant.keyId)
      }),
    listGrants: (owner, page) =>
      Effect.sync(() => {
        const live = [...tables.oauthGrants.values()].filter((each) => each.accountId === owner && isLive(tables, each))
        const { items, total } = Timeline.page(Timeline.newestFirst(live, created), page)
        return {
          items: items.map((each) => ({ ...each, lastUsedAt: tables.keys.get(each.keyId)?.lastUsedAt ?? null })),
          total
        }
      }),
    endGrant: (id, owner, at) =>
      Effect.sync(() => {
        const grant = tables.oauthGrants.get(id)
        if (grant?.accountId !== owner || !isLive(tables, grant)) return Option.none()
        endGrant(market, grant, at)
        return Option.some(grant)
      })
  }
}

export const MemoryOauthStore: { readonly layer: Layer.Layer<OauthStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    OauthStore,
    Effect.map(MemoryMarket, (market) => ({
      ...clientMethods(market),
      ...requestMethods(market),
      ...grantMethods(market)
    }))
  )
}
