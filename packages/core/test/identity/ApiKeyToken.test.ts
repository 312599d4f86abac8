import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { ApiKeyToken } from "../../src/identity/ApiKeyToken.ts"

const random = fc.uint8Array({ minLength: 24, maxLength: 40 })

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

describe("ApiKeyToken (KEY-12)", () => {
  it("makes well-formed tokens of one length that start with amk_", () => {
    fc.assert(
      fc.property(random, (bytes) => {
        const token = ApiKeyToken.make(bytes)
        assert.match(token, /^amk_[0-9A-Za-z]{39}$/)
        assert.isTrue(ApiKeyToken.isWellFormed(token))
        assert.strictEqual(ApiKeyToken.prefixOf(token), token.slice(0, 12))
      })
    )
    assert.isTrue(ApiKeyToken.isWellFormed(ApiKeyToken.make(new Uint8Array(24))))
    assert.isTrue(ApiKeyToken.isWellFormed(ApiKeyToken.make(new Uint8Array(24).fill(255))))
  })

  it("uses each of the 192 random bits", () => {
    const bytes = fc.uint8Array({ minLength: 24, maxLength: 24 })
    fc.assert(
      fc.property(bytes, fc.nat(191), (one, bit) => {
        const other = Uint8Array.from(one)
        other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        assert.notStrictEqual(ApiKeyToken.make(one), ApiKeyToken.make(other))
      })
    )
  })

  it("refuses any single wrong character", () => {
    fc.assert(
      fc.property(random, fc.nat(42), fc.constantFrom(...digits), (bytes, at, digit) => {
        const token = ApiKeyToken.make(bytes)
        fc.pre(token[at] !== digit)
        assert.isFalse(ApiKeyToken.isWellFormed(token.slice(0, at) + digit + token.slice(at + 1)))
      })
    )
  })

  it("refuses two exchanged neighbouring characters", () => {
    fc.assert(
      fc.property(random, fc.integer({ min: 4, max: 35 }), (bytes, at) => {
        const token = ApiKeyToken.make(bytes)
        const [first = "", second = ""] = token.slice(at, at + 2)
        fc.pre(first !== second)
        assert.isFalse(ApiKeyToken.isWellFormed(token.slice(0, at) + second + first + token.slice(at + 2)))
      })
    )
  })

  it("refuses all other texts", () => {
    const token = ApiKeyToken.make(new Uint8Array(24))
    for (const text of [
      "",
      "amk_",
      token + "0",
      token.slice(0, -1),
      ` ${token}`,
      `${token}\n`,
      token.replace("amk", "AMK")
    ]) {
      assert.isFalse(ApiKeyToken.isWellFormed(text), text)
    }
    fc.assert(fc.property(fc.string(), (text) => assert.isFalse(ApiKeyToken.isWellFormed(text))))
  })
})
