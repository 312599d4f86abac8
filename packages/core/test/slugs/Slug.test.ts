import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { Slug } from "../../src/slugs/Slug.ts"

const shape = /^[a-z0-9]+(-[a-z0-9]+)*$/

describe("Slug (TEXT-5, TEXT-7, TEXT-8)", () => {
  it.each([
    ["Code Review Pro", "code-review-pro"],
    ["  --Ada   Lovelace!!  ", "ada-lovelace"],
    ["Café Société", "cafe-societe"],
    ["Straße ẞ", "strasse-ss"],
    ["Ærøskøbing Łódź Đà Nẵng", "aeroskobing-lodz-da-nang"],
    ["İstanbul ılık", "istanbul-ilik"],
    ["ﬁne ＦＵＬＬ ①", "fine-full-1"],
    ["C++ & C#", "c-c"],
    ["日本語 🎉", ""],
    ["Node 日本 24", "node-24"]
  ])("of(%o) is %o", (name, slug) => {
    assert.strictEqual(Slug.of(name), slug)
  })

  it("is empty or lower case words of at most 100 characters with single hyphens between", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.lorem({ maxCount: 40 })), (name) => {
        const slug = Slug.of(name)
        assert.isTrue(slug === "" || shape.test(slug), slug)
        assert.isAtMost(slug.length, 100)
        assert.strictEqual(Slug.of(slug), slug)
      })
    )
  })

  it("uses the prefix and the random characters if the name has no letters for a slug", () => {
    assert.deepStrictEqual(Slug.base("魂", "soul", "a1b2c3d4"), { base: "soul-a1b2c3d4", reserved: false })
    assert.deepStrictEqual(Slug.base("🎉", "skill", "a1b2c3d4"), { base: "skill-a1b2c3d4", reserved: false })
  })

  it("requires a suffix for words that are routes", () => {
    for (const word of ["create", "New", "me", "Search", "download", "reviews"]) {
      assert.deepStrictEqual(Slug.base(word, "soul", "a1b2c3d4"), { base: word.toLowerCase(), reserved: true })
    }
    assert.isFalse(Slug.base("Create more", "soul", "a1b2c3d4").reserved)
  })

  it("stays within 100 characters with its suffix, which is never lost", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z0-9]{1,99}(-[a-z0-9]{1,9}){0,5}$/),
        fc.integer({ min: 2, max: 10 ** 9 }),
        (base, n) => {
          const slug = Slug.withSuffix(Slug.of(base), n)
          assert.match(slug, shape)
          assert.isAtMost(slug.length, 100)
          assert.isTrue(slug.endsWith(`-${n}`))
        }
      )
    )
    assert.strictEqual(Slug.withSuffix("ada", 2), "ada-2")
  })

  it("accepts any slug of at most 50 characters as a category", () => {
    for (const value of ["personas", "soul-developer", "a".repeat(50)]) assert.isTrue(Slug.isCategory(value), value)
    for (const value of ["", "A", "-a", "a-", "a--b", "a b", "a_b", "é", "a\n", "a".repeat(51)]) {
      assert.isFalse(Slug.isCategory(value), value)
    }
  })
})
