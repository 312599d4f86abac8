import { operations } from "@agent-marketplace/client/operations/operations"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"

interface Table {
  readonly [name: string]: Table | ((...args: ReadonlyArray<never>) => unknown)
}

/** The names of a group's operations without their iterators: `policy.get`. */
const namesOf = (table: Table, path = ""): ReadonlyArray<string> =>
  Object.entries(table).flatMap(([name, value]) => {
    if (typeof value !== "function") return namesOf(value, `${path}${name}.`)
    return name.startsWith("iterate") ? [] : [path + name]
  })

describe("the README", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")

  it("lists every operation of every group, and no other", () => {
    const [section = ""] = (readme.split("## Operations")[1] ?? "").split("\n## ")
    const rows = [...section.matchAll(/^\| `(\w+)` +\| (`[^|]*`) +\|$/gm)]
    const listed = Object.fromEntries(
      rows.map(([, group = "", names = ""]) => [group, names.replaceAll("`", "").split(" ").toSorted()])
    )
    const made = Object.fromEntries(
      Object.entries(operations).map(([group, table]) => [group, namesOf(table as unknown as Table).toSorted()])
    )
    assert.deepStrictEqual(listed, made)
  })
})
