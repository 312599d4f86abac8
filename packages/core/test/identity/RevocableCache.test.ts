import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option, PubSub, Stream } from "effect"
import { makeRevocableCache } from "../../src/identity/RevocableCache.ts"

interface Known {
  readonly id: string
  readonly owner: string | null
}

/** A cache of records whose id is their hash and whose owner is its first letter, with the hashes that were read from the store. */
const makeCache = (find: (hash: string) => Effect.Effect<void> = () => Effect.void) =>
  Effect.gen(function* () {
    const read: Array<string> = []
    const changes = yield* PubSub.unbounded<string>()
    const cache = yield* makeRevocableCache<Known>({
      capacity: 1000,
      find: (hash) =>
        Effect.sync(() => {
          read.push(hash)
          return Option.some({ id: hash, owner: hash.at(0) ?? null })
        }).pipe(Effect.tap(() => find(hash))),
      changes: Stream.fromPubSub(changes),
      live: Effect.succeed(true),
      idsOf: ({ id, owner }) => [id, owner]
    })
    const evicted = yield* Effect.forkChild(Stream.runCollect(Stream.take(cache.evicted, 1)), {
      startImmediately: true
    })
    const change = (...ids: ReadonlyArray<string>) =>
      Effect.andThen(PubSub.publishAll(changes, ids), Effect.repeat(Effect.yieldNow, { times: 10 + ids.length }))
    /** Looks all of them up and returns those that were read from the store. */
    const lookUp = (hashes: ReadonlyArray<string>) =>
      Effect.map(
        Effect.forEach(hashes, (hash) => cache.find(hash), { discard: true }),
        () => read.splice(0)
      )
    return { change, evicted, lookUp }
  })

it.effect("a change evicts the records that it concerns and no others", () =>
  Effect.gen(function* () {
    const { change, evicted, lookUp } = yield* makeCache()
    assert.deepStrictEqual(yield* lookUp(["a1", "a2", "b1"]), ["a1", "a2", "b1"])
    assert.deepStrictEqual(yield* lookUp(["a1", "a2", "b1"]), [])
    yield* change("a2")
    assert.deepStrictEqual(yield* Fiber.join(evicted), ["a2"])
    assert.deepStrictEqual(yield* lookUp(["a1", "a2", "b1"]), ["a2"])
    assert.deepStrictEqual(yield* lookUp(["a1", "a2", "b1"]), [])
    yield* change("a")
    assert.deepStrictEqual(yield* lookUp(["a1", "a2", "b1"]), ["a1", "a2"])
    yield* change("*")
    assert.deepStrictEqual(yield* lookUp(["a1", "a2", "b1"]), ["a1", "a2", "b1"])
  })
)

it.effect("a record that changes while it is read is not cached", () =>
  Effect.gen(function* () {
    const reading = yield* Deferred.make<void>()
    const { change, lookUp } = yield* makeCache(() => Deferred.await(reading))
    const first = yield* Effect.forkChild(lookUp(["a1"]), { startImmediately: true })
    yield* change("a1")
    yield* Deferred.succeed(reading, undefined)
    yield* Fiber.join(first)
    assert.deepStrictEqual(yield* lookUp(["a1"]), ["a1"])
  })
)

it.effect("more changes than are remembered empty the cache", () =>
  Effect.gen(function* () {
    const { change, lookUp } = yield* makeCache()
    yield* lookUp(["a1", "b1"])
    yield* change("b1", ...Array.from({ length: 9999 }, (_, i) => `other${i}`))
    assert.deepStrictEqual(yield* lookUp(["a1", "b1"]), ["b1"])
    yield* change("another")
    assert.deepStrictEqual(yield* lookUp(["a1", "b1"]), ["a1", "b1"])
  })
)

it.effect("as many records as the capacity stay cached, those used last, and never more than twice as many", () =>
  Effect.gen(function* () {
    const { lookUp } = yield* makeCache()
    const hashes = Array.from({ length: 2500 }, (_, i) => `${i}`)
    const kept = hashes.slice(-1000)
    yield* lookUp(hashes)
    assert.deepStrictEqual(yield* lookUp(kept), [])
    const dropped = hashes.slice(0, 500)
    assert.deepStrictEqual(yield* lookUp(dropped), dropped)
  })
)
