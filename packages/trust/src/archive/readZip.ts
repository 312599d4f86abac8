import { crc32 } from "node:zlib"
import { ArchiveRefused, quoted } from "./ArchiveRefused.ts"
import type { ArchiveLimits } from "./ArchiveLimits.ts"
import { ratioBound } from "./ArchiveLimits.ts"
import { EntryNames } from "./EntryNames.ts"
import { inflate } from "./gunzip.ts"
import type { ArchiveFile } from "./manifestOf.ts"
import { ratioExceeded, unpackedTooLarge } from "./tooLarge.ts"
import { descriptorFlag, extraFields, localSignature, readDirectory, truncated, zip64Field } from "./zipDirectory.ts"
import type { CentralEntry } from "./zipDirectory.ts"

const descriptorSignature = 0x08074b50
const inZip64 = 0xffff_ffff

const differ = (shown: string, what: string): ArchiveRefused =>
  new ArchiveRefused("headers_differ", `the two headers of ${shown} give different ${what}`)

/** Sizes in the local header: those of the directory, zero where a descriptor follows the data, or of zip64 with the same values. */
const checkLocalSizes = (
  local: Buffer,
  entry: CentralEntry,
  fields: ReadonlyMap<number, Buffer>,
  shown: string
): void => {
  const later = (entry.flags & descriptorFlag) !== 0
  const crc = local.readUInt32LE(14)
  if (crc !== entry.crc && !(later && crc === 0)) throw differ(shown, "checksums")
  const compressedSize = local.readUInt32LE(18)
  const size = local.readUInt32LE(22)
  const large = fields.get(zip64Field)
  if (large === undefined) {
    const agrees = (here: number, there: number): boolean => here === there || (later && here === 0)
    if (!agrees(compressedSize, entry.compressedSize) || !agrees(size, entry.size)) throw differ(shown, "sizes")
    return
  }
  const values = large.length === 16 ? [large.readBigUInt64LE(0), large.readBigUInt64LE(8)] : undefined
  const same = values?.[0] === BigInt(entry.size) && values[1] === BigInt(entry.compressedSize)
  const open = later && values?.[0] === 0n && values[1] === 0n
  if (compressedSize !== inZip64 || size !== inZip64 || !(same || open)) throw differ(shown, "sizes")
}

/** Where the data of an entry starts, after its local header, which must repeat the directory. */
const dataStart = (zip: Buffer, entry: CentralEntry, end: number): readonly [start: number, zip64: boolean] => {
  const { flags, method, offset, rawName } = entry
  const shown = quoted(entry.name)
  if (offset + 30 > end) throw truncated()
  if (zip.readUInt32LE(offset) !== localSignature)
    throw new ArchiveRefused("damaged", `the local header of ${shown} is damaged`)
  if (zip.readUInt16LE(offset + 6) !== flags) throw differ(shown, "flags")
  if (zip.readUInt16LE(offset + 8) !== method) throw differ(shown, "methods of compression")
  const nameEnd = offset + 30 + zip.readUInt16LE(offset + 26)
  const start = nameEnd + zip.readUInt16LE(offset + 28)
  if (start > end) throw truncated()
  if (!zip.subarray(offset + 30, nameEnd).equals(rawName)) throw differ(shown, "names")
  const fields = extraFields(zip.subarray(nameEnd, start), shown)
  const second = fields.get(0x7075)
  if (second !== undefined && !second.subarray(5).equals(rawName)) throw differ(shown, "names")
  checkLocalSizes(zip.subarray(offset, offset + 30), entry, fields, shown)
  return [start, fields.has(zip64Field)]
}

