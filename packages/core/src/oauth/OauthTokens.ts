import { Context, Effect, Layer, Option } from "effect"
import { Digest } from "effect/crypto"
import { MarketClock } from "../clock/MarketClock.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import { Timestamp as Time } from "../clock/Timestamp.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { OauthParameters } from "./Authorization.ts"
import type { AuthorizationRequest } from "./AuthorizationRequest.ts"
import { pollInterval } from "./AuthorizationRequest.ts"
import { makeGrantDraft } from "./makeGrantDraft.ts"
import type { OauthClient } from "./OauthClient.ts"
import { deviceGrant } from "./OauthClient.ts"
import type { ClientCredentials } from "./OauthClients.ts"
import { OauthClients } from "./OauthClients.ts"
import { OauthEnds } from "./OauthEnds.ts"
import type { OauthError } from "./OauthError.ts"
import { oauthError } from "./OauthError.ts"
import type { OauthGrant } from "./OauthGrant.ts"
import type { OauthScope } from "./OauthScope.ts"
import { parseScopes } from "./OauthScope.ts"
import { AccessToken, oauthSecretBytes, RefreshToken } from "./OauthSecret.ts"
import type { Exchange, FoundToken } from "./OauthStore.ts"
import { OauthStore } from "./OauthStore.ts"
import type { OauthToken } from "./OauthToken.ts"
import { accessTokenLifetime, refreshTokenLifetime } from "./OauthToken.ts"
import { Pkce } from "./Pkce.ts"
import { resourceOf } from "./resourceOf.ts"

/** The response of RFC 6749, 5.1. */
export interface TokenResponse {
  readonly access_token: string
  readonly token_type: "Bearer"
  readonly expires_in: number
  readonly scope: string
  readonly refresh_token?: string
}

/** The response of RFC 7662, 2.2. */
export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true
      readonly scope: string
      readonly client_id: string
      readonly token_type: "Bearer"
      readonly iat: number
      readonly exp: number
      readonly sub: string
      readonly aud: string
      readonly iss: string
    }

interface Client {
  readonly id: string
  readonly client: OauthClient | null
}

const badGrant = oauthError("invalid_grant", "The code or token is unknown, expired, used, or of another client.")

const mustBe = (name: string) => oauthError("invalid_request", `${name} is required.`)

/** The tokens of applications (OAUTH-7, OAUTH-11, OAUTH-12, OAUTH-19, OAUTH-20). */
export class OauthTokens extends Context.Service<
  OauthTokens,
  {
    /** The token endpoint. */
    readonly exchange: (
      credentials: ClientCredentials,
      parameters: OauthParameters
    ) => StoreEffect<TokenResponse, OauthError>
    /** Ends an access token; with a refresh token its whole grant. A token that is not the client's is ignored (RFC 7009). */
    readonly revoke: (credentials: ClientCredentials, token: string) => StoreEffect<void, OauthError>
    /** A token that is not the client's is inactive for it. */
    readonly introspect: (credentials: ClientCredentials, token: string) => StoreEffect<Introspection, OauthError>
  }
