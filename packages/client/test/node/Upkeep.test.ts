import { InstallError } from "@agent-marketplace/client/node/InstallError"
import { installSkill } from "@agent-marketplace/client/node/installSkill"
import { updateInstalled } from "@agent-marketplace/client/node/updateInstalled"
import { verifyInstalled } from "@agent-marketplace/client/node/verifyInstalled"
import { appendFile, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { marketOf } from "./fixtures/boughtSkill.ts"
import { madeZip } from "./fixtures/madeZip.ts"
import type { Sources } from "@agent-marketplace/fixtures/sources/startSources"
import { startSources } from "@agent-marketplace/fixtures/sources/startSources"

let sources: Sources
let installDir: string

const names = ["daily-digest", "mail-sorter", "tutor"]
const soul = { slug: "tutor", id: "soul_1", soul: { content: "# SOUL\n", version: 1 } }
const market = () =>
  marketOf(
    { slug: "daily-digest", id: "lst_1", installUrl: `${sources.url}/daily-digest.zip` },
    { slug: "mail-sorter", id: "lst_2", installUrl: `${sources.url}/mail-sorter.zip` },
    soul
  )

const publish = (name: string, content: string) =>
  sources.pages.set(`/${name}.zip`, {
    body: madeZip([
      { name: "SKILL.md", content },
      { name: "a/b.txt", content: "same" },
      { name: "c.txt", content: "c" }
    ])
  })

beforeEach(async () => {
  sources = await startSources()
  installDir = await mkdtemp(join(tmpdir(), "upkeep-"))
  for (const name of names) {
    publish(name, "old")
    await installSkill(market(), { skillId: name, installDir, allowLoopback: true })
  }
})
afterEach(async () => {
  await sources.stop()
  await rm(installDir, { recursive: true })
})

const differences = async (name: string) => (await verifyInstalled(installDir, [name]))[0]?.differences
const inSorter = (path: string) => join(installDir, "mail-sorter", path)
const rejection = (attempt: Promise<unknown>): Promise<unknown> => attempt.catch((error: unknown) => error)

describe("verifyInstalled", () => {
  it("finds no difference if nothing was changed", async () => {
    assert.deepStrictEqual(
      await verifyInstalled(installDir),
      names.map((name) => ({
        name,
        installedPath: join(installDir, name),
        verified: name === "tutor",
        differences: []
      }))
    )
  })

  it("names each difference: changed, missing, added, and links instead of files (INSTALL-7)", async () => {
    await appendFile(inSorter("SKILL.md"), "!")
    await rm(inSorter("a/b.txt"))
    await writeFile(inSorter("a/new.txt"), "")
    await rename(inSorter("c.txt"), join(installDir, "c.txt"))
    await symlink(join(installDir, "c.txt"), inSorter("c.txt"))
    assert.deepStrictEqual(await differences("mail-sorter"), [
      { path: "SKILL.md", difference: "changed" },
      { path: "a/b.txt", difference: "missing" },
      { path: "a/new.txt", difference: "added" },
      { path: "c.txt", difference: "not a file" }
    ])
    assert.deepStrictEqual(await differences("daily-digest"), [])
  })

  it("reports a missing folder, a link in its place, and an inconsistent lock file", async () => {
    await rm(inSorter("."), { recursive: true })
    assert.deepStrictEqual(await differences("mail-sorter"), [{ path: ".", difference: "missing" }])
    await symlink(join(installDir, "daily-digest"), join(installDir, "mail-sorter"))
    assert.deepStrictEqual(await differences("mail-sorter"), [{ path: ".", difference: "not a file" }])
    const lock = join(installDir, "agent-marketplace.lock.json")
    await writeFile(lock, (await readFile(lock, "utf8")).replace('"c.txt"', '"d.txt"'))
    const error = await rejection(verifyInstalled(installDir))
    assert.instanceOf(error, InstallError)
    assert.match(error.message, /was changed: the entry "daily-digest" does not match its digest: restore it/)
  })

  it("fails for a name that is not in the lock file, and finds nothing in an empty folder", async () => {
    const error = await rejection(verifyInstalled(installDir, ["mail-sorter", "../.."]))
    assert.instanceOf(error, InstallError)
    assert.strictEqual(error.message, '"../.." is not in the lock file')
    assert.deepStrictEqual(await verifyInstalled(join(installDir, "nowhere")), [])
  })
})

describe("updateInstalled", () => {
  const update = (...chosen: ReadonlyArray<string>) =>
    updateInstalled(market(), installDir, chosen.length === 0 ? undefined : chosen, {
      allowLoopback: true,
      accept: true
    })

  it("a link item whose files changed at their source is replaced only if that is accepted (INSTALL-14)", async () => {
    publish("mail-sorter", "new")
    const [refused] = await updateInstalled(market(), installDir, ["mail-sorter"], { allowLoopback: true })
    assert.strictEqual(refused?.status, "not_accepted")
    assert.match(refused?.message ?? "", /changed at their source.*update mail-sorter --accept/)
    assert.deepStrictEqual(refused?.changes?.files, { added: [], removed: [], changed: ["SKILL.md"] })
    const request = { skillId: "mail-sorter", installDir, allowLoopback: true }
    assert.match(String(await rejection(installSkill(market(), request))), /changed at their source/)
    assert.strictEqual(await readFile(inSorter("SKILL.md"), "utf8"), "old")
    assert.strictEqual((await update("mail-sorter"))[0]?.status, "updated")
  })

  it("replaces items that changed and reports both versions; the others are kept", async () => {
    publish("mail-sorter", "new")
    const [digest, sorter, tutor] = await update()
    assert.deepStrictEqual(
      [digest, tutor].map((each) => [each?.name, each?.status, each?.from === each?.to]),
      [
        ["daily-digest", "unchanged", true],
        ["tutor", "unchanged", true]
      ]
    )
    assert.deepStrictEqual([sorter?.name, sorter?.status], ["mail-sorter", "updated"])
    assert.notStrictEqual(sorter?.from, sorter?.to)
    assert.strictEqual(await readFile(inSorter("SKILL.md"), "utf8"), "new")
    assert.deepStrictEqual(await differences("mail-sorter"), [])
    assert.strictEqual((await update("mail-sorter"))[0]?.from, sorter?.to)
  })

  it("a failed item is left unchanged and reports the reason; the others are updated", async () => {
    sources.pages.set("/daily-digest.zip", { body: madeZip([{ name: "../evil", content: "evil" }]) })
    publish("mail-sorter", "new")
    const results = await update("daily-digest", "mail-sorter")
    assert.deepStrictEqual(
      results.map(({ status }) => status),
      ["failed", "updated"]
    )
    assert.strictEqual(results[0]?.message, 'the path "../evil" has a part ..')
    assert.strictEqual(results[0]?.from, results[0]?.to)
    assert.deepStrictEqual(await differences("daily-digest"), [])
  })

  it("never overwrites a manual change; a new install does with force (INSTALL-7)", async () => {
    await appendFile(inSorter("SKILL.md"), " and mine")
    publish("mail-sorter", "new")
    const [result] = await update("mail-sorter")
    assert.deepStrictEqual([result?.status, await readFile(inSorter("SKILL.md"), "utf8")], ["failed", "old and mine"])
    assert.strictEqual(result?.message, "SKILL.md is changed: install it again with --force to discard the changes")
    const request = { skillId: "mail-sorter", installDir, allowLoopback: true, accept: true, force: true }
    await installSkill(market(), request)
    assert.strictEqual(await readFile(inSorter("SKILL.md"), "utf8"), "new")
  })

  it("ends when the caller aborts, with the signal's reason", async () => {
    const options = { allowLoopback: true, signal: AbortSignal.abort(new Error("enough")) }
    const error = await rejection(updateInstalled(market(), installDir, undefined, options))
    assert.strictEqual((error as Error).message, "enough")
  })
})
