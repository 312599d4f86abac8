import { Cache, Effect, Option, Stream } from "effect"
import type { Scope } from "effect"
import type { Caller } from "./Caller.ts"
import type { IdentityStore } from "./IdentityStore.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/** The maximum number of cached callers; the least recently used one is evicted. */
const capacity = 50_000

/**
 * Caches the callers of recently used keys, by hash. A change that the store announces evicts every affected caller immediately. While the
 * store cannot announce changes, nothing is cached. The cache does not load entries itself, because a running look-up may be older than a
 * change.
 */
export const makeCallerCache = Effect.fnUntraced(function* (
  store: IdentityStore["Service"]
): Effect.fn.Return<(hash: string) => StoreEffect<Option.Option<Caller>>, never, Scope.Scope> {
  const callers = yield* Cache.make({ capacity, lookup: (_: string): Effect.Effect<Caller> => Effect.never })
  let changes = 0

  const forget = Effect.fnUntraced(function* (id: string) {
    changes++
    if (id === "*") return yield* Cache.invalidateAll(callers)
    for (const [hash, caller] of yield* Cache.entries(callers)) {
      if (caller.keyId === id || caller.agentId === id || caller.accountId === id) {
        yield* Cache.invalidate(callers, hash)
      }
    }
  })
  // Starts listening immediately: a change that is announced earlier would be missed.
  yield* Effect.forkScoped(Stream.runForEach(store.changes, forget), { startImmediately: true })

  const load = (hash: string, live: boolean) => {
    const before = changes
    return Effect.tap(store.findCaller(hash), (found) =>
      live && changes === before && Option.isSome(found) ? Cache.set(callers, hash, found.value) : Effect.void
    )
  }
  return (hash) =>
    Effect.flatMap(store.live, (live) =>
      live
        ? Effect.flatMap(
            Cache.getSuccess(callers, hash),
            Option.match({ onNone: () => load(hash, live), onSome: Effect.succeedSome })
          )
        : load(hash, live)
    )
})
