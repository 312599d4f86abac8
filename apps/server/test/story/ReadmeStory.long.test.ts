import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

const root = fileURLToPath(new URL("../../../..", import.meta.url))
const readme = readFileSync(join(root, "README.md"), "utf8")

/** The URL in the README; the test's server has another port. */
const shownUrl = "http://localhost:3000"

interface Step {
  readonly commands: string
  /** The output in the page; … matches any text. */
  readonly prints: string
}

const steps = (heading: string): ReadonlyArray<Step> => {
  const [, section = ""] = new RegExp(`^## ${heading}\\n([\\s\\S]*?)^## `, "m").exec(readme) ?? []
  const block = /^```sh\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```\n)?/gm
  return [...section.matchAll(block)].map(([, commands = "", prints = ""]) => ({ commands, prints }))
}

const matches = (pattern: string): RegExp => {
  const parts = pattern.split("…").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
  return new RegExp(`^${parts.join("[^\\n]*")}$`)
}

/** The text that marks the end of a step's output. */
const mark = "-- end of step --"

/** Runs all steps in one shell, as a reader would, and returns the output of each. */
const runSteps = async (all: ReadonlyArray<Step>, baseUrl: string, cwd: string): Promise<ReadonlyArray<string>> => {
  const script = all.map(({ commands }) => `${commands}\nprintf '\\n${mark}\\n'\n`).join("")
  const options = { cwd, env: { PATH: process.env["PATH"] ?? "" }, timeout: 60_000 }
  const { stdout } = await promisify(execFile)("bash", ["-c", script.replaceAll(shownUrl, baseUrl)], options)
  return stdout.split(`${mark}\n`).slice(0, -1)
}

/** Responses of the API end without a line break, but the page shows each on a line. */
const lines = (text: string): string =>
  text
    .replaceAll('}{"success"', '}\n{"success"')
    .split("\n")
    .filter((line) => line !== "")
    .join("\n")

describe("the README", () => {
  let folder: string
  let server: RunningServer
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "agent-marketplace-readme-"))
    // Under root the embedded database runs as another user, which needs access to the folder.
    await chmod(folder, 0o755)
    const development = { NODE_ENV: undefined, ADMIN_TOKEN: undefined, RATE_LIMITS: undefined }
    server = await startServer({ ...development, DATA_DIR: join(folder, "data") })
  }, 300_000)
  afterAll(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })

  it("leads from a new start to the first purchase with its commands, which print the shown output", async () => {
    const all = steps("Your first purchase")
    assert.isAtLeast(all.length, 4)
    const printed = await runSteps(all, server.baseUrl, folder)
    for (const [i, { commands, prints }] of all.entries())
      assert.match(lines(printed[i] ?? ""), matches(lines(prints)), commands)
    assert.include(printed.at(-1), '"status":"completed"')
  }, 300_000)

  it("has badges that agree with package.json and LICENSE", () => {
    const { engines, license, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      readonly engines: { readonly node: string }
      readonly license: string
      readonly version: string
    }
    assert.include(readme, `badge/license-${license}-`)
    assert.include(readFileSync(join(root, "LICENSE"), "utf8"), `${license} License`)
    assert.include(readme, `badge/version-${version}-`)
    assert.include(readme, `badge/node-${encodeURIComponent("≥ ")}${engines.node.replace(">=", "")}-`)
  })

  it("links to files that exist, as do the guides and the files for contributors", () => {
    const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "llms.txt", "docs/contributing.md"]
    const guides = ["backup", "upgrade", "reverse-proxy"].map((name) => `docs/guides/${name}.md`)
    for (const page of [...pages, ...guides]) {
      const text = readFileSync(join(root, page), "utf8")
      for (const [, target = ""] of text.matchAll(/\]\((?!https?:|#)([^)\s#]+)[^)]*\)/g)) {
        const file = new URL(target, new URL(page, `file://${root}`))
        assert.doesNotThrow(() => readFileSync(file, { flag: "r" }) || true, `${page} links to ${target}`)
      }
    }
  })
})
