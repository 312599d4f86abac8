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

const read = async (response: Response): Promise<Attempt> => {
  const body = parsed(await response.text())
  if (!response.ok) {
    const retryAfter = retryAfterOf(response.headers.get("retry-after"))
    return { failure: failureOf(response.status, body, response.headers), retryAfter }
  }
  if (typeof body === "object" && body !== null) {
    const { data, success } = body as { readonly success?: unknown; readonly data?: unknown }
    return { data: success === true ? data : body }
  }
  const message = "the answer is not JSON: is baseUrl the market's?"
  const requestId = response.headers.get("x-request-id") ?? undefined
  const facts = { message, code: "INVALID_RESPONSE", statusCode: response.status, response: body, requestId }
  return { failure: new MarketplaceError(facts), retryAfter: undefined }
}

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
  const timer = setTimeout(() => {
    late = true
    controller.abort()
  }, timeout)
  signal?.addEventListener("abort", abort)
  try {
    return await read(await fetch(url, { ...init, signal: controller.signal }))
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
