import { limits } from "@agent-marketplace/api/access/EndpointLimits"
import { toRegisteredClient } from "@agent-marketplace/api/oauth/OauthWire"
import { Authorization } from "@agent-marketplace/core/oauth/Authorization"
import { pollInterval, requestLifetime } from "@agent-marketplace/core/oauth/AuthorizationRequest"
import { ClientMetadata } from "@agent-marketplace/core/oauth/ClientMetadata"
import { OauthClients } from "@agent-marketplace/core/oauth/OauthClients"
import { oauthError } from "@agent-marketplace/core/oauth/OauthError"
import { OauthTokens } from "@agent-marketplace/core/oauth/OauthTokens"
import { Effect, Layer, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpOptions } from "../options/HttpOptions.ts"
import type { OauthRoute } from "./oauthEndpoint.ts"
import { makeOauthEndpoint } from "./oauthEndpoint.ts"
import { bodyOf, credentialsOf, formOf, queryOf } from "./OauthForm.ts"
import { oauthPaths, resourceMetadata, serverMetadata } from "./OauthMetadata.ts"
import { errorPage } from "./pages/errorPage.ts"

const get = (path: `/${string}`): OauthRoute => ({ method: "GET", path })
const post = (path: `/${string}`): OauthRoute => ({ method: "POST", path })

const routes = {
  server: get("/.well-known/oauth-authorization-server"),
  /** Some clients request this path, although the market issues no identity tokens. */
  openid: get("/.well-known/openid-configuration"),
  resource: get("/.well-known/oauth-protected-resource"),
  mcp: get("/.well-known/oauth-protected-resource/mcp"),
  authorize: get(oauthPaths.authorize),
  token: post(oauthPaths.token),
  device: post(oauthPaths.device),
  revoke: post(oauthPaths.revoke),
  introspect: post(oauthPaths.introspect),
  register: post(oauthPaths.register)
}

const seeOther = (location: string) => HttpServerResponse.empty({ status: 303, headers: { location } })

const cacheable = (body: object) =>
  HttpServerResponse.jsonUnsafe(body, { headers: { "cache-control": "public, max-age=300" } })

const invalidMetadata = oauthError("invalid_client_metadata", "The body must be the metadata of a client as JSON.")

const closed = oauthError("access_denied", "Register the application with POST /api/v1/oauth/clients.")

const decodeMetadata = Schema.decodeUnknownEffect(Schema.fromJsonString(ClientMetadata))

/** The endpoints that OAuth's RFCs define, in their forms (OAUTH-1, OAUTH-2, OAUTH-5, OAUTH-11, OAUTH-12, OAUTH-16, OAUTH-20). */
export const OauthRoutes = {
  routes: Object.values(routes),
  layer: Layer.effectDiscard(
    Effect.gen(function* () {
      const endpoint = yield* makeOauthEndpoint
      const authorization = yield* Authorization
      const clients = yield* OauthClients
      const tokens = yield* OauthTokens
      const { openRegistration = false } = yield* HttpOptions
      const { issuer } = authorization

      const server = Effect.succeed(cacheable(serverMetadata(issuer, openRegistration)))
      yield* endpoint(routes.server, limits.oauthMetadata, () => server)
      yield* endpoint(routes.openid, limits.oauthMetadata, () => server)
      for (const [route, resource] of [
        [routes.resource, issuer],
        [routes.mcp, `${issuer}/mcp`]
      ] as const) {
        yield* endpoint(route, limits.oauthMetadata, () =>
          Effect.succeed(cacheable(resourceMetadata(issuer, resource)))
        )
      }

      yield* endpoint(
        routes.authorize,
        limits.oauthAuthorize,
        (request) =>
          Effect.map(Effect.flatMap(queryOf(request), authorization.start), (started) =>
            seeOther(
              started._tag === "Refused"
                ? started.redirectTo
                : `${issuer}${oauthPaths.consent}?request=${started.request.id}`
            )
          ),
        // Nothing is sent to a redirect URI that is not the client's.
        ({ description, status }) => errorPage(description, status)
      )

      yield* endpoint(
        routes.token,
        limits.oauthToken,
        Effect.fnUntraced(function* (request) {
          const form = yield* formOf(request)
          return HttpServerResponse.jsonUnsafe(yield* tokens.exchange(yield* credentialsOf(request, form), form))
        })
      )

      yield* endpoint(
        routes.device,
        limits.oauthAuthorize,
        Effect.fnUntraced(function* (request) {
          const form = yield* formOf(request)
          const { id } = yield* clients.authenticate(yield* credentialsOf(request, form))
          const { deviceCode, userCode } = yield* authorization.startDevice(id, form)
          return HttpServerResponse.jsonUnsafe({
            device_code: deviceCode,
            user_code: userCode,
            verification_uri: issuer + oauthPaths.code,
            verification_uri_complete: `${issuer}${oauthPaths.code}?user_code=${userCode}`,
            expires_in: requestLifetime / 1000,
            interval: pollInterval / 1000
          })
        })
      )

      const withToken = (route: OauthRoute, use: (typeof tokens)["introspect"] | (typeof tokens)["revoke"]) =>
        endpoint(
          route,
          limits.oauthToken,
          Effect.fnUntraced(function* (request) {
            const form = yield* formOf(request)
            const { token } = form
            if (token === undefined) return yield* oauthError("invalid_request", "token is required.")
            const found = yield* use(yield* credentialsOf(request, form), token)
            return HttpServerResponse.jsonUnsafe(found ?? {})
          })
        )
      yield* withToken(routes.revoke, tokens.revoke)
      yield* withToken(routes.introspect, tokens.introspect)

      yield* endpoint(
        routes.register,
        limits.oauthRegister,
        Effect.fnUntraced(function* (request) {
          if (!openRegistration) return yield* closed
          const text = yield* bodyOf(request, "application/json")
          const metadata = yield* Effect.mapError(decodeMetadata(text), () => invalidMetadata)
          const registered = yield* clients.registerOpenly(metadata)
          return HttpServerResponse.jsonUnsafe(toRegisteredClient(registered), { status: 201 })
        })
      )
    })
  )
} as const
