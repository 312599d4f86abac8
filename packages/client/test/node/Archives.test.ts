import type { InstallLimits } from "@agent-marketplace/client/node/InstallOptions"
import { installSkill } from "@agent-marketplace/client/node/installSkill"
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { marketOf } from "./fixtures/boughtSkill.ts"
import { refusal } from "./fixtures/refusal.ts"
import { madeTar } from "./fixtures/madeTar.ts"
import { madeZip } from "./fixtures/madeZip.ts"
import type { Sources } from "@agent-marketplace/fixtures/sources/startSources"
import { startSources } from "@agent-marketplace/fixtures/sources/startSources"

let sources: Sources
let outside: string
let installDir: string

beforeAll(async () => {
  sources = await startSources()
})
afterAll(() => sources.stop())
beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), "install-"))
  installDir = join(outside, "skills")
})
afterEach(() => rm(outside, { recursive: true }))

const install = (name: string, body: Buffer, limits: Partial<InstallLimits> = {}, fragment = "") => {
  sources.pages.set(`/${name}`, { body })
  const market = marketOf({ slug: "mail-sorter", installUrl: `${sources.url}/${name}${fragment}` })
  return installSkill(market, { purchaseId: "pur_mail-sorter", installDir, allowLoopback: true, limits })
}

/** The archive must be refused with this reason and leave no files, neither inside the folder nor beside it. */
const refused = async (attempt: Promise<unknown>, reason: RegExp) => {
  await refusal(attempt, reason)
  assert.deepStrictEqual(await readdir(outside), ["skills"])
  assert.deepStrictEqual(await readdir(installDir), [])
}

const skill = { name: "SKILL.md", content: "# Mail Sorter\n" }

