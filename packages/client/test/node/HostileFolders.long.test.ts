import { InstallError } from "@agent-marketplace/client/node/InstallError"
import { installSkill } from "@agent-marketplace/client/node/installSkill"
import { readLockFile, writeLockFile } from "@agent-marketplace/client/node/lock/LockFile"
import { updateInstalled } from "@agent-marketplace/client/node/updateInstalled"
import { verifyInstalled } from "@agent-marketplace/client/node/verifyInstalled"
import type { Sources } from "@agent-marketplace/fixtures/sources/startSources"
import { gitBackend, startSources } from "@agent-marketplace/fixtures/sources/startSources"
import { execFileSync, spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import {
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  utimes,
  writeFile
} from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { marketOf } from "./fixtures/boughtSkill.ts"
import { madeTar } from "./fixtures/madeTar.ts"
import { refusal } from "./fixtures/refusal.ts"

const hook = "#!/bin/sh\necho this ran\n"
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

let sources: Sources
/** A project as it was cloned: the repository's author chose every file in it except those in `.git`. */
let project: string
let installDir: string
const workingDirectory = process.cwd()

beforeEach(async () => {
  sources = await startSources()
  project = await realpath(await mkdtemp(join(tmpdir(), "hostile-")))
  installDir = join(project, "skills")
  await mkdir(join(project, ".git/hooks"), { recursive: true })
  await writeFile(join(project, ".git/hooks/pre-commit.sample"), "sample")
  await mkdir(installDir)
  for (const slug of ["mail-sorter", "other"])
    sources.pages.set(`/${slug}.tar`, { body: await madeTar([{ name: "SKILL.md", content: slug }]) })
})
afterEach(async () => {
  process.chdir(workingDirectory)
  await sources.stop()
  await rm(project, { recursive: true })
})

const market = (slug: string) => marketOf({ slug, installUrl: `${sources.url}/${slug}.tar` })
const install = (slug: string, into = installDir) =>
  installSkill(market(slug), { skillId: slug, installDir: into, allowLoopback: true })

const old = new Date(Date.now() - 2 * 60 * 60 * 1000)
const leftOver = ".marketplace-tmp-00000000-1-000000000000"

const entryOf = (files: Readonly<Record<string, string>>) => {
  const hashes = Object.fromEntries(Object.entries(files).map(([path, content]) => [path, sha256(content)]))
  const lines = Object.entries(hashes).map(([path, hash]) => `${hash}  ${path}\n`)
  return {
    id: "lst_evil",
    purchaseId: "pur_evil",
    release: null,
    source: { type: "soul" },
    version: "1",
    sha256: sha256(lines.join("")),
    files: hashes,
    installedAt: "2025-01-15T12:00:00.000Z"
  }
}

/** A staging folder in a repository that claims to be an interrupted install. */
const commitStaging = async (decision: object, name = leftOver) => {
  const staging = join(installDir, name)
  await mkdir(join(staging, "ready"), { recursive: true })
  await writeFile(join(staging, "ready/pre-commit"), hook, { mode: 0o755 })
  await writeFile(join(staging, "decided.json"), JSON.stringify(decision))
  await utimes(staging, old, old)
}

describe("a staging folder that the project's repository holds (CLIENT-14)", () => {
  it("does not replace the project's git hooks, nor anything else outside of the install folder", async () => {
    await commitStaging({ name: "../.git/hooks", keys: [], entry: entryOf({ "pre-commit": hook }) })
    await install("mail-sorter")
    assert.deepStrictEqual(await readdir(join(project, ".git/hooks")), ["pre-commit.sample"])
    assert.deepStrictEqual((await readdir(installDir)).toSorted(), ["agent-marketplace.lock.json", "mail-sorter"])
    assert.deepStrictEqual(
      (await verifyInstalled(installDir)).map(({ name }) => name),
      ["mail-sorter"]
    )
  })

  it.each([
    ["without a signature", {}],
    ["with a signature of the wrong form", { signature: 7 }],
    ["with a guessed signature", { signature: "0".repeat(64) }]
  ])("installs nothing under a valid name either: %s", async (_, signature) => {
    await commitStaging({ name: "other", keys: [], entry: entryOf({ "pre-commit": hook }), ...signature })
    await commitStaging(
      { name: "other", keys: [], entry: entryOf({ "pre-commit": hook }), ...signature },
      leftOver.replace(/0{12}$/, "0".repeat(32))
    )
    await install("mail-sorter")
    assert.deepStrictEqual((await readdir(installDir)).toSorted(), ["agent-marketplace.lock.json", "mail-sorter"])
  })

  it("that is a link to another folder is removed, but the folder is not", async () => {
    const elsewhere = join(project, "elsewhere")
    await mkdir(elsewhere)
    await writeFile(join(elsewhere, "mine.txt"), "mine")
    await symlink(elsewhere, join(installDir, leftOver))
    execFileSync("touch", ["-h", "-d", "2 hours ago", join(installDir, leftOver)])
    await utimes(elsewhere, old, old)
    await install("mail-sorter")
    assert.deepStrictEqual(await readdir(elsewhere), ["mine.txt"])
    assert.deepStrictEqual((await readdir(installDir)).toSorted(), ["agent-marketplace.lock.json", "mail-sorter"])
  })
})

describe("an install that was decided by this user's installer, whose process was then killed (CLIENT-14)", () => {
  const program = fileURLToPath(new URL("fixtures/installAndDie.ts", import.meta.url))

  /** The file system change before which a decision is on disk, once it is known. */
  let step = 1

  /** Leaves a staging folder with a decision; returns its name. */
  const killedAfterDeciding = async (): Promise<string> => {
    for (let change = step; change < 100; change += 1) {
      const args = [program, `${sources.url}/mail-sorter.tar`, installDir, String(change)]
      await once(spawn(process.execPath, args, { stdio: "inherit" }), "exit")
      for (const name of await readdir(installDir)) {
        const path = join(installDir, name)
        const isDecided = (await lstat(join(path, "decided.json")).catch(() => undefined)) !== undefined
        if (isDecided && (await lstat(join(path, "ready")).catch(() => undefined)) !== undefined) {
          step = change
          return name
        }
      }
      await rm(installDir, { recursive: true })
      await mkdir(installDir)
    }
    return assert.fail("no step leaves a decision behind")
  }

  it("is finished by the next install", async () => {
    await killedAfterDeciding()
    await install("other")
    const names = (await verifyInstalled(installDir)).map(({ differences, name }) => [name, differences])
    assert.deepStrictEqual(names, [
      ["mail-sorter", []],
      ["other", []]
    ])
  })

  it("is not finished if its files differ from those that were checked", async () => {
    const staging = await killedAfterDeciding()
    await writeFile(join(installDir, staging, "ready/SKILL.md"), "changed")
    await install("other")
    assert.deepStrictEqual((await readdir(installDir)).toSorted(), ["agent-marketplace.lock.json", "other"])
  })

  it.each(["under another name", "in another project"])("is not finished %s", async (where) => {
    const staging = await killedAfterDeciding()
    const [into, name] = where === "in another project" ? [join(project, "more"), staging] : [installDir, leftOver]
    await cp(join(installDir, staging), join(into, name), { recursive: true })
    await rm(join(installDir, staging), { recursive: true })
    await utimes(join(into, name), old, old)
    await install("other", into)
    assert.deepStrictEqual((await readdir(into)).toSorted(), ["agent-marketplace.lock.json", "other"])
  })
})

describe("links that the project's repository holds (CLIENT-15)", () => {
  it("an install folder that is a link, or is reached through one, is refused; the folder itself is accepted", async () => {
    await rm(installDir, { recursive: true })
    await symlink(".git", installDir)
    await refusal(install("mail-sorter"), /skills is a symbolic link to .*\.git: give the folder itself/)
    await symlink(project, join(project, "deep"))
    process.chdir(project)
    await refusal(install("mail-sorter", "deep/inner"), /deep is a symbolic link/)
    await refusal(install("mail-sorter", "skills"), /skills is a symbolic link/)
    assert.deepStrictEqual(await readdir(join(project, ".git")), ["hooks"])
    await install("mail-sorter", join(project, "deep/inner"))
    const error = await updateInstalled(market("mail-sorter"), installDir).catch((thrown: unknown) => thrown)
    assert.instanceOf(error, InstallError)
  })

  it.each(["agent-marketplace.lock.json", ".marketplace-tmp-busy"])(
    "%s that is a link is refused and not read",
    async (name) => {
      await symlink("/dev/zero", join(installDir, name))
      await refusal(install("mail-sorter"), new RegExp(`${name} is a symbolic link: remove it`))
      assert.deepStrictEqual(await readdir(installDir), [name])
    }
  )
})

describe("a lock file that the project's repository holds (CLIENT-16)", () => {
  it("cannot make an update install a purchase other than that of the entry", async () => {
    const { installedPath } = await install("mail-sorter")
    const { entries, keys } = await readLockFile(installDir)
    const forged = [...entries].map(([name, entry]) => [name, { ...entry, id: "lst_evil" }] as const)
    await writeLockFile(installDir, { keys, entries: new Map(forged) })
    sources.requests.length = 0
    const [updated] = await updateInstalled(market("mail-sorter"), installDir, undefined, { allowLoopback: true })
    assert.strictEqual(updated?.status, "failed")
    assert.match(updated?.message ?? "", /is of lst_1, not "lst_evil"/)
    assert.deepStrictEqual(sources.requests, [])
    assert.strictEqual(await readFile(join(installedPath, "SKILL.md"), "utf8"), "mail-sorter")
  })
})

describe("git configuration that the project holds (CLIENT-17)", () => {
  const gitIn = (folder: string, ...args: ReadonlyArray<string>) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], {
      cwd: folder,
      stdio: "pipe"
    })

  it("is not used for a clone: neither the project's own, nor that of an install folder disguised as a repository, nor a git on a relative PATH", async () => {
    const repositories = join(project, "served")
    await mkdir(join(repositories, "sorter"), { recursive: true })
    gitIn(join(repositories, "sorter"), "init", "--quiet", "--initial-branch=main")
    await writeFile(join(repositories, "sorter/SKILL.md"), "right")
    gitIn(join(repositories, "sorter"), "add", ".")
    gitIn(join(repositories, "sorter"), "commit", "--quiet", "-m", "right")
    const backend = gitBackend(repositories)
    for (const path of ["/sorter/info/refs", "/sorter/git-upload-pack"]) sources.pages.set(path, { answer: backend })
    gitIn(project, "init", "--quiet")
    gitIn(installDir, "init", "--quiet", "--bare")
    const trap = join(project, "trapped")
    for (const folder of [project, installDir]) {
      gitIn(folder, "config", `url.http://127.0.0.1:1/.insteadOf`, `${sources.url}/`)
      gitIn(folder, "config", "core.fsmonitor", `touch ${trap}`)
      gitIn(folder, "config", "core.sshCommand", `touch ${trap}`)
    }
    await mkdir(join(project, "bin"))
    await writeFile(join(project, "bin/git"), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 })
    const path = process.env["PATH"]
    process.env["PATH"] = `../../bin:../../../bin:${path}`
    try {
      const bought = marketOf({ slug: "sorter", installUrl: `${sources.url}/sorter` })
      const { installedPath } = await installSkill(bought, { skillId: "sorter", installDir, allowLoopback: true })
      assert.strictEqual(await readFile(join(installedPath, "SKILL.md"), "utf8"), "right")
    } finally {
      process.env["PATH"] = path
    }
    assert.notInclude(await readdir(project), "trapped")
  })
})
