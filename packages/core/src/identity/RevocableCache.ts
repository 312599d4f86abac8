import { Effect, Option, PubSub, Stream } from "effect"
import type { Scope } from "effect"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/** How many changed ids are remembered. With more, the cache is emptied. */
const maxChanges = 10_000

/** Where the records come from, and the announcements of changes to them. */
export interface RevocableSource<A> {
  /** At least this many of the most recently used records stay cached, and at most twice as many. */
  readonly capacity: number
  readonly find: (hash: string) => StoreEffect<Option.Option<A>>
  /** Ids whose records must be evicted; "*" means all. */
  readonly changes: Stream.Stream<string>
  readonly live: Effect.Effect<boolean>
  /** The ids whose changes affect the record. */
  readonly idsOf: (record: A) => ReadonlyArray<string | null>
}

/** Looks up records by the hash of a secret. */
export interface RevocableCache<A> {
  readonly find: (hash: string) => StoreEffect<Option.Option<A>>
  /** Reads from the store even if the record is cached. */
  readonly reload: (hash: string) => StoreEffect<Option.Option<A>>
  /** The announced ids. Each is emitted after the affected records have left the cache. */
  readonly evicted: Stream.Stream<string>
}

interface Cached<A> {
  readonly record: A
  /** The sequence number of the last change before the record was read. */
  readonly readAt: number
}

/** The most recently used records, by hash. A change only records its id; records that it affects are ignored when they are looked up. */
const makeRecords = <A>({ capacity, idsOf }: Pick<RevocableSource<A>, "capacity" | "idsOf">) => {
  // `young` receives the records that are used. When it is full it becomes `old`, and the previous `old` is dropped.
  let young = new Map<string, Cached<A>>()
  let old = young
  /** The sequence number of the last change of each id. */
  let changed = new Map<string, number>()
  let changes = 0

  const clear = (): void => {
    young = new Map()
    old = young
    changed = new Map()
  }
  const isCurrent = ({ readAt, record }: Cached<A>): boolean =>
    changed.size === 0 || idsOf(record).every((id) => id === null || (changed.get(id) ?? 0) <= readAt)
  const set = (hash: string, cached: Cached<A>): void => {
    if (young.size >= capacity) {
      old = young
      young = new Map()
    }
    young.set(hash, cached)
  }
  return {
    changes: () => changes,
    set,
    get: (hash: string): A | undefined => {
      const known = young.get(hash)
      const cached = known ?? old.get(hash)
      if (cached === undefined) return undefined
      if (!isCurrent(cached)) {
        young.delete(hash)
        old.delete(hash)
        return undefined
      }
      if (known === undefined) set(hash, cached)
      return cached.record
    },
    evict: (id: string): void => {
      changes++
      changed.set(id, changes)
      if (id === "*" || changed.size > maxChanges) clear()
    }
  }
}

/**
 * Caches records by the hash of a secret. After a change that the store announces, no affected record is returned. While the store
 * cannot announce changes, nothing is cached. The cache does not load entries itself, because a running look-up may be older than a change.
 */
export const makeRevocableCache = Effect.fnUntraced(function* <A>({
  capacity,
  changes: announced,
  find,
  idsOf,
  live: isLive
}: RevocableSource<A>): Effect.fn.Return<RevocableCache<A>, never, Scope.Scope> {
  const records = makeRecords({ capacity, idsOf })
  const evicted = yield* PubSub.unbounded<string>()

  const forget = (id: string) =>
    Effect.suspend(() => {
      records.evict(id)
      return PubSub.publish(evicted, id)
    })
  // Starts listening immediately: a change that is announced earlier would be missed.
  yield* Effect.forkScoped(Stream.runForEach(announced, forget), { startImmediately: true })

  const load = (hash: string, live: boolean) => {
    const before = records.changes()
    return Effect.map(find(hash), (found) => {
      if (live && records.changes() === before && Option.isSome(found))
        records.set(hash, { record: found.value, readAt: before })
      return found
    })
  }
  return {
    evicted: Stream.fromPubSub(evicted),
    reload: (hash) => Effect.flatMap(isLive, (live) => load(hash, live)),
    find: (hash) =>
      Effect.flatMap(isLive, (live) => {
        const record = live ? records.get(hash) : undefined
        return record === undefined ? load(hash, live) : Effect.succeedSome(record)
      })
  }
})
