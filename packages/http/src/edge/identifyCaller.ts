import { Misdirected } from "@agent-marketplace/api/errors/HttpFault"
import type { RateLimited } from "@agent-marketplace/api/errors/HttpFault"
import { Forbidden, InvalidApiKey } from "@agent-marketplace/core/errors/MarketError"
import type { StoreUnavailable, ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import { ApiKeyToken } from "@agent-marketplace/core/identity/ApiKeyToken"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import type { HostUser } from "@agent-marketplace/core/identity/HostUsers"
import { HostUsers } from "@agent-marketplace/core/identity/HostUsers"
import { Identity } from "@agent-marketplace/core/identity/Identity"
import { Authorization } from "@agent-marketplace/core/oauth/Authorization"
import { AccessToken } from "@agent-marketplace/core/oauth/OauthSecret"
import { matchesSecret } from "@agent-marketplace/telemetry/SharedSecret"
import { Effect, Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { LimitRequest } from "../limits/limitRequest.ts"
import { HttpOptions } from "../options/HttpOptions.ts"
import { credentialOf } from "./Credential.ts"
import type { Credential } from "./Credential.ts"
import type { RequestRecord } from "./CurrentRequest.ts"
import { takesOperator } from "./EndpointPlan.ts"
import type { EndpointPlan } from "./EndpointPlan.ts"
import { InProcess } from "./InProcess.ts"
import { makeRecentlyValid } from "./RecentlyValid.ts"
import { mcpPath, WithinMcp } from "../oauth/Challenge.ts"
import { isRepeated } from "./RequestHeaders.ts"
import { makeRecogniseSession } from "../sessions/recogniseSession.ts"
import { makeSameOrigin } from "./SameOrigin.ts"

/** Why a credential that is not a token identifies no caller. */
const reasons = { Missing: "missing", Repeated: "invalid", OtherScheme: "scheme" } as const

/** Whether the text is an attempt at a key or an access token of the market, valid or not. */
const isMeant = (token: string): boolean => ApiKeyToken.isMeant(token) || AccessToken.isMeant(token)

const isWellFormed = (token: string): boolean => ApiKeyToken.isWellFormed(token) || AccessToken.isWellFormed(token)

/** Keys that fail to identify a caller are reported only after the rate limits have counted the request. */
export type Identified = InvalidApiKey | undefined

/**
 * The first step: identifies the caller. Sets the caller or the operator on the record, or returns why there is neither. Checked in this order: the process
 * itself, the operator's token, a user of the host, a key of the market, a session. A key takes precedence over a session (SESSION-3).
 */
export const makeIdentifyCaller = Effect.fnUntraced(function* (limitLookup: LimitRequest["limitLookup"]) {
  const identity = yield* Identity
  const { issuer } = yield* Authorization
  const users = yield* HostUsers
  const options = yield* HttpOptions
  const matchesOperator = matchesSecret(options.adminToken)
  const operatorHasKey = options.adminToken !== null && isMeant(Redacted.value(options.adminToken))
  /** A key of the market is hashed and compared only if the operator's token looks like one. */
  const isOperatorToken = (token: string) => (operatorHasKey || !isMeant(token)) && matchesOperator(token)
  const signupIsOpen = options.signup === "open"

  const sameOrigin = makeSameOrigin(options.baseUrl, options.allowedHosts ?? [])
  const recentlyValid = makeRecentlyValid()
  const recogniseSession = yield* makeRecogniseSession(limitLookup)

  const accept = <E>(caller: Effect.Effect<Caller, InvalidApiKey | E>, record: RequestRecord) =>
    Effect.matchEffect(caller, {
      onSuccess: (found) =>
        Effect.sync((): Identified => {
          record.caller = found
          return undefined
        }),
      onFailure: (error) => (error instanceof InvalidApiKey ? Effect.succeed<Identified>(error) : Effect.fail(error))
    })

  /** The user of the host behind a request without a key of the market; null where there is none. */
  const hostUser = (
    request: HttpServerRequest.HttpServerRequest,
    credential: Credential
  ): Effect.Effect<HostUser | null, StoreUnavailable> => {
    const isKey = credential._tag === "Token" && isMeant(credential.token)
    return users === null || isKey || isRepeated(request, "authorization")
      ? Effect.succeed(null)
      : users.recognise(request.headers)
  }

  return Effect.fnUntraced(function* (
    plan: EndpointPlan,
    request: HttpServerRequest.HttpServerRequest,
    record: RequestRecord
  ): Effect.fn.Return<Identified, StoreUnavailable | ValidationFailed | RateLimited | Misdirected | Forbidden> {
    if (plan.access._tag === "Public") return undefined
    const insider = yield* InProcess
    if (insider?._tag === "Operator") {
      record.admin = takesOperator(plan)
      return undefined
    }
    if (insider?._tag === "User") return yield* accept(identity.recognise(insider.user), record)
    const credential = credentialOf(request, plan.errorFormat === "soul-create")
    if (credential._tag === "Token" && takesOperator(plan) && isOperatorToken(credential.token)) {
      record.admin = true
      return undefined
    }
    if (plan.access._tag === "Signup" && signupIsOpen) return undefined
    const user = yield* hostUser(request, credential)
    if (user !== null) {
      if (!sameOrigin.isAddressed(request)) return yield* new Misdirected()
      if (!sameOrigin.mayWrite(request)) return yield* new Forbidden({ required: ["same origin"] })
      return yield* accept(identity.recognise(user), record)
    }
    if (credential._tag === "Missing") {
      const identified = yield* recogniseSession(plan, request, record)
      if (identified !== null) return identified
    }
    if (credential._tag !== "Token") return new InvalidApiKey({ reason: reasons[credential._tag] })
    const { token } = credential
    if (isOperatorToken(token)) return new InvalidApiKey({ reason: "operator" })
    const forMcp = plan.route === mcpPath || (yield* WithinMcp)
    const authenticated = accept(
      Effect.filterOrFail(
        identity.authenticate(token),
        // A token for the MCP server is accepted there alone (OAUTH-8).
        (caller) => caller.token === undefined || caller.token.resource === issuer || forMcp,
        () => new InvalidApiKey({ reason: "invalid" })
      ),
      record
    )
    if (recentlyValid.has(token) || !isWellFormed(token)) return yield* authenticated
    const identified = yield* limitLookup(request, record, authenticated, (error) => error !== undefined)
    if (identified === undefined) recentlyValid.add(token)
    return identified
  })
})

export type IdentifyCaller = Effect.Success<ReturnType<typeof makeIdentifyCaller>>
