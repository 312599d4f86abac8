import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { ApiKeyToken } from "@agent-marketplace/core/identity/ApiKeyToken"
import type { HostUser, HostUserSource } from "@agent-marketplace/core/identity/HostUsers"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Credential } from "./Credential.ts"
import { isRepeated } from "./RepeatedHeader.ts"

/** A write that another site's page made a browser send, with the cookies that go along by themselves. */
const isForged = ({ headers, method }: HttpServerRequest.HttpServerRequest): boolean =>
  method !== "GET" &&
  method !== "HEAD" &&
  headers["sec-fetch-site"] === "cross-site" &&
  headers["authorization"] === undefined

/** The host's user behind a request that carries no key of the market's own; null where there is none. */
export const hostUserOf = (
  users: HostUserSource | null,
  request: HttpServerRequest.HttpServerRequest,
  credential: Credential
): Effect.Effect<HostUser | null, StoreUnavailable> => {
  const isKey = credential._tag === "Token" && ApiKeyToken.isMeant(credential.token)
  return users === null || isKey || isForged(request) || isRepeated(request, "authorization")
    ? Effect.succeed(null)
    : users.recognise(request.headers)
}
