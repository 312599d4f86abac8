import { ArchiveRefused, quoted } from "./ArchiveRefused.ts"

export const blockSize = 512

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Strict UTF-8: a name that programs decode differently is refused. */
export const decodeName = (bytes: Uint8Array): string => {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new ArchiveRefused(
      "name_encoding",
      `the name ${quoted(Buffer.from(bytes).toString("latin1"))} is not valid UTF-8`
    )
  }
}

/** The text before the first NUL; only further NULs may follow, which some programs would take for a part of the name. */
const textOf = (field: Buffer): string => {
  const end = field.indexOf(0)
  if (end === -1) return decodeName(field)
  if (field.subarray(end).some((byte) => byte !== 0))
    throw new ArchiveRefused(
      "name_characters",
      `the name ${quoted(field.toString("latin1").replace(/\0+$/, ""))} has bytes after a NUL`
    )
  return decodeName(field.subarray(0, end))
}

/** Octal digits that end in NULs or spaces. The binary form is for numbers beyond every limit here. */
const octalOf = (field: Buffer, what: string): number => {
  const text = field.toString("latin1")
  if (!/^ *[0-7]+[ \0]*$/.test(text)) throw new ArchiveRefused("damaged", `a tar header has an invalid ${what}`)
  return Number.parseInt(text.trim(), 8)
}

/** Numbers that are not used. They are checked, because some programs treat a header with an invalid number as the end of the archive. */
const unused = [
  [108, 116, "owner"],
  [116, 124, "group"],
  [136, 148, "time"],
  [329, 337, "device number"],
  [337, 345, "device number"]
] as const

const checkUnused = (block: Buffer): void => {
  for (const [start, end, what] of unused) {
    const isBinary = block[start] === 0x80 || block[start] === 0xff
    if (!isBinary && !/^ *[0-7]*[ \0]*$/.test(block.toString("latin1", start, end)))
      throw new ArchiveRefused("damaged", `a tar header has an invalid ${what}`)
  }
}

export interface TarHeader {
  readonly name: string
  readonly linkName: string
  /** In bytes. */
  readonly size: number
  readonly mode: number
  readonly type: string
}

const checkSum = (block: Buffer): void => {
  let sum = 8 * 0x20
  for (let at = 0; at < blockSize; at++) if (at < 148 || at >= 156) sum += block[at] ?? 0
  if (octalOf(block.subarray(148, 156), "checksum") !== sum)
    throw new ArchiveRefused("damaged", "the checksum of a tar header is wrong")
}

/** A header of the formats ustar, pax and GNU; the older ones without a magic number are refused. */
export const readTarHeader = (block: Buffer): TarHeader => {
  checkSum(block)
  const magic = block.toString("latin1", 257, 265)
  const posix = magic === "ustar\x0000"
  if (!posix && magic !== "ustar  \0")
    throw new ArchiveRefused("unsupported_format", "the tar has headers of an unknown format; use ustar, pax or GNU")
  checkUnused(block)
  const prefix = posix ? textOf(block.subarray(345, 500)) : ""
  const name = textOf(block.subarray(0, 100))
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    linkName: textOf(block.subarray(157, 257)),
    size: octalOf(block.subarray(124, 136), "size"),
    mode: octalOf(block.subarray(100, 108), "mode"),
    type: block.toString("latin1", 156, 157)
  }
}
