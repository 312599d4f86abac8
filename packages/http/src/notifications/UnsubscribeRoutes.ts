import { limits } from "@agent-marketplace/api/access/EndpointLimits"
import { Notifications } from "@agent-marketplace/core/notifications/Notifications"
import { Effect, Layer } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { OauthRoute } from "../oauth/oauthEndpoint.ts"
import { makeOauthEndpoint } from "../oauth/oauthEndpoint.ts"
import { queryOf } from "../oauth/OauthForm.ts"
import { html, page } from "../oauth/pages/html.ts"

const routes = {
  show: { method: "GET", path: "/notifications/unsubscribe" },
  end: { method: "POST", path: "/notifications/unsubscribe" }
} satisfies Record<string, OauthRoute>

type Page = HttpServerResponse.HttpServerResponse

const problem = (description: string, status: number): Page =>
  page("This is not possible", html`<p class="problem">${description}</p>`, { status })

const unknown = problem("This link is not valid. Turn notifications off in your account instead.", 404)

const question = page(
  "Stop these messages?",
  html`<p>Opening this page changes nothing.</p>
    <form method="post" action=""><button>Stop these messages</button></form>`
)

const done = page(
  "The messages have stopped",
  html`<p>You can turn them on again in your account. You can close this page.</p>`
)

const tokenOf = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.map(queryOf(request), ({ token = "" }) => token)

/** The page where one press ends the messages of a channel, and the one-click request of mail programs, whose body is ignored (NOTIFY-11). */
export const UnsubscribeRoutes = {
  routes: Object.values(routes) as ReadonlyArray<OauthRoute>,
  layer: Layer.effectDiscard(
    Effect.gen(function* () {
      const endpoint = yield* makeOauthEndpoint
      const notifications = yield* Notifications
      const asPage = ({ description, status }: { readonly description: string; readonly status: number }) =>
        problem(description, status)
      yield* endpoint(
        routes.show,
        limits.unsubscribe,
        (request) =>
          Effect.map(Effect.flatMap(tokenOf(request), notifications.knows), (known) => (known ? question : unknown)),
        asPage
      )
      yield* endpoint(
        routes.end,
        limits.unsubscribe,
        (request) =>
          Effect.map(Effect.flatMap(tokenOf(request), notifications.unsubscribe), (known) => (known ? done : unknown)),
        asPage
      )
    })
  )
} as const
