import { crc32 } from "node:zlib"
import { ArchiveRefused, quoted } from "./ArchiveRefused.ts"
import type { ArchiveLimits } from "./ArchiveLimits.ts"
import { decodeName } from "./tarHeader.ts"

export const localSignature = 0x04034b50
const centralSignature = 0x02014b50
const endSignature = Buffer.from("PK\x05\x06", "latin1")
const zip64EndSignature = 0x06064b50
const zip64LocatorSignature = 0x07064b50

const utf8Flag = 0x800
export const descriptorFlag = 8
const encryptionFlags = 0x2041
/** Encryption is reported by its own reason; deflate's two bits only tell the effort. */
const knownFlags = 0x2 | 0x4 | descriptorFlag | utf8Flag

export const zip64Field = 0x0001
const unicodePathField = 0x7075
const unixLinkField = 0x756e
const encryptionFields = new Set([0x0014, 0x0015, 0x0016, 0x0017, 0x0019, 0x9901])

export interface CentralEntry {
  readonly name: string
  readonly rawName: Buffer
  readonly kind: "file" | "folder"
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly compressedSize: number
  readonly size: number
  /** Where the local header starts, from the start of the file. */
  readonly offset: number
}

export const truncated = (): ArchiveRefused =>
  new ArchiveRefused("truncated", "the zip ends in the middle of its directory or an entry")

/** The extra fields of an entry by their number. One that occurs twice, or does not fit, is refused. */
export const extraFields = (extra: Buffer, shown: string): ReadonlyMap<number, Buffer> => {
  const fields = new Map<number, Buffer>()
  for (let at = 0; at < extra.length;) {
    if (at + 4 > extra.length) throw new ArchiveRefused("damaged", `the extra fields of ${shown} are malformed`)
    const id = extra.readUInt16LE(at)
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (end > extra.length || fields.has(id))
      throw new ArchiveRefused("damaged", `the extra fields of ${shown} are malformed or occur twice`)
    if (encryptionFields.has(id)) throw new ArchiveRefused("encrypted", `${shown} is encrypted; upload it in the clear`)
    if (id === unixLinkField) throw new ArchiveRefused("link", `${shown} has an extra field that can contain a link`)
    fields.set(id, extra.subarray(at + 4, end))
    at = end
  }
  return fields
}

const showRaw = (name: Buffer): string => quoted(name.toString("latin1"))

/** Unix and macOS: Info-ZIP and the Finder write UTF-8 there, without the flag. */
const unixSystems = new Set([3, 19])

/**
 * The name. Without the flag of UTF-8, an entry of another system must have a name in ASCII, because programs read other bytes in different
 * encodings. Info-ZIP's field of a second name must repeat the first.
 */
const nameOf = (raw: Buffer, flags: number, system: number, fields: ReadonlyMap<number, Buffer>): string => {
  const unicode = fields.get(unicodePathField)
  const same =
    unicode !== undefined &&
    unicode.length >= 5 &&
    unicode.readUInt8(0) === 1 &&
    unicode.readUInt32LE(1) === crc32(raw) &&
    unicode.subarray(5).equals(raw)
  if (unicode !== undefined && !same)
    throw new ArchiveRefused("headers_differ", `${showRaw(raw)} has a second, different name in an extra field`)
  if ((flags & utf8Flag) === 0 && !unixSystems.has(system) && raw.some((byte) => byte >= 0x80))
    throw new ArchiveRefused(
      "name_encoding",
      `the name ${showRaw(raw)} is not ASCII and not marked as UTF-8; programs would read different names`
    )
  return decodeName(raw)
}

const typeBits = 0o170000
const kinds: Readonly<Record<number, readonly [ArchiveRefused["reason"], string]>> = {
  0o120000: ["link", "a symbolic link"],
  0o010000: ["device", "a pipe"],
  0o020000: ["device", "a device"],
  0o060000: ["device", "a device"],
  0o140000: ["device", "a socket"]
}

const reparsePoint = 0x400
const folderAttribute = 0x10

/** The slash at the end of the name, the Unix type and the attribute of MS-DOS must agree where they are set. */
const kindOf = (attributes: number, name: string): "file" | "folder" => {
  const shown = quoted(name)
  const mode = attributes >>> 16
  const type = mode & typeBits
  const other = kinds[type]
  if (other !== undefined)
    throw new ArchiveRefused(other[0], `${shown} is ${other[1]}; only files and folders are accepted`)
  if ((attributes & reparsePoint) !== 0) throw new ArchiveRefused("link", `${shown} is a link of Windows`)
  if ((mode & 0o6000) !== 0) throw new ArchiveRefused("setuid", `${shown} has the mode setuid or setgid; remove it`)
  if (type !== 0 && type !== 0o100000 && type !== 0o040000)
    throw new ArchiveRefused("unsupported_entry", `${shown} is an entry of an unknown kind`)
  const kind = name.endsWith("/") ? "folder" : "file"
  const asFolder = type === 0o040000 || (type === 0 && (attributes & folderAttribute) !== 0)
  const asFile = type === 0o100000
  if (kind === "folder" ? asFile : asFolder)
    throw new ArchiveRefused(
      "headers_differ",
      `the name and the attributes of ${shown} disagree on whether it is a folder`
    )
  return kind
}

