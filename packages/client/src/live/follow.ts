import { MarketplaceError } from "../errors/MarketplaceError.ts"
import { backoff, isPassing, pause } from "../requests/makeSend.ts"
import type { Send } from "../requests/Send.ts"
import type { SseMessage } from "./sseMessages.ts"
import { sseMessages } from "./sseMessages.ts"

/** The server sends something at least every 15 seconds; a stream that is silent for longer, in milliseconds, is broken. */
const longestSilence = 40_000

/** A stream that lasted this long, in milliseconds, is opened again without a growing pause. */
const stableAfter = 10_000

/** The start and the end of a stream. */
export interface StreamOptions {
  /** The id of the last message that was handled; the stream continues after it. */
  readonly after?: string | undefined
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined
}

/** Whether a retry may succeed: a failure of the connection, or a temporary refusal. Other failures end the iteration. */
const isBroken = (error: unknown): boolean => !(error instanceof MarketplaceError) || isPassing(error)

/**
 * The messages of a stream (LIVE-12). A stream that breaks is opened again after the last message that was received, so that none is
 * missing and none comes twice. The first connection fails like any other call; later ones are retried until they succeed or are refused.
 */
export const follow = async function* (
  send: Send,
  path: string,
  { after, signal }: StreamOptions
): AsyncGenerator<SseMessage & { readonly data: string }, void, undefined> {
  let lastEventId = after
  let failures = 0
  let openedAt = 0
  const isOver = (): boolean => signal?.aborted === true
  while (!isOver()) {
    try {
      const stream = { lastEventId }
      const response = (await send({ method: "GET", path, stream, options: { signal } })) as Response
      openedAt = Date.now()
      for await (const { data, event, id } of sseMessages(response.body as ReadableStream, longestSilence, signal)) {
        if (data !== undefined || Date.now() - openedAt > stableAfter) failures = 0
        lastEventId = id ?? lastEventId
        if (data !== undefined) yield { id, event, data }
      }
    } catch (error) {
      if (isOver()) return
      if (openedAt === 0 || !isBroken(error)) throw error
    }
    await pause(backoff(failures), signal).catch(() => undefined)
    failures += 1
  }
}