>()("@agent-marketplace/core/oauth/OauthTokens") {
  static readonly layer = Layer.effect(
    OauthTokens,
    Effect.gen(function* () {
      const store = yield* OauthStore
      const clients = yield* OauthClients
      const ends = yield* OauthEnds
      const clock = yield* MarketClock
      const { baseUrl } = yield* MarketConfig
      const digest = yield* Digest.Digest
      const ids = yield* idGenerator
      const grantDraft = makeGrantDraft(ids)
      const encoder = new TextEncoder()
      const hash = (secret: string) => digest.digestHex(Digest.sha256, encoder.encode(secret))

      const token = Effect.fnUntraced(function* (
        kind: OauthToken["kind"],
        of: Pick<OauthToken, "grantId" | "resource" | "scopes">,
        at: Timestamp
      ) {
        const form = kind === "access" ? AccessToken : RefreshToken
        const text = form.make(yield* ids.bytes(oauthSecretBytes))
        const stored: OauthToken = {
          hash: yield* hash(text),
          kind,
          grantId: of.grantId,
          scopes: of.scopes,
          resource: of.resource,
          createdAt: at,
          expiresAt: at + (kind === "access" ? accessTokenLifetime : refreshTokenLifetime),
          usedAt: null
        }
        return { text, stored }
      })

      const answer = (access: string, scopes: ReadonlyArray<OauthScope>, refresh?: string): TokenResponse => ({
        access_token: access,
        token_type: "Bearer",
        expires_in: accessTokenLifetime / Time.second,
        scope: scopes.join(" "),
        ...(refresh === undefined ? {} : { refresh_token: refresh })
      })

      /** An access token, and a refresh token that keeps all scopes. */
      const tokens = Effect.fnUntraced(function* (
        of: Pick<OauthToken, "grantId" | "resource" | "scopes">,
        refreshable: boolean,
        at: Timestamp,
        narrowed = of.scopes
      ) {
        const access = yield* token("access", { ...of, scopes: narrowed }, at)
        const refresh = refreshable ? yield* token("refresh", of, at) : undefined
        return {
          stored: [access.stored, ...(refresh === undefined ? [] : [refresh.stored])],
          response: answer(access.text, narrowed, refresh?.text)
        }
      })

      /** A code or token that comes a second time may be stolen, so its grant has ended (OAUTH-11, OAUTH-19). */
      const settled = (exchange: Exchange, response: TokenResponse) => {
        if (exchange._tag === "Exchanged") return Effect.succeed(response)
        const done = exchange._tag === "Repeated" ? ends.after(exchange.grant) : Effect.void
        return Effect.andThen(done, Effect.fail(badGrant))
      }

      const sameResource = (resource: string, named: string | undefined) =>
        named === undefined || resourceOf(baseUrl, named) === resource
          ? Effect.void
          : Effect.fail(oauthError("invalid_target", "resource must be the one that was requested before."))

      const redeem = Effect.fnUntraced(function* (request: AuthorizationRequest, parameters: OauthParameters) {
        const { grantId, id, refreshable, resource, scopes } = request
        const at = yield* clock.now
        if (grantId === null) return yield* badGrant
        yield* sameResource(resource, parameters["resource"])
        const made = yield* tokens({ grantId, resource, scopes }, refreshable, at)
        return yield* settled(yield* store.redeem(id, made.stored, at), made.response)
      })

      const byCode = Effect.fnUntraced(function* (client: Client, parameters: OauthParameters) {
        const { code, code_verifier: verifier, redirect_uri: redirectUri } = parameters
        if (code === undefined) return yield* mustBe("code")
        if (verifier === undefined) return yield* mustBe("code_verifier")
        const found = yield* store.findRequestByCode(yield* hash(code))
        if (Option.isNone(found)) return yield* badGrant
        const request = found.value
        if (request.clientId !== client.id || request.codeChallenge === null) return yield* badGrant
        if (redirectUri !== undefined && redirectUri !== request.redirectUri) return yield* badGrant
        // A code that was used before ends its grant, even if it has expired meanwhile.
        const over = (request.codeExpiresAt ?? 0) <= (yield* clock.now) && request.redeemedAt === null
        if (over || !(yield* Pkce.matches(digest, request.codeChallenge, verifier))) return yield* badGrant
        return yield* redeem(request, parameters)
      })

      const byDevice = Effect.fnUntraced(function* (client: Client, parameters: OauthParameters) {
        const { device_code: deviceCode } = parameters
        if (deviceCode === undefined) return yield* mustBe("device_code")
        const found = yield* store.findRequestByCode(yield* hash(deviceCode))
        if (Option.isNone(found) || found.value.clientId !== client.id || found.value.userCodeHash === null) {
          return yield* badGrant
        }
        const request = found.value
        const now = yield* clock.now
        if (request.decision === "denied") return yield* oauthError("access_denied", "The person refused.")
        if (request.expiresAt <= now && request.redeemedAt === null) {
          return yield* oauthError("expired_token", "The code has expired: start again.")
        }
        if (request.decision === "approved") return yield* redeem(request, parameters)
        const before = yield* store.notePoll(request.id, now)
        return yield* before !== null && now - before < pollInterval
          ? oauthError("slow_down", "Wait at least five seconds between two requests.")
          : oauthError("authorization_pending", "The person has not decided yet.")
      })

      const byRefresh = Effect.fnUntraced(function* (client: Client, parameters: OauthParameters) {
        const { refresh_token: text, resource, scope } = parameters
        if (text === undefined) return yield* mustBe("refresh_token")
        const refreshHash = yield* hash(text)
        const found = yield* store.findToken(refreshHash)
        const at = yield* clock.now
        if (Option.isNone(found) || found.value.grant.clientId !== client.id) return yield* badGrant
        const { token: old } = found.value
        if (old.kind !== "refresh" || (old.expiresAt <= at && old.usedAt === null)) return yield* badGrant
        const narrowed = scope === undefined ? old.scopes : parseScopes(scope)
        if (narrowed === undefined || narrowed.length === 0 || !narrowed.every((each) => old.scopes.includes(each))) {
          return yield* oauthError("invalid_scope", "scope must name some of the granted scopes.")
        }
        yield* sameResource(old.resource, resource)
        const made = yield* tokens(old, true, at, narrowed)
        return yield* settled(yield* store.refresh(refreshHash, made.stored, at), made.response)
      })

      const byClient = Effect.fnUntraced(function* ({ client }: Client, { resource, scope }: OauthParameters) {
        const ownerId = client?.ownerId ?? null
        if (client === null || ownerId === null || client.secretHash === null) {
          return yield* oauthError("unauthorized_client", "Only a registered client with a secret may do this.")
        }
        const scopes = scope === undefined ? client.scopes : parseScopes(scope)
        if (scopes === undefined || scopes.length === 0 || !scopes.every((each) => client.scopes.includes(each))) {
          return yield* oauthError("invalid_scope", "scope must name some of the client's scopes.")
        }
        const target = resourceOf(baseUrl, resource)
        if (target === undefined) {
          return yield* oauthError("invalid_target", `resource must be ${baseUrl} or ${baseUrl}/mcp.`)
        }
        const at = yield* clock.now
        const draft = yield* grantDraft({ accountId: ownerId, at, client, forClient: true, scopes: client.scopes })
        const made = yield* token("access", { grantId: draft.grant.id, resource: target, scopes }, at)
        const refused = oauthError(
          "access_denied",
          "The owner's account is frozen, or has as many agents as its tier allows."
        )
        const granted = yield* Effect.catchTags(
          store.issueToClient(draft, (grant) => ({ ...made.stored, grantId: grant.id })),
          { AccountFrozen: () => Effect.fail(refused), QuotaExceeded: () => Effect.fail(refused) }
        )
        if (Option.isNone(granted)) {
          return yield* oauthError(
            "unauthorized_client",
            "The owner has ended this client's access: register it again."
          )
        }
        return answer(made.text, scopes)
      })

      const flows: Readonly<
        Record<string, (client: Client, parameters: OauthParameters) => StoreEffect<TokenResponse, OauthError>>
      > = {
        authorization_code: byCode,
        refresh_token: byRefresh,
        client_credentials: byClient,
        [deviceGrant]: byDevice
      }

      /** A stored client must be registered for the grant type; the requests of others were checked when they started. */
      const flowOf = (name: string | undefined, { client }: Client) => {
        if (name === undefined) return Effect.fail(mustBe("grant_type"))
        const flow = Object.hasOwn(flows, name) ? flows[name] : undefined
        if (flow === undefined) {
          return Effect.fail(oauthError("unsupported_grant_type", "This grant_type is not supported."))
        }
        return client === null || (client.grantTypes as ReadonlyArray<string>).includes(name)
          ? Effect.succeed(flow)
          : Effect.fail(oauthError("unauthorized_client", "The client is not registered for this grant_type."))
      }

      /** The token, if it exists and is the client's. */
      const owned = Effect.fnUntraced(function* (credentials: ClientCredentials, text: string) {
        const client = yield* clients.authenticate(credentials)
        const found = yield* store.findToken(yield* hash(text))
        return Option.filter(found, ({ grant }: FoundToken) => grant.clientId === client.id)
      })

      const end = Effect.fnUntraced(function* ({ accountId, id }: OauthGrant) {
        const ended = yield* store.endGrant(id, accountId, yield* clock.now)
        if (Option.isSome(ended)) yield* ends.after(ended.value)
      })

      return {
        exchange: Effect.fn("OauthTokens.exchange")(function* (credentials, parameters) {
          const client = yield* clients.authenticate(credentials)
          const flow = yield* flowOf(parameters["grant_type"], client)
          return yield* flow(client, parameters)
        }),
        revoke: Effect.fn("OauthTokens.revoke")(function* (credentials, text) {
          const found = yield* owned(credentials, text)
          if (Option.isNone(found)) return
          yield* found.value.token.kind === "access" ? store.endToken(found.value.token.hash) : end(found.value.grant)
        }),
        introspect: Effect.fn("OauthTokens.introspect")(function* (credentials, text) {
          const found = yield* owned(credentials, text)
          const now = yield* clock.now
          if (Option.isNone(found)) return { active: false as const }
          const { grant, live, token: stored } = found.value
          if (!live || stored.usedAt !== null || stored.expiresAt <= now) return { active: false as const }
          return {
            active: true as const,
            scope: stored.scopes.join(" "),
            client_id: grant.clientId,
            token_type: "Bearer" as const,
            iat: Math.floor(stored.createdAt / Time.second),
            exp: Math.floor(stored.expiresAt / Time.second),
            sub: grant.accountId,
            aud: stored.resource,
            iss: baseUrl
          }
        })
      }
    })
  )
}
