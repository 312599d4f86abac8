import type { HttpServerRequest } from "effect/http"
import { isRepeated } from "./RequestHeaders.ts"

/** What a request presents as its key. A header that was sent twice, or that is no bearer token, cannot be one. */
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

/** The key of a request: `Authorization: Bearer`, or `x-api-key` where that is accepted too (KEY-1). */
export const credentialOf = (request: HttpServerRequest.HttpServerRequest, acceptsHeader: boolean): Credential => {
  const authorization = request.headers["authorization"]
  if (authorization === undefined || authorization === "") {
    return acceptsHeader ? tokenOf(request.headers["x-api-key"]) : missing
  }
  if (isRepeated(request, "authorization")) return repeated
  const parts = bearer.exec(authorization)
  return parts === null ? otherScheme : tokenOf(parts[1])
}
