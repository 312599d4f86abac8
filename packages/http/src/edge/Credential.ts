import type { HttpServerRequest } from "effect/http"
import { isRepeated } from "./RequestHeaders.ts"

/** The key that a request presents. A header that was sent twice, or is not a bearer token, cannot be a key. */
export type Credential =
  | { readonly _tag: "Missing" }
  | { readonly _tag: "Repeated" }
  | { readonly _tag: "OtherScheme" }
  | { readonly _tag: "Token"; readonly token: string }

const missing: Credential = { _tag: "Missing" }
const repeated: Credential = { _tag: "Repeated" }
const otherScheme: Credential = { _tag: "OtherScheme" }

const bearer = /^bearer(?: +(.*))?$/i

const tokenOf = (text: string | undefined): Credential => {
  const token = text?.trim() ?? ""
  return token === "" ? missing : { _tag: "Token", token }
}

/** The key of a request: from `Authorization: Bearer`, or from `x-api-key` if the endpoint accepts it (KEY-1). */
export const credentialOf = (request: HttpServerRequest.HttpServerRequest, acceptsHeader: boolean): Credential => {
  const authorization = request.headers["authorization"]
  if (authorization === undefined || authorization === "") {
    return acceptsHeader ? tokenOf(request.headers["x-api-key"]) : missing
  }
  if (isRepeated(request, "authorization")) return repeated
  const parts = bearer.exec(authorization)
  return parts === null ? otherScheme : tokenOf(parts[1])
}
