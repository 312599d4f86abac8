import { describe, expect, it } from "vitest"
import { skillText } from "@agent-marketplace/fixtures/archives/ArchiveForm"
import { recordedArchives } from "@agent-marketplace/fixtures/archives/recordedArchives"
import { pax, tarGz } from "@agent-marketplace/fixtures/archives/tarBytes"
import type { TarEntry } from "@agent-marketplace/fixtures/archives/tarBytes"
import { descriptor, extraField, zipBytes } from "@agent-marketplace/fixtures/archives/zipBytes"
import type { ZipEntry } from "@agent-marketplace/fixtures/archives/zipBytes"
import { crc32, deflateRawSync } from "node:zlib"
import { ArchiveRefused } from "../src/archive/ArchiveRefused.ts"
import { readSkill, readSoul } from "../src/archive/readSkill.ts"
import { unpackArchive } from "../src/archive/unpackArchive.ts"
import type { Unpacked } from "../src/archive/unpackArchive.ts"

const accepted = (archive: Uint8Array): Unpacked => {
  const unpacked = unpackArchive(archive)
  if (unpacked instanceof ArchiveRefused) throw unpacked
  expect(readSkill(unpacked.files)).toMatchObject({ name: "greeting", description: "Greets people by name." })
  return unpacked
}

const skill = { name: "SKILL.md", content: skillText }
const script = { name: "scripts/greet.sh", content: "#!/bin/sh\necho hello\n" }
const resource = Buffer.concat([
  Buffer.from("0005160700020000", "hex"),
  Buffer.from("Mac OS X        com.apple.quarantine")
])

const paths = ({ files }: Unpacked): ReadonlyArray<string> => files.map(({ path }) => path)

describe("an archive that a common program made is accepted (ARCHIVE-3)", () => {
  const long = `references/${"long-".repeat(12)}folder/${"name-".repeat(12)}file.md`
  const expected = ["SKILL.md", "references/café.md", long, "references/nothing.txt", "scripts/greet.sh"]

  it.each(Object.entries(recordedArchives))("%s", (program, base64) => {
    const unpacked = accepted(Buffer.from(base64, "base64"))
    const found = program === "npm pack" ? paths(unpacked).filter((path) => path !== "package.json") : paths(unpacked)
    expect(found.toSorted()).toEqual(expected.toSorted())
    expect(unpacked.wrappingFolder ?? "skill").toMatch(/^(?:skill|package)$/)
  })
})

/** As the Finder stores a file: sizes only in the descriptor. */
const streamed = (name: string, content: string | Uint8Array): ZipEntry => {
  const data = deflateRawSync(content)
  const bytes = Buffer.from(content as Uint8Array)
  return {
    name,
    content,
    flags: 8,
    madeBy: 0x0315,
    local: { crc: 0, size: 0, compressedSize: 0 },
    descriptor: descriptor(crc32(bytes), data.length, bytes.length),
    extra: extraField(0x7875, Buffer.from("0104f501000004 14000000".replace(" ", ""), "hex"))
  }
}

describe("metadata of macOS is left out (ARCHIVE-4)", () => {
  it("in a zip of the Finder, whose __MACOSX stands beside the wrapping folder", () => {
    const folder: ZipEntry = { name: "greeting/", mode: 0o040755, madeBy: 0x0315, needed: 10 }
    const entries = [
      folder,
      streamed("greeting/SKILL.md", skillText),
      streamed("__MACOSX/greeting/._SKILL.md", resource)
    ]
    const unpacked = accepted(zipBytes(entries))
    expect(paths(unpacked)).toEqual(["SKILL.md"])
    expect(unpacked).toMatchObject({ wrappingFolder: "greeting", leftOut: ["__MACOSX/greeting/._SKILL.md"] })
  })

  it("in a tar of macOS, beside each file", () => {
    const attributes = pax({ "LIBARCHIVE.xattr.com.apple.provenance": "AQIAq83v", mtime: "1700000000.123456789" })
    const entries: ReadonlyArray<TarEntry> = [
      { name: "./", type: "5" },
      attributes,
      { name: "./._SKILL.md", content: resource },
      attributes,
      { ...skill, name: "./SKILL.md" }
    ]
    const unpacked = accepted(tarGz(entries))
    expect(paths(unpacked)).toEqual(["SKILL.md"])
    expect(unpacked).toMatchObject({ wrappingFolder: undefined, leftOut: ["._SKILL.md"] })
  })

  it("but a file that only has such a name stays", () => {
    const unpacked = accepted(tarGz([skill, { name: "._notes.md", content: "curl example.com | sh" }]))
    expect(paths(unpacked)).toEqual(["SKILL.md", "._notes.md"])
  })
})

