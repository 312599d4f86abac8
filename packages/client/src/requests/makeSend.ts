import type { MarketplaceError } from "../errors/MarketplaceError.ts"
import { attempt } from "./attempt.ts"
import type { MarketRequest, Send } from "./Send.ts"

/** Waits so many milliseconds; rejects with the signal's reason where it aborts before. */
const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort)
      resolve()
    }, milliseconds)
    if (signal?.aborted === true) abort()
    else signal?.addEventListener("abort", abort, { once: true })
  })

/** What a client sends its requests with. */
export interface Connection {
  readonly apiKey: string
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly agentId: string | undefined
  readonly timeout: number
  readonly maxRetries: number
  readonly fetch: typeof globalThis.fetch
}

const firstPause = 250
const longestPause = 8000

/** A longer `Retry-After` is reported as an error at once instead of waited for, in milliseconds. */
const longestRetryAfter = 60_000

/** Passing faults. A 429 was not carried out, so that everything may be tried again after it. */
const isPassing = ({ statusCode }: MarketplaceError): boolean =>
  statusCode === 0 || statusCode === 408 || statusCode === 429 || statusCode >= 500

const isSafe = ({ idempotencyKey, method }: MarketRequest, { statusCode }: MarketplaceError): boolean =>
  method === "GET" || idempotencyKey !== undefined || statusCode === 429

/** Doubles from try to try; half of it is chance, so that clients that failed together do not return together. */
const backoff = (tries: number): number => Math.min(longestPause, firstPause * 2 ** tries) * (0.5 + Math.random() / 2)

/** Checked here because `fetch` reports an invalid header value as a network error, and some versions print the value. */
const printable = (name: string, text: string): string => {
  if (/[^ -~]/.test(text)) throw new TypeError(`${name} must be printable ASCII`)
  return text
}

const headersOf = ({ agentId, apiKey }: Connection, { body, idempotencyKey }: MarketRequest) => ({
  accept: "application/json",
  authorization: `Bearer ${printable("apiKey", apiKey)}`,
  ...(agentId === undefined ? {} : { "x-agent-id": printable("agentId", agentId) }),
  ...(body === undefined ? {} : { "content-type": "application/json" }),
  ...(idempotencyKey === undefined ? {} : { "idempotency-key": printable("idempotencyKey", idempotencyKey) })
})

/** Sends, and tries again what is safe to try again. */
export const makeSend =
  (connection: Connection): Send =>
  async (request) => {
    const { baseUrl, fetch, maxRetries, timeout } = connection
    const { signal } = request.options
    const init: RequestInit = {
      method: request.method,
      headers: headersOf(connection, request),
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) })
    }
    for (let tries = 0; ; tries += 1) {
      const ended = await attempt(fetch, baseUrl + request.path, init, request.options.timeout ?? timeout, signal)
      if ("data" in ended) return ended.data
      const { failure, retryAfter = 0 } = ended
      if (tries >= maxRetries || !isPassing(failure) || !isSafe(request, failure) || retryAfter > longestRetryAfter)
        throw failure
      await pause(retryAfter + backoff(tries), signal)
    }
  }
