import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"

const page = new URL("../../../../docs/security/attacks.md", import.meta.url)

/** The rows of all tables, without the two lines of their headers. */
const rows = readFileSync(page, "utf8")
  .split("\n## ")
  .flatMap((section) =>
    section
      .split("\n")
      .filter((line) => line.startsWith("| "))
      .slice(2)
  )

describe("docs/security/attacks.md", () => {
  it("names a test for each attack, race and fault, and each of these tests exists", () => {
    assert.isAbove(rows.length, 62)
    const missing = rows.flatMap((row) => {
      const [, path = "", code, text = code] = /\]\(([^)]+)\): (?:`` (.+) ``|`([^`]+)`) *\|$/.exec(row) ?? []
      if (text === undefined) return [row]
      return readFileSync(new URL(path, page), "utf8").includes(text) ? [] : [`${path}: ${text}`]
    })
    assert.deepStrictEqual(missing, [])
  })
})
