import { Clock, Effect } from "effect"

/** Runs a log effect, unless one with the same key ran within the last `millis` milliseconds. */
export type LogOnce = (key: string, log: Effect.Effect<void>) => Effect.Effect<void>

/** Use few different keys, such as the tags of errors: every key is kept. */
export const makeLogOnce = (millis: number): LogOnce => {
  const loggedAt = new Map<string, number>()
  return (key, log) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (now - (loggedAt.get(key) ?? Number.NEGATIVE_INFINITY) < millis) return Effect.void
      loggedAt.set(key, now)
      return log
    })
}
