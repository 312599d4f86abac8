import type { MethodNotAllowed } from "@agent-marketplace/api/errors/HttpFault"
import { toWire } from "@agent-marketplace/api/errors/WireError"
import { HttpServerResponse } from "effect/http"

/** Whether the path is one of OAuth's own, whose failures have no envelope (OAUTH-21). */
export const isOauthPath = (url: string): boolean => /^\/(oauth|\.well-known\/(oauth-|openid-configuration))/.test(url)

/** The response of such a path to a method that it does not have. */
export const wrongMethod = (error: MethodNotAllowed): HttpServerResponse.HttpServerResponse => {
  const { body, status } = toWire(error, "")
  return HttpServerResponse.jsonUnsafe(
    { error: "invalid_request", error_description: body.error.message },
    { status, headers: { allow: error.allow.join(", ") } }
  )
}
