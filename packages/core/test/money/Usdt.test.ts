import { Result, Schema, SchemaIssue } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { Usdt, UsdtInput } from "../../src/money/Usdt.ts"

const amount = fc.bigInt({ min: 0n, max: Usdt.max })

const refusals: ReadonlyArray<readonly [unknown, string]> = [
  [1e-7, "must have at most 6 decimals"],
  [0.1 + 0.2, "must have at most 6 decimals"],
  ["1.0000000", "must have at most 6 decimals"],
  [-1, "must not be negative"],
  [-0, "must not be negative"],
  ["-0", "must not be negative"],
  ["-0.00", "must not be negative"],
  [Number.NaN, "must be a finite number"],
  [Number.POSITIVE_INFINITY, "must be a finite number"],
  [1_000_000_001, "must be at most 1000000000"],
  [1e21, "must be at most 1000000000"],
  ["1000000000.000001", "must be at most 1000000000"],
  ["0".repeat(33), "must have at most 32 characters"],
  ...["", " ", "1 ", " 1", "1e3", "0x10", "+1", ".5", "5.", "1,5", "1_0", "NaN", "Infinity", "١"].map(
    (text) => [text, "must be a plain decimal number"] as const
  ),
  ...[null, undefined, true, 1n, [], {}, ["1"], new Date(0)].map(
    (other) => [other, "must be a number or a decimal string"] as const
  )
]

describe("Usdt (MONEY-1, MONEY-2, MONEY-3)", () => {
  it("formats with 2 to 6 decimals and no trailing zeros past the second", () => {
    assert.strictEqual(Usdt.format(12_500_000n), "12.50")
    assert.strictEqual(Usdt.format(1n), "0.000001")
    assert.strictEqual(Usdt.format(0n), "0.00")
    assert.strictEqual(Usdt.format(-10_000_000n), "-10.00")
    assert.strictEqual(Usdt.format(1_234_500n), "1.2345")
    assert.strictEqual(Usdt.withCurrency(12_500_000n), "12.50 USDT")
  })

  it("parses every amount from its text and from its number", () => {
    fc.assert(
      fc.property(amount, (units) => {
        assert.deepStrictEqual(Usdt.parse(Usdt.format(units)), Result.succeed(Usdt.of(units)))
        assert.deepStrictEqual(Usdt.parse(Usdt.toNumber(units)), Result.succeed(Usdt.of(units)))
        assert.match(Usdt.format(units), /^\d+\.\d\d(\d{0,3}[1-9])?$/)
      })
    )
  })

  it("never formats a sum of signed amounts as anything but the exact sum", () => {
    const signed = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n })
    fc.assert(
      fc.property(signed, (units) => {
        const [, sign, whole = "", fraction = ""] = /^(-?)(\d+)\.(\d{2,6})$/.exec(Usdt.format(units)) ?? []
        const magnitude = BigInt(whole + fraction.padEnd(6, "0"))
        assert.strictEqual(sign === "-" ? -magnitude : magnitude, units)
        assert.strictEqual(Usdt.toNumber(units), Number(Usdt.format(units)))
      })
    )
  })

  it("reads a number by its shortest decimal text", () => {
    assert.deepStrictEqual(Usdt.parse(1e3), Result.succeed(Usdt.of(1_000_000_000n)))
    assert.deepStrictEqual(Usdt.parse(0.1), Result.succeed(Usdt.of(100_000n)))
    assert.deepStrictEqual(Usdt.parse(0.000001), Result.succeed(Usdt.of(1n)))
    assert.deepStrictEqual(Usdt.parse(1e9), Result.succeed(Usdt.max))
    assert.deepStrictEqual(Usdt.parse("1.5"), Usdt.parse("1.50"))
  })

  it.each(refusals)("refuses %o: %s", (input, message) => {
    assert.deepStrictEqual(Usdt.parse(input), Result.fail(message))
  })

  it("never throws and never returns an amount out of range", () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.double(), fc.stringMatching(/^-?\d{0,12}\.?\d{0,8}$/)), (input) => {
        const parsed = Usdt.parse(input)
        if (Result.isSuccess(parsed)) assert.isTrue(parsed.success >= 0n && parsed.success <= Usdt.max)
      })
    )
  })
})

describe("UsdtInput (MONEY-4, MONEY-5)", () => {
  const Order = Schema.Struct({ price: UsdtInput, limit: UsdtInput })

  const messages = (input: unknown): ReadonlyArray<string> =>
    Result.match(Schema.decodeUnknownResult(Order)(input, { errors: "all" }), {
      onSuccess: () => [],
      onFailure: (error) =>
        SchemaIssue.makeFormatterStandardSchemaV1()(error.issue).issues.map(
          ({ path, message }) => `${path?.join(".")}: ${message}`
        )
    })

  it("decodes numbers and strings, encodes as the wire string", () => {
    assert.deepStrictEqual(Schema.decodeSync(Order)({ price: 12.5, limit: "0.000001" }), {
      price: Usdt.of(12_500_000n),
      limit: Usdt.of(1n)
    })
    assert.strictEqual(Schema.encodeSync(UsdtInput)(Usdt.of(12_500_000n)), "12.50")
  })

  it("reports every broken rule together", () => {
    assert.deepStrictEqual(messages({ price: "1.1234567", limit: -1 }), [
      "price: must have at most 6 decimals",
      "limit: must not be negative"
    ])
    assert.deepStrictEqual(messages({ price: true, limit: Number.POSITIVE_INFINITY }), [
      "price: must be a number or a decimal string",
      "limit: must be a finite number"
    ])
    assert.deepStrictEqual(messages({}), ["price: is required", "limit: is required"])
  })

  it("is a number or a string in JSON Schema", () => {
    const { schema } = Schema.toJsonSchemaDocument(UsdtInput)
    assert.deepStrictEqual(
      (schema.oneOf as ReadonlyArray<{ type: string }>).map(({ type }) => type),
      ["number", "string"]
    )
  })
})
