import { makeBatcher } from "@agent-marketplace/core/batching/Batcher"
import { Effect, Result } from "effect"
import type { Scope } from "effect"

/** The most keys of a statement. */
const mostKeys = 32

/**
 * Looks up rows by key, with one statement for all waiting keys. A second concurrent statement starts only when half of the maximum
 * number of keys wait, because a statement costs more than its keys. No request gets a row that was read before the request was made.
 */
export const gatheredReads = <Row extends { readonly key: string }, E>(
  read: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Row>, E>
): Effect.Effect<(key: string) => Effect.Effect<Row | undefined, E>, never, Scope.Scope> =>
  Effect.map(
    makeBatcher<string, Row | undefined, E>({
      size: mostKeys,
      inFlight: 2,
      besideOthers: mostKeys / 2,
      failWaiting: true,
      run: (keys) =>
        Effect.map(read([...new Set(keys)]), (rows) => {
          const byKey = new Map(rows.map((row) => [row.key, row]))
          return keys.map((key) => Result.succeed(byKey.get(key)))
        })
    }),
    ({ submit }) => submit
  )
