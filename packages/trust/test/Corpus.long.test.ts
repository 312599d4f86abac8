import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, test } from "vitest"

test("SCAN-17 the corpus is judged no worse than recorded", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, "../corpus/measure.ts")])
  expect(stdout).toContain("malicious")
})
