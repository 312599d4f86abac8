import { checkStepUp } from "@agent-marketplace/api/access/Access"
import { limits } from "@agent-marketplace/api/access/EndpointLimits"
import type { SpendingPolicy } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { limitViolations } from "@agent-marketplace/core/approvals/SpendingPolicy"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { HostUsers } from "@agent-marketplace/core/identity/HostUsers"
import { Identity } from "@agent-marketplace/core/identity/Identity"
import type { OauthRequestId } from "@agent-marketplace/core/ids/Ids"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Authorization } from "@agent-marketplace/core/oauth/Authorization"
import type { AuthorizationRequest } from "@agent-marketplace/core/oauth/AuthorizationRequest"
import { oauthScopes } from "@agent-marketplace/core/oauth/OauthScope"
import { callerOf, Sessions } from "@agent-marketplace/core/sessions/Sessions"
import { Effect, Layer, Option, Result } from "effect"
import { HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { makeSameOrigin } from "../edge/SameOrigin.ts"
import { currentRequest } from "../edge/CurrentRequest.ts"
import { HttpOptions } from "../options/HttpOptions.ts"
import { SessionAccess } from "../sessions/SessionAccess.ts"
import { SignInLimit } from "../sessions/SignInLimit.ts"
import { stepUpAddress } from "../sessions/StepUpRoute.ts"
import { userAgentOf } from "../sessions/userAgentOf.ts"
import type { OauthRoute } from "./oauthEndpoint.ts"
import { makeOauthEndpoint } from "./oauthEndpoint.ts"
import { bodyOf, queryOf } from "./OauthForm.ts"
import { oauthPaths } from "./OauthMetadata.ts"
import { consentPages } from "./pages/consentPages.ts"
import { FormProtection, notOwnForm } from "./pages/FormProtection.ts"

type Request = HttpServerRequest.HttpServerRequest

const routes = {
  show: { method: "GET", path: oauthPaths.consent },
  decide: { method: "POST", path: oauthPaths.consent },
  signIn: { method: "POST", path: oauthPaths.signIn },
  code: { method: "GET", path: oauthPaths.code }
} satisfies Record<string, OauthRoute>

const seeOther = (location: string) => HttpServerResponse.empty({ status: 303, headers: { location } })

const asPage = ({ description, status }: { readonly description: string; readonly status: number }) =>
  consentPages.problem(description, status)

const formOf = (request: Request) =>
  Effect.map(bodyOf(request, "application/x-www-form-urlencoded"), (text) => new URLSearchParams(text))

const idOf = (text: string | null | undefined): OauthRequestId => (text ?? "") as OauthRequestId

const amounts = ["perTransactionLimit", "dailyLimit", "monthlyLimit"] as const

/** The policy of the form, or the first problem with it. */
const policyOf = (form: URLSearchParams): Result.Result<Partial<SpendingPolicy>, string> => {
  const policy: Partial<Record<(typeof amounts)[number], Usdt>> = {}
  for (const name of amounts) {
    const text = (form.get(name) ?? "").trim()
    if (text === "") continue
    const amount = Usdt.parse(text)
    if (Result.isFailure(amount)) return Result.fail(`${name} ${amount.failure}`)
    policy[name] = amount.success
  }
  const [violation] = limitViolations(policy)
  return violation === undefined
    ? Result.succeed({ ...policy, autoApprove: form.get("autoApprove") === "true" })
    : Result.fail(`${violation.path} ${violation.message}`)
}

/** A person in a browser, and the token that only a form shown to that person contains. */
interface Person {
  readonly caller: Caller
  readonly tokenFor: (request: string) => string
}

const personOf = (caller: Caller, secret: string): Person => ({
  caller,
  tokenFor: (request) => FormProtection.token("consent", secret, request)
})

/** The caller who decides: a user of the host, or the account of a session. */
const makeFindPerson = Effect.gen(function* () {
  const access = yield* SessionAccess
  const sessions = yield* Sessions
  const identity = yield* Identity
  const users = yield* HostUsers
  return Effect.fnUntraced(function* (request: Request) {
    if (users !== null) {
      const user = yield* users.recognise(request.headers)
      if (user === null) return undefined
      const caller = yield* identity.recognise(user)
      return caller.isHostUser === true && caller.scope === "FULL" ? personOf(caller, caller.keyId) : undefined
    }
    const presented = (yield* access.cookie).read(request)
    if (presented._tag !== "Secret") return undefined
    const found = yield* Effect.option(sessions.authenticate(presented.secret))
    const caller = Option.isNone(found) ? null : callerOf(found.value)
    return caller === null ? undefined : personOf(caller, presented.secret)
  })
})

/** The pages where people decide about applications, until the console has its own (OAUTH-9, OAUTH-10, OAUTH-12, OAUTH-22). */
export const ConsentRoutes = {
  routes: Object.values(routes) as ReadonlyArray<OauthRoute>,
  layer: Layer.effectDiscard(
    Effect.gen(function* () {
      const endpoint = yield* makeOauthEndpoint
      const authorization = yield* Authorization
      const sessions = yield* Sessions
      const access = yield* SessionAccess
      const clock = yield* MarketClock
      const users = yield* HostUsers
      const { allowedHosts = [], baseUrl } = yield* HttpOptions
      const sameOrigin = makeSameOrigin(baseUrl, allowedHosts)
      const limitSignIn = yield* SignInLimit
      const findPerson = yield* makeFindPerson
      const { issuer } = authorization
      const consent = (id: string) => `${issuer}${oauthPaths.consent}?request=${encodeURIComponent(id)}&again=1`

      const decisionPage = Effect.fnUntraced(function* (
        { caller, tokenFor }: Person,
        request: AuthorizationRequest,
        problem?: string,
        status?: number
      ) {
        const mustConfirm = Result.isFailure(checkStepUp(caller, yield* clock.now))
        const shown = {
          base: issuer,
          request,
          token: tokenFor(request.id),
          account: caller.accountName ?? "",
          confirmAt: mustConfirm ? stepUpAddress(issuer, "request", request.id) : null
        }
        return consentPages.decide(shown, problem, status)
      })

      yield* endpoint(
        routes.show,
        limits.oauthAuthorize,
        Effect.fnUntraced(function* (request) {
          if (!sameOrigin.isAddressed(request)) return yield* notOwnForm
          const query = yield* queryOf(request)
          const found = yield* authorization.request(idOf(query["request"]))
          const person = yield* findPerson(request)
          if (person === undefined) {
            if (query["again"] === undefined) return consentPages.again(consent(found.id))
            return users === null
              ? consentPages.signIn(issuer, found.id)
              : consentPages.problem(
                  "Sign in to the application that this market is part of, and load this page again.",
                  401
                )
          }
          return yield* decisionPage(person, found)
        }),
        asPage
      )

      yield* endpoint(
        routes.decide,
        limits.oauthAuthorize,
        Effect.fnUntraced(function* (request) {
          yield* FormProtection.check(issuer, request)
          const form = yield* formOf(request)
          const id = idOf(form.get("request"))
          const person = yield* findPerson(request)
          if (person === undefined) return consentPages.signIn(issuer, id, "You are not signed in any more.", 401)
          if (form.get("token") !== person.tokenFor(id)) return yield* notOwnForm
          const approve = form.get("decision") === "approve"
          const found = yield* authorization.request(id)
          if (approve && Result.isFailure(checkStepUp(person.caller, yield* clock.now))) {
            return yield* decisionPage(person, found, undefined, 403)
          }
          const policy = policyOf(form)
          if (approve && Result.isFailure(policy)) return yield* decisionPage(person, found, policy.failure, 400)
          const scopes = oauthScopes.filter((scope) => form.getAll("scope").includes(scope))
          if (approve && scopes.length === 0)
            return yield* decisionPage(person, found, "Choose at least one permission.", 400)
          const redirectTo = yield* authorization.decide(
            person.caller,
            id,
            approve ? { approve, scopes, policy: Result.getOrElse(policy, () => ({})) } : { approve }
          )
          return redirectTo === null ? consentPages.done(approve) : seeOther(redirectTo)
        }),
        asPage
      )

      yield* endpoint(
        routes.signIn,
        limits.oauthAuthorize,
        Effect.fnUntraced(function* (request) {
          const cookie = yield* access.cookie
          yield* FormProtection.check(issuer, request)
          const form = yield* formOf(request)
          const id = form.get("request") ?? ""
          const credential = (form.get("credential") ?? "").trim()
          const browser = userAgentOf(request)
          const signIn = credential.includes("#")
            ? sessions.startWithLink(credential.slice(credential.indexOf("#") + 1), browser)
            : sessions.startWithKey(credential, browser)
          const started = yield* Effect.result(limitSignIn(request, signIn))
          if (Result.isFailure(started)) {
            if (started.failure._tag === "RateLimited" || started.failure._tag === "StoreUnavailable")
              return yield* started.failure
            return consentPages.signIn(issuer, id, "That is not an owner's FULL key, nor a valid link.", 401)
          }
          const { headers } = yield* currentRequest
          headers["set-cookie"] = cookie.set(started.success.secret)
          return seeOther(consent(id))
        }),
        asPage
      )

      yield* endpoint(
        routes.code,
        limits.oauthAuthorize,
        Effect.fnUntraced(function* (request) {
          const { user_code: userCode } = yield* queryOf(request)
          if (userCode === undefined) return consentPages.code(issuer)
          const found = yield* Effect.option(authorization.requestByUserCode(userCode))
          return Option.isNone(found)
            ? consentPages.code(issuer, "This code is unknown, or it has expired.", 404)
            : seeOther(`${issuer}${oauthPaths.consent}?request=${found.value.id}`)
        }),
        asPage
      )
    })
  )
} as const
