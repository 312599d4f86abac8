import { failureOf } from "../errors/failureOf.ts"
import { MarketplaceError } from "../errors/MarketplaceError.ts"

/** The result of an attempt: the data, or the error and how long the response asks to wait, in milliseconds. */
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

const invalidResponse = ({ headers, status }: Response, response: unknown, message: string): Attempt => {
  const requestId = headers.get("x-request-id") ?? undefined
  const facts = { message, code: "INVALID_RESPONSE", statusCode: status, response, requestId }
  return { failure: new MarketplaceError(facts), retryAfter: undefined }
}

/** A redirected POST would become a GET, and its content would go to a third party. A browser does not expose the target. */
const isRedirect = ({ status, type }: Response): boolean =>
  type === "opaqueredirect" || [301, 302, 303, 307, 308].includes(status)

export const readData = async (response: Response): Promise<Attempt> => {
  const { headers, ok, status } = response
  const body = parsed(await response.text())
  if (isRedirect(response)) {
    const location = headers.get("location") ?? "another address"
    return invalidResponse(response, body, `the response redirects to ${location}: is baseUrl the market's?`)
  }
  const { data, success } = (body ?? {}) as { readonly success?: unknown; readonly data?: unknown }
  if (!ok || success === false)
    return { failure: failureOf(status, body, headers), retryAfter: retryAfterOf(headers.get("retry-after")) }
  if (typeof body !== "object" || body === null)
    return invalidResponse(response, body, "the response is not JSON: is baseUrl the market's?")
  if (success === true && data === undefined) return invalidResponse(response, body, "the response contains no data")
  return { data: success === true ? data : body }
}

/** A stream is read by the caller; every other response is a failure. */
export const readStream = async (response: Response): Promise<Attempt> => {
  if (response.ok && response.headers.get("content-type")?.startsWith("text/event-stream") === true)
    return { data: response }
  const failed = await readData(response)
  return "failure" in failed ? failed : invalidResponse(response, failed.data, "the response is not a stream")
}

/** A file is read as a whole, if it has at most so many bytes; every failure is JSON. */
export const readBytes =
  (most: number) =>
  async (response: Response): Promise<Attempt> => {
    if (!response.ok || response.body === null) return readData(response)
    const chunks: Array<Uint8Array> = []
    let size = 0
    const reader = response.body.getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.length
      if (size > most) {
        await reader.cancel()
        return invalidResponse(response, undefined, `the response has more than ${most} bytes`)
      }
      chunks.push(part.value)
    }
    const data = new Uint8Array(size)
    let at = 0
    for (const chunk of chunks) {
      data.set(chunk, at)
      at += chunk.length
    }
    return { data }
  }

/** The maximum of a timer, in milliseconds; a longer time means no limit. */
const longestTimer = 2 ** 31 - 1

/** One request; its response is read within `timeout` milliseconds. Rejects only if `signal` aborts, with its reason. */
export const attempt = async (
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
  timeout: number,
  signal: AbortSignal | undefined,
  read: (response: Response) => Promise<Attempt>
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
    const message = late ? `no response within ${timeout} ms` : `no response from ${new URL(url).origin}`
    const failure = new MarketplaceError({ message, code: late ? "TIMEOUT" : "NETWORK_ERROR", statusCode: 0, cause })
    return { failure, retryAfter: undefined }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", abort)
  }
}
