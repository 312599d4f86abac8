import type { Batcher } from "@agent-marketplace/core/batching/Batcher"
import { unsafeBatcher } from "@agent-marketplace/core/batching/Batcher"
import { Effect, Result } from "effect"

/**
 * Reads that many request at once. Requests that arrive while the same read is under way share the next one, so that a read runs once at a
 * time however often it is requested, and nobody gets what was read before the request.
 */
export const makeSharedReads = <A, E>(): Effect.Effect<
  (key: string, read: Effect.Effect<A, E>) => Effect.Effect<A, E>
> =>
  Effect.map(Effect.context<never>(), (context) => {
    const lines = new Map<string, Batcher<void, A, E>>()
    const fork = Effect.runForkWith(context)
    const open = (key: string, read: Effect.Effect<A, E>): Batcher<void, A, E> => {
      const line = unsafeBatcher<void, A, E>(
        {
          size: Infinity,
          inFlight: 1,
          failWaiting: true,
          run: (all) => Effect.map(read, (value) => all.map(() => Result.succeed(value))),
          onIdle: () => lines.delete(key)
        },
        fork
      )
      lines.set(key, line)
      return line
    }
    return (key, read) => Effect.suspend(() => (lines.get(key) ?? open(key, read)).submit())
  })
