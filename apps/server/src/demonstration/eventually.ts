import { Conflict } from "@agent-marketplace/core/errors/MarketError"
import { Clock, Effect } from "effect"

/** How long a step of the demonstration waits for the background jobs: the simulated chain takes three seconds, a scan less than one. */
const patience = 60_000

/** Waits until the check returns a value; fails with Conflict after a minute. */
export const eventually = <A, E, R>(what: string, check: Effect.Effect<A | undefined, E, R>) =>
  Effect.gen(function* () {
    const end = (yield* Clock.currentTimeMillis) + patience
    for (;;) {
      const found = yield* check
      if (found !== undefined) return found
      if ((yield* Clock.currentTimeMillis) > end)
        return yield* new Conflict({ state: "demonstration_unfinished", reason: `${what} took longer than a minute` })
      yield* Effect.sleep("200 millis")
    }
  })
