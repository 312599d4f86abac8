import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { cli, freshHome } from "../running/cli.ts"
import type { RunningMarket } from "../running/startMarket.ts"
import { startMarket } from "../running/startMarket.ts"

const guide = readFileSync(new URL("../../../../docs/guides/publish-and-install.md", import.meta.url), "utf8")

let market: RunningMarket
const workingDirectory = process.cwd()

beforeAll(async () => {
  market = await startMarket()
  process.chdir(freshHome())
})
afterAll(async () => {
  process.chdir(workingDirectory)
  await market.stop()
})

/** The blocks of the guide in their order: a file to write, or commands with the key of the section. */
const blocks = guide.split(/^## /m).flatMap((section) => {
  const key = section.startsWith("Publish") ? ("seller" as const) : ("buyer" as const)
  return [...section.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(([, language, path, text = ""]) => ({
    key,
    path,
    commands: language === "sh" ? text.trim().split("\n") : [],
    text
  }))
})

describe("the guide to publishing and installing", () => {
  it("has commands that work in their order (CLI-20, CLI-22, CLI-23)", async () => {
    const printed: Array<string> = []
    for (const { commands, key, path, text } of blocks) {
      if (path !== undefined) {
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, text)
      }
      for (const command of commands) {
        const [program, ...args] = command.split(" ")
        assert.strictEqual(program, "agent-marketplace")
        const env = { HOME: process.cwd(), MARKETPLACE_URL: market.baseUrl, MARKETPLACE_API_KEY: market.keys[key] }
        const { code, stderr, stdout } = await cli({ env, terminal: 120 }, ...args)
        assert.strictEqual(code, 0, `${command}\n${stdout}${stderr}`)
        printed.push(`$ ${command}\n${stdout}${stderr}`)
      }
    }
    const all = printed.join("\n")
    for (const expected of [/left out: \.skillignore/, /status +published/, /mail-room +updated +1\.0\.0 → 1\.1\.0/])
      assert.match(all, expected)
    assert.isFalse(existsSync(join("skills", "mail-room")))
  })
})
