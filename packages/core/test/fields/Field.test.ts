import { assert, describe, it } from "vitest"
import { Schema } from "effect"
import type { Fields } from "../../src/fields/Field.ts"
import { defaultsOf, FieldType, outputOf } from "../../src/fields/Field.ts"
import { Usdt } from "../../src/money/Usdt.ts"

const fields = {
  name: { type: FieldType.text(), output: { shop: { at: "item", as: "title", description: "", example: "" } } },
  price: {
    type: FieldType.amount,
    output: {
      shop: { at: "item", description: "", example: "" },
      till: { at: "item", format: "number", description: "", example: 1 }
    }
  },
  soldAt: {
    type: FieldType.orNull(FieldType.time),
    absent: null,
    output: { shop: { at: "detail", description: "", example: "" } }
  },
  unit: {
    type: FieldType.text(),
    absent: "piece",
    input: { till: { schema: Schema.String, absent: "gram", description: "", example: "" } }
  },
  secret: {
    type: FieldType.text(),
    output: { shop: { at: "detail", guarded: true, description: "", example: "" } }
  }
} as const satisfies Fields

const record = { name: "Salt", price: Usdt.of(1_500_000n), soldAt: 0, unit: "gram", secret: "s" }

describe("the JSON of a record for a face", () => {
  it("has the face's fields and names, amounts as texts or numbers, and times in ISO 8601", () => {
    assert.deepStrictEqual(outputOf(fields, "shop", "item")(record), { title: "Salt", price: "1.50" })
    assert.deepStrictEqual(outputOf(fields, "till", "item")(record), { price: 1.5 })
    assert.deepStrictEqual(outputOf(fields, "shop", "detail")(record), {
      title: "Salt",
      price: "1.50",
      soldAt: "1970-01-01T00:00:00.000Z"
    })
    assert.isNull(outputOf(fields, "shop", "detail")({ ...record, soldAt: null }).soldAt)
  })

  it("has guarded fields only if they are requested", () => {
    assert.strictEqual(outputOf(fields, "shop", "detail", { guarded: true })(record).secret, "s")
    assert.notProperty(outputOf(fields, "shop", "detail")(record), "secret")
  })
})

it("a new record has the fields' defaults, or the face's own", () => {
  assert.deepStrictEqual(defaultsOf(fields), { soldAt: null, unit: "piece" })
  assert.deepStrictEqual(defaultsOf(fields, "till"), { soldAt: null, unit: "gram" })
})
