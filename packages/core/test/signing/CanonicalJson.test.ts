import type { Json } from "@agent-marketplace/core/signing/CanonicalJson"
import { canonicalJson } from "@agent-marketplace/core/signing/CanonicalJson"
import { Result } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

const canonical = (value: Json): string => Result.getOrThrow(canonicalJson(value))

const numberOf = (hex: string): number => Buffer.from(hex, "hex").readDoubleBE()

/** RFC 8785, appendix B: the bits of a number, and its text. */
const numbers: ReadonlyArray<readonly [bits: string, text: string]> = [
  ["0000000000000000", "0"],
  ["8000000000000000", "0"],
  ["0000000000000001", "5e-324"],
  ["8000000000000001", "-5e-324"],
  ["7fefffffffffffff", "1.7976931348623157e+308"],
  ["ffefffffffffffff", "-1.7976931348623157e+308"],
  ["4340000000000000", "9007199254740992"],
  ["c340000000000000", "-9007199254740992"],
  ["4430000000000000", "295147905179352830000"],
  ["44b52d02c7e14af5", "9.999999999999997e+22"],
  ["44b52d02c7e14af6", "1e+23"],
  ["44b52d02c7e14af7", "1.0000000000000001e+23"],
  ["444b1ae4d6e2ef4e", "999999999999999700000"],
  ["444b1ae4d6e2ef4f", "999999999999999900000"],
  ["444b1ae4d6e2ef50", "1e+21"],
  ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
  ["3eb0c6f7a0b5ed8d", "0.000001"],
  ["41b3de4355555553", "333333333.3333332"],
  ["41b3de4355555554", "333333333.33333325"],
  ["41b3de4355555555", "333333333.3333333"],
  ["41b3de4355555556", "333333333.3333334"],
  ["41b3de4355555557", "333333333.33333343"],
  ["becbf647612f3696", "-0.0000033333333333333333"],
  ["43143ff3c1cb0959", "1424953923781206.2"]
]

/** The same value with the fields of each object in another order. */
const shuffled = (value: Json): Json => {
  if (value === null || typeof value !== "object") return value
  if (Array.isArray(value)) return value.map(shuffled)
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, field]) => [name, shuffled(field)])
  )
}

const wellFormed = fc.string({ unit: "binary" })

const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    wellFormed,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(wellFormed, tie("value"), { maxKeys: 5 })
  )
})).value

describe("canonical JSON (SIGN-2)", () => {
  it("writes the example of RFC 8785, 3.2.2", () => {
    const value = JSON.parse(
      String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],` +
        String.raw`"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`
    ) as Json
    assert.strictEqual(
      canonical(value),
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`
    )
  })

  it("sorts names by UTF-16 code units, as the example of RFC 8785, 3.2.3", () => {
    const names = ["\u20ac", "\r", "\ufb33", "1", "\u{1f600}", "\u0080", "\u00f6"]
    assert.strictEqual(
      canonical(Object.fromEntries(names.map((name) => [name, 0]))),
      `{"\\r":0,"1":0,"\u0080":0,"\u00f6":0,"\u20ac":0,"\u{1f600}":0,"\ufb33":0}`
    )
  })

  for (const [bits, text] of numbers)
    it(`writes the number with the bits ${bits} as ${text}`, () => {
      assert.strictEqual(canonical(numberOf(bits)), text)
    })

  it("refuses numbers and texts that have no canonical form, and says where they are", () => {
    const failures: ReadonlyArray<readonly [Json, RegExp]> = [
      [numberOf("7fffffffffffffff"), /^\$ is a number/],
      [{ a: [numberOf("7ff0000000000000")] }, /^\$\.a\.0 is a number/],
      [{ a: "\ud800" }, /^\$\.a contains an unpaired surrogate/],
      [{ "\udc00": 1 }, /^a name in \$ contains an unpaired surrogate/]
    ]
    for (const [value, reason] of failures)
      assert.match(
        Result.match(canonicalJson(value), { onSuccess: (text) => text, onFailure: (fault) => fault }),
        reason
      )
  })

  it("keeps the value, is the same for every order of fields, and is its own canonical form", () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonical(value)
        const read = JSON.parse(text) as Json
        assert.strictEqual(text, canonical(shuffled(value)))
        assert.strictEqual(text, canonical(read))
        assert.deepEqual(read, JSON.parse(JSON.stringify(value)))
      })
    )
  })
})
