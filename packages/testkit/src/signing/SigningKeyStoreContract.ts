import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { isUsedAfterRetirement } from "@agent-marketplace/core/signing/SigningKey"
import { SigningKeyStore } from "@agent-marketplace/core/signing/SigningKeyStore"
import { assert } from "@effect/vitest"
import type { Layer } from "effect"
import { Effect } from "effect"
import { storeSuite } from "../fixtures/storeSuite.ts"

const start = 1_700_000_000_000

/** The contract of `SigningKeyStore`. Its cases run in order on one store, because a market has only one current key. */
export const signingKeyStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: SigningKeyStore`, stores, (it) => {
    const draft = (keyId: string, at: number) => ({ keyId, publicKey: `public ${keyId}`, at, retireAt: at + 60_000 })

    it.effect("registers a key once, retires the one before it, and lists both, newest first (SIGN-4, SIGN-5)", () =>
      Effect.gen(function* () {
        const { list, register } = yield* SigningKeyStore
        const first = { keyId: "first", publicKey: "public first", createdAt: start, retiredAt: null, seenAt: start }
        assert.deepStrictEqual(yield* register(draft("first", start)), first)
        assert.deepStrictEqual(yield* register(draft("first", start + 5)), first, "the same key at a restart")
        assert.deepStrictEqual(yield* list, [first])
        const second = yield* register(draft("second", start + 10))
        assert.strictEqual(second.retiredAt, null)
        const retired = { ...first, retiredAt: start + 60_010 }
        assert.deepStrictEqual(yield* list, [second, retired])
        assert.deepStrictEqual(yield* register(draft("first", start + 20)), retired, "it stays retired")
        assert.deepStrictEqual(yield* list, [second, retired], "and retires no other")
      })
    )

    it.effect("keeps the last time at which a process used a key (SIGN-7)", () =>
      Effect.gen(function* () {
        const { list, seen } = yield* SigningKeyStore
        yield* seen("first", start + 90_000)
        yield* seen("first", start + 70_000)
        yield* seen("unknown", start)
        const [second, first] = yield* list
        assert.strictEqual(first?.seenAt, start + 90_000)
        assert.strictEqual(second?.seenAt, start + 10)
        assert.isTrue(first !== undefined && isUsedAfterRetirement(first, start + 100_000))
        assert.isFalse(first !== undefined && isUsedAfterRetirement(first, start + 300_000), "the process has ended")
        assert.isFalse(second !== undefined && isUsedAfterRetirement(second, start + 10))
      })
    )

    it.effect("of 10 keys that are registered at once exactly one remains current (SIGN-5)", () =>
      Effect.gen(function* () {
        const { list, register } = yield* SigningKeyStore
        const ids = Array.from({ length: 10 }, (_, index) => `at once ${index}`)
        yield* Effect.forEach(ids, (id) => register(draft(id, start + 200_000)), { concurrency: "unbounded" })
        const keys = yield* list
        assert.lengthOf(keys, 12)
        assert.deepStrictEqual(
          keys.filter(({ retiredAt }) => retiredAt === null),
          keys.slice(0, 1),
          "the last one"
        )
      })
    )
  })
