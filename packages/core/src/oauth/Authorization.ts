import { Context, Effect, Layer, Option } from "effect"
import { Digest } from "effect/crypto"
import type { SpendingPolicy } from "../approvals/SpendingPolicy.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import type { AccountFrozen, AgentNotClaimed, InvalidApiKey, QuotaExceeded } from "../errors/MarketError.ts"
import { Conflict, NotFound, ValidationFailed } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Caller.ts"
import type { OauthRequestId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { AuthorizationRequest } from "./AuthorizationRequest.ts"
import { codeLifetime, requestLifetime } from "./AuthorizationRequest.ts"
import { makeGrantDraft } from "./makeGrantDraft.ts"
import { OauthClients } from "./OauthClients.ts"
import type { OauthClient } from "./OauthClient.ts"
import { deviceGrant } from "./OauthClient.ts"
import type { OauthError } from "./OauthError.ts"
import { oauthError } from "./OauthError.ts"
import type { OauthScope } from "./OauthScope.ts"
import { parseScopes } from "./OauthScope.ts"
import { AuthorizationCode, DeviceCode, oauthSecretBytes } from "./OauthSecret.ts"
import { OauthStore } from "./OauthStore.ts"
import { Pkce } from "./Pkce.ts"
import { RedirectUri } from "./RedirectUri.ts"
import { resourceOf } from "./resourceOf.ts"
import { UserCode } from "./UserCode.ts"

/** The parameters of a request, each at most once. */
export type OauthParameters = Readonly<Record<string, string | undefined>>

/** Where a refused request goes: back to the client, or to an error page where the client or its URI is not known (OAUTH-5). */
export type Started =
  | { readonly _tag: "Waiting"; readonly request: AuthorizationRequest }
  | { readonly _tag: "Refused"; readonly redirectTo: string }

/** A waiting device, with the secrets that only this response contains. */
export interface StartedDevice {
  readonly request: AuthorizationRequest
  readonly deviceCode: string
  readonly userCode: string
}

/** A person's decision about a request for access (OAUTH-10). */
export interface DecisionInput {
  readonly approve: boolean
  /** The granted scopes, some of the requested ones; all of them if absent. */
  readonly scopes?: ReadonlyArray<OauthScope> | undefined
  readonly policy?: Partial<SpendingPolicy> | undefined
}

const maxState = 2000

type Decided = AccountFrozen | AgentNotClaimed | Conflict | InvalidApiKey | NotFound | QuotaExceeded | ValidationFailed

/** Requests for access and the decisions of people about them (OAUTH-5, OAUTH-6, OAUTH-8, OAUTH-9, OAUTH-10, OAUTH-12). */
export class Authorization extends Context.Service<
  Authorization,
  {
    /** The address of the market, which is its identity as an authorization server. */
    readonly issuer: string
    /** Fails if nothing may be sent to the redirect URI, because the client or the URI is not known. */
    readonly start: (parameters: OauthParameters) => StoreEffect<Started, OauthError>
    readonly startDevice: (client: string, parameters: OauthParameters) => StoreEffect<StartedDevice, OauthError>
    /** The request, if it waits for a decision; Conflict if it was decided. */
    readonly request: (id: OauthRequestId) => StoreEffect<AuthorizationRequest, Conflict | NotFound>
    readonly requestByUserCode: (userCode: string) => StoreEffect<AuthorizationRequest, Conflict | NotFound>
    /** Where the browser goes next; null for a device. */
    readonly decide: (
      caller: Caller,
      id: OauthRequestId,
      decision: DecisionInput
    ) => StoreEffect<string | null, Decided>
  }
>()("@agent-marketplace/core/oauth/Authorization") {
  static readonly layer = Layer.effect(
    Authorization,
    Effect.gen(function* () {
      const store = yield* OauthStore
      const clients = yield* OauthClients
      const clock = yield* MarketClock
      const { baseUrl } = yield* MarketConfig
      const digest = yield* Digest.Digest
      const ids = yield* idGenerator
      const grantDraft = makeGrantDraft(ids)
      const encoder = new TextEncoder()
      const hash = (secret: string) => digest.digestHex(Digest.sha256, encoder.encode(secret))

      /** The response to the client. `iss` distinguishes it from a response of another server (RFC 9207). */
      const back = (redirectUri: string, state: string | null, answer: Readonly<Record<string, string>>): string =>
        RedirectUri.withParameters(redirectUri, { ...answer, state, iss: baseUrl })

      const draft = Effect.fnUntraced(function* (
        client: OauthClient,
        { resource, scope }: OauthParameters,
        at: Timestamp
      ) {
        const scopes = parseScopes(scope ?? "read")
        if (scopes === undefined || scopes.length === 0) {
          return yield* oauthError("invalid_scope", "scope must name some of: read buy sell.")
        }
        if (!scopes.every((each) => client.scopes.includes(each))) {
          return yield* oauthError("invalid_scope", "The client is not registered for this scope.")
        }
        const target = resourceOf(baseUrl, resource)
        if (target === undefined) {
          return yield* oauthError("invalid_target", `resource must be ${baseUrl} or ${baseUrl}/mcp.`)
        }
        return {
          id: yield* ids.make("oauthRequest"),
          clientId: client.id,
          clientName: client.name,
          scopes,
          resource: target,
          refreshable: client.grantTypes.includes("refresh_token"),
          decision: "pending" as const,
          grantId: null,
          redeemedAt: null,
          createdAt: at,
          expiresAt: at + requestLifetime
        }
      })

      /** The rules for a request whose client and redirect URI are known. */
      const check = Effect.fnUntraced(function* (client: OauthClient, parameters: OauthParameters) {
        const { code_challenge: challenge, code_challenge_method: method, response_mode: mode = "query" } = parameters
        if (parameters["request"] !== undefined || parameters["request_uri"] !== undefined) {
          return yield* oauthError("request_not_supported", "Request objects are not supported.")
        }
        if (parameters["response_type"] !== "code") {
          return yield* oauthError("unsupported_response_type", "response_type must be code.")
        }
        if (!client.grantTypes.includes("authorization_code")) {
          return yield* oauthError("unauthorized_client", "The client is not registered for authorization_code.")
        }
        if (mode !== "query") return yield* oauthError("invalid_request", "response_mode must be query.")
        if (challenge === undefined || method !== "S256" || !Pkce.isChallenge(challenge)) {
          return yield* oauthError("invalid_request", "code_challenge with code_challenge_method=S256 is required.")
        }
        return challenge
      })

      const redirectUriOf = (client: OauthClient, named: string | undefined): string | undefined => {
        if (named === undefined) return client.redirectUris.length === 1 ? client.redirectUris[0] : undefined
        return RedirectUri.matches(client.redirectUris, named) ? named : undefined
      }

      const pending = Effect.fnUntraced(function* (found: Option.Option<AuthorizationRequest>) {
        const now = yield* clock.now
        if (Option.isNone(found) || found.value.expiresAt <= now) return yield* new NotFound({ resource: "REQUEST" })
        if (found.value.decision !== "pending") return yield* new Conflict({ state: found.value.decision })
        return found.value
      })

      const approve = Effect.fnUntraced(function* (
        caller: Caller,
        request: AuthorizationRequest,
        { policy, scopes = request.scopes }: DecisionInput
      ) {
        const accountId = yield* ownerOf(caller)
        const granted = request.scopes.filter((scope) => scopes.includes(scope))
        if (granted.length === 0 || !scopes.every((scope) => granted.includes(scope))) {
          const message = `must name some of the requested scopes: ${request.scopes.join(", ")}`
          return yield* new ValidationFailed({ issues: [{ path: "scopes", message }] })
        }
        const at = yield* clock.now
        const client = { id: request.clientId, name: request.clientName }
        const grant = yield* grantDraft({ accountId, at, client, forClient: false, policy, scopes: granted })
        const code = request.redirectUri === null ? null : AuthorizationCode.make(yield* ids.bytes(oauthSecretBytes))
        const stored = code === null ? null : { hash: yield* hash(code), expiresAt: at + codeLifetime }
        const done = yield* store.decide(request.id, { _tag: "Approved", draft: grant, code: stored }, caller.keyId, at)
        return { done, answer: code === null ? {} : { code } }
      })

      const deny = (caller: Caller, { id }: AuthorizationRequest) =>
        Effect.map(
          Effect.flatMap(clock.now, (at) => store.decide(id, { _tag: "Denied" }, caller.keyId, at)),
          (done) => ({ done, answer: { error: "access_denied" } })
        )

      return {
        issuer: baseUrl,
        start: Effect.fn("Authorization.start")(function* (parameters) {
          const { client_id: clientId, redirect_uri: named, state = null } = parameters
          if (clientId === undefined) return yield* oauthError("invalid_request", "client_id is required.")
          const client = yield* clients.find(clientId)
          const redirectUri = redirectUriOf(client, named)
          if (redirectUri === undefined) {
            return yield* oauthError("invalid_redirect_uri", "redirect_uri is not one that the client has registered.")
          }
          if (state !== null && state.length > maxState) {
            return yield* oauthError("invalid_request", `state must be at most ${maxState} characters.`)
          }
          const checked = Effect.gen(function* () {
            const codeChallenge = yield* check(client, parameters)
            const common = yield* draft(client, parameters, yield* clock.now)
            return {
              ...common,
              redirectUri,
              state,
              codeChallenge,
              userCodeHash: null,
              codeHash: null,
              codeExpiresAt: null
            }
          })
          return yield* Effect.matchEffect(checked, {
            onFailure: (failure) =>
              failure._tag === "StoreUnavailable"
                ? Effect.fail(failure)
                : Effect.succeed<Started>({
                    _tag: "Refused",
                    redirectTo: back(redirectUri, state, {
                      error: failure.error,
                      error_description: failure.description
                    })
                  }),
            onSuccess: (request) => Effect.as(store.createRequest(request), { _tag: "Waiting" as const, request })
          })
        }),
        startDevice: Effect.fn("Authorization.startDevice")(function* (clientId, parameters) {
          const client = yield* clients.find(clientId)
          if (!client.grantTypes.includes(deviceGrant)) {
            return yield* oauthError("unauthorized_client", "The client is not registered for device codes.")
          }
          const common = yield* draft(client, parameters, yield* clock.now)
          const deviceCode = DeviceCode.make(yield* ids.bytes(oauthSecretBytes))
          const userCode = UserCode.make(yield* ids.bytes(UserCode.bytes))
          const request: AuthorizationRequest = {
            ...common,
            redirectUri: null,
            state: null,
            codeChallenge: null,
            userCodeHash: yield* hash(userCode),
            codeHash: yield* hash(deviceCode),
            codeExpiresAt: common.expiresAt
          }
          yield* store.createRequest(request)
          return { request, deviceCode, userCode: UserCode.shown(userCode) }
        }),
        request: Effect.fn("Authorization.request")(function* (id) {
          return yield* pending(yield* store.findRequest(id))
        }),
        requestByUserCode: Effect.fn("Authorization.requestByUserCode")(function* (userCode) {
          return yield* pending(yield* store.findRequestByUserCode(yield* hash(UserCode.normalised(userCode))))
        }),
        decide: Effect.fn("Authorization.decide")(function* (caller, id, decision) {
          const request = yield* pending(yield* store.findRequest(id))
          const { answer, done } = yield* decision.approve ? approve(caller, request, decision) : deny(caller, request)
          // The request was decided or expired between the two look-ups.
          if (!done) return yield* new Conflict({ state: "decided" })
          return request.redirectUri === null ? null : back(request.redirectUri, request.state, answer)
        })
      }
    })
  )
}
