import { crc32, gunzipSync, gzipSync } from "node:zlib"
import { expect, test } from "vitest"
import { ArchiveRefused } from "../src/archive/ArchiveRefused.ts"
import { packArchive } from "../src/archive/packArchive.ts"
import { unpackArchive } from "../src/archive/unpackArchive.ts"

const text = Buffer.from("---\nname: sample\ndescription: A sample.\n---\n")
const tar = gunzipSync(packArchive([{ path: "SKILL.md", bytes: text }]))

const reasonOf = (archive: Uint8Array): string => {
  const unpacked = unpackArchive(archive)
  return unpacked instanceof ArchiveRefused ? unpacked.reason : "accepted"
}

/** A gzip file of the tar with a flag of its header and the field that the flag announces. */
const gzipWith = (flag: number, field: Buffer): Buffer => {
  const plain = gzipSync(tar)
  const header = Buffer.from(plain.subarray(0, 10))
  header.writeUInt8(flag, 3)
  return Buffer.concat([header, field, plain.subarray(10)])
}

/** A zip with one stored file, and comments of the file and of the archive. */
const zipWith = (fileComment: Buffer, comment: Buffer): Buffer => {
  const name = Buffer.from("SKILL.md")
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(20, 4)
  local.writeUInt32LE(crc32(text), 14)
  local.writeUInt32LE(text.length, 18)
  local.writeUInt32LE(text.length, 22)
  local.writeUInt16LE(name.length, 26)
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50, 0)
  central.writeUInt16LE(20, 4)
  local.copy(central, 6, 4, 30)
  central.writeUInt16LE(fileComment.length, 32)
  const end = Buffer.alloc(22)
  const start = local.length + name.length + text.length
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length + name.length + fileComment.length, 12)
  end.writeUInt32LE(start, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([local, name, text, central, name, fileComment, end, comment])
}

test("ARCHIVE-2 a tar whose padding holds data is refused", () => {
  expect(reasonOf(gzipSync(tar))).toBe("accepted")
  const header = tar.indexOf(text)
  for (const at of [header + text.length, header + 511]) {
    const changed = Buffer.from(tar)
    changed.writeUInt8(65, at)
    expect(reasonOf(gzipSync(changed))).toBe("trailing_data")
  }
})

test("ARCHIVE-2 long names, comments and extra data of a gzip header are refused, short ones are accepted", () => {
  const field = { name: 8, comment: 16, extra: 4 }
  const written = (flag: number, length: number): Buffer => {
    const bytes = Buffer.alloc(length, "a")
    if (flag !== field.extra) return Buffer.concat([bytes, Buffer.from([0])])
    return Buffer.concat([Buffer.from([length & 0xff, length >> 8]), bytes])
  }
  for (const flag of Object.values(field)) {
    expect(reasonOf(gzipWith(flag, written(flag, 40)))).toBe("accepted")
    expect(reasonOf(gzipWith(flag, written(flag, 256)))).toBe("accepted")
    expect(reasonOf(gzipWith(flag, written(flag, 257)))).toBe("trailing_data")
  }
})

test("ARCHIVE-2 long comments of a zip and of its files are refused, short ones are accepted", () => {
  const none = Buffer.alloc(0)
  const [short, long] = [Buffer.alloc(40, "a"), Buffer.alloc(257, "a")]
  expect(reasonOf(zipWith(none, none))).toBe("accepted")
  expect(reasonOf(zipWith(short, short))).toBe("accepted")
  expect(reasonOf(zipWith(long, none))).toBe("trailing_data")
  expect(reasonOf(zipWith(none, long))).toBe("trailing_data")
})
