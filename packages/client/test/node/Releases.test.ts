import { ChangedByHand } from "@agent-marketplace/client/node/ChangedByHand"
import { InstallError } from "@agent-marketplace/client/node/InstallError"
import { installFrozen } from "@agent-marketplace/client/node/installFrozen"
import { installSkill } from "@agent-marketplace/client/node/installSkill"
import { readLockFile, writeLockFile } from "@agent-marketplace/client/node/lock/LockFile"
import { checkRelease } from "@agent-marketplace/client/node/releases/checkRelease"
import { isOlder } from "@agent-marketplace/client/node/releases/isOlder"
import type { Difference } from "@agent-marketplace/client/node/tree/differencesOf"
import { uninstall } from "@agent-marketplace/client/node/uninstall"
import { updateInstalled } from "@agent-marketplace/client/node/updateInstalled"
import { verifyInstalled } from "@agent-marketplace/client/node/verifyInstalled"
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import type { Made, ReleaseMarket, TestKey } from "./fixtures/releaseMarket.ts"
import { makeAdvisory, makeKey, makeRelease, startReleaseMarket } from "./fixtures/releaseMarket.ts"

const skill = "---\nname: sorter\ndescription: Sorts.\n---\n# Sorter\n"
const script = "#!/bin/sh\necho sorted\n"

let key: TestKey
let state: ReleaseMarket
let installDir: string

const publish = (version: string, files: Readonly<Record<string, string>>, options = {}, by = key): Made => {
  const made = makeRelease(version, files, by, options)
  state.releases.set(version, made)
  state.onSale = version
  return made
}

const install = (more: object = {}) => installSkill(state.market, { skillId: "sorter", installDir, ...more })
const update = (more: object = {}) => updateInstalled(state.market, installDir, undefined, more)
const lockFile = () => join(installDir, "agent-marketplace.lock.json")

const refusal = async (attempt: Promise<unknown>, reason: RegExp): Promise<void> => {
  const error = await attempt.then(
    () => assert.fail("it was installed"),
    (thrown: unknown) => thrown
  )
  assert.instanceOf(error, InstallError)
  assert.match(error.message, reason)
}

const assertNothingInstalled = async () => assert.deepStrictEqual(await readdir(installDir), [])

/** A copy with one bit changed. */
const flipped = (bytes: Uint8Array, bit: number): Uint8Array => {
  const copy = Uint8Array.from(bytes)
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return copy
}

beforeEach(async () => {
  key = makeKey()
  state = startReleaseMarket(key)
  installDir = await mkdtemp(join(tmpdir(), "releases-"))
  publish("1.0.0", { "SKILL.md": skill, "scripts/run.sh": script, "a/data.txt": "data" })
})
afterEach(() => rm(installDir, { recursive: true }))

