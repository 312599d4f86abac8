import type { HttpServerRequest } from "effect/http"

/** `malformed` is what cannot be a key: another scheme, or a header that came twice. */
export type Credential =
  { readonly _tag: "Missing" } | { readonly _tag: "Malformed" } | { readonly _tag: "Token"; readonly token: string }

const missing: Credential = { _tag: "Missing" }
const malformed: Credential = { _tag: "Malformed" }

const bearer = /^bearer(?: +(.*))?$/i

/** Node keeps the first of two and drops the other, so only the raw list tells. */
const isRepeated = (request: HttpServerRequest.HttpServerRequest, name: string): boolean => {
  const raw = (request.source as { readonly rawHeaders?: ReadonlyArray<string> }).rawHeaders
  if (raw === undefined) return false
  let seen = 0
  for (let i = 0; i < raw.length; i += 2) {
    const header = raw[i]
    if (header !== undefined && header.length === name.length && header.toLowerCase() === name) seen++
  }
  return seen > 1
}

const tokenOf = (text: string | undefined): Credential => {
  const token = text?.trim() ?? ""
  return token === "" ? missing : { _tag: "Token", token }
}

/** The key of a request: `Authorization: Bearer`, or `x-api-key` where that is accepted too (specification 5.2). */
export const credentialOf = (request: HttpServerRequest.HttpServerRequest, acceptsHeader: boolean): Credential => {
  const authorization = request.headers["authorization"]
  if (authorization === undefined || authorization === "") {
    return acceptsHeader ? tokenOf(request.headers["x-api-key"]) : missing
  }
  if (isRepeated(request, "authorization")) return malformed
  const parts = bearer.exec(authorization)
  return parts === null ? malformed : tokenOf(parts[1])
}
