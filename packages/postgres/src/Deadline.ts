import { Effect } from "effect"
import type { Exit, Scope } from "effect"

interface Waiting {
  readonly until: number
  readonly giveUp: () => void
}

/** How late an expiry may be noticed, in milliseconds. */
const coarseness = 250

/** An effect that fails with `otherwise` if it has not ended in time. */
export type Deadline = <A, E, R, E2>(effect: Effect.Effect<A, E, R>, otherwise: () => E2) => Effect.Effect<A, E | E2, R>

/**
 * A time limit for effects, cheap enough for every single query: one timer checks all of them, so an expiry may be noticed a quarter
 * of a second late. An effect that is late is interrupted, but its end is not awaited: a peer that does not respond cannot delay the
 * result.
 */
export const makeDeadline: (milliseconds: number) => Effect.Effect<Deadline, never, Scope.Scope> = Effect.fnUntraced(
  function* (milliseconds) {
    // All limits are equal, so the order of insertion is the order of expiry.
    const waiting = new Set<Waiting>()
    const sweep = () => {
      const now = performance.now()
      for (const entry of waiting) {
        if (entry.until > now) return
        entry.giveUp()
      }
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        const timer = setInterval(sweep, coarseness)
        timer.unref()
        return timer
      }),
      (timer) => Effect.sync(() => clearInterval(timer))
    )
    return <A, E, R, E2>(effect: Effect.Effect<A, E, R>, otherwise: () => E2): Effect.Effect<A, E | E2, R> =>
      Effect.contextWith((context: Parameters<typeof Effect.runForkWith<R>>[0]) =>
        Effect.callback<A, E | E2>((resume) => {
          const fiber = Effect.runForkWith(context)(effect)
          const entry: Waiting = {
            until: performance.now() + milliseconds,
            giveUp: () => {
              waiting.delete(entry)
              resume(Effect.fail(otherwise()))
              fiber.interruptUnsafe()
            }
          }
          waiting.add(entry)
          fiber.addObserver((exit: Exit.Exit<A, E>) => {
            waiting.delete(entry)
            resume(exit)
          })
          return Effect.sync(() => {
            waiting.delete(entry)
            fiber.interruptUnsafe()
          })
        })
      )
  }
)
