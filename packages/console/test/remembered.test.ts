import { assert, describe, it } from "vitest"
import { remembered } from "../web/shop/remembered.ts"

const counted = (bound: number) => {
  const computed: Array<string> = []
  const read = remembered((text) => {
    computed.push(text)
    return text.toUpperCase()
  }, bound)
  return { computed, read }
}

describe("formatted texts that are kept (SHOP-11)", () => {
  it("are computed once", () => {
    const { computed, read } = counted(100)
    assert.deepStrictEqual([read("a"), read("a"), read("__proto__"), read("a")], ["A", "A", "__PROTO__", "A"])
    assert.deepStrictEqual(computed, ["a", "__proto__"])
  })

  it("take no more than the bound; those unused for longest go first", () => {
    const { computed, read } = counted(8)
    for (const text of ["aa", "bb", "aa", "cc", "aa", "bb"]) read(text)
    assert.deepStrictEqual(computed, ["aa", "bb", "cc", "bb"])
    assert.strictEqual(read("longer than the bound"), "LONGER THAN THE BOUND")
    read("longer than the bound")
    assert.lengthOf(computed, 6)
  })
})
