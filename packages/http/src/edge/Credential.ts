import type { HttpServerRequest } from "effect/http"
import { isRepeated } from "./RequestHeaders.ts"

/** `malformed` is what cannot be a key: another scheme, or a header that came twice. */
export type Credential =
  { readonly _tag: "Missing" } | { readonly _tag: "Malformed" } | { readonly _tag: "Token"; readonly token: string }

const missing: Credential = { _tag: "Missing" }
const malformed: Credential = { _tag: "Malformed" }

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
  if (isRepeated(request, "authorization")) return malformed
  const parts = bearer.exec(authorization)
  return parts === null ? malformed : tokenOf(parts[1])
}
