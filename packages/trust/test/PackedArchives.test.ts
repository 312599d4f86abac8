import { createHash } from "node:crypto"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { recordedArchives } from "@agent-marketplace/fixtures/archives/recordedArchives"
import { ArchiveRefused } from "../src/archive/ArchiveRefused.ts"
import { folded } from "../src/archive/EntryNames.ts"
import { packArchive } from "../src/archive/packArchive.ts"
import { unpackArchive } from "../src/archive/unpackArchive.ts"

const part = fc
  .array(fc.constantFrom("a", "B", "é", "語", "-", "_", "1", "😀", ".x", " y", "long-long-long-long-"), {
    minLength: 1,
    maxLength: 8
  })
  .map((parts) => parts.join(""))
const path = fc
  .array(part, { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join("/"))
  .filter((each) => Buffer.byteLength(each) <= 250)

/** The paths may contain no file that is also a folder, and no two names that fold to one. */
const files = fc
  .uniqueArray(path, { selector: (each) => folded(each).split("/")[0] ?? "", minLength: 1, maxLength: 12 })
  .chain((paths) =>
    fc.tuple(...paths.map((each) => fc.uint8Array({ maxLength: 700 }).map((bytes) => ({ path: each, bytes }))))
  )

const plain = (each: ReadonlyArray<{ readonly path: string; readonly bytes: Uint8Array }>) =>
  each.map(({ bytes, path: name }) => [name, Buffer.from(bytes).toString("hex")])

it("what was packed is unpacked again, sorted by path (ARCHIVE-8)", () => {
  fc.assert(
    fc.property(files, (given) => {
      const top = [...given, { path: "SKILL.md", bytes: new Uint8Array([1]) }]
      const unpacked = unpackArchive(packArchive(top))
      if (unpacked instanceof ArchiveRefused) throw unpacked
      expect(unpacked.wrappingFolder).toBeUndefined()
      expect(plain(unpacked.files)).toEqual(
        plain(top.toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path))))
      )
    }),
    { numRuns: 200 }
  )
})

it("equal files give equal bytes, in whatever order they come (ARCHIVE-8)", () => {
  const one = { path: "SKILL.md", bytes: Buffer.from("one") }
  const other = { path: `${"directory/".repeat(12)}${"x".repeat(110)}.md`, bytes: Buffer.from("other") }
  expect(Buffer.from(packArchive([one, other])).equals(packArchive([other, one]))).toBe(true)
})

it("a changed bit never adds a file, and only names without a checksum can change (ARCHIVE-2)", () => {
  for (const base64 of Object.values(recordedArchives)) {
    const archive = Buffer.from(base64, "base64")
    const original = unpackArchive(archive)
    if (original instanceof ArchiveRefused) throw original
    const contents = digests(original.files)
    for (let bit = 0; bit < archive.length * 8; bit += 29) {
      const changed = Buffer.from(archive)
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      const unpacked = unpackArchive(changed)
      if (!(unpacked instanceof ArchiveRefused)) expect(digests(unpacked.files)).toEqual(contents)
    }
  }
})

const digests = (all: ReadonlyArray<{ readonly bytes: Uint8Array }>): ReadonlyArray<string> =>
  all.map(({ bytes }) => createHash("sha256").update(bytes).digest("hex")).toSorted()
