import { randomUUID } from "node:crypto"
import type { HttpServerRequest } from "effect/http"

const acceptableId = /^[A-Za-z0-9._:-]{8,128}$/

/** The incoming `X-Request-Id` if it is 8 to 128 plain characters, otherwise a new one (HEADER-1). */
export const requestIdOf = (incoming: string | undefined): string =>
  incoming !== undefined && acceptableId.test(incoming) ? incoming : randomUUID()

/**
 * Whether a header was sent more than once. Node keeps the first of two or joins them, so only its list of raw headers shows it. The
 * request of a fetch handler cannot show it.
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
