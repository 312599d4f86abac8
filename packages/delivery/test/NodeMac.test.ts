import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Mac } from "effect/crypto"
import * as fc from "fast-check"
import { createHmac } from "node:crypto"
import { NodeMac } from "../src/NodeMac.ts"

const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 })

const tagsOf = (key: Uint8Array, texts: ReadonlyArray<Uint8Array>) =>
  Effect.gen(function* () {
    const mac = yield* Mac.Mac
    const made = yield* Mac.key(Mac.hmacSha256, key)
    return yield* Effect.forEach(texts, (text) => mac.sign(made, text))
  }).pipe(Effect.provide(NodeMac.layer), Effect.runPromise)

describe("signing with cached keys", () => {
  it("returns Node's own HMAC for the bytes of the key, on every use", () =>
    fc.assert(
      fc.asyncProperty(bytes, fc.array(bytes, { minLength: 1, maxLength: 3 }), async (key, texts) => {
        const tags = await tagsOf(key, texts)
        const expected = texts.map((text) => [...createHmac("sha256", key).update(text).digest()])
        assert.deepStrictEqual(
          tags.map((tag) => [...tag]),
          expected
        )
      })
    ))
})
