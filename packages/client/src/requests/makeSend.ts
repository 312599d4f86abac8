import type { MarketplaceError } from "../errors/MarketplaceError.ts"
import { attempt, readBytes, readData, readStream } from "./attempt.ts"
import type { MarketRequest, Send } from "./Send.ts"

/** Waits this many milliseconds; rejects with the signal's reason if it aborts before. */
export const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
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

/** The settings of a client's requests. */
export interface Connection {
  readonly apiKey: string
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly agentId: string | undefined
  readonly timeout: number
  readonly maxRetries: number
  readonly fetch: typeof globalThis.fetch
}

const firstPause = 250
const longestPause = 8000

/** In milliseconds. A longer `Retry-After` is reported as an error immediately. */
const longestRetryAfter = 60_000

/** Transient failures. A request that got a 429 was not executed, so every request may be retried. */
export const isPassing = ({ statusCode }: MarketplaceError): boolean =>
  statusCode === 0 || statusCode === 408 || statusCode === 429 || statusCode >= 500

const isSafe = ({ idempotencyKey, method }: MarketRequest, { statusCode }: MarketplaceError): boolean =>
  method === "GET" || idempotencyKey !== undefined || statusCode === 429

/** Doubles with each attempt; half of it is random, so that clients that failed together do not retry together. */
export const backoff = (tries: number): number =>
  Math.min(longestPause, firstPause * 2 ** tries) * (0.5 + Math.random() / 2)

/** Checked here because `fetch` reports an invalid header value as a network error, and some versions print the value. */
const printable = (name: string, text: string): string => {
  if (/[^ -~]/.test(text)) throw new TypeError(`${name} must be printable ASCII`)
  return text
}

const headersOf = (
  { agentId, apiKey }: Connection,
  { body, bytes, idempotencyKey, readsBytes, stream }: MarketRequest,
  position: string
) => ({
  accept: stream !== undefined ? "text/event-stream" : readsBytes !== undefined ? "*/*" : "application/json",
  authorization: `Bearer ${printable("apiKey", apiKey)}`,
  ...(position === "" ? {} : { "x-market-position": position }),
  ...(agentId === undefined ? {} : { "x-agent-id": printable("agentId", agentId) }),
  ...(body === undefined ? {} : { "content-type": "application/json" }),
  ...(bytes === undefined ? {} : { "content-type": bytes.mediaType }),
  ...(stream?.lastEventId === undefined ? {} : { "last-event-id": printable("after", stream.lastEventId) }),
  ...(idempotencyKey === undefined ? {} : { "idempotency-key": printable("idempotencyKey", idempotencyKey) })
})

/** Sends a call, and retries it if that is safe. Later calls see what earlier ones have written, whichever replica serves them (DATABASE-9). */
export const makeSend = (connection: Connection): Send => {
  let position = ""
  const note = ({ headers }: Response) => {
    const reached = headers.get("x-market-position") ?? ""
    if (/^[0-9a-f]{16}$/.test(reached) && reached > position) position = reached
  }
  return async (request) => {
    const { baseUrl, fetch, maxRetries, timeout } = connection
    const { signal } = request.options
    const readBody =
      request.readsBytes !== undefined
        ? readBytes(request.readsBytes)
        : request.stream === undefined
          ? readData
          : readStream
    const read = (response: Response) => {
      note(response)
      return readBody(response)
    }
    const init: RequestInit = {
      method: request.method,
      headers: headersOf(connection, request, position),
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      ...(request.bytes === undefined ? {} : { body: request.bytes.content as Uint8Array<ArrayBuffer> })
    }
    for (let tries = 0; ; tries += 1) {
      const ended = await attempt(fetch, baseUrl + request.path, init, request.options.timeout ?? timeout, signal, read)
      if ("data" in ended) return ended.data
      const { failure, retryAfter = 0 } = ended
      if (tries >= maxRetries || !isPassing(failure) || !isSafe(request, failure) || retryAfter > longestRetryAfter)
        throw failure
      await pause(retryAfter + backoff(tries), signal)
    }
  }
}
