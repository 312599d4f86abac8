import { defaultPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Account } from "@agent-marketplace/core/identity/Account"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { AuthorizationRequest } from "@agent-marketplace/core/oauth/AuthorizationRequest"
import type { OauthClient } from "@agent-marketplace/core/oauth/OauthClient"
import { grantKeyHash } from "@agent-marketplace/core/oauth/OauthGrant"
import { tokenDigest } from "@agent-marketplace/core/oauth/OauthSecret"
import type { GrantDraft } from "@agent-marketplace/core/oauth/OauthStore"
import { OauthStore } from "@agent-marketplace/core/oauth/OauthStore"
import type { OauthToken } from "@agent-marketplace/core/oauth/OauthToken"
import { Effect, Option } from "effect"
import { apiKey } from "../fixtures/apiKey.ts"
import { freshId, freshText } from "../fixtures/freshId.ts"
import { openAccount } from "../fixtures/openAccount.ts"

export const hour = 3_600_000

export const now = Effect.flatMap(MarketClock, (clock) => Effect.orDie(clock.now))

/** A client that is not stored. */
export const oauthClient = (fields: Partial<OauthClient> = {}) =>
  Effect.map(now, (createdAt): OauthClient => ({
    id: freshId("oac"),
    ownerId: null,
    name: "An application",
    redirectUris: ["https://app.example.com/callback"],
    grantTypes: ["authorization_code", "refresh_token"],
    authMethod: "none",
    secretHash: null,
    scopes: ["read", "buy"],
    createdAt,
    ...fields
  }))

/** A stored request that waits for an hour. */
export const storedRequest = Effect.fnUntraced(function* (fields: Partial<AuthorizationRequest> = {}) {
  const store = yield* OauthStore
  const createdAt = yield* now
  const request: AuthorizationRequest = {
    id: freshId("oar"),
    clientId: freshId("oac"),
    clientName: "An application",
    redirectUri: "https://app.example.com/callback",
    state: "a state",
    codeChallenge: freshText(),
    scopes: ["read", "buy"],
    resource: "https://market.example.com",
    refreshable: true,
    userCodeHash: null,
    codeHash: null,
    codeExpiresAt: null,
    decision: "pending",
    grantId: null,
    redeemedAt: null,
    createdAt,
    expiresAt: createdAt + hour,
    ...fields
  }
  yield* store.createRequest(request)
  return request
})

export const grantDraft = Effect.fnUntraced(function* (
  owner: AccountId,
  clientId: string,
  forClient = false
): Effect.fn.Return<GrantDraft, never, MarketClock> {
  const createdAt = yield* now
  const id = freshId("ogr")
  const agentId = freshId("agt")
  const key = yield* apiKey({ accountId: owner, agentId, scope: "BUYER", prefix: "oauth", hash: grantKeyHash(id) })
  return {
    grant: {
      id,
      accountId: owner,
      agentId,
      keyId: key.id,
      clientId,
      clientName: "An application",
      forClient,
      scopes: ["buy"],
      createdAt
    },
    agent: {
      id: agentId,
      name: "An application",
      ownerId: owner,
      source: "oauth",
      createdAt,
      retiredAt: null,
      frozen: null
    },
    key,
    policy: { ...defaultPolicy, autoApprove: false }
  }
})

export const oauthToken = (
  grantId: OauthToken["grantId"],
  kind: OauthToken["kind"],
  fields: Partial<OauthToken> = {}
) =>
  Effect.map(now, (createdAt): OauthToken => ({
    hash: `${freshText()}${freshText()}`,
    kind,
    grantId,
    scopes: ["read"],
    resource: "https://market.example.com",
    createdAt,
    expiresAt: createdAt + hour,
    usedAt: null,
    ...fields
  }))

/** A request that an account has approved, with its code. */
export const approvedRequest = Effect.fnUntraced(function* (of?: Account) {
  const store = yield* OauthStore
  const account = of ?? (yield* openAccount())
  const request = yield* storedRequest()
  const draft = yield* grantDraft(account.id, request.clientId)
  const at = yield* now
  const code = { hash: freshText(), expiresAt: at + hour }
  const done = yield* store.decide(request.id, { _tag: "Approved", draft, code }, null, at)
  return { account, request, draft, code, done }
})

/** A grant with an access and a refresh token. */
export const grantWithTokens = Effect.fnUntraced(function* (of?: Account) {
  const store = yield* OauthStore
  const approved = yield* approvedRequest(of)
  const access = yield* oauthToken(approved.draft.grant.id, "access")
  const refresh = yield* oauthToken(approved.draft.grant.id, "refresh")
  yield* store.redeem(approved.request.id, [access, refresh], yield* now)
  return { ...approved, access, refresh }
})

/** The caller with an access token, as authentication looks it up. */
export const callerWith = Effect.fnUntraced(function* ({ hash }: OauthToken) {
  const identity = yield* IdentityStore
  return Option.getOrUndefined(yield* identity.findCaller(tokenDigest.of(hash)))
})
