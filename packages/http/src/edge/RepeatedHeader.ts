import type { HttpServerRequest } from "effect/http"

/**
 * Whether a header came more than once. Node keeps the first of two or joins them, so only its raw list tells; a fetch
 * handler's request cannot.
 */
export const isRepeated = (request: HttpServerRequest.HttpServerRequest, name: string): boolean => {
  const raw = (request.source as { readonly rawHeaders?: ReadonlyArray<string> }).rawHeaders
  if (raw === undefined) return false
  let seen = 0
  for (let i = 0; i < raw.length; i += 2) {
    const header = raw[i]
    if (header !== undefined && header.length === name.length && header.toLowerCase() === name) seen++
  }
  return seen > 1
}