describe("an install of a release", () => {
  it("records version, digests, statement, key, verdict, capabilities and purchase, never the license key (INSTALL-6)", async () => {
    const { changes, installedPath, name, ...entry } = await install()
    assert.deepStrictEqual([name, installedPath, changes], ["sorter", join(installDir, "sorter"), null])
    const made = state.releases.get("1.0.0")
    assert.deepInclude(entry, { id: "lst_1", purchaseId: "pur_1", version: "1.0.0", source: { type: "release" } })
    assert.strictEqual(entry.release?.archive, made?.release.sha256)
    assert.deepStrictEqual([entry.release?.keyId, entry.release?.level], [key.kid, "clean"])
    assert.deepStrictEqual(entry.release?.statement, made?.release.statement ?? undefined)
    const text = await readFile(lockFile(), "utf8")
    assert.notInclude(text, "ABCDE")
    assert.deepStrictEqual((await readLockFile(installDir)).keys, [{ kid: key.kid, x: key.x, retiredAt: null }])
    assert.deepStrictEqual(await verifyInstalled(installDir), [
      { name: "sorter", installedPath, verified: true, differences: [] }
    ])
  })

  it("makes scripts executable by their first line, and nothing else; no file has special bits (INSTALL-11)", async () => {
    const { installedPath } = await install()
    const modeOf = async (path: string) => (await stat(join(installedPath, path))).mode & 0o7777 & ~0o022
    assert.strictEqual(await modeOf("scripts/run.sh"), 0o755)
    assert.strictEqual(await modeOf("SKILL.md"), 0o644)
  })

  it("of a free skill needs no purchase; a paid one without a license is refused (INSTALL-9)", async () => {
    state.purchase = undefined
    assert.isNull((await install()).purchaseId)
    state.purchase = { status: "refunded" as never, isValid: false }
    await refusal(install({ purchaseId: "pur_1" }), /license of pur_1 does not count/)
  })

  it("installs a version by name, a yanked one too, and none that waits, is quarantined or has the verdict block", async () => {
    publish("0.9.0", { "SKILL.md": skill }, { status: "yanked" })
    assert.strictEqual((await install({ version: "0.9.0" })).version, "0.9.0")
    publish("1.1.0", { "SKILL.md": skill }, { status: "in_review" })
    await refusal(install(), /1\.1\.0" cannot be installed: it is "in_review"/)
    publish("1.2.0", { "SKILL.md": skill }, { level: "block" })
    await refusal(install(), /verdict on the release is block/)
  })

  it("leaves out metadata of macOS, as the market's own unpacking does (INSTALL-10)", async () => {
    const double = Buffer.concat([Buffer.from([0, 5, 0x16, 7, 0, 2, 0, 0]), Buffer.alloc(20)])
    publish("2.0.0", { "SKILL.md": skill }, { beside: { "._SKILL.md": double } })
    assert.deepStrictEqual(Object.keys((await install()).files), ["SKILL.md"])
    publish("2.1.0", { "SKILL.md": skill }, { beside: { "extra.md": Buffer.from("more") } })
    await refusal(install(), /its files are not those of the archive/)
  })

  it.each(["../evil.sh", "/etc/evil", "a/../../evil", ".git/hooks/post-checkout", "con.md"])(
    "refuses the path %s although it is signed",
    async (path) => {
      publish("2.0.0", { "SKILL.md": skill, [path]: "evil" })
      await refusal(install(), /refused|\.git folder|Windows device/)
      await assertNothingInstalled()
    }
  )
})

describe("a market that sends something else (INSTALL-11)", () => {
  it("every flipped bit of an archive is refused", async () => {
    const { archive, release } = publish("1.0.0", { "SKILL.md": skill })
    const stated = { itemId: "lst_1", version: "1.0.0", statement: release.statement! }
    assert.lengthOf((await checkRelease(archive, stated, state.keys)).files, 1)
    for (let bit = 0; bit < archive.length * 8; bit += 1)
      await refusal(checkRelease(flipped(archive, bit), stated, state.keys), /about other bytes/)
  })

  it("every flipped bit of the statement is refused", async () => {
    const { archive, release } = publish("1.0.0", { "SKILL.md": skill })
    const text = Buffer.from(JSON.stringify(release.statement))
    for (let bit = 0; bit < text.length * 8; bit += 1) {
      let statement
      try {
        statement = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(flipped(text, bit)))
      } catch {
        continue
      }
      const checked = checkRelease(archive, { itemId: "lst_1", version: "1.0.0", statement }, state.keys)
      await refusal(checked, /the market's statement about the release is refused/)
    }
  })

  it("a manifest that differs from the bytes is refused, wherever it differs", async () => {
    const { archive, release } = publish("1.0.0", { "SKILL.md": skill, "b.txt": "b" })
    const [first, ...others] = release.files
    const wrong = [
      { ...release, files: others },
      { ...release, files: [...release.files, { path: "more.txt", size: 1, sha256: release.sha256 }] },
      { ...release, files: [{ ...first!, size: 7 }, ...others] },
      { ...release, files: [{ ...first!, sha256: release.sha256 }, ...others] },
      { ...release, files: [{ ...first!, path: "SKILL2.md" }, ...others] },
      { ...release, sha256: "0".repeat(64) },
      { ...release, size: 1 }
    ]
    for (const other of wrong) {
      state.releases.set("1.0.0", { archive, release: other })
      await refusal(install(), /describes other files than those that it sent/)
      await assertNothingInstalled()
    }
  })

  it("the statement of an older release, another item or another archive is refused, and nothing is written", async () => {
    const old = publish("1.0.0", { "SKILL.md": skill })
    const { archive, release } = publish("2.0.0", { "SKILL.md": `${skill}new` })
    state.releases.set("2.0.0", { archive, release: { ...release, statement: old.release.statement } })
    await refusal(install(), /is about another version/)
    state.releases.set("2.0.0", { archive: old.archive, release })
    await refusal(install(), /about other bytes/)
    state.releases.set("2.0.0", makeRelease("2.0.0", { "SKILL.md": skill }, key, { itemId: "lst_2" }))
    await refusal(install(), /is about another item/)
    state.releases.set("2.0.0", { archive, release: { ...release, statement: null } })
    await refusal(install(), /has no statement/)
    await assertNothingInstalled()
  })

  it("an archive with more, fewer or other files than the statement is refused", async () => {
    const { release } = publish("1.0.0", { "SKILL.md": skill, "b.txt": "b" })
    for (const files of [{ "SKILL.md": skill }, { "SKILL.md": skill, "b.txt": "c" }]) {
      const other = makeRelease("1.0.0", files, key)
      // A statement of the market about these bytes, but with the files of the other release.
      const payload = JSON.parse(Buffer.from(release.statement!.payload, "base64").toString())
      payload.subject[0].digest.sha256 = other.release.sha256
      const forged = { ...release.statement!, payload: Buffer.from(JSON.stringify(payload)).toString("base64") }
      state.releases.set("1.0.0", { archive: other.archive, release: { ...release, statement: forged } })
      await refusal(install(), /its signature is wrong/)
    }
    await assertNothingInstalled()
  })
})

describe("the market's keys (INSTALL-12)", () => {
  const listed = ({ kid, x }: TestKey, retiredAt: string | null = null) => ({ kid, x, retiredAt })

  it("are pinned at the first install; an unknown key, and one without the retirement of the earlier, are refused", async () => {
    await install()
    const thief = makeKey()
    publish("1.1.0", { "SKILL.md": skill }, {}, thief)
    await refusal(install(), /signed with a key that the market does not list/)
    state.keys = [listed(thief)]
    await refusal(install(), /which was pinned, is no longer listed/)
    state.keys = [listed(key), listed(thief)]
    await refusal(install(), /the earlier one has not retired/)
    assert.strictEqual((await readLockFile(installDir)).entries.get("sorter")?.version, "1.0.0")
  })

  it("a new key is accepted once the list says when the earlier one retired; what that one signs afterwards is not", async () => {
    await install()
    const next = makeKey()
    state.keys = [listed(next), listed(key, "2026-02-01T00:00:00.000Z")]
    publish("1.1.0", { "SKILL.md": skill }, { at: "2026-03-01T00:00:00.000Z" }, next)
    assert.strictEqual((await install()).release?.keyId, next.kid)
    assert.lengthOf((await readLockFile(installDir)).keys, 2)
    publish("1.2.0", { "SKILL.md": skill }, { at: "2026-03-01T00:00:00.000Z" })
    await refusal(install(), /dated after its key was retired/)
    state.keys = [listed(key), listed(next, "2026-02-01T00:00:00.000Z")]
    await refusal(install(), /retired at .* and another time is listed now/)
  })

  it("a key whose id is not its own is refused", async () => {
    state.keys = [{ ...listed(key), kid: makeKey().kid }]
    await refusal(install(), /not an Ed25519 key with its own id/)
  })
})

describe("the lock file (INSTALL-13)", () => {
  it("a flipped bit anywhere is noticed", async () => {
    await install()
    const text = await readFile(lockFile())
    for (let bit = 0; bit < text.length * 8; bit += 61) {
      await writeFile(lockFile(), flipped(text, bit))
      const error = await verifyInstalled(installDir).catch((thrown: unknown) => thrown)
      assert.instanceOf(error, InstallError, `bit ${bit}`)
    }
    await writeFile(lockFile(), text.toString().replaceAll("\n", "\r\n"))
    assert.isTrue((await verifyInstalled(installDir))[0]?.verified)
  })

  it("an entry that was forged with its own digest does not match the market's signature", async () => {
    const { installedPath } = await install()
    const { entries, keys } = await readLockFile(installDir)
    const entry = entries.get("sorter")!
    const forged = [
      { ...entry, version: "1.0.1" },
      { ...entry, id: "lst_2" },
      { ...entry, files: { ...entry.files, "evil.sh": "0".repeat(64) } },
      { ...entry, release: { ...entry.release!, archive: "0".repeat(64) } },
      { ...entry, release: { ...entry.release!, level: "notice" } },
      { ...entry, release: { ...entry.release!, keyId: makeKey().kid } }
    ]
    for (const each of forged) {
      await writeLockFile(installDir, { keys, entries: new Map([["sorter", each]]) })
      const [found] = await verifyInstalled(installDir)
      assert.isFalse(found?.verified)
      assert.deepInclude(found?.differences, { path: "agent-marketplace.lock.json", difference: "not signed" })
      await refusal(installFrozen(state.market, installDir), /does not match the market's statement/)
    }
    assert.strictEqual(await readFile(join(installedPath, "SKILL.md"), "utf8"), skill)
  })

  it("of an earlier version is read without its license keys, and replaced by the next install", async () => {
    const entry = { id: "lst_9", purchaseId: "pur_9", licenseKey: "KEY", source: { type: "soul" }, version: "1" }
    const files = { "SOUL.md": "0".repeat(64) }
    const old = { ...entry, sha256: "0".repeat(64), files, installedAt: "2025-01-15T12:00:00.000Z" }
    const earlier = join(installDir, "marketplace.lock.json")
    await writeFile(earlier, JSON.stringify({ lockfileVersion: 1, skills: { tutor: old } }))
    await install()
    assert.deepStrictEqual([...(await readLockFile(installDir)).entries.keys()], ["sorter", "tutor"])
    assert.deepStrictEqual((await readdir(installDir)).toSorted(), ["agent-marketplace.lock.json", "sorter"])
    assert.notInclude(await readFile(lockFile(), "utf8"), "KEY")
  })
})

describe("a replacement that asks for more (INSTALL-16)", () => {
  const greedy = `${skill}\n\`\`\`sh\ncurl https://collect.evil-host.net/x\n\`\`\`\n`

  it("needs the acceptance of the owner; an agent's key cannot give it", async () => {
    await install()
    publish("1.1.0", { "SKILL.md": greedy, "b.txt": "b" })
    const [refused] = await update()
    assert.strictEqual(refused?.status, "not_accepted")
    assert.match(refused?.message ?? "", /1\.1\.0 asks for more than 1\.0\.0: hosts collect\.evil-host\.net.*--accept/)
    assert.deepStrictEqual(refused?.changes?.files, {
      added: ["b.txt"],
      removed: ["a/data.txt", "scripts/run.sh"],
      changed: ["SKILL.md"]
    })
    await refusal(install(), /asks for more/)
    state.isOwner = false
    assert.match(
      (await update({ accept: true }))[0]?.message ?? "",
      /Only the account's owner can accept that, not an agent/
    )
    await refusal(install({ accept: true }), /not an agent/)
    assert.strictEqual((await readLockFile(installDir)).entries.get("sorter")?.version, "1.0.0")
    state.isOwner = true
    assert.strictEqual((await update({ accept: true, dryRun: true }))[0]?.status, "available")
    const [updated] = await update({ accept: true })
    assert.deepStrictEqual([updated?.status, updated?.from, updated?.to], ["updated", "1.0.0", "1.1.0"])
    assert.deepStrictEqual(await readdir(join(installDir, "sorter")), ["SKILL.md", "b.txt"])
  })

  it("a release that asks for the same is installed; an older one only if it is named", async () => {
    await install()
    publish("0.5.0", { "SKILL.md": skill })
    assert.match((await update())[0]?.message ?? "", /0\.5\.0 is older than the installed 1\.0\.0/)
    assert.strictEqual((await install({ version: "0.5.0" })).version, "0.5.0")
    publish("1.0.1", { "SKILL.md": `${skill}more` })
    assert.strictEqual((await update())[0]?.status, "updated")
  })

  it("orders versions as semantic versioning does", () => {
    const sorted = [
      "1.0.0-alpha",
      "1.0.0-alpha.1",
      "1.0.0-alpha.beta",
      "1.0.0-beta.2",
      "1.0.0-beta.11",
      "1.0.0",
      "1.0.10"
    ]
    for (const [at, one] of sorted.entries())
      for (const [to, other] of sorted.entries()) assert.strictEqual(isOlder(one, other), at < to, `${one} ${other}`)
  })
})

describe("advisories (INSTALL-15)", () => {
  it("a revoked version is neither installed nor updated to, and a changed feed stops every install", async () => {
    await install()
    publish("1.1.0", { "SKILL.md": skill })
    state.advisories = [makeAdvisory(key, ["1.1.0"], undefined)]
    await refusal(install(), /the market revoked it \(adv_1\.1\.0\): "It reads keys\."/)
    assert.match((await update())[0]?.message ?? "", /the market revoked it/)
    state.advisories = []
    await refusal(install(), /no longer contains adv_1\.1\.0/)
  })
})

describe("an install that is exactly the lock file's (INSTALL-17)", () => {
  it("restores what is missing or changed, and lists what differed, though a newer release is on sale, and leaves the lock file as it is", async () => {
    const { installedPath } = await install()
    const text = await readFile(lockFile(), "utf8")
    publish("2.0.0", { "SKILL.md": "new" })
    assert.strictEqual((await installFrozen(state.market, installDir))[0]?.status, "unchanged")
    await appendFile(join(installedPath, "SKILL.md"), "mine")
    const restored = await installFrozen(state.market, installDir)
    assert.deepStrictEqual(
      restored.map(({ differences, status }) => ({ status, differences })),
      [{ status: "installed", differences: [{ path: "SKILL.md", difference: "changed" }] }]
    )
    await rm(installedPath, { recursive: true })
    assert.strictEqual((await installFrozen(state.market, installDir))[0]?.status, "installed")
    assert.deepStrictEqual((await verifyInstalled(installDir))[0]?.differences, [])
    assert.strictEqual(await readFile(lockFile(), "utf8"), text)
  })

  it("fails if the release was quarantined, also if its files are in place, and not if it was yanked", async () => {
    await install()
    const [{ archive, release } = assert.fail("no release")] = state.releases.values()
    state.releases.set("1.0.0", { archive, release: { ...release, status: "quarantined" } })
    await refusal(
      installFrozen(state.market, installDir),
      /sorter: version "1\.0\.0" cannot be installed: it is "quarantined"/
    )
    state.releases.set("1.0.0", { archive, release: { ...release, status: "yanked" } })
    assert.strictEqual((await installFrozen(state.market, installDir))[0]?.status, "unchanged")
  })

  it("fails if the license was refunded, the bytes are others, the version is revoked, or there is no lock file", async () => {
    await refusal(installFrozen(state.market, installDir), /agent-marketplace\.lock\.json is missing or empty/)
    const { installedPath } = await install()
    await rm(installedPath, { recursive: true })
    state.purchase = { status: "refunded" as never, isValid: false }
    await refusal(installFrozen(state.market, installDir), /sorter: the license of pur_1 does not count/)
    state.purchase = {}
    const [made] = state.releases.values()
    state.releases.set("1.0.0", makeRelease("1.0.0", { "SKILL.md": "other" }, key))
    await refusal(installFrozen(state.market, installDir), /sorter: .*about other bytes/)
    state.releases.set("1.0.0", made!)
    state.advisories = [makeAdvisory(key, ["1.0.0"], undefined)]
    await refusal(installFrozen(state.market, installDir), /sorter: the market revoked it/)
    assert.notInclude(await readdir(installDir), "sorter")
  })
})

describe("files that were changed by hand (INSTALL-20)", () => {
  const changed: ReadonlyArray<Difference> = [
    { path: "SKILL.md", difference: "changed" },
    { path: "mine.txt", difference: "added" }
  ]
  let folder: string

  beforeEach(async () => {
    folder = (await install()).installedPath
    publish("1.1.0", { "SKILL.md": `${skill}1.1.0` })
    await writeFile(join(folder, "SKILL.md"), "MINE")
    await writeFile(join(folder, "mine.txt"), "mine")
    await rm(join(folder, "a/data.txt"))
  })

  it.each([
    ["an install", () => install({ version: "1.0.0" })],
    ["an install of another version", () => install()]
  ])("stop %s, which lists each of them and writes nothing", async (_, attempt) => {
    const lock = await readFile(lockFile(), "utf8")
    const error = await attempt().catch((thrown: unknown) => thrown)
    assert.instanceOf(error, ChangedByHand)
    assert.deepStrictEqual(error.differences, changed)
    assert.match(error.message, /^sorter was changed by hand: "SKILL\.md" \(changed\), "mine\.txt" \(added\)\./)
    assert.strictEqual(await readFile(join(folder, "SKILL.md"), "utf8"), "MINE")
    assert.strictEqual(await readFile(join(folder, "mine.txt"), "utf8"), "mine")
    assert.notInclude(await readdir(folder), "a/data.txt")
    assert.strictEqual(await readFile(lockFile(), "utf8"), lock)
  })

  it("are discarded with force, and the result lists them", async () => {
    assert.deepStrictEqual((await install({ force: true })).discarded, changed)
    assert.deepStrictEqual((await verifyInstalled(installDir))[0]?.differences, [])
  })

  it("are none if files are only missing: these are restored without force", async () => {
    await install({ force: true })
    await rm(join(folder, "SKILL.md"))
    assert.deepStrictEqual((await install()).discarded, [])
    assert.deepStrictEqual((await verifyInstalled(installDir))[0]?.differences, [])
  })

  it("do not stop a frozen install: after a pull of the lock file, an earlier version looks the same (INSTALL-17)", async () => {
    const [result] = await installFrozen(state.market, installDir)
    assert.deepStrictEqual([result?.status, result?.differences], ["installed", changed])
    assert.deepStrictEqual((await verifyInstalled(installDir))[0]?.differences, [])
  })
})

describe("uninstall (INSTALL-18)", () => {
  it("removes the folder and the entry; files that were added by hand only with force", async () => {
    const { installedPath } = await install()
    await writeFile(join(installedPath, "notes.txt"), "mine")
    await refusal(uninstall("sorter", installDir), /notes\.txt is added: with --force it is removed too/)
    await uninstall("sorter", installDir, { force: true })
    assert.deepStrictEqual(await readdir(installDir), ["agent-marketplace.lock.json"])
    assert.strictEqual((await readLockFile(installDir)).entries.size, 0)
    await refusal(uninstall("sorter", installDir), /is not in the lock file/)
  })
})

describe("two installs at once", () => {
  it("leave one of the two versions whole", async () => {
    publish("1.1.0", { "SKILL.md": `${skill}1.1.0` })
    const versions = ["1.0.0", "1.1.0"]
    await Promise.all([...versions, ...versions].map((version) => install({ version })))
    const [verified] = await verifyInstalled(installDir)
    assert.deepStrictEqual([verified?.verified, verified?.differences], [true, []])
    assert.deepStrictEqual((await readdir(installDir)).toSorted(), ["agent-marketplace.lock.json", "sorter"])
  })
})
