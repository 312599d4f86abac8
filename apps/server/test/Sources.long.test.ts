import { execFile } from "node:child_process"
import { join } from "node:path"
import { programs } from "@agent-marketplace/fixtures/processes/programs"
import { assert, describe, it } from "vitest"

const repository = join(import.meta.dirname, "../../..")

/** Each call loads the whole program and ends at once, without a market. */
const calls = {
  cli: { args: ["--version"], env: {}, code: 0, output: /^agent-marketplace v\d+\.\d+\.\d+/ },
  harness: { args: ["--sed", "1"], env: {}, code: 64, output: /--sed/ },
  mcp: { args: ["--version"], env: {}, code: 0, output: /^\d+\.\d+\.\d+/ },
  server: { args: [], env: { PORT: "http" }, code: 78, output: /PORT/ },
  worker: { args: [], env: { METRICS_PORT: "http" }, code: 78, output: /METRICS_PORT/ }
} as const

// The other tests start bundles of the programs: see `programFile`.
describe("the sources run without a build", () => {
  it.each(Object.entries(calls))("%s", async (name, { args, code, env, output }) => {
    const file = join(repository, programs[name as keyof typeof calls])
    const ended = await new Promise<readonly [code: unknown, output: string]>((resolve) => {
      execFile(
        process.execPath,
        [file, ...args],
        { env: { PATH: process.env["PATH"], ...env } },
        (error, stdout, stderr) => resolve([error === null ? 0 : error.code, stdout + stderr])
      )
    })
    assert.strictEqual(ended[0], code, ended[1])
    assert.match(ended[1], output)
  })
})
