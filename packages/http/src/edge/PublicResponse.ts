import { hash } from "node:crypto"
import { HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"

/** The tag of a body: it changes with the bytes alone. */
export const entityTag = (bytes: Uint8Array | string): string => `"${hash("sha256", bytes, "base64url").slice(0, 27)}"`

const opaque = (tag: string): string => tag.trim().replace(/^W\//, "")

const matches = (header: string, tag: string): boolean =>
  header.trim() === "*" || header.split(",").some((each) => opaque(each) === opaque(tag))

/** 304 if the client already has the response, comparing tags weakly (RFC 9110, 13.1.2). */
export const revalidated = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const known = request.headers["if-none-match"]
  const { etag } = response.headers
  const reads = request.method === "GET" || request.method === "HEAD"
  if (!reads || known === undefined || etag === undefined || response.status !== 200 || !matches(known, etag))
    return response
  const { "content-length": _length, "content-type": _type, ...headers } = response.headers
  return HttpServerResponse.empty({ status: 304, headers })
}
