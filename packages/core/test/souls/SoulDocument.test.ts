import { Result } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { SoulDocument } from "../../src/souls/SoulDocument.ts"

const refused = Result.fail("format" as const)

const bare = Result.succeed({})

const withBlock = (block: string): string => `---\n${block}\n---\n# SOUL\n`

describe("SoulDocument (SOUL-19)", () => {
  it.each([
    "# SOUL",
    "# SOUL.md",
    "# SOUL: Ada",
    "# soul #",
    "#\tSoul ##",
    "   # SOUL",
    "intro\r\n\r\n## Identity\r\nI am.",
    "## Identity & Role",
    "## identity ##",
    "\uFEFF# SOUL",
    "```md\ntext\n```\n# SOUL",
    "~~~\n```\n~~~\n# SOUL",
    "``` inline ``` text\n# SOUL"
  ])("accepts %o", (content) => {
    assert.deepStrictEqual(SoulDocument.parse(content), bare)
  })

  it.each([
    "",
    "Just text about a SOUL",
    "#SOUL",
    "# Souls",
    "# My SOUL",
    "## SOUL",
    "### Identity",
    "# Identity",
    "## Core Identity",
    "## Identityless",
    "    # SOUL",
    "text # SOUL",
    "```\n# SOUL\n```",
    "~~~~\n# SOUL\n~~~\n## Identity",
    "---\nname: x\n# SOUL\n---\nno heading"
  ])("refuses %o", (content) => {
    assert.deepStrictEqual(SoulDocument.parse(content), refused)
  })

  it("reads the front matter", () => {
    const content = [
      "\uFEFF---",
      "name: Ada",
      'description: "A careful analyst"',
      "price: 9.99",
      "category: soul-analyst",
      "tags:",
      "  - data",
      "  - 2024",
      "author: Grace",
      "other: [1, 2]",
      "--- ",
      "",
      "# SOUL"
    ]
    for (const newline of ["\n", "\r\n", "\r"]) {
      assert.deepStrictEqual(
        SoulDocument.parse(content.join(newline)),
        Result.succeed({
          name: "Ada",
          description: "A careful analyst",
          author: "Grace",
          category: "soul-analyst",
          price: 9.99,
          tags: ["data", "2024"]
        })
      )
    }
  })

  it("omits null and unusable values, and returns a price as written", () => {
    assert.deepStrictEqual(SoulDocument.parse(withBlock("name: [a]\nprice: ~\ntags: {a: 1}\ncategory:")), bare)
    assert.deepStrictEqual(SoulDocument.parse(withBlock("price: [5]")), Result.succeed({ price: [5] }))
    assert.deepStrictEqual(SoulDocument.parse(withBlock('price: "5.00"')), Result.succeed({ price: "5.00" }))
    for (const block of ["price: 5.00000000000000000001", "{ name: x, 'price': 50000000.0000000001e-7 }"]) {
      const price = /[\d.e-]{5,}/.exec(block)?.[0]
      assert.strictEqual(Result.getOrThrow(SoulDocument.parse(withBlock(block))).price, price, "parsing would round it")
    }
    assert.deepStrictEqual(SoulDocument.parse(withBlock("price: 5.000000000")), Result.succeed({ price: 5 }))
    assert.deepStrictEqual(SoulDocument.parse(withBlock("tags: a, b")), Result.succeed({ tags: ["a", "b"] }))
  })

  it("reads an empty block as a mapping without fields", () => {
    assert.deepStrictEqual(SoulDocument.parse("---\n---\n# SOUL"), bare)
    assert.deepStrictEqual(SoulDocument.parse(withBlock("# a comment\n")), bare)
  })

  it.each([
    ["not closed", "---\nname: x\n# SOUL\n"],
    ["a list", withBlock("- a\n- b")],
    ["a scalar", withBlock("just text")],
    ["null", withBlock("null")],
    ["not YAML", withBlock("name: [a, b")],
    ["an open quote", withBlock('name: "x')],
    ["a key twice", withBlock("name: a\nname: b")],
    ["tabs", withBlock("name: x\n\ttags: y")],
    ["an unknown alias", withBlock("name: *nobody")],
    ["nested too deeply", withBlock(`a: ${"[".repeat(100)}${"]".repeat(100)}`)],
    ["deep enough to exhaust a stack", withBlock(`a: ${"[".repeat(16_000)}`)],
    ["too long", withBlock(`name: ${"x".repeat(20_000)}`)]
  ])("refuses a block that is %s (SOUL-20)", (_, content) => {
    assert.deepStrictEqual(SoulDocument.parse(content), refused)
  })

  it("does not expand aliases that refer to each other", () => {
    const lines = Array.from(
      { length: 60 },
      (_, i) =>
        `k${i}: &a${i} [${
          i === 0
            ? "x"
            : Array(8)
                .fill(`*a${i - 1}`)
                .join(", ")
        }]`
    )
    assert.deepStrictEqual(
      SoulDocument.parse(withBlock(`${lines.join("\n")}\nname: *a59\ntags: *a59`)),
      Result.succeed({ tags: [] })
    )
  })

  it("ignores keys that objects inherit", () => {
    assert.deepStrictEqual(SoulDocument.parse(withBlock("__proto__:\n  name: x\nconstructor: y")), bare)
  })

  it("never throws, and reads back what was written", () => {
    const word = fc.stringMatching(/^[a-z][a-z ]{0,20}[a-z]$/).filter((text) => !/^(null|true|false)$/.test(text))
    fc.assert(
      fc.property(word, word, fc.array(word, { maxLength: 5 }), (name, author, tags) => {
        const block = `name: ${name}\nauthor: '${author}'\ntags: ${JSON.stringify(tags)}`
        assert.deepStrictEqual(SoulDocument.parse(withBlock(block)), Result.succeed({ name, author, tags }))
      })
    )
    fc.assert(
      fc.property(fc.array(fc.constantFrom(..."-#:[]{}&*'\"|>\\ \n\tab1"), { maxLength: 80 }), (characters) => {
        const parsed = SoulDocument.parse(withBlock(characters.join("")))
        assert.isTrue(Result.isResult(parsed))
      }),
      { numRuns: 1000 }
    )
  })
})
