import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { StoredJson } from "../src/StoredJson.ts"

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.bigInt(),
    fc.boolean(),
    fc.constant(null),
    fc.double().map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.uint8Array(),
    fc.array(tie("any")),
    fc.array(fc.tuple(fc.string(), tie("any"))).map((entries) => new Map(entries)),
    fc.dictionary(
      fc.oneof(
        fc.string().filter((key) => key !== "__proto__"),
        fc.constantFrom("$integer", "$$integer", "$number", "$bytes", "$map", "$")
      ),
      tie("any"),
      { noNullPrototype: true }
    )
  )
})).any

describe("StoredJson", () => {
  it("returns every value of a record as it was stored", () => {
    fc.assert(fc.property(value, (each) => assert.deepStrictEqual(StoredJson.parse(StoredJson.stringify(each)), each)))
  })

  it("refuses what it cannot return", () => {
    for (const each of [new Date(0), new Set(), () => 1, Symbol("s"), { at: new Set() }])
      assert.throws(() => StoredJson.stringify(each), /which the file cannot hold/)
  })
})
