import type { Follower } from "@agent-marketplace/core/live/Follower"
import type { LiveMessage, LivePage } from "@agent-marketplace/core/live/LiveMessage"
import { Cause, Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"

const encoder = new TextEncoder()

/** The bytes of messages, made once for all readers. */
const rendered = new WeakMap<LiveMessage, Uint8Array>()

const bytesOf = (message: LiveMessage): Uint8Array => {
  const known = rendered.get(message)
  if (known !== undefined) return known
  const { data, event, id } = message
  const bytes = encoder.encode(`${id === null ? "" : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`)
  rendered.set(message, bytes)
  return bytes
}

// Disables buffering in reverse proxies, which would delay messages.
const headers = { "x-accel-buffering": "no" }

interface EventStreamOptions {
  readonly follower: Follower
  /** Whether ids are positions of the log: then comments carry one, which moves the cursor of a client forward (LIVE-2). */
  readonly cursors: boolean
  /** Runs whenever something is sent. */
  readonly sent: () => void
}

/** An open stream of server-sent events. */
export interface EventStream {
  readonly response: HttpServerResponse.HttpServerResponse
  /** The response ends soon. */
  readonly end: () => void
}

/**
 * The messages of a follower as server-sent events. A comment opens the stream, so that its headers are sent at once, and follows whenever
 * the follower is nudged.
 */
export const makeEventStream = ({ cursors, follower, sent }: EventStreamOptions): EventStream => {
  const commentAt = (position: number) => encoder.encode(cursors ? `:\nid: ${position}\n\n` : ":\n\n")
  const render = ({ messages, position }: LivePage): readonly [Uint8Array, ...Array<Uint8Array>] => {
    const [first, ...rest] = messages.map(bytesOf)
    return first === undefined ? [commentAt(position)] : [first, ...rest]
  }
  let opened = false
  let ended = false

  const next = Effect.suspend(() => {
    if (opened) return follower.take
    opened = true
    return Effect.succeed<LivePage>({ messages: [], position: follower.position() })
  })
  const pull = Effect.flatMap(next, (page) => {
    if (ended) return Cause.done()
    sent()
    return Effect.succeed(render(page))
  })
  const body = Stream.fromPull(Effect.succeed(pull))

  return {
    response: HttpServerResponse.stream(body, { contentType: "text/event-stream", headers }),
    end: () => {
      ended = true
      follower.nudge()
    }
  }
}
