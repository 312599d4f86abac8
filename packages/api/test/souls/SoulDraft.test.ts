import { decodeSoulDraft } from "@agent-marketplace/api/souls/SoulDraft"
import { Usdt } from "@agent-marketplace/core/money/Usdt"
import { Result } from "effect"
import { assert, describe, it } from "vitest"

const content = "# SOUL\n\nYou review Rust."
const body = { name: "Rust Reviewer", description: "Reviews Rust code.", content }
const missing = "Missing required fields: name, description, content"
const format = "Invalid SOUL format - content should be a valid SOUL.md file"

const failure = (given: unknown): string | undefined => {
  const decoded = decodeSoulDraft(given)
  return Result.isFailure(decoded) ? decoded.failure.message : undefined
}

const draft = (given: unknown) => Result.getOrThrow(decodeSoulDraft(given))

describe("decodeSoulDraft", () => {
  it("applies defaults if neither body nor front matter has the field (SOUL-16, SOUL-17)", () => {
    assert.deepStrictEqual(draft(body), {
      ...body,
      price: Usdt.zero,
      category: "personas",
      tags: [],
      visibility: "public"
    })
  })

  it("takes the visibility that the body names (SOUL-31)", () => {
    assert.strictEqual(draft({ ...body, visibility: "private" }).visibility, "private")
    assert.strictEqual(failure({ ...body, visibility: "hidden" }), "visibility: must be one of: public, private")
  })

  it("trims name and description and keeps the content as it was sent", () => {
    const decoded = draft({ name: "  Rust Reviewer ", description: " Reviews Rust code.\n", content: `\n${content}\n` })
    assert.strictEqual(decoded.name, "Rust Reviewer")
    assert.strictEqual(decoded.description, "Reviews Rust code.")
    assert.strictEqual(decoded.content, `\n${content}\n`)
  })

  it.each([[{}], [null], [undefined], ["text"], [[]], [{ ...body, name: "" }], [{ ...body, content: null }]])(
    "refuses %j as lacking required fields; null and empty count as missing",
    (given) => assert.strictEqual(failure(given), missing)
  )

  it("checks required fields before field rules, and those before the SOUL format (SOUL-13, SOUL-24)", () => {
    assert.strictEqual(failure({ name: "x", content: "no soul" }), missing)
    assert.strictEqual(failure({ ...body, name: "x", content: "no soul" }), "name: must be 3 to 100 characters")
    assert.strictEqual(failure({ ...body, content: "no soul" }), format)
  })

  it.each([
    [{ name: 5 }, "name: must be a string"],
    [{ name: "x\0yz" }, "name: must not contain NUL or unpaired surrogates"],
    [{ description: "short" }, "description: must be 10 to 500 characters"],
    [{ content: `# SOUL${"x".repeat(500_000)}` }, "content: must be 1 to 500000 characters"],
    [{ price: -1 }, "price: must not be negative"],
    [{ price: 0.0000001 }, "price: must have at most 6 decimals"],
    [{ price: true }, "price: must be a number or a decimal string"],
    [{ category: "Not A Slug" }, "category: must be a lowercase, hyphenated slug of at most 50 characters"],
    [{ tags: "rust" }, "tags: must be a list"],
    [{ tags: ["x".repeat(41)] }, "tags: must be 1 to 40 characters"]
  ])("refuses %j with the field and its rule", (change, message) => {
    assert.strictEqual(failure({ ...body, ...change }), message)
  })

  it("counts code points (TEXT-1)", () => {
    assert.strictEqual(failure({ ...body, name: "🦀".repeat(100) }), undefined)
    assert.strictEqual(failure({ ...body, name: "🦀".repeat(101) }), "name: must be 3 to 100 characters")
  })

  const matter = (lines: string): string => `---\n${lines}\n---\n${content}`

  it("takes price, category and tags from the front matter if the body lacks them (SOUL-21)", () => {
    const given = { ...body, content: matter("price: 4.99\ncategory: soul-developer\ntags: [rust, review]") }
    const decoded = draft(given)
    assert.deepStrictEqual(
      [decoded.price, decoded.category, decoded.tags],
      [4_990_000n, "soul-developer", ["rust", "review"]]
    )
    const own = draft({ ...given, price: "1.50", category: "data", tags: [] })
    assert.deepStrictEqual([own.price, own.category, own.tags], [1_500_000n, "data", []])
    const nulls = draft({ ...given, price: null, category: null, tags: null })
    assert.deepStrictEqual(
      [nulls.price, nulls.category, nulls.tags],
      [4_990_000n, "soul-developer", ["rust", "review"]]
    )
  })

  it("applies the same rules to the front matter", () => {
    assert.strictEqual(failure({ ...body, content: matter("price: $5") }), "price: must be a plain decimal number")
    assert.match(failure({ ...body, content: matter("category: Big Data") }) ?? "", /^category: must be a lowercase/)
  })

  it("refuses a front matter block that is not a YAML mapping (SOUL-20)", () => {
    assert.strictEqual(failure({ ...body, content: matter("- a\n- b") }), format)
    assert.strictEqual(failure({ ...body, content: `---\nname: x\n${content}` }), format)
  })
})
