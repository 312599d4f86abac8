import { limits } from "@agent-marketplace/api/access/EndpointLimits"
import { Forbidden, InvalidApiKey, ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import { actsAsOperator, Sessions } from "@agent-marketplace/core/sessions/Sessions"
import { currentRequest } from "@agent-marketplace/http/edge/CurrentRequest"
import { bodyOf } from "@agent-marketplace/http/oauth/OauthForm"
import { makeOauthEndpoint } from "@agent-marketplace/http/oauth/oauthEndpoint"
import { SessionAccess } from "@agent-marketplace/http/sessions/SessionAccess"
import { SignInLimit } from "@agent-marketplace/http/sessions/SignInLimit"
import { userAgentOf } from "@agent-marketplace/http/sessions/userAgentOf"
import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { dataFailure } from "../dataFailure.ts"
import { Demonstration } from "./Demonstration.ts"

type Request = HttpServerRequest.HttpServerRequest

const routes = {
  show: { method: "GET", path: "/demonstration" },
  open: { method: "POST", path: "/demonstration" },
  remove: { method: "POST", path: "/demonstration/remove" }
} as const

const success = (data: unknown) =>
  HttpServerResponse.jsonUnsafe({ success: true, data }, { headers: { "cache-control": "no-store" } })

const noSecret = new ValidationFailed({ issues: [{ path: "secret", message: "must be the secret of the link" }] })

/** The secret in the body of a request. */
const secretOf = (request: Request) =>
  Effect.flatMap(bodyOf(request, "application/json"), (text) =>
    Effect.try({ try: () => JSON.parse(text) as { readonly secret?: unknown } | null, catch: () => noSecret }).pipe(
      Effect.flatMap((body) => (typeof body?.secret === "string" ? Effect.succeed(body.secret) : Effect.fail(noSecret)))
    )
  )

/**
 * The routes of the demonstration, for the pages of the console. They belong to a server that offers it, not to the API: no other market has
 * them.
 */
export const DemonstrationRoutes = {
  routes: Object.values(routes),
  layer: Layer.effectDiscard(
    Effect.gen(function* () {
      const control = yield* Demonstration
      if (control === null) return
      const endpoint = yield* makeOauthEndpoint
      const sessions = yield* Sessions
      const access = yield* SessionAccess
      const limitSignIn = yield* SignInLimit

      yield* endpoint(
        routes.show,
        limits.shop,
        () => Effect.map(control.owner, (owner) => success({ present: owner !== null, owner })),
        dataFailure
      )

      // CONSOLE-54
      yield* endpoint(
        routes.open,
        limits.shop,
        Effect.fnUntraced(function* (request) {
          const cookie = yield* access.cookie
          yield* access.checkPage(request)
          const caller = yield* limitSignIn(request, Effect.flatMap(secretOf(request), control.open))
          const link = yield* sessions.makeLink(caller)
          const { secret, signedIn } = yield* sessions.startWithLink(link.secret, userAgentOf(request))
          const { headers } = yield* currentRequest
          headers["set-cookie"] = cookie.set(secret)
          return success({ account: signedIn.account?.id ?? null })
        }),
        dataFailure
      )

      // CONSOLE-58
      yield* endpoint(
        routes.remove,
        limits.shop,
        Effect.fnUntraced(function* (request) {
          const cookie = yield* access.cookie
          yield* access.checkPage(request)
          const presented = cookie.read(request)
          if (presented._tag !== "Secret") return yield* new InvalidApiKey({ reason: "missing" })
          const signedIn = yield* sessions.authenticate(presented.secret)
          const owner = yield* control.owner
          const isOperator = actsAsOperator(signedIn) && !access.isOutdated(signedIn)
          if (!isOperator && (signedIn.account === null || signedIn.account.id !== owner))
            return yield* new Forbidden({ required: ["owner of the demonstration", "operator"] })
          yield* control.remove
          return success({ removed: true })
        }),
        dataFailure
      )
    })
  )
}
