import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SecureRandom, WebCrypto } from "effect/crypto"
import { TestClock } from "effect/testing"
import { idGenerator } from "../../src/ids/Ids.ts"

/** Every draw continues where the last one ended, so that a repeated byte is visible. */
const counting = () => {
  let next = 0
  const getRandomValues = <T extends ArrayBufferView>(view: T): T => {
    const words = new DataView(view.buffer, view.byteOffset, view.byteLength)
    for (let at = 0; at + 4 <= view.byteLength; at += 4) words.setUint32(at, next++)
    return view
  }
  const crypto = { getRandomValues, subtle: globalThis.crypto.subtle } as unknown as Crypto
  return Layer.fresh(SecureRandom.layerWebCrypto).pipe(Layer.provide(WebCrypto.layer(crypto)))
}

const wordsOf = (bytes: Uint8Array): ReadonlyArray<number> =>
  Array.from({ length: bytes.length / 4 }, (_, i) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(4 * i))

describe("idGenerator", () => {
  it.effect("no random byte is used twice, also under concurrency and for any number of bytes", () =>
    Effect.gen(function* () {
      const ids = yield* idGenerator
      const lengths = Array.from({ length: 500 }, (_, i) => 4 * (i % 300))
      const given = yield* Effect.forEach(lengths, (length) => Effect.andThen(Effect.yieldNow, ids.bytes(length)), {
        concurrency: 10
      })
      assert.deepStrictEqual(
        given.map((bytes) => bytes.length),
        lengths
      )
      const words = given.flatMap(wordsOf)
      assert.strictEqual(new Set(words).size, words.length)
    }).pipe(Effect.provide(counting()))
  )

  it.effect("returned bytes do not change afterwards", () =>
    Effect.gen(function* () {
      const ids = yield* idGenerator
      const first = yield* ids.bytes(16)
      const kept = [...first]
      for (let i = 0; i < 200; i++) yield* ids.bytes(16)
      assert.deepStrictEqual([...first], kept)
    }).pipe(Effect.provide(counting()))
  )

  it.effect("ids with one prefix sort by the time of their creation", () =>
    Effect.gen(function* () {
      const ids = yield* idGenerator
      const made: Array<string> = []
      for (let i = 0; i < 50; i++) {
        made.push(yield* ids.make("listing"))
        yield* TestClock.adjust("1 second")
      }
      assert.deepStrictEqual(made.toSorted(), made)
      assert.isTrue(made.every((id) => /^lst_[0-9a-z]{25}$/.test(id)))
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto))
  )
})
