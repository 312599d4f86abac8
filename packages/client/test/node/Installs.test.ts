import { InstallError } from "@agent-marketplace/client/node/InstallError"
import { installSkill } from "@agent-marketplace/client/node/installSkill"
import { verifyInstalled } from "@agent-marketplace/client/node/verifyInstalled"
import { spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { marketOf } from "./fixtures/boughtSkill.ts"
import { madeTar } from "./fixtures/madeTar.ts"
import type { Sources } from "@agent-marketplace/fixtures/sources/startSources"
import { startSources } from "@agent-marketplace/fixtures/sources/startSources"

let sources: Sources
let installDir: string

beforeEach(async () => {
  sources = await startSources()
  installDir = await mkdtemp(join(tmpdir(), "installs-"))
})
afterEach(async () => {
  await sources.stop()
  await rm(installDir, { recursive: true })
})

/** The content of a skill's archive. */
const publish = async (slug: string, content: string) => {
  const files = [
    { name: "SKILL.md", content },
    { name: "more/text.txt", content: `${content} too` }
  ]
  sources.pages.set(`/${slug}.tar`, { body: await madeTar(files) })
  return `${sources.url}/${slug}.tar`
}

const install = async (slug: string, id = "lst_1") => {
  const market = marketOf({ slug, id, installUrl: `${sources.url}/${slug}.tar` })
  return installSkill(market, { purchaseId: `pur_${slug}`, installDir, allowLoopback: true })
}

const lockFile = () => join(installDir, "marketplace.lock.json")
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

const rejection = async (attempt: Promise<unknown>): Promise<InstallError> => {
  const error = await attempt.then(
    () => assert.fail("it was installed"),
    (thrown: unknown) => thrown
  )
  assert.instanceOf(error, InstallError)
  return error
}

/** Asserts that the folder matches the lock file and contains nothing else. */
const assertWhole = async (...names: ReadonlyArray<string>) => {
  const verified = await verifyInstalled(installDir)
  assert.deepStrictEqual(
    verified.map(({ differences, name }) => [name, differences]),
    names.map((name) => [name, []])
  )
  assert.deepStrictEqual((await readdir(installDir)).toSorted(), [...names, "marketplace.lock.json"].toSorted())
}

describe("an install", () => {
  it("is recorded in the lock file with source, version, license and the SHA-256 of each file and of all, readable by its owner only (INSTALL-6)", async () => {
    const url = await publish("mail-sorter", "# Mail Sorter")
    const { installedPath, name, ...entry } = await install("mail-sorter")
    assert.deepStrictEqual([name, installedPath], ["mail-sorter", join(installDir, "mail-sorter")])
    const lock: unknown = JSON.parse(await readFile(lockFile(), "utf8"))
    assert.deepStrictEqual(lock, { lockfileVersion: 1, skills: { "mail-sorter": entry } })
    const hashes = { "SKILL.md": sha256("# Mail Sorter"), "more/text.txt": sha256("# Mail Sorter too") }
    const { installedAt, version, ...rest } = entry
    assert.deepStrictEqual(rest, {
      id: "lst_1",
      purchaseId: "pur_mail-sorter",
      licenseKey: "ABCDE-ABCDE-ABCDE-ABCDE-ABCDE",
      source: { type: "archive", url },
      sha256: sha256(`${hashes["SKILL.md"]}  SKILL.md\n${hashes["more/text.txt"]}  more/text.txt\n`),
      files: hashes
    })
    assert.isFalse(Number.isNaN(Date.parse(installedAt)))
    assert.match(version, /^sha256:/)
    assert.strictEqual((await stat(lockFile())).mode & 0o777, 0o600)
    await assertWhole("mail-sorter")
  })

  it("replaces the earlier install as a whole; a failed install leaves it unchanged", async () => {
    await publish("mail-sorter", "old")
    const before = await install("mail-sorter")
    await writeFile(join(before.installedPath, "stray.txt"), "")
    await publish("mail-sorter", "new")
    const after = await install("mail-sorter")
    assert.notStrictEqual(after.version, before.version)
    assert.deepStrictEqual((await readdir(after.installedPath)).toSorted(), ["SKILL.md", "more"])
    sources.pages.set("/mail-sorter.tar", { body: await madeTar([{ name: "a" }, { name: "../evil" }]) })
    assert.match((await rejection(install("mail-sorter"))).message, /has a part \.\./)
    assert.strictEqual(await readFile(join(after.installedPath, "SKILL.md"), "utf8"), "new")
    await assertWhole("mail-sorter")
  })

  it("does not replace files that it did not install", async () => {
    await publish("mail-sorter", "new")
    await mkdir(join(installDir, "mail-sorter"))
    await writeFile(join(installDir, "mail-sorter/mine.txt"), "mine")
    assert.match((await rejection(install("mail-sorter"))).message, /was not installed by the market: move it away/)
    assert.deepStrictEqual(await readdir(join(installDir, "mail-sorter")), ["mine.txt"])
    await rm(join(installDir, "mail-sorter"), { recursive: true })
    await install("mail-sorter", "lst_1")
    assert.match(
      (await rejection(install("mail-sorter", "lst_2"))).message,
      /is lst_1: install lst_2 into another folder/
    )
    await assertWhole("mail-sorter")
  })

  it("replaces a link in its place, and not the link's target", async () => {
    await publish("mail-sorter", "new")
    const { installedPath } = await install("mail-sorter")
    const elsewhere = await mkdtemp(join(tmpdir(), "elsewhere-"))
    await writeFile(join(elsewhere, "mine.txt"), "mine")
    await rm(installedPath, { recursive: true })
    await symlink(elsewhere, installedPath)
    await install("mail-sorter")
    assert.deepStrictEqual(await readdir(elsewhere), ["mine.txt"])
    await assertWhole("mail-sorter")
    await rm(elsewhere, { recursive: true })
  })

  it.each([
    ["{", /is not a lock file/],
    ["[]", /is not a lock file/],
    ['{ "lockfileVersion": 2, "skills": {} }', /is of another version/],
    ['{ "lockfileVersion": 1, "skills": { "../../etc": {} } }', /wrong entry "\.\.\/\.\.\/etc"/],
    ['{ "lockfileVersion": 1, "skills": { "mail-sorter": { "id": "lst_1" } } }', /wrong entry "mail-sorter"/]
  ])("changes nothing if the lock file is %s", async (lock, reason) => {
    await publish("mail-sorter", "new")
    await writeFile(lockFile(), lock)
    assert.match((await rejection(install("mail-sorter"))).message, reason)
    assert.deepStrictEqual(await readdir(installDir), ["marketplace.lock.json"])
    assert.strictEqual(await readFile(lockFile(), "utf8"), lock)
  })
})

describe("concurrent installs into one folder", () => {
  it("are all recorded in the lock file, also several of the same skill (INSTALL-6)", async () => {
    const names = Array.from({ length: 12 }, (_, n) => `skill-${String(n).padStart(2, "0")}`)
    for (const name of names) await publish(name, name)
    await Promise.all([...names, ...names].map((name) => install(name)))
    await assertWhole(...names)
  })

  it("continue one after the other once a process that held the folder has ended", async () => {
    const { pid } = spawnSync(process.execPath, ["--eval", ""])
    const host = createHash("sha256").update(hostname()).digest("hex").slice(0, 8)
    await writeFile(
      join(installDir, ".marketplace-tmp-busy"),
      `${host} ${pid} 00000000 00000000-0000-4000-8000-000000000000`
    )
    const names = ["a", "b", "c", "d", "e", "f"]
    for (const name of names) await publish(name, name)
    await Promise.all(names.map((name) => install(name)))
    await assertWhole(...names)
  })

  it("wait for a process on another machine until the caller gives up, and take its lock over after an hour", async () => {
    await publish("mail-sorter", "new")
    const otherHost = "ffffffff"
    const busy = join(installDir, ".marketplace-tmp-busy")
    await writeFile(busy, `${otherHost} ${process.pid} 00000000 00000000-0000-4000-8000-000000000000`)
    const market = marketOf({ slug: "mail-sorter", installUrl: `${sources.url}/mail-sorter.tar` })
    const signal = AbortSignal.timeout(200)
    const request = { skillId: "mail-sorter", installDir, allowLoopback: true, signal }
    const error = await installSkill(market, request).catch((thrown: unknown) => thrown)
    assert.strictEqual(error, signal.reason)
    assert.deepStrictEqual(await readdir(installDir), [".marketplace-tmp-busy"])
    const old = new Date(Date.now() - 2 * 60 * 60 * 1000)
    await utimes(busy, old, old)
    await install("mail-sorter")
    await assertWhole("mail-sorter")
  })
})

describe("a process that is killed during an install", () => {
  const program = fileURLToPath(new URL("fixtures/installAndDie.ts", import.meta.url))

  /** Returns whether it was killed before it had finished. */
  const killedAt = async (change: number): Promise<boolean> => {
    const args = [program, `${sources.url}/mail-sorter.tar`, installDir, String(change)]
    const [code, signal] = (await once(spawn(process.execPath, args, { stdio: "inherit" }), "exit")) as [number, string]
    assert.include([0, null], code)
    return signal === "SIGKILL"
  }

  it("leaves the old or the new install complete at every step, and the next install cleans up (INSTALL-5)", async () => {
    const seen = new Set<string>()
    await publish("other", "other")
    for (let change = 1; ; change += 1) {
      await publish("mail-sorter", "old")
      await install("mail-sorter")
      await publish("mail-sorter", `new ${change}`)
      const wasKilled = await killedAt(change)
      await install("other")
      await assertWhole("mail-sorter", "other")
      const content = await readFile(join(installDir, "mail-sorter/SKILL.md"), "utf8")
      assert.include(["old", `new ${change}`], content)
      if (!wasKilled) break
      seen.add(content === "old" ? "old" : "new")
      assert.isBelow(change, 100)
    }
    assert.deepStrictEqual([...seen], ["old", "new"])
  })
})