/** Whether `bytes` is a descriptor of the entry, with or without signature, with sizes of 4 or, for zip64, 8 bytes. */
const isDescriptor = (bytes: Buffer, entry: CentralEntry, zip64: boolean): boolean => {
  const width = zip64 ? 8 : 4
  const signed = bytes.length === 8 + 2 * width
  if (!signed && bytes.length !== 4 + 2 * width) return false
  if (signed && bytes.readUInt32LE(0) !== descriptorSignature) return false
  const at = signed ? 4 : 0
  const sizeAt = (position: number): bigint =>
    zip64 ? bytes.readBigUInt64LE(position) : BigInt(bytes.readUInt32LE(position))
  return (
    bytes.readUInt32LE(at) === entry.crc &&
    sizeAt(at + 4) === BigInt(entry.compressedSize) &&
    sizeAt(at + 4 + width) === BigInt(entry.size)
  )
}

/** The compressed data of an entry, which with its headers must fill the space to the next entry exactly. */
const dataOf = (zip: Buffer, entry: CentralEntry, end: number): Buffer => {
  const shown = quoted(entry.name)
  const [start, zip64] = dataStart(zip, entry, end)
  const dataEnd = start + entry.compressedSize
  if (dataEnd > end) throw new ArchiveRefused("overlap", `the data of ${shown} overlaps what follows it`)
  const rest = zip.subarray(dataEnd, end)
  if ((entry.flags & descriptorFlag) === 0) {
    if (rest.length > 0)
      throw new ArchiveRefused("trailing_data", `the zip has data that belongs to no entry after ${shown}`)
  } else if (!isDescriptor(rest, entry, zip64))
    throw new ArchiveRefused(
      "headers_differ",
      `the data of ${shown} is not followed by the descriptor that its header announces`
    )
  return zip.subarray(start, dataEnd)
}

const contentOf = (data: Buffer, { crc, kind, method, name, size }: CentralEntry): Buffer => {
  const shown = quoted(name)
  const wrongSize = (): ArchiveRefused => new ArchiveRefused("damaged", `${shown} is not as long as its headers say`)
  if (kind === "folder" && size !== 0) throw new ArchiveRefused("headers_differ", `the folder ${shown} has content`)
  const { bytes, consumed } =
    method === 0 ? { bytes: data, consumed: data.length } : inflate(data, size, shown, wrongSize)
  if (bytes.length !== size) throw wrongSize()
  if (consumed !== data.length)
    throw new ArchiveRefused("trailing_data", `${shown} has data after its compressed content`)
  if (crc32(bytes) !== crc) throw new ArchiveRefused("damaged", `the checksum of ${shown} is wrong`)
  return bytes
}

/** The files of a zip in the order of its directory. Its entries must fill the file from its first byte, without gaps or overlaps (ARCHIVE-2). */
export const readZip = (zip: Buffer, limits: ArchiveLimits): ReadonlyArray<ArchiveFile> => {
  const { entries, start } = readDirectory(zip, limits)
  const total = entries.reduce((sum, { size }) => sum + size, 0)
  if (total > limits.unpacked) throw unpackedTooLarge(limits)
  if (total > ratioBound(zip.length, limits)) throw ratioExceeded(limits)
  const names = new EntryNames(limits)
  const paths = entries.map(({ kind, name }) => (kind === "file" ? names.file(name) : names.folder(name)))
  const ends = new Map<number, number>()
  let end = start
  for (const { name, offset } of entries.toSorted((a, b) => b.offset - a.offset)) {
    if (ends.has(offset)) throw new ArchiveRefused("overlap", `${quoted(name)} and another entry have the same data`)
    ends.set(offset, end)
    end = offset
  }
  if (end !== 0 && entries.length === 0)
    throw new ArchiveRefused("trailing_data", "the zip has data that belongs to no entry")
  if (end !== 0) throw new ArchiveRefused("prefixed", "the zip has data before its first entry")
  return entries.flatMap((entry, index) => {
    const path = paths[index]
    const bytes = contentOf(dataOf(zip, entry, ends.get(entry.offset) ?? start), entry)
    return path === undefined ? [] : [{ path, bytes }]
  })
}
