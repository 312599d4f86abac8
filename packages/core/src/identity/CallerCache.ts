import { Effect, Option, Stream } from "effect"
import type { Scope } from "effect"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { Caller } from "./Caller.ts"
import type { IdentityStore } from "./IdentityStore.ts"

/** The most callers that are remembered; one more empties the cache. */
const capacity = 50_000

/**
 * The callers behind recently used keys, by hash. A change that the store announces empties it of whom it concerns at
 * once; while the store cannot announce, nothing is remembered.
 */
export const makeCallerCache = Effect.fnUntraced(function* (
  store: IdentityStore["Service"]
): Effect.fn.Return<(hash: string) => Effect.Effect<Option.Option<Caller>, StoreUnavailable>, never, Scope.Scope> {
  const callers = new Map<string, Caller>()
  let changes = 0

  const forget = (id: string) => {
    changes++
    if (id === "*") return callers.clear()
    for (const [hash, caller] of callers) {
      if (caller.keyId === id || caller.agentId === id || caller.accountId === id) callers.delete(hash)
    }
  }
  yield* Effect.forkScoped(Stream.runForEach(store.changes, (id) => Effect.sync(() => forget(id))))

  const load = (hash: string, live: boolean) => {
    const before = changes
    return Effect.tap(store.findCaller(hash), (found) =>
      Effect.sync(() => {
        if (!live || changes !== before || Option.isNone(found)) return
        if (callers.size >= capacity) callers.clear()
        callers.set(hash, found.value)
      })
    )
  }
  return (hash) =>
    Effect.flatMap(store.live, (live) => {
      const caller = live ? callers.get(hash) : undefined
      return caller === undefined ? load(hash, live) : Effect.succeedSome(caller)
    })
})
