import { Duration, Effect, Schedule } from "effect"
import type { Scope } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/** The maximum delay before a use is stored. */
const flushEvery = Duration.seconds(1)

/** The last uses of keys or sessions. */
export interface Uses<Id> {
  readonly record: (id: Id, at: Timestamp) => void
  /** The last use whose storing has not finished. */
  readonly unstored: (id: Id) => Timestamp | undefined
}

/** Collects the uses of keys or sessions in memory and stores them once a second, and at shutdown. */
export const makeUses = Effect.fnUntraced(function* <Id>(
  touch: (uses: ReadonlyArray<readonly [Id, Timestamp]>) => StoreEffect<void>
): Effect.fn.Return<Uses<Id>, never, Scope.Scope> {
  let uses = new Map<Id, Timestamp>()
  let storing: ReadonlyMap<Id, Timestamp> = new Map()
  const flush = Effect.suspend(() => {
    if (uses.size === 0) return Effect.void
    storing = uses
    uses = new Map()
    // If the store is unavailable they are dropped instead of accumulated.
    return Effect.ensuring(
      Effect.ignore(touch([...storing])),
      Effect.sync(() => (storing = new Map()))
    )
  })
  // A write that has started is finished when the scope closes: its uses are no longer in the map.
  yield* Effect.forkScoped(Effect.repeat(Effect.uninterruptible(flush), Schedule.spaced(flushEvery)), {
    startImmediately: true
  })
  yield* Effect.addFinalizer(() => flush)
  return {
    record: (id, at) => {
      uses.set(id, at)
    },
    unstored: (id) => uses.get(id) ?? storing.get(id)
  }
})
