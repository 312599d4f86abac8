import type { HttpServerResponse } from "effect/http"
import { permissionsPolicy } from "./pageHeaders.ts"

/** For responses other than pages: nothing in them may run or be shown in a frame. */
const answerPolicy = "default-src 'none'; frame-ancestors 'none'"

const always = { "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" }

const isPage = ({ headers }: HttpServerResponse.HttpServerResponse): boolean =>
  headers["content-type"]?.startsWith("text/html") === true

/**
 * The security headers of every response (HEADER-4, HEADER-5, HEADER-6, HEADER-7, HEADER-8). A response that its handler does not declare as cacheable is never
 * stored, because it may contain a key, a license key or a secret.
 */
export const makeResponseHeaders = (baseUrl: string | undefined) => {
  const transport: Readonly<Record<string, string>> =
    baseUrl?.startsWith("https:") === true ? { "strict-transport-security": "max-age=31536000" } : {}
  return (response: HttpServerResponse.HttpServerResponse): Readonly<Record<string, string>> => ({
    ...always,
    ...transport,
    ...(response.headers["cache-control"] === undefined ? { "cache-control": "no-store" } : {}),
    ...(isPage(response) ? { "x-frame-options": "DENY", "permissions-policy": permissionsPolicy } : {}),
    ...(response.headers["content-security-policy"] === undefined ? { "content-security-policy": answerPolicy } : {})
  })
}
