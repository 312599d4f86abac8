import { Duration, Effect, Schedule } from "effect"
import type { Scope } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { KeyId } from "../ids/Ids.ts"
import type { IdentityStore } from "./IdentityStore.ts"

/** How late the store may learn that a key was used. */
const flushEvery = Duration.seconds(1)

/** Notes in memory when keys are used and tells the store once a second, and at the end. */
export const makeKeyUses = Effect.fnUntraced(function* (
  store: IdentityStore["Service"]
): Effect.fn.Return<(key: KeyId, at: Timestamp) => void, never, Scope.Scope> {
  let uses = new Map<KeyId, Timestamp>()
  const flush = Effect.suspend(() => {
    if (uses.size === 0) return Effect.void
    const taken = uses
    uses = new Map()
    // What cannot be told now is only a statistic: it is dropped rather than piled up.
    return Effect.ignore(store.touchKeys([...taken]))
  })
  yield* Effect.forkScoped(Effect.repeat(flush, Schedule.spaced(flushEvery)))
  yield* Effect.addFinalizer(() => flush)
  return (key, at) => {
    uses.set(key, at)
  }
})
