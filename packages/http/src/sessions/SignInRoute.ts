import { RouteNotFound } from "@agent-marketplace/api/errors/HttpFault"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"
import { currentRequest } from "../edge/CurrentRequest.ts"
import { entityTag } from "../edge/PublicResponse.ts"
import { failureResponse } from "../edge/FailureResponse.ts"
import { styleSource } from "../oauth/pages/html.ts"
import { SessionAccess } from "./SessionAccess.ts"
import { signInPage, signInScript } from "./signInPage.ts"

const path = "/sign-in"

const policy = [
  "default-src 'none'",
  `script-src 'sha256-${hash("sha256", signInScript, "base64")}'`,
  `style-src ${styleSource}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const page = HttpServerResponse.text(signInPage, {
  contentType: "text/html; charset=utf-8",
  headers: { etag: entityTag(signInPage), "cache-control": "public, max-age=300", "content-security-policy": policy }
})

/** The page that sign-in links open. Loading it changes nothing (SESSION-6). There is none where sessions are off. */
export const SignInRoute = {
  route: { method: "GET", path },
  layer: Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const { cookie } = yield* SessionAccess
      yield* router.add(
        "GET",
        path,
        Effect.flatMap(currentRequest, (record) => {
          record.route = path
          return Effect.match(cookie, {
            onSuccess: () => page,
            onFailure: () => failureResponse(new RouteNotFound(), "general", record.id)
          })
        })
      )
    })
  )
} as const
