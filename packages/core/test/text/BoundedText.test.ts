import { Result, Schema, SchemaIssue } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { boundedText } from "../../src/text/BoundedText.ts"

const name = boundedText({ min: 3, max: 10 })

const messages = (schema: Schema.ConstraintDecoder<unknown>, input: unknown): ReadonlyArray<string> =>
  Result.match(Schema.decodeUnknownResult(schema)(input, { errors: "all" }), {
    onSuccess: () => [],
    onFailure: (error) => SchemaIssue.makeFormatterStandardSchemaV1()(error.issue).issues.map(({ message }) => message)
  })

describe("boundedText (TEXT-1)", () => {
  it("trims, then counts code points", () => {
    const decode = Schema.decodeUnknownSync(name)
    assert.strictEqual(decode("  Ada\n"), "Ada")
    assert.strictEqual(decode("🦀".repeat(10)), "🦀".repeat(10))
    assert.deepStrictEqual(messages(name, " ab  "), ["must be 3 to 10 characters"])
    assert.deepStrictEqual(messages(name, "🦀".repeat(11)), ["must be 3 to 10 characters"])
  })

  it("accepts exactly the clean texts whose trimmed length is within the bounds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 14 }), (text) => {
        const length = [...text.trim()].length
        const clean = !text.includes("\0")
        assert.strictEqual(messages(name, text).length === 0, length >= 3 && length <= 10 && clean)
      })
    )
  })

  it("reports every broken rule", () => {
    assert.deepStrictEqual(messages(name, "a\0"), [
      "must be 3 to 10 characters",
      "must not contain NUL or unpaired surrogates"
    ])
    assert.deepStrictEqual(messages(name, "abc\ud800"), ["must not contain NUL or unpaired surrogates"])
    assert.deepStrictEqual(messages(boundedText({ min: 0, max: 2 }), "abc"), ["must be at most 2 characters"])
    assert.deepStrictEqual(messages(boundedText({ min: 2, max: 2 }), "abc"), ["must be 2 characters"])
    for (const other of [1, null, [], {}, true]) assert.deepStrictEqual(messages(name, other), ["must be a string"])
    assert.deepStrictEqual(messages(Schema.Struct({ name, other: name }), {}), ["is required", "is required"])
  })

  it("states its bounds in JSON Schema", () => {
    assert.deepStrictEqual(Schema.toJsonSchemaDocument(name).schema, { type: "string", minLength: 3, maxLength: 10 })
    assert.deepStrictEqual(Schema.toJsonSchemaDocument(boundedText({ min: 0, max: 5 })).schema, {
      type: "string",
      maxLength: 5
    })
  })
})