describe("other honest forms are accepted (ARCHIVE-3)", () => {
  it.each<readonly [string, Uint8Array]>([
    [
      "a zip of Windows, without Unix modes",
      zipBytes([
        { ...skill, attributes: 0x20, madeBy: 0x14 },
        { ...script, attributes: 0x20, madeBy: 0x14 }
      ])
    ],
    [
      "a zip of .NET, without attributes",
      zipBytes([
        { ...skill, attributes: 0, madeBy: 0x14 },
        { ...script, attributes: 0, madeBy: 0x14, flags: 0x800 }
      ])
    ],
    ["a zip of 7-Zip on Unix", zipBytes([{ ...skill, attributes: 0x8020, mode: 0o100644, madeBy: 0x033f }, script])],
    ["a zip with folders", zipBytes([{ name: "scripts/", mode: 0, attributes: 0x10, madeBy: 0x14 }, skill, script])],
    ["a zip with a comment", zipBytes([skill, script], { comment: Buffer.from("release 1") })],
    [
      "a zip with ./",
      zipBytes([
        { ...skill, name: "./SKILL.md" },
        { ...script, name: "./scripts/greet.sh" }
      ])
    ],
    [
      "a tar whose folders are repeated",
      tarGz([skill, { name: "scripts/", type: "5" }, { name: "scripts", type: "5" }, script])
    ],
    ["a tar with the sticky bit", tarGz([skill, { name: "scripts/", type: "5", mode: 0o1777 }, script])],
    ["a tar with blocks of zeros at its end", tarGz([skill, script], Buffer.alloc(10_240))]
  ])("%s", (_name, archive) => {
    expect(paths(accepted(archive))).toEqual(["SKILL.md", "scripts/greet.sh"])
  })

  it("an archive within the archive is a file", () => {
    const inner = zipBytes([skill])
    expect(accepted(tarGz([skill, { name: "assets/inner.zip", content: inner }])).files[1]).toEqual({
      path: "assets/inner.zip",
      bytes: inner
    })
  })

  it("the bounds themselves are allowed (ARCHIVE-1)", () => {
    const entries = Array.from({ length: 1999 }, (_, index) => ({ name: `files/${index}`, content: `${index}` }))
    expect(accepted(tarGz([skill, ...entries])).files).toHaveLength(2000)
    expect(accepted(zipBytes([skill, ...entries])).files).toHaveLength(2000)
    const deep = `${"d/".repeat(19)}a.txt`
    const long = `${"a".repeat(251)}.txt`
    expect(paths(accepted(zipBytes([skill, { name: deep, content: "x" }, { name: long, content: "x" }])))).toContain(
      deep
    )
  })
})

describe("the front matter of a skill (ARCHIVE-6)", () => {
  const fields = (text: string): unknown => readSkill([{ path: "SKILL.md", bytes: Buffer.from(`---\n${text}\n---\n`) }])

  it("has a name, a description and optional fields", () => {
    expect(
      fields(
        'name: a-1\ndescription: >-\n  Does\n  things.\nversion: 1.10\nlicense: MIT\nallowed-tools: Bash(git add *), Read\nmetadata: {"author": {"name": x}}\nunknown: [1]'
      )
    ).toEqual({
      name: "a-1",
      description: "Does things.",
      version: "1.10",
      license: "MIT",
      allowedTools: ["Bash(git add *)", "Read"],
      metadata: { author: { name: "x" } },
      written: {
        name: "a-1",
        description: "Does things.",
        version: 1.1,
        license: "MIT",
        "allowed-tools": "Bash(git add *), Read",
        metadata: { author: { name: "x" } },
        unknown: [1]
      }
    })
  })

  it("is available as JSON, with the values that a reader of the file gets (ARCHIVE-14)", () => {
    expect(fields("name: ' a '\ndescription: |\n  Does things.\nn: .nan\n__proto__: {a: 1}")).toMatchObject({
      name: "a",
      written: { name: "a", description: "Does things.\n", n: null, ["__proto__"]: { a: 1 } }
    })
    for (const text of ['"\\0"', '"\\ud800"', '{a: ["\\0"]}', '{"\\0": 1}'])
      expect(fields(`name: a\ndescription: d\nmore: ${text}`)).toMatchObject({ reason: "front_matter", message: /NUL/ })
  })

  it("may have a colon in a text without quotes, lines of Windows and a byte order mark", () => {
    expect(fields("name: a\r\ndescription: Use when: the user asks # and more")).toMatchObject({
      description: "Use when: the user asks # and more"
    })
    const bytes = Buffer.from("\ufeff---\r\nname: a\r\ndescription: d\r\nallowed-tools:\r\n  - Read\r\n---\r\ntext")
    expect(readSkill([{ path: "SKILL.md", bytes }])).toMatchObject({ name: "a", allowedTools: ["Read"] })
  })

  it("names the line of an error", () => {
    expect(fields("name: a\ndescription: d\nmetadata: {a: [")).toMatchObject({
      reason: "front_matter",
      message: /line 4/
    })
  })
})

it("a SOUL is exactly the file SOUL.md (ARCHIVE-7)", () => {
  const soul = { path: "SOUL.md", bytes: Buffer.from("# SOUL\n") }
  expect(readSoul([soul])).toBe("# SOUL\n")
  for (const files of [
    [],
    [soul, { ...soul, path: "a.md" }],
    [{ ...soul, path: "soul.md" }],
    [{ ...soul, bytes: Buffer.from([0xff]) }]
  ])
    expect(readSoul(files)).toMatchObject({ reason: "soul_file" })
})
