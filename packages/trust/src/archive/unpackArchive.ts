import { ArchiveRefused } from "./ArchiveRefused.ts"
import type { ArchiveLimits } from "./ArchiveLimits.ts"
import { archiveLimits, ratioBound } from "./ArchiveLimits.ts"
import { gunzip } from "./gunzip.ts"
import type { ArchiveFile } from "./manifestOf.ts"
import { readTar } from "./readTar.ts"
import { readZip } from "./readZip.ts"
import { ratioExceeded, unpackedTooLarge } from "./tooLarge.ts"

export interface Unpacked {
  readonly format: "tar" | "zip"
  /** In the archive's order, with paths relative to the wrapping folder. */
  readonly files: ReadonlyArray<ArchiveFile>
  /** The one folder at the top that contained every file, which is removed from the paths (ARCHIVE-3). */
  readonly wrappingFolder: string | undefined
  /** Paths of metadata of macOS (AppleDouble) that is left out (ARCHIVE-4): no program but the Finder reads it. */
  readonly leftOut: ReadonlyArray<string>
}

/** Headers and padding of a tar, beside the content of its files. */
const tarOverhead = ({ files }: ArchiveLimits): number => 4096 * files + 1_048_576

const signatures: ReadonlyArray<readonly [bytes: string, format: string]> = [
  ["7z\xbc\xaf\x27\x1c", "7z"],
  ["Rar!", "rar"],
  ["\xfd7zXZ\0", "xz"],
  ["BZh", "bzip2"],
  ["\x28\xb5\x2f\xfd", "zstd"]
]

const unknownFormat = (bytes: Buffer): ArchiveRefused => {
  const start = bytes.toString("latin1", 0, 8)
  const known = signatures.find(([signature]) => start.startsWith(signature))?.[1]
  const plainTar = bytes.toString("latin1", 257, 262) === "ustar"
  const format = known ?? (plainTar ? "tar without compression" : undefined)
  if (format !== undefined)
    return new ArchiveRefused("unsupported_format", `the archive is ${format}; upload a tar.gz or a zip`)
  if (bytes.includes("PK\x05\x06", 0, "latin1") || bytes.includes("PK\x03\x04", 0, "latin1"))
    return new ArchiveRefused("prefixed", "the zip has data before its first entry, as self-extracting archives have")
  return new ArchiveRefused("not_an_archive", "the file is neither a tar.gz nor a zip")
}

/** AppleDouble, version 2. */
const appleDouble = Buffer.from([0x00, 0x05, 0x16, 0x07, 0x00, 0x02, 0x00, 0x00])

/** `._name` beside `name`, or below `__MACOSX` as the Finder stores it, and only with the content that macOS writes. */
const isMetadataOfMac = ({ bytes, path }: ArchiveFile): boolean =>
  /(?:^|\/)\._[^/]+$/.test(path) && appleDouble.equals(bytes.subarray(0, appleDouble.length))

const wrappingFolderOf = (files: ReadonlyArray<ArchiveFile>): string | undefined => {
  const [first] = files
  if (first === undefined || !first.path.includes("/")) return undefined
  const folder = first.path.slice(0, first.path.indexOf("/") + 1)
  return files.every(({ path }) => path.startsWith(folder)) ? folder.slice(0, -1) : undefined
}

const readFiles = (bytes: Buffer, limits: ArchiveLimits): Pick<Unpacked, "format" | "files"> => {
  if (bytes.length > limits.packed)
    throw new ArchiveRefused("too_large", `the archive has more than ${limits.packed} bytes`)
  if (bytes.length === 0) throw new ArchiveRefused("empty", "the archive is empty")
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const tar = gunzip(bytes, (size) => {
      if (size > limits.unpacked + tarOverhead(limits)) return unpackedTooLarge(limits)
      return size > ratioBound(bytes.length, limits) ? ratioExceeded(limits) : undefined
    })
    return { format: "tar", files: readTar(tar, limits) }
  }
  if (bytes.toString("latin1", 0, 4) === "PK\x03\x04" || bytes.toString("latin1", 0, 4) === "PK\x05\x06")
    return { format: "zip", files: readZip(bytes, limits) }
  throw unknownFormat(bytes)
}

/**
 * The files of a tar.gz or a zip, or why it is refused. Nothing is written (ARCHIVE-12). It works synchronously, up to about a second for 100 MiB, and the files
 * share the memory that it unpacked into. `archive` must not change while the files are in use.
 */
export const unpackArchive = (
  archive: Uint8Array,
  limits: ArchiveLimits = archiveLimits
): Unpacked | ArchiveRefused => {
  try {
    const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
    const { files: all, format } = readFiles(bytes, limits)
    const files = all.filter((file) => !isMetadataOfMac(file))
    if (files.length === 0) throw new ArchiveRefused("empty", "the archive contains no files")
    const wrappingFolder = wrappingFolderOf(files)
    const skipped = wrappingFolder === undefined ? 0 : wrappingFolder.length + 1
    return {
      format,
      files:
        skipped === 0
          ? files
          : files.map(({ bytes: content, path }) => ({ path: path.slice(skipped), bytes: content })),
      wrappingFolder,
      leftOut: all.filter(isMetadataOfMac).map(({ path }) => path)
    }
  } catch (error) {
    if (error instanceof ArchiveRefused) return error
    throw error
  }
}
