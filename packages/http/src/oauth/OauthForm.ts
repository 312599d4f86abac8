import { PayloadTooLarge } from "@agent-marketplace/api/errors/HttpFault"
import type { OauthParameters } from "@agent-marketplace/core/oauth/Authorization"
import type { ClientCredentials } from "@agent-marketplace/core/oauth/OauthClients"
import type { OauthError } from "@agent-marketplace/core/oauth/OauthError"
import { oauthError } from "@agent-marketplace/core/oauth/OauthError"
import { Text } from "@agent-marketplace/core/text/Text"
import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { mediaTypeOf } from "../edge/RequestBody.ts"
import { isRepeated } from "../edge/RequestHeaders.ts"

type Request = HttpServerRequest.HttpServerRequest

const maxBytes = 65_536

const malformed = (description: string) => oauthError("invalid_request", description)

/** Every parameter at most once: two values of one parameter could be read differently by different parties (RFC 6749, 3.1). */
const once = (entries: URLSearchParams): Effect.Effect<OauthParameters, OauthError> => {
  const parameters: Record<string, string> = {}
  for (const [name, value] of entries) {
    if (Object.hasOwn(parameters, name)) return Effect.fail(malformed("Each parameter must be given once."))
    if (!Text.isClean(value)) return Effect.fail(malformed("The parameters must be valid text."))
    // An empty value counts as absent (RFC 6749, 3.1).
    if (value !== "") parameters[name] = value
  }
  return Effect.succeed(parameters)
}

/** The parameters of the query of a request. */
export const queryOf = ({ url }: Request): Effect.Effect<OauthParameters, OauthError> => {
  const at = url.indexOf("?")
  return once(new URLSearchParams(at === -1 ? "" : url.slice(at + 1)))
}

/** The text of a body of this media type. */
export const bodyOf = (request: Request, mediaType: string): Effect.Effect<string, OauthError | PayloadTooLarge> => {
  if (mediaTypeOf(request) !== mediaType) return Effect.fail(malformed(`The body must be ${mediaType}.`))
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return Effect.fail(new PayloadTooLarge({ maxBytes }))
  return request.text.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxBytes)),
    Effect.mapError(() => malformed("The body ended early or is too large."))
  )
}

/** The parameters of a form in the body of a request. */
export const formOf = (request: Request): Effect.Effect<OauthParameters, OauthError | PayloadTooLarge> =>
  Effect.flatMap(bodyOf(request, "application/x-www-form-urlencoded"), (text) => once(new URLSearchParams(text)))

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return undefined
  }
}

/** The id and secret of a client in the header, each encoded as a form's value (RFC 6749, 2.3.1). */
const basicOf = (header: string): ClientCredentials | undefined => {
  const [, encoded] = /^basic +([A-Za-z0-9+/=]+)$/i.exec(header.trim()) ?? []
  if (encoded === undefined) return undefined
  const [id = "", ...rest] = Buffer.from(encoded, "base64").toString("utf8").split(":")
  const [clientId, secret] = [decoded(id), decoded(rest.join(":"))]
  return clientId === undefined || secret === undefined || clientId === "" ? undefined : { clientId, secret }
}

/** How the client of a request presents itself: by one method only (RFC 6749, 2.3). */
export const credentialsOf = (
  request: Request,
  { client_id: clientId, client_secret: given }: OauthParameters
): Effect.Effect<ClientCredentials, OauthError> => {
  const header = request.headers["authorization"]
  const secret = given ?? null
  if (header === undefined) {
    return clientId === undefined
      ? Effect.fail(oauthError("invalid_client", "client_id is required."))
      : Effect.succeed({ clientId, secret })
  }
  if (secret !== null || isRepeated(request, "authorization")) {
    return Effect.fail(malformed("The client must authenticate once."))
  }
  const basic = basicOf(header)
  if (basic === undefined) return Effect.fail(oauthError("invalid_client", "The Authorization header must be Basic."))
  return clientId !== undefined && clientId !== basic.clientId
    ? Effect.fail(malformed("client_id must be that of the Authorization header."))
    : Effect.succeed(basic)
}
