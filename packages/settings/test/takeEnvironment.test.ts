import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const program = fileURLToPath(new URL("fixtures/holdsKey.ts", import.meta.url))
const key = "1f".repeat(32)

/** What `/proc` shows of a process that has read its environment, and what the process itself has. */
const environmentOf = async (environment: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe"]
  })
  try {
    const line = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once("line", resolve)
      child.once("close", () => reject(new Error("the process ended")))
    })
    return {
      shown: readFileSync(`/proc/${child.pid}/environ`, "latin1").split("\0"),
      own: JSON.parse(line) as { readonly taken: string; readonly left: boolean; readonly others: string }
    }
  } finally {
    child.kill("SIGKILL")
  }
}

// Only Linux has /proc.
describe.runIf(process.platform === "linux")("the key in the environment (SIGNER-11)", () => {
  it("is overwritten in the process's environment block, and only the key", async () => {
    const { own, shown } = await environmentOf({ FIRST: "1", TRON_HOT_WALLET_KEY: key, LAST: key.slice(0, 10) })
    assert.deepStrictEqual(own, { taken: key, left: false, others: `1 ${key.slice(0, 10)}` })
    assert.notInclude(shown.join(), key)
    assert.include(shown, `TRON_HOT_WALLET_KEY=${"x".repeat(64)}`)
    assert.include(shown, "FIRST=1")
    assert.include(shown, `LAST=${key.slice(0, 10)}`)
  })

  it("is overwritten too when another variable's name or value contains its name", async () => {
    const { shown } = await environmentOf({
      OLD_TRON_HOT_WALLET_KEY: "a",
      NOTE: "TRON_HOT_WALLET_KEY=b",
      TRON_HOT_WALLET_KEY: key
    })
    assert.notInclude(shown.join(), key)
    assert.includeMembers(shown, ["OLD_TRON_HOT_WALLET_KEY=a", "NOTE=TRON_HOT_WALLET_KEY=b"])
  })

  it("nothing is written if it is not set", async () => {
    const { own, shown } = await environmentOf({ FIRST: "1" })
    assert.isFalse(own.left)
    assert.include(shown, "FIRST=1")
  })
})