const checkSupport = (flags: number, method: number, needed: number, shown: string): void => {
  if ((flags & encryptionFlags) !== 0)
    throw new ArchiveRefused("encrypted", `${shown} is encrypted; upload it in the clear`)
  if ((flags & ~knownFlags) !== 0 || (needed & 0xff) > 45)
    throw new ArchiveRefused("unsupported_entry", `${shown} needs a feature of zip that is not accepted`)
  if (method !== 0 && method !== 8)
    throw new ArchiveRefused("unsupported_entry", `${shown} is compressed with method ${method}; use deflate or none`)
}

/** The longest comment, in bytes: nobody reads comments. `git archive` writes 40. */
const maxComment = 256

const checkComment = (length: number): void => {
  if (length > maxComment)
    throw new ArchiveRefused("trailing_data", `the zip has a comment of more than ${maxComment} bytes; remove it`)
}

const readEntry = (zip: Buffer, at: number, end: number): readonly [CentralEntry, next: number] => {
  if (at + 46 > end) throw truncated()
  if (zip.readUInt32LE(at) !== centralSignature)
    throw new ArchiveRefused("damaged", "the directory of the zip is damaged")
  const nameEnd = at + 46 + zip.readUInt16LE(at + 28)
  const extraEnd = nameEnd + zip.readUInt16LE(at + 30)
  const next = extraEnd + zip.readUInt16LE(at + 32)
  if (next > end) throw truncated()
  checkComment(next - extraEnd)
  const rawName = zip.subarray(at + 46, nameEnd)
  const flags = zip.readUInt16LE(at + 8)
  const method = zip.readUInt16LE(at + 10)
  checkSupport(flags, method, zip.readUInt16LE(at + 6), showRaw(rawName))
  if (zip.readUInt16LE(at + 34) !== 0) throw new ArchiveRefused("multi_volume", "the zip has several volumes")
  const fields = extraFields(zip.subarray(nameEnd, extraEnd), showRaw(rawName))
  if (fields.has(zip64Field))
    throw new ArchiveRefused("zip64", `${showRaw(rawName)} has sizes of zip64, which so small a zip never needs`)
  const name = nameOf(rawName, flags, zip.readUInt8(at + 5), fields)
  const entry = {
    name,
    rawName,
    kind: kindOf(zip.readUInt32LE(at + 38), name),
    flags,
    method,
    crc: zip.readUInt32LE(at + 16),
    compressedSize: zip.readUInt32LE(at + 20),
    size: zip.readUInt32LE(at + 24),
    offset: zip.readUInt32LE(at + 42)
  }
  return [entry, next]
}

/** Where the end record starts. A comment may follow it, as `git archive` adds one, but nothing that another program could take for the end. */
const endRecord = (zip: Buffer): number => {
  const at = zip.lastIndexOf(endSignature)
  if (at === -1 || at + 22 > zip.length) throw new ArchiveRefused("truncated", "the zip has no directory at its end")
  if (at + 22 + zip.readUInt16LE(at + 20) !== zip.length)
    throw new ArchiveRefused("trailing_data", "the zip has data after its end, or an end record in its comment")
  checkComment(zip.readUInt16LE(at + 20))
  return at
}

export interface Directory {
  readonly entries: ReadonlyArray<CentralEntry>
  /** Where the entries end and the directory starts. */
  readonly start: number
}

/** The central directory, which must end where its end record starts. */
export const readDirectory = (zip: Buffer, limits: ArchiveLimits): Directory => {
  const end = endRecord(zip)
  const count = zip.readUInt16LE(end + 10)
  const size = zip.readUInt32LE(end + 12)
  const start = zip.readUInt32LE(end + 16)
  if (end >= 20 && zip.readUInt32LE(end - 20) === zip64LocatorSignature)
    throw new ArchiveRefused("zip64", "the zip has a directory of zip64, which so small a zip never needs")
  if (zip.readUInt16LE(end + 4) !== 0 || zip.readUInt16LE(end + 6) !== 0 || zip.readUInt16LE(end + 8) !== count)
    throw new ArchiveRefused("multi_volume", "the zip has several volumes")
  if (count > 2 * limits.files)
    throw new ArchiveRefused("too_many_files", `the archive has more than ${limits.files} files or folders`)
  if (start + size !== end)
    throw new ArchiveRefused(
      start + size < end && zip.readUInt32LE(start + size) !== zip64EndSignature ? "prefixed" : "damaged",
      "the directory of the zip is not where its end record says; data may precede or follow it"
    )
  const entries: Array<CentralEntry> = []
  let at = start
  for (let index = 0; index < count; index++) {
    const [entry, next] = readEntry(zip, at, end)
    entries.push(entry)
    at = next
  }
  if (at !== end)
    throw new ArchiveRefused("damaged", "the directory of the zip has more entries than its end record says")
  return { entries, start }
}
