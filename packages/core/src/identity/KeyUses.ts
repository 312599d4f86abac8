import { Duration, Effect, Schedule } from "effect"
import type { Scope } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { KeyId } from "../ids/Ids.ts"
import type { IdentityStore } from "./IdentityStore.ts"

/** The maximum delay before the use of a key is stored. */
const flushEvery = Duration.seconds(1)

/** Collects the uses of keys in memory and stores them once a second, and at shutdown. */
export const makeKeyUses = Effect.fnUntraced(function* (
  store: IdentityStore["Service"]
): Effect.fn.Return<(key: KeyId, at: Timestamp) => void, never, Scope.Scope> {
  let uses = new Map<KeyId, Timestamp>()
  const flush = Effect.suspend(() => {
    if (uses.size === 0) return Effect.void
    const taken = uses
    uses = new Map()
    // The uses are only statistics: if the store is unavailable they are dropped instead of accumulated.
    return Effect.ignore(store.touchKeys([...taken]))
  })
  // A write that has started is finished when the scope closes: its uses are no longer in the map.
  yield* Effect.forkScoped(Effect.repeat(Effect.uninterruptible(flush), Schedule.spaced(flushEvery)), {
    startImmediately: true
  })
  yield* Effect.addFinalizer(() => flush)
  return (key, at) => {
    uses.set(key, at)
  }
})
