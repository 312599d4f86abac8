import { Result } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { Base58 } from "../../src/chain/Base58.ts"

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text)

describe("Base58", () => {
  it.each([
    [ascii(""), ""],
    [ascii("Hello World!"), "2NEpo7TZRRrLZSi2U"],
    [
      ascii("The quick brown fox jumps over the lazy dog."),
      "USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z"
    ],
    [Uint8Array.from([0, 0, 0x28, 0x7f, 0xb4, 0xcd]), "11233QC4"],
    [new Uint8Array(3), "111"]
  ])("encodes %o as %s", (bytes, text) => {
    assert.strictEqual(Base58.encode(bytes), text)
    assert.deepStrictEqual(Base58.decode(text), Result.succeed(bytes))
  })

  it("decodes what it encoded, including leading zeros", () => {
    fc.assert(
      fc.property(fc.nat(5), fc.uint8Array({ maxLength: 60 }), (zeros, rest) => {
        const bytes = Uint8Array.from([...new Uint8Array(zeros), ...rest])
        assert.deepStrictEqual(Base58.decode(Base58.encode(bytes)), Result.succeed(bytes))
      })
    )
  })

  it("fails on characters outside the alphabet and on texts that are too long", () => {
    for (const text of ["0", "O", "I", "l", "a b", "é", "-", "a\n"]) {
      assert.deepStrictEqual(Base58.decode(text), Result.fail("must be base 58"))
    }
    assert.isTrue(Result.isFailure(Base58.decode("2".repeat(257))))
  })
})
