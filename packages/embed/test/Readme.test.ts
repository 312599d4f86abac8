import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { operatorOperations } from "../src/operator/operatorOperations.ts"

describe("the README", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")

  it("lists every operation of the operator, and no other", () => {
    const [section = ""] = (readme.split("## The operator")[1] ?? "").split("\n## ")
    const rows = [...section.matchAll(/^\| `(\w+)` +\| ((?:`\w+`(?:, )?)+)(?::[^|]*)? *\|$/gm)]
    const listed = Object.fromEntries(
      rows.map(([, group = "", names = ""]) => [group, names.replaceAll("`", "").trim().split(", ").toSorted()])
    )
    const made = Object.fromEntries(
      Object.entries(operatorOperations).map(([group, table]) => [
        group,
        Object.keys(table)
          .filter((name) => !name.startsWith("iterate"))
          .toSorted()
      ])
    )
    assert.deepStrictEqual(listed, made)
  })
})
