import { failureOf } from "../errors/failureOf.ts"
import { MarketplaceError } from "../errors/MarketplaceError.ts"

/** How an attempt ended: with the data, or with why not and how long the answer asks to wait, in milliseconds. */
export type Attempt =
  { readonly data: unknown } | { readonly failure: MarketplaceError; readonly retryAfter: number | undefined }

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Seconds or a date. */
const retryAfterOf = (value: string | null): number | undefined => {
  if (value === null) return undefined
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

const strange = ({ headers, status }: Response, response: unknown, message: string): Attempt => {
  const requestId = headers.get("x-request-id") ?? undefined
  const facts = { message, code: "INVALID_RESPONSE", statusCode: status, response, requestId }
  return { failure: new MarketplaceError(facts), retryAfter: undefined }
}

/** A redirected POST would become a GET, and what is sent would go to a stranger. A browser does not say where it leads. */
const isRedirect = ({ status, type }: Response): boolean =>
  type === "opaqueredirect" || [301, 302, 303, 307, 308].includes(status)

const read = async (response: Response): Promise<Attempt> => {
  const { headers, ok, status } = response
  const body = parsed(await response.text())
  if (isRedirect(response)) {
    const location = headers.get("location") ?? "another address"
    return strange(response, body, `the answer redirects to ${location}: is baseUrl the market's?`)
  }
  const { data, success } = (body ?? {}) as { readonly success?: unknown; readonly data?: unknown }
  if (!ok || success === false)
    return { failure: failureOf(status, body, headers), retryAfter: retryAfterOf(headers.get("retry-after")) }
  if (typeof body !== "object" || body === null)
    return strange(response, body, "the answer is not JSON: is baseUrl the market's?")
  if (success === true && data === undefined) return strange(response, body, "the answer holds no data")
  return { data: success === true ? data : body }
}

/** What timers can wait, in milliseconds; a longer time is no limit. */
const longestTimer = 2 ** 31 - 1

/** One request, its body read to the end within `timeout` milliseconds. Rejects only where `signal` aborts, with its reason. */
export const attempt = async (
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
  timeout: number,
  signal: AbortSignal | undefined
): Promise<Attempt> => {
  signal?.throwIfAborted()
  const controller = new AbortController()
  let late = false
  const abort = () => controller.abort(signal?.reason)
  const timer = setTimeout(
    () => {
      late = true
      controller.abort()
    },
    Math.min(timeout, longestTimer)
  )
  signal?.addEventListener("abort", abort)
  try {
    return await read(await fetch(url, { ...init, redirect: "manual", signal: controller.signal }))
  } catch (cause) {
    signal?.throwIfAborted()
    const message = late ? `no answer within ${timeout} ms` : `no answer from ${new URL(url).origin}`
    const failure = new MarketplaceError({ message, code: late ? "TIMEOUT" : "NETWORK_ERROR", statusCode: 0, cause })
    return { failure, retryAfter: undefined }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", abort)
  }
}
