import { withFileLock } from "@agent-marketplace/client/node/lock/FileLock"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"

let folder: string
let lock: string
const options = { patience: 30_000, longestHeld: 3_600_000 }

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"))
  lock = join(folder, "lock")
})
afterEach(() => rm(folder, { recursive: true }))

const program = `
import { withFileLock } from ${JSON.stringify(import.meta.resolve("@agent-marketplace/client/node/lock/FileLock"))}
await withFileLock(process.argv[1], ${JSON.stringify(options)}, () => {
  process.stdout.write("held")
  return new Promise(() => setInterval(() => undefined, 1000))
})`

/** A process that holds the lock until it is killed. */
const holder = async () => {
  const args = ["--input-type=module-typescript", "--eval", program, lock]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  await once(child.stdout, "data")
  return child
}

describe("a file lock", () => {
  it("is held by one call at a time, within and across processes", async () => {
    let holders = 0
    let most = 0
    const work = () =>
      withFileLock(lock, options, async () => {
        holders += 1
        most = Math.max(most, holders)
        await new Promise(setImmediate)
        holders -= 1
      })
    await Promise.all(Array.from({ length: 20 }, work))
    assert.strictEqual(most, 1)
    const child = await holder()
    const error = await withFileLock(lock, { ...options, patience: 100 }, async () => "taken").catch(String)
    assert.match(error, /lock is held by another process: if none is running, remove that file/)
    child.kill("SIGKILL")
    await once(child, "exit")
  })

  it("of a killed process is taken over immediately, by one of the waiting calls", async () => {
    const child = await holder()
    child.kill("SIGKILL")
    await once(child, "exit")
    const start = performance.now()
    let holders = 0
    await Promise.all(
      Array.from({ length: 5 }, () =>
        withFileLock(lock, options, async () => {
          assert.strictEqual((holders += 1), 1)
          await new Promise(setImmediate)
          holders -= 1
        })
      )
    )
    assert.isBelow(performance.now() - start, 5000)
    assert.deepStrictEqual(await readdir(folder), [])
  })

  it("of a suspended process is not taken over", async () => {
    const child = await holder()
    child.kill("SIGSTOP")
    const error = await withFileLock(lock, { patience: 300, longestHeld: 0 }, async () => "taken").catch(String)
    assert.match(error, /is held by another process/)
    child.kill("SIGKILL")
    await once(child, "exit")
  })

  it("of a process whose id was reused is taken over", async () => {
    const child = await holder()
    const content = (await readFile(lock, "utf8")).replace(/ \d+ /, ` ${process.pid} `)
    child.kill("SIGKILL")
    await once(child, "exit")
    await writeFile(lock, content)
    assert.strictEqual(await withFileLock(lock, options, async () => "taken"), "taken")
  })

  it("that was created and never completed is taken over after two seconds", async () => {
    await writeFile(lock, "")
    const old = new Date(Date.now() - 3000)
    await utimes(lock, old, old)
    assert.strictEqual(await withFileLock(lock, { ...options, patience: 1000 }, async () => "taken"), "taken")
  })

  it("ends its wait with the signal", async () => {
    await writeFile(lock, `ffffffff 1 00000000 00000000-0000-4000-8000-000000000000`)
    const signal = AbortSignal.timeout(100)
    const error = await withFileLock(lock, { ...options, signal }, async () => "taken").catch(
      (thrown: unknown) => thrown
    )
    assert.strictEqual(error, signal.reason)
  })
})
