import { crc32, inflateRawSync } from "node:zlib"
import { ArchiveRefused } from "./ArchiveRefused.ts"

export interface Inflated {
  readonly bytes: Buffer
  /** How many bytes of the input the compressed data took. */
  readonly consumed: number
}

interface Engine {
  readonly buffer: Buffer
  readonly engine: { readonly bytesWritten: number }
}

/** Deflate cannot compress further than this. */
const maxDeflateRatio = 1032

/** For smaller results, holding the data twice is cheaper than a buffer of the declared length, which may be wrong. */
const small = 16 * 1024 * 1024

const bufferSize = (packed: number, size: number): number =>
  Math.max(64, Math.min(size, size <= small ? 65_536 + 8 * packed : maxDeflateRatio * packed) + 1)

/**
 * Unpacks raw deflate data into at most `size` bytes, the declared length. A large result is in memory only once.
 * `longer` is the error if there is more.
 */
export const inflate = (data: Uint8Array, size: number, what: string, longer: () => ArchiveRefused): Inflated => {
  try {
    // With `info` the result also tells how much input was read, which the types do not describe.
    const { buffer, engine } = inflateRawSync(data, {
      chunkSize: bufferSize(data.length, size),
      maxOutputLength: Math.max(1, size),
      info: true
    }) as unknown as Engine
    return { bytes: buffer, consumed: engine.bytesWritten }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    if (code === "ERR_BUFFER_TOO_LARGE") throw longer()
    if (code === "Z_BUF_ERROR")
      throw new ArchiveRefused("truncated", `${what} ends in the middle of its compressed data`)
    if (typeof code === "string" && code.startsWith("Z_"))
      throw new ArchiveRefused("damaged", `${what} is damaged: its compressed data is invalid`)
    throw error
  }
}

const truncated = (): ArchiveRefused => new ArchiveRefused("truncated", "the gzip file ends in its header")

/** The longest name, comment or extra field of a gzip header, in bytes: nobody reads them. */
const maxUnread = 256

const checkUnread = (length: number): void => {
  if (length > maxUnread)
    throw new ArchiveRefused(
      "trailing_data",
      `the gzip header has a name, comment or extra field of more than ${maxUnread} bytes; compress the file again without it`
    )
}

/** Where the compressed data of a gzip file starts. */
const headerEnd = (gzip: Buffer): number => {
  if (gzip.length < 18) throw truncated()
  const flags = gzip.readUInt8(3)
  if (gzip.readUInt8(2) !== 8 || (flags & 0xe0) !== 0)
    throw new ArchiveRefused("damaged", "the gzip header has an unknown method or flags")
  let at = 10
  if ((flags & 4) !== 0) {
    const length = gzip.readUInt16LE(at)
    at += 2 + length
    if (at + 8 > gzip.length) throw truncated()
    checkUnread(length)
  }
  for (const flag of [8, 16])
    if ((flags & flag) !== 0) {
      const end = gzip.indexOf(0, at)
      if (end === -1) throw truncated()
      checkUnread(end - at)
      at = end + 1
    }
  if ((flags & 2) !== 0) at += 2
  if (at + 8 > gzip.length) throw truncated()
  return at
}

/** How far a file with an unacceptable length is unpacked, to find out whether the length is true or belongs to other data after the end. */
const probe = 32 * 1024 * 1024

/** The content of a gzip file with exactly one member and nothing after it. `refusalOf` judges the declared length. */
export const gunzip = (gzip: Buffer, refusalOf: (size: number) => ArchiveRefused | undefined): Buffer => {
  const start = headerEnd(gzip)
  const size = gzip.readUInt32LE(gzip.length - 4)
  const refusal = refusalOf(size)
  const damaged = (): ArchiveRefused =>
    new ArchiveRefused(
      "damaged",
      "the checksum or length at the end of the gzip file is wrong, or data follows its end"
    )
  const most = refusal === undefined ? size : Math.min(size, probe)
  const { bytes, consumed } = inflate(gzip.subarray(start), most, "the gzip file", () => refusal ?? damaged())
  const end = start + consumed
  if (end + 8 > gzip.length) throw new ArchiveRefused("truncated", "the gzip file ends before its checksum")
  if (end + 8 < gzip.length)
    throw new ArchiveRefused("trailing_data", "the gzip file has further members or data after its end")
  if (gzip.readUInt32LE(end) !== crc32(bytes) || size !== bytes.length) throw damaged()
  return bytes
}
