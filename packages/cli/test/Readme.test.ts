import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { marketCommand } from "../src/marketCommand.ts"

interface Tree {
  readonly name: string
  readonly subcommands: ReadonlyArray<{ readonly commands: ReadonlyArray<Tree> }>
}

const childrenOf = ({ subcommands }: Tree) => subcommands.flatMap(({ commands }) => commands)

/** The paths of all commands that have no subcommands: `wallet policy set`. */
const leavesOf = (command: Tree, path: string): ReadonlyArray<string> =>
  childrenOf(command).flatMap((child) => {
    const own = `${path} ${child.name}`.trim()
    return childrenOf(child).length === 0 ? [own] : leavesOf(child, own)
  })

const groupsOf = (command: Tree, path: string): ReadonlyArray<string> =>
  childrenOf(command).flatMap((child) => {
    const own = `${path} ${child.name}`.trim()
    return childrenOf(child).length === 0 ? [] : [own, ...groupsOf(child, own)]
  })

/** The commands in the first cells of the README's tables of commands: `keys list · show` is two. */
const documented = (readme: string): ReadonlyArray<string> =>
  readme
    .split(/^(?=\| Command )/m)
    .slice(1)
    .flatMap((table) =>
      table.split("\n").slice(
        2,
        table.split("\n").findIndex((line) => !line.startsWith("|"))
      )
    )
    .flatMap((row) => [...(row.split(" | ")[0] ?? "").matchAll(/`([^`]+)`/g)].map(([, cell]) => cell ?? ""))
    .flatMap((cell) => {
      const [first = "", ...others] = cell.split(" · ")
      const prefix = first.split(" ").slice(0, -1).join(" ")
      return [first, ...others.map((other) => `${prefix} ${other}`.trim())]
    })

describe("the README", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")

  it("lists every command in its tables, and no other", async () => {
    const market = (await marketCommand(["operator"])) as unknown as Tree
    const [leaves, listed] = [leavesOf(market, ""), new Set(documented(readme))]
    assert.isAbove(leaves.length, 100)
    assert.deepStrictEqual(
      leaves.filter((leaf) => !listed.has(leaf)),
      []
    )
    const known = new Set([...leaves, ...groupsOf(market, "")])
    assert.deepStrictEqual(
      [...listed].filter((one) => !known.has(one) && one !== "operator …"),
      []
    )
  })
})
