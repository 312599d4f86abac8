import { ArchiveRefused, quoted } from "./ArchiveRefused.ts"
import type { ArchiveLimits } from "./ArchiveLimits.ts"
import { EntryNames } from "./EntryNames.ts"
import type { ArchiveFile } from "./manifestOf.ts"
import { readPaxHeader } from "./paxRecords.ts"
import type { PaxHeader } from "./paxRecords.ts"
import { blockSize, decodeName, readTarHeader } from "./tarHeader.ts"
import type { TarHeader } from "./tarHeader.ts"
import { unpackedTooLarge } from "./tooLarge.ts"

/** Of a header that extends the next one, in bytes. Extended attributes of macOS can take some kilobytes. */
const maxExtension = 65_536

const emptyBlock = Buffer.alloc(blockSize)

const typeBits = 0o170000
const setIdBits = 0o6000

const otherKinds: Readonly<Record<string, readonly [ArchiveRefused["reason"], string]>> = {
  "1": ["link", "a hard link"],
  "2": ["link", "a symbolic link"],
  "3": ["device", "a device"],
  "4": ["device", "a device"],
  "6": ["device", "a pipe"],
  K: ["link", "a link"],
  M: ["multi_volume", "continued from another volume"],
  S: ["sparse", "a sparse file"]
}

/** The fields of an entry that its extended headers set. */
interface Extension {
  readonly pax?: PaxHeader
  readonly longName?: string
}

const kindOf = ({ mode, type }: TarHeader, name: string): "file" | "folder" => {
  const shown = quoted(name)
  const other = otherKinds[type]
  if (other !== undefined)
    throw new ArchiveRefused(other[0], `${shown} is ${other[1]}; only files and folders are accepted`)
  if (type !== "0" && type !== "\0" && type !== "5")
    throw new ArchiveRefused("unsupported_entry", `${shown} is an entry of the unknown type ${quoted(type)}`)
  const kind = type === "5" ? "folder" : "file"
  if ((mode & setIdBits) !== 0) throw new ArchiveRefused("setuid", `${shown} has the mode setuid or setgid; remove it`)
  const told = mode & typeBits
  if (told !== 0 && told !== (kind === "file" ? 0o100000 : 0o040000))
    throw new ArchiveRefused("headers_differ", `the mode and the type of ${shown} disagree`)
  return kind
}

/** Reads a whole tar strictly: refuses what two programs could read differently (ARCHIVE-2), and all entries except files and folders (ARCHIVE-9). */
class TarReader {
  readonly #tar: Buffer
  readonly #limits: ArchiveLimits
  readonly #names: EntryNames
  readonly #files: Array<ArchiveFile> = []
  #at = 0
  #total = 0

  constructor(tar: Buffer, limits: ArchiveLimits) {
    this.#tar = tar
    this.#limits = limits
    this.#names = new EntryNames(limits)
  }

  read(): ReadonlyArray<ArchiveFile> {
    let extension: Extension = {}
    for (;;) {
      const block = this.#take(blockSize)
      if (block.equals(emptyBlock)) break
      const header = readTarHeader(block)
      if (header.type === "x" || header.type === "g" || header.type === "L") extension = this.#extend(extension, header)
      else {
        this.#entry(header, extension)
        extension = {}
      }
    }
    if (extension.pax !== undefined || extension.longName !== undefined)
      throw new ArchiveRefused("extended_header", "an extended header of the tar belongs to no entry")
    this.#end()
    return this.#files
  }

  #take(size: number): Buffer {
    const end = this.#at + size
    if (end > this.#tar.length) throw new ArchiveRefused("truncated", "the tar ends before its end marker")
    const taken = this.#tar.subarray(this.#at, end)
    this.#at = end
    return taken
  }

  #body(size: number): Buffer {
    const body = this.#take(size)
    const padding = this.#take((blockSize - (size % blockSize)) % blockSize)
    if (!padding.equals(emptyBlock.subarray(0, padding.length)))
      throw new ArchiveRefused(
        "trailing_data",
        "the tar has data in the padding after an entry; create it again with an ordinary tar program"
      )
    return body
  }

  #extend(extension: Extension, { size, type }: TarHeader): Extension {
    if (size > maxExtension)
      throw new ArchiveRefused("extended_header", `an extended header of the tar has more than ${maxExtension} bytes`)
    const body = this.#body(size)
    if (type === "g") {
      readPaxHeader(body, true)
      return extension
    }
    if (extension.pax !== undefined || extension.longName !== undefined)
      throw new ArchiveRefused("extended_header", "an entry of the tar has two extended headers")
    if (type === "x") return { pax: readPaxHeader(body, false) }
    const end = body.indexOf(0)
    if (end === -1 || body.subarray(end).some((byte) => byte !== 0))
      throw new ArchiveRefused("extended_header", "a long name of the tar does not end in a NUL")
    return { longName: decodeName(body.subarray(0, end)) }
  }

  #entry(header: TarHeader, { longName, pax }: Extension): void {
    const name = pax?.path ?? longName ?? header.name
    const kind = kindOf(header, name)
    if (header.linkName !== "") throw new ArchiveRefused("link", `${quoted(name)} names a target, as a link does`)
    if (pax?.size !== undefined && pax.size !== String(header.size))
      throw new ArchiveRefused("headers_differ", `two headers of ${quoted(name)} give different sizes`)
    if (kind === "folder") {
      if (header.size !== 0) throw new ArchiveRefused("headers_differ", `the folder ${quoted(name)} has content`)
      this.#names.folder(name)
      return
    }
    const path = this.#names.file(name)
    this.#total += header.size
    if (this.#total > this.#limits.unpacked) throw unpackedTooLarge(this.#limits)
    this.#files.push({ path, bytes: this.#body(header.size) })
  }

  /** After the first empty block: another one, and nothing but zeros. */
  #end(): void {
    if (!this.#take(blockSize).equals(emptyBlock))
      throw new ArchiveRefused("trailing_data", "the tar has an empty block between its entries")
    for (; this.#at < this.#tar.length; this.#at += blockSize) {
      const rest = this.#tar.subarray(this.#at, this.#at + blockSize)
      if (!rest.equals(emptyBlock.subarray(0, rest.length)))
        throw new ArchiveRefused("trailing_data", "the tar has data after its end marker")
    }
  }
}

/** The files of a tar in their order. Their bytes share the memory of `tar`. */
export const readTar = (tar: Buffer, limits: ArchiveLimits): ReadonlyArray<ArchiveFile> =>
  new TarReader(tar, limits).read()
