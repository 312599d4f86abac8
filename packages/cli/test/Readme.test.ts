import { execFile } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"

const root = fileURLToPath(new URL("../../..", import.meta.url))

describe("the README", () => {
  it("shows what the commands print", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, "scripts/runConsole.ts"), root]).catch(
      (failed: { readonly stdout: string }) => failed
    )
    assert.notInclude(stdout, "FAILED")
    assert.isAtLeast(stdout.match(/^ok/gm)?.length ?? 0, 7)
  })
})
