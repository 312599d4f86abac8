import { Cache, Effect, Option, PubSub, Stream } from "effect"
import type { Scope } from "effect"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/** The maximum number of cached records; the least recently used one is evicted. */
const capacity = 50_000

/** Where the records come from, and the announcements of changes to them. */
export interface RevocableSource<A> {
  readonly find: (hash: string) => StoreEffect<Option.Option<A>>
  /** Ids whose records must be evicted; "*" means all. */
  readonly changes: Stream.Stream<string>
  readonly live: Effect.Effect<boolean>
  /** Whether a change of the record with this id affects the cached one. */
  readonly concerns: (record: A, id: string) => boolean
}

/** Looks up records by the hash of a secret. */
export interface RevocableCache<A> {
  readonly find: (hash: string) => StoreEffect<Option.Option<A>>
  /** Reads from the store even if the record is cached. */
  readonly reload: (hash: string) => StoreEffect<Option.Option<A>>
  /** The announced ids. Each is emitted after the affected records have left the cache. */
  readonly evicted: Stream.Stream<string>
}

/**
 * Caches records by the hash of a secret. A change that the store announces evicts every affected record immediately. While the store
 * cannot announce changes, nothing is cached. The cache does not load entries itself, because a running look-up may be older than a change.
 */
export const makeRevocableCache = Effect.fnUntraced(function* <A>({
  changes: announced,
  concerns,
  find,
  live: isLive
}: RevocableSource<A>): Effect.fn.Return<RevocableCache<A>, never, Scope.Scope> {
  const records = yield* Cache.make({ capacity, lookup: (_: string): Effect.Effect<A> => Effect.never })
  const evicted = yield* PubSub.unbounded<string>()
  let changes = 0

  const evict = Effect.fnUntraced(function* (id: string) {
    changes++
    if (id === "*") return yield* Cache.invalidateAll(records)
    for (const [hash, record] of yield* Cache.entries(records)) {
      if (concerns(record, id)) yield* Cache.invalidate(records, hash)
    }
  })
  const forget = (id: string) => Effect.andThen(evict(id), PubSub.publish(evicted, id))
  // Starts listening immediately: a change that is announced earlier would be missed.
  yield* Effect.forkScoped(Stream.runForEach(announced, forget), { startImmediately: true })

  const load = (hash: string, live: boolean) => {
    const before = changes
    return Effect.tap(find(hash), (found) =>
      live && changes === before && Option.isSome(found) ? Cache.set(records, hash, found.value) : Effect.void
    )
  }
  return {
    evicted: Stream.fromPubSub(evicted),
    reload: (hash) => Effect.flatMap(isLive, (live) => load(hash, live)),
    find: (hash) =>
      Effect.flatMap(isLive, (live) =>
        live
          ? Effect.flatMap(
              Cache.getSuccess(records, hash),
              Option.match({ onNone: () => load(hash, live), onSome: Effect.succeedSome })
            )
          : load(hash, live)
      )
  }
})
