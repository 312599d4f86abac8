import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Timestamp } from "../../src/clock/Timestamp.ts"
import type { KeyId } from "../../src/ids/Ids.ts"
import { IdentityStore } from "../../src/identity/IdentityStore.ts"
import { makeUses } from "../../src/identity/Uses.ts"

const key = "key_1" as KeyId

/** A store that takes its time to write the uses: it has them once `written` is done. */
const slowStore = Effect.gen(function* () {
  const stored: Array<KeyId> = []
  const started = Deferred.makeUnsafe<void>()
  const written = Deferred.makeUnsafe<void>()
  const touchKeys: IdentityStore["Service"]["touchKeys"] = (uses) =>
    Deferred.succeed(started, undefined).pipe(
      Effect.andThen(Deferred.await(written)),
      Effect.andThen(Effect.sync(() => void stored.push(...uses.map(([id]) => id))))
    )
  const store = yield* Effect.provide(IdentityStore, Layer.mock(IdentityStore)({ touchKeys }))
  return { started, store, stored, written }
})

it.effect("a use is written a second later, and one that is being written when the market closes is not lost", () =>
  Effect.gen(function* () {
    const { started, store, stored, written } = yield* slowStore
    const scope = yield* Scope.make()
    const { record: use } = yield* Scope.provide(makeUses(store.touchKeys), scope)
    use(key, 1 * Timestamp.second)
    yield* TestClock.adjust("1 second")
    yield* Deferred.await(started)
    const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
    yield* Deferred.succeed(written, undefined)
    yield* Fiber.join(closing)
    assert.deepStrictEqual(stored, [key])
  })
)

it.effect("a use counts while it is written: a session does not end between two uses of it (SESSION-8)", () =>
  Effect.gen(function* () {
    const { started, store, written } = yield* slowStore
    const { record: use, unstored } = yield* makeUses(store.touchKeys)
    use(key, 1 * Timestamp.second)
    yield* TestClock.adjust("1 second")
    yield* Deferred.await(started)
    assert.strictEqual(unstored(key), 1 * Timestamp.second)
    use(key, 2 * Timestamp.second)
    assert.strictEqual(unstored(key), 2 * Timestamp.second)
    yield* Deferred.succeed(written, undefined)
  })
)
