import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Effect, Semaphore } from "effect"

/** The changes of one key: one runs, the others wait. */
interface Line {
  readonly semaphore: Semaphore.Semaphore
  /** How many run or wait. */
  size: number
  failure: StoreUnavailable | undefined
}

const defaultPatience = 15_000

/** Runs changes of the same key one after the other. */
export type Turns = <A, E, R>(
  key: string,
  change: Effect.Effect<A, E | StoreUnavailable, R>
) => Effect.Effect<A, E | StoreUnavailable, R>

/**
 * Makes changes that lock the same thing wait for each other in this process, before they take a connection. Otherwise many of them at once
 * would hold all connections while they wait for the lock, and every other change would wait too. If one of them fails with
 * `StoreUnavailable`, so do all that wait. A change whose turn comes after more than `patience` milliseconds fails with it too.
 */
export const makeTurns = (patience = defaultPatience): Turns => {
  const lines = new Map<string, Line>()

  const open = (key: string): Line => {
    const line: Line = { semaphore: Semaphore.makeUnsafe(1), size: 0, failure: undefined }
    lines.set(key, line)
    return line
  }

  const close = (key: string, line: Line): void => {
    if (lines.get(key) === line) lines.delete(key)
  }

  const enter = (key: string): Line => {
    const line = lines.get(key) ?? open(key)
    line.size++
    return line
  }

  const leave = (key: string, line: Line): void => {
    line.size--
    if (line.size === 0) close(key, line)
  }

  return (key, change) => {
    const inLine = (line: Line) => {
      const until = performance.now() + patience
      const fails = (error: unknown) =>
        Effect.sync(() => {
          if (!(error instanceof StoreUnavailable)) return
          line.failure = error
          // Those that come later try again.
          close(key, line)
        })
      const turn = Effect.suspend(() => {
        if (line.failure !== undefined) return Effect.fail(line.failure)
        return performance.now() > until
          ? Effect.fail(new StoreUnavailable({ cause: `waited ${patience} ms for other changes of ${key}` }))
          : Effect.tapError(change, fails)
      })
      return line.semaphore.withPermits(1)(turn)
    }
    return Effect.acquireUseRelease(
      Effect.sync(() => enter(key)),
      inLine,
      (line) => Effect.sync(() => leave(key, line))
    )
  }
}
