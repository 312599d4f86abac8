import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Redacted } from "effect"
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { existsSync } from "node:fs"
import { afterAll, afterEach } from "vitest"
import { isOwnDataFolder, ownDataFolder } from "../src/DataFolder.ts"
import { keptSecret } from "../src/KeptSecret.ts"

const stateHome = process.env["XDG_STATE_HOME"]
const token = Redacted.make("operator-token-for-tests-0123456789abcdef")
const folders: Array<string> = []

const folder = async (): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), "agent-marketplace-own-"))
  folders.push(made)
  return made
}

/** As another user, or this one on another machine, has: another key. */
const asAnotherUser = async (): Promise<void> => {
  process.env["XDG_STATE_HOME"] = await folder()
}

interface Start {
  readonly adminToken?: Redacted.Redacted
  readonly adoptData?: boolean
}

const start = (dataDir: string, { adminToken, adoptData = false }: Start = {}) =>
  Effect.runPromiseExit(ownDataFolder({ dataDir, adminToken, adoptData }))

const assertOwn = async (dataDir: string, options?: Start): Promise<void> =>
  assert.isTrue(Exit.isSuccess(await start(dataDir, options)))

const assertRefused = async (dataDir: string, options?: Start, reason = "DATA_DIR_ADOPT=true"): Promise<void> => {
  const before = await readdir(dataDir)
  const message = String(
    await Effect.runPromise(
      Effect.flip(ownDataFolder({ dataDir, adminToken: undefined, adoptData: false, ...options }))
    )
  )
  assert.include(message, dataDir)
  assert.include(message, reason)
  assert.deepStrictEqual(await readdir(dataDir), before)
}

/** A data folder that this user's market has made. */
const made = async (options?: Start): Promise<string> => {
  const dataDir = join(await folder(), "data")
  await assertOwn(dataDir, options)
  await writeFile(join(dataDir, "admin-token"), "the operator's token of its market\n")
  return dataDir
}

