import { gzipSync } from "node:zlib"
import type { ArchiveFile } from "./manifestOf.ts"
import { byPathBytes } from "./manifestOf.ts"

const blockSize = 512
const nameBytes = 100
const prefixBytes = 155

const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, "0")}\0`

const header = (name: Buffer, prefix: Buffer, size: number, type: "0" | "x"): Buffer => {
  const block = Buffer.alloc(blockSize)
  name.copy(block, 0)
  block.write(octal(0o644, 8) + octal(0, 8) + octal(0, 8) + octal(size, 12) + octal(0, 12), 100, "latin1")
  block.write(`        ${type}`, 148, "latin1")
  block.write("ustar\x0000", 257, "latin1")
  prefix.copy(block, 345)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1")
  return block
}

const padded = (bytes: Uint8Array): ReadonlyArray<Uint8Array> => [
  bytes,
  Buffer.alloc((blockSize - (bytes.byteLength % blockSize)) % blockSize)
]

/** A record of a pax header, whose length counts its own digits. */
const paxRecord = (path: string): Buffer => {
  const rest = Buffer.byteLength(path) + " path=\n".length
  let length = rest + String(rest).length
  length = rest + String(length).length
  return Buffer.from(`${length} path=${path}\n`)
}

const none = Buffer.alloc(0)

const entry = ({ bytes, path }: ArchiveFile): ReadonlyArray<Uint8Array> => {
  const name = Buffer.from(path)
  if (name.length <= nameBytes) return [header(name, none, bytes.byteLength, "0"), ...padded(bytes)]
  const split = name.indexOf(0x2f, Math.max(0, name.length - nameBytes - 1))
  if (split > 0 && split <= prefixBytes && split < name.length - 1)
    return [header(name.subarray(split + 1), name.subarray(0, split), bytes.byteLength, "0"), ...padded(bytes)]
  const record = paxRecord(path)
  const long = header(Buffer.from("PaxHeader"), none, record.length, "x")
  return [long, ...padded(record), header(Buffer.from("long-name"), none, bytes.byteLength, "0"), ...padded(bytes)]
}

/** Where a gzip header names the operating system; 255 is unknown. */
const systemAt = 9

/**
 * A tar.gz of the files (ARCHIVE-8). Equal files give equal bytes (with the same version of zlib): sorted by path, without times, owners and modes. The paths must
 * be such that `unpackArchive` accepts them; they are not checked.
 */
export const packArchive = (files: ReadonlyArray<ArchiveFile>): Uint8Array => {
  const tar = Buffer.concat([...files.toSorted(byPathBytes).flatMap(entry), Buffer.alloc(2 * blockSize)])
  const gzip = gzipSync(tar, { level: 9 })
  gzip.writeUInt8(255, systemAt)
  return gzip
}
