import { Effect } from "effect"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { LiveMessage, LivePage } from "./LiveMessage.ts"

/** The maximum number of messages that wait for one reader. */
export const bufferSize = 1000

/** About the number of messages that are taken at once, so that a slow reader holds few rendered texts. */
const chunkSize = 64

/** The stream that a follower reads. */
export interface LiveSource {
  /** The position up to which followers that joined have received everything. */
  readonly position: () => number
  /** The next messages after a position. */
  readonly read: (after: number) => StoreEffect<LivePage>
  /** Subscribes the follower: it receives every message after `position()`, until it leaves. */
  readonly join: (follower: Follower) => void
  readonly leave: (follower: Follower) => void
}

/** One reader of a stream. It reads what it missed from the log, and then waits for new messages in a bounded buffer. */
export interface Follower {
  /**
   * The next messages, in order, each once. Waits until there are some or {@link nudge} is called, which yields none. While the store is
   * unavailable it yields none once a second.
   */
  readonly take: Effect.Effect<LivePage>
  readonly nudge: () => void
  /** Every message up to this position was taken. */
  readonly position: () => number
  readonly push: (message: LiveMessage) => void
  /** Empties the buffer; the next messages are read from the log again. */
  readonly fallBack: () => void
}

/** The initial state of a follower. */
export interface FollowerStart {
  /** The follower has every message up to this position. */
  readonly position: number
  /** Every message between `position` and that of the source. */
  readonly first?: ReadonlyArray<LiveMessage>
  /** Runs when a buffer overflows. */
  readonly onOverrun?: (() => void) | undefined
}

/** A follower of the source that starts after a position. */
export const makeFollower = (source: LiveSource, { first, onOverrun, position: start }: FollowerStart): Follower => {
  let position = start
  let buffer: Array<LiveMessage> = [...(first ?? [])]
  let live = false
  let joinedAt = start
  let nudged = false
  let wake: (() => void) | undefined

  const rouse = () => {
    const waiting = wake
    wake = undefined
    waiting?.()
  }
  const join = () => {
    live = true
    joinedAt = Math.max(position, source.position())
    source.join(follower)
  }

  /** Messages of one event stay together, because they share one position. */
  const drain = (): LivePage => {
    let count = Math.min(buffer.length, chunkSize)
    while (count < buffer.length && buffer[count]?.position === buffer[count - 1]?.position) count++
    const messages = buffer.splice(0, count)
    position = messages.findLast((message) => message.position !== null)?.position ?? position
    if (live && buffer.length === 0) position = Math.max(position, source.position())
    return { messages, position }
  }

  const wait = Effect.callback<void>((resume) => {
    wake = () => resume(Effect.void)
    return Effect.sync(() => {
      wake = undefined
    })
  })

  const readOn: Effect.Effect<LivePage> = Effect.matchEffect(
    Effect.suspend(() => source.read(position)),
    {
      onFailure: () => Effect.map(Effect.sleep("1 second"), () => ({ messages: [], position })),
      onSuccess: (page) => {
        position = page.position
        if (position >= source.position()) join()
        return page.messages.length > 0 ? Effect.succeed(page) : take
      }
    }
  )

  const take: Effect.Effect<LivePage> = Effect.suspend(() => {
    if (buffer.length > 0 || nudged) {
      nudged = false
      return Effect.succeed(drain())
    }
    return live ? Effect.flatMap(wait, () => take) : readOn
  })

  const follower: Follower = {
    take,
    position: () => position,
    nudge: () => {
      nudged = true
      rouse()
    },
    push: (message) => {
      if (!live || (message.position !== null && message.position <= joinedAt)) return
      if (buffer.length >= bufferSize) {
        follower.fallBack()
        onOverrun?.()
        return
      }
      buffer.push(message)
      rouse()
    },
    fallBack: () => {
      if (!live) return
      live = false
      buffer = []
      source.leave(follower)
      rouse()
    }
  }
  if (first !== undefined || position >= source.position()) join()
  return follower
}