describe("an archive", () => {
  const tar = () =>
    madeTar([
      skill,
      { name: "scripts/", type: "directory" },
      { name: "scripts/run.sh", mode: 0o755, content: "exit 1\n" }
    ])
  const zip = async () =>
    madeZip([skill, { name: "scripts/" }, { name: "scripts/run.sh", mode: 0o100755, content: "exit 1\n" }])

  it.each([
    ["skill.tar", tar],
    ["skill.tar.gz", async () => gzipSync(await tar())],
    ["skill.tgz", async () => gzipSync(await tar())],
    ["skill.zip", zip],
    ["download", zip]
  ])("%s is unpacked with its folders, without executable files", async (name, archive) => {
    const { installedPath, source, version } = await install(name, await archive())
    assert.strictEqual(installedPath, join(installDir, "mail-sorter"))
    assert.deepStrictEqual((await readdir(installedPath, { recursive: true })).toSorted(), [
      "SKILL.md",
      "scripts",
      "scripts/run.sh"
    ])
    assert.strictEqual(await readFile(join(installedPath, "scripts/run.sh"), "utf8"), "exit 1\n")
    assert.strictEqual((await stat(join(installedPath, "scripts/run.sh"))).mode & 0o111, 0)
    assert.deepStrictEqual(source, { type: "archive", url: `${sources.url}/${name}` })
    assert.match(version, /^sha256:[0-9a-f]{64}$/)
  })

  it("with all files in one folder is installed without that folder; a `./` prefix is ignored", async () => {
    const inner = await madeTar([
      { name: "repo-main/", type: "directory" },
      { ...skill, name: "repo-main/SKILL.md" }
    ])
    const { files, installedPath } = await install("inner.tar", inner)
    assert.deepStrictEqual([Object.keys(files), await readdir(installedPath)], [["SKILL.md"], ["SKILL.md"]])
    const dotted = await madeTar([
      { name: "./", type: "directory" },
      { ...skill, name: "./SKILL.md" }
    ])
    assert.deepStrictEqual(await readdir((await install("dotted.tar", dotted)).installedPath), ["SKILL.md"])
  })

  it("inside an archive is not unpacked, so that a nested bomb has no effect", async () => {
    const nested = madeZip([
      skill,
      { name: "more.zip", content: madeZip([{ name: "zeros", content: Buffer.alloc(1e6) }]) }
    ])
    const { installedPath } = await install("nested.zip", nested, { totalBytes: 100_000 })
    assert.deepStrictEqual((await readdir(installedPath)).toSorted(), ["SKILL.md", "more.zip"])
  })

  it("with a promised SHA-256 must match it", async () => {
    const archive = await tar()
    const { version } = await install("promised.tar", archive)
    await install("promised.tar", archive, {}, `#${version.replace(":", "=")}`)
    await rm(installDir, { recursive: true })
    const promise = `#sha256=${"0".repeat(64)}`
    await refused(install("promised.tar", archive, {}, promise), /has the SHA-256 [0-9a-f]{64}, not the promised 0{64}/)
    await refused(install("promised.tar", archive, {}, "#main"), /fragment must be #sha256=/)
  })
})

const paths = [
  ["../evil", /has a part \.\./],
  ["a/../../evil", /has a part \.\./],
  ["..", /has a part \.\./],
  ["/etc/evil", /is absolute/],
  ["C:/evil", /is absolute/],
  ["c:evil", /is absolute/],
  ["a\\..\\evil", /has a backslash/],
  ["file:stream", /has one of/],
  ["a//b", /has an empty part/],
  ["a/./b", /has a part \./],
  ["bell\u0007", /cannot be shown/],
  ["right\u202eleft", /cannot be shown/],
  ["com1.txt", /Windows device/],
  ["a/NUL", /Windows device/],
  ["dot.", /ends in a dot/],
  [".git/config", /\.git folder/],
  ["a/.GIT/hooks/post-checkout", /\.git folder/],
  ["x".repeat(201), /longer than 200|more than 200 bytes/],
  [`${"d/".repeat(40)}f`, /deeper than 32/]
] as const

describe("a path in an archive that leaves the folder, or means different files on different systems, is refused (INSTALL-4)", () => {
  it.each(paths)("%j", async (name, reason) => {
    await refused(install("evil.zip", madeZip([skill, { name, content: "evil" }])), reason)
    await refused(install("evil.tar", await madeTar([skill, { name, pax: { path: name }, content: "evil" }])), reason)
  })

  it("NUL in a pax header", async () => {
    const archive = await madeTar([{ name: "a", pax: { path: "a\0b" }, content: "evil" }])
    await refused(install("nul.tar", archive), /cannot be shown/)
  })

  it.each([
    ["twice the same", ["a.txt", "a.txt"], /is there twice/],
    ["another case", ["Read.md", "README", "READ.md"], /only in case or accents/],
    ["another case of a folder", ["Docs/a", "docs/b"], /only in case or accents/],
    ["another form of an accent", ["caf\u00e9", "cafe\u0301"], /only in case or accents/],
    ["a file that is a folder", ["a", "a/b"], /is a file and a folder/],
    ["a folder that is a file", ["a/b", "a"], /is a file and a folder/]
  ])("%s", async (_, names, reason) => {
    await refused(install("same.zip", madeZip(names.map((name) => ({ name, content: name })))), reason)
    await refused(install("same.tar", await madeTar(names.map((name) => ({ name, content: name })))), reason)
  })
})

describe("an entry that is neither a file nor a folder is refused", () => {
  it.each([
    ["symlink", { linkname: "/etc/passwd" }, /symbolic link/],
    ["symlink", { linkname: "SKILL.md" }, /symbolic link/],
    ["link", { linkname: "SKILL.md" }, /hard link/],
    ["character-device", { devmajor: 1, devminor: 3 }, /device/],
    ["block-device", { devmajor: 8, devminor: 0 }, /device/],
    ["fifo", {}, /pipe/]
  ] as const)("a %s in a tar", async (type, more, reason) => {
    await refused(install("special.tar", await madeTar([skill, { name: "x", type, ...more }])), reason)
    await refused(install("special.tgz", gzipSync(await madeTar([{ name: "x", type, ...more }, skill]))), reason)
  })

  it("a link that a later entry would be written through", async () => {
    const archive = await madeTar([
      { name: "x", type: "symlink", linkname: ".." },
      { name: "x/evil", content: "evil" }
    ])
    await refused(install("through.tar", archive), /symbolic link/)
  })

  it.each([
    [0o120777, /symbolic link/],
    [0o020666, /device/],
    [0o060666, /device/],
    [0o010666, /pipe/],
    [0o140777, /socket/],
    [0o170777, /special entry/]
  ])("the mode %i in a zip", async (mode, reason) => {
    await refused(install("special.zip", madeZip([skill, { name: "x", mode, content: "/etc/passwd" }])), reason)
  })
})

describe("anything beyond the limits is stopped while it is received", () => {
  it("a bomb of gzip", async () => {
    const bomb = gzipSync(await madeTar([{ name: "zeros", content: Buffer.alloc(8e6) }]))
    assert.isBelow(bomb.length, 20_000)
    await refused(install("bomb.tgz", bomb, { totalBytes: 1e6 }), /more than 1000000 bytes/)
  })

  it("a bomb of zip, whatever size it declares", async () => {
    const content = Buffer.alloc(8e6)
    await refused(
      install("bomb.zip", madeZip([{ name: "zeros", content }]), { totalBytes: 1e6 }),
      /more than 1000000 bytes/
    )
    const many = Array.from({ length: 20 }, (_, n) => ({ name: `zeros${n}`, content: content.subarray(0, 1e5) }))
    await refused(install("many.zip", madeZip(many), { totalBytes: 1e6 }), /more than 1000000 bytes/)
    for (const size of [10, 9e6]) {
      const lying = madeZip([{ name: "zeros", content, declared: { size } }])
      await refused(install("lying.zip", lying, { totalBytes: 1e7 }), /too (?:many|few) bytes|not enough bytes/)
    }
  })

  it("a file that is too large", async () => {
    const large = await madeTar([{ name: "large", content: Buffer.alloc(2000) }])
    await refused(install("large.tar", large, { fileBytes: 1999 }), /the file "large" has more than 1999 bytes/)
  })

  it("a tar header that declares petabytes", async () => {
    const archive = await madeTar([{ name: "large", content: "x" }])
    const header = archive.subarray(0, 512)
    header.fill(0, 124, 136)
    header.writeUInt8(0x80, 124)
    header.writeUInt32BE(0x7fffffff, 128)
    header.write("        ", 148)
    header.write(
      `${header
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, "0")}\0 `,
      148
    )
    await refused(install("petabytes.tar", archive), /end of data/i)
  })

  it("more files than are allowed", async () => {
    const names = Array.from({ length: 400 }, (_, n) => ({ name: `${n % 10}/${n}` }))
    const zip = madeZip(names.map((entry) => ({ ...entry, stored: true })))
    await refused(install("files.zip", zip, { files: 300 }), /more than 300 files/)
    const tar = await madeTar(names.map((entry) => ({ ...entry, type: "directory" as const })))
    await refused(install("folders.tar", tar, { files: 300 }), /more than 300 files/)
  })
})

describe("a damaged archive is refused", () => {
  it.each([
    [
      "a wrong checksum in a zip",
      "crc.zip",
      async () => madeZip([{ ...skill, declared: { crc: 1 } }]),
      /checksum of "SKILL.md" is wrong/
    ],
    ["an encrypted zip", "secret.zip", async () => madeZip([{ ...skill, flags: 0x801 }]), /encrypted/],
    ["a truncated zip", "cut.zip", async () => madeZip([skill]).subarray(0, -30), /central directory/i],
    ["a truncated gzip", "cut.tgz", async () => gzipSync(await madeTar([skill])).subarray(0, -9), /unexpected end/i],
    ["a truncated tar", "cut.tar", async () => (await madeTar([skill])).subarray(0, 520), /end of data/i],
    [
      "a wrong checksum in a gzip",
      "crc.tgz",
      async () => {
        const archive = gzipSync(await madeTar([skill]))
        return archive.fill(1, archive.length - 8, archive.length - 4)
      },
      /incorrect data check/
    ],
    ["a gzip without a tar", "text.tgz", async () => gzipSync("no tar ".repeat(200)), /invalid tar header/i],
    [
      "a wrong checksum in a tar",
      "crc.tar",
      async () => (await madeTar([skill])).fill(0x37, 148, 152),
      /invalid tar header/i
    ],
    ["text named like a zip", "text.zip", async () => Buffer.from("no zip"), /is not an archive/],
    ["one with nothing in it", "empty.zip", async () => madeZip([{ name: "folder/" }]), /has no files/]
  ])("%s", async (_, name, archive, reason) => {
    await refused(install(name, await archive()), reason)
  })

  it("and the message names the archive as the cause", async () => {
    const reason = /^the archive cannot be read: /
    await refused(install("cut.zip", madeZip([skill]).subarray(0, -30)), reason)
    await refused(install("crc.zip", madeZip([{ ...skill, declared: { crc: 1 } }])), reason)
    await refused(install("cut.tgz", gzipSync(await madeTar([skill])).subarray(0, -9)), reason)
  })
})