describe("the data folder (CONFIG-24)", () => {
  afterEach(() => {
    process.env["XDG_STATE_HOME"] = stateHome
  })
  afterAll(async () => {
    for (const each of folders) await rm(each, { recursive: true, force: true })
  })

  it("is refused with a database or token from elsewhere, and the token is not read", async () => {
    const dataDir = await folder()
    await writeFile(join(dataDir, "admin-token"), "a token that a stranger knows\n")
    await assertRefused(dataDir)
    await assertRefused(dataDir, { adminToken: token })
    assert.isFalse(await isOwnDataFolder(dataDir))
    const read = Effect.runPromiseExit(keptSecret({ dataDir, adminToken: undefined, adoptData: false }, "admin-token"))
    assert.isTrue(Exit.isFailure(await read))
  })

  it("is refused before anything is written if the user's key cannot be stored, unless ADMIN_TOKEN is set", async () => {
    const [dataDir, file] = [await folder(), join(await folder(), "file")]
    await writeFile(file, "")
    process.env["XDG_STATE_HOME"] = file
    await assertRefused(dataDir, {}, "XDG_STATE_HOME")
    await assertRefused(dataDir, { adoptData: true }, "XDG_STATE_HOME")
    await assertOwn(dataDir, { adminToken: token })
    await assertOwn(dataDir, { adminToken: token })
  })

  it("is this user's own if it was empty, and stays so; only this user can read the file", async () => {
    const dataDir = await made()
    await assertOwn(dataDir)
    assert.isTrue(await isOwnDataFolder(dataDir))
    assert.strictEqual((await stat(join(dataDir, "owner"))).mode & 0o777, 0o600)
    assert.sameMembers(await readdir(dataDir), ["admin-token", "owner"])
  })

  it("works as a copy in another place (SYSTEM-7)", async () => {
    const copy = join(await folder(), "elsewhere")
    await cp(await made(), copy, { recursive: true })
    await assertOwn(copy)
    await rename(copy, `${copy}-moved`)
    await assertOwn(`${copy}-moved`)
  })

  it("is refused with another user's key, unless both have the same ADMIN_TOKEN", async () => {
    const [plain, shared] = [await made(), await made({ adminToken: token })]
    await asAnotherUser()
    await assertRefused(plain)
    await assertRefused(plain, { adminToken: token })
    await assertRefused(shared)
    await assertRefused(shared, { adminToken: Redacted.make("x".repeat(40)) })
    await assertOwn(shared, { adminToken: token })
  })

  it("gets the signature of an ADMIN_TOKEN that is set later, and of a new one", async () => {
    const dataDir = await made()
    for (const adminToken of [token, Redacted.make("y".repeat(40))]) {
      await assertOwn(dataDir, { adminToken })
      const home = process.env["XDG_STATE_HOME"]
      await asAnotherUser()
      await assertOwn(dataDir, { adminToken })
      process.env["XDG_STATE_HOME"] = home
    }
    await assertOwn(dataDir)
  })

  it("is refused with a forged or damaged file, or the file of one folder with another id", async () => {
    const dataDir = await made({ adminToken: token })
    const file = join(dataDir, "owner")
    const [id = "", byUser = "", byToken = ""] = (await readFile(file, "utf8")).trim().split(" ")
    const other = id.replace(/^./, (digit) => (digit === "0" ? "1" : "0"))
    const forged = "0".repeat(64)
    for (const text of [
      `${other} ${byUser} ${byToken}\n`,
      `${id} ${forged} ${forged}\n`,
      `${id} ${byToken} ${byUser}\n`,
      `${id} ${forged} -\n`,
      `${id} ${byUser}`,
      "",
      "\0".repeat(200)
    ]) {
      await writeFile(file, text)
      await assertRefused(dataDir, { adminToken: token })
    }
    await rm(file)
    await mkdir(file)
    await assertRefused(dataDir, { adminToken: token }, "cannot be used")
  })

  it("is adopted by DATA_DIR_ADOPT, once and for all", async () => {
    const dataDir = await made()
    await asAnotherUser()
    await assertRefused(dataDir)
    await assertOwn(dataDir, { adoptData: true })
    await assertOwn(dataDir)
    await writeFile(join(dataDir, "owner"), "damaged")
    await assertOwn(dataDir, { adoptData: true })
    await assertOwn(dataDir)
  })

  it("is refused with a symbolic link in it, even if it is adopted", async () => {
    const dataDir = await made()
    await symlink("/etc/hostname", join(dataDir, "demo-key"))
    await assertRefused(dataDir, {}, "symbolic link, demo-key")
    await assertRefused(dataDir, { adoptData: true }, "symbolic link, demo-key")
    assert.isFalse(await isOwnDataFolder(dataDir))
    const linked = await folder()
    await symlink(join(await made(), "owner"), join(linked, "owner"))
    await assertRefused(linked, {}, "symbolic link, owner")
  })

  it("works after a first start that was killed before the file had its name, and on a new file system", async () => {
    const dataDir = await folder()
    await writeFile(join(dataDir, `owner.${"a".repeat(32)}`), "half a sig")
    await mkdir(join(dataDir, "lost+found"))
    await assertOwn(dataDir)
    await assertOwn(dataDir)
  })

  it("is made by one of several processes that start at once, and all use it", async () => {
    const dataDir = join(await folder(), "data")
    const starts = await Promise.all(Array.from({ length: 20 }, () => start(dataDir, { adminToken: token })))
    assert.isTrue(starts.every(Exit.isSuccess))
    assert.deepStrictEqual(await readdir(dataDir), ["owner"])
    await assertOwn(dataDir)
  })
})

describe("a data folder that cannot be made", () => {
  it.skipIf(!existsSync("/proc/self")).each(["/proc/data", "/proc/data/inner", "/dev/null/data"])(
    "%s is refused within seconds, and the message names it (CONFIG-30)",
    async (dataDir) => {
      const refused = Effect.flip(ownDataFolder({ dataDir, adminToken: token, adoptData: false }))
      const { message } = await Effect.runPromise(Effect.timeout(refused, "5 seconds"))
      assert.match(message, new RegExp(`^The data folder ${dataDir} cannot be used: E`))
    }
  )

  it("is made with its parents", async () => {
    const dataDir = join(await folder(), "a/b/c")
    await assertOwn(dataDir, { adminToken: token })
    assert.isTrue((await stat(dataDir)).isDirectory())
    await assertOwn(dataDir, { adminToken: token })
  })
})
