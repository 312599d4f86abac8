import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Mac } from "effect/crypto"
import * as fc from "fast-check"
import { createHmac } from "node:crypto"
import { NodeMac } from "../../src/webhooks/NodeMac.ts"

const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 })

describe("signing with kept keys", () => {
  it.effect("gives what Node gives for the bytes of the key, each time it is used", () =>
    Effect.gen(function* () {
      const mac = yield* Mac.Mac
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(bytes, fc.array(bytes, { minLength: 1, maxLength: 3 }), async (key, texts) => {
            const made = await Effect.runPromise(Mac.key(Mac.hmacSha256, key))
            for (const text of texts) {
              const tag = await Effect.runPromise(mac.sign(made, text))
              assert.deepStrictEqual([...tag], [...createHmac("sha256", key).update(text).digest()])
            }
          })
        )
      )
    }).pipe(Effect.provide(NodeMac.layer))
  )
})
