import type { Batcher } from "@agent-marketplace/core/batching/Batcher"
import { unsafeBatcher } from "@agent-marketplace/core/batching/Batcher"
import { Effect, Result } from "effect"

/** The text that identifies a read: two reads that differ have different texts. */
export const keyOf = (text: string, parameters: ReadonlyArray<unknown>): string =>
  JSON.stringify([text, parameters], (_, value: unknown) =>
    typeof value === "bigint" ? { bigint: String(value) } : value
  )

/**
 * Reads that many callers request concurrently. Requests that arrive while the same read is running share the next one, so that a read runs
 * once at a time however often it is requested, and no request gets a result that was read before the request was made.
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
