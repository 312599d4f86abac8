import { execFile } from "node:child_process"
import { programFile } from "@agent-marketplace/fixtures/processes/programFile"
import { assert, describe, it } from "vitest"

const program = programFile("mcp")

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command without a key or an address, and with nothing on standard input. */
const run = (env: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      { env: { PATH: process.env["PATH"], HOME: "/nonexistent", ...env } },
      (error, stdout, stderr) => resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr })
    )
    child.stdin?.end()
  })

describe("agent-marketplace-mcp", () => {
  it.each(["--help", "-h"])("%s describes the configuration and needs no key", async (flag) => {
    const { code, stderr, stdout } = await run({}, flag)
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.include(stdout, "MARKETPLACE_API_KEY  the key")
    assert.include(stdout, "mcpServers")
  })

  it("--version prints the version", async () => {
    assert.match((await run({}, "--version")).stdout, /^\d+\.\d+\.\d+\n$/)
  })

  it("names every variable that is missing", async () => {
    const { code, stderr, stdout } = await run({})
    assert.deepStrictEqual([code, stdout], [78, ""])
    for (const name of ["MARKETPLACE_API_KEY must be set", "MARKETPLACE_URL must be", "--help"])
      assert.include(stderr, name)
  })

  it("refuses an unknown option", async () => {
    const { code, stderr } = await run({}, "--key", "amk_x")
    assert.strictEqual(code, 64)
    assert.include(stderr, "Unknown option '--key'")
  })

  it("starts with both, and ends with its input", async () => {
    const env = { MARKETPLACE_API_KEY: "amk_test", MARKETPLACE_URL: "http://127.0.0.1:9" }
    assert.deepStrictEqual(await run(env), { code: 0, stdout: "", stderr: "" })
  })
})
