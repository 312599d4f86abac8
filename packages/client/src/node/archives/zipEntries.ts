import { crc32 } from "node:zlib"
import type { Entry } from "yauzl"
import { getFileNameLowLevel, openPromise } from "yauzl"
import type { ArchiveEntry } from "./unpack.ts"

const typeBits = 0o170000
const kinds: Readonly<Record<number, string>> = {
  0o040000: "folder",
  0o100000: "file",
  0o120000: "symbolic link",
  0o010000: "pipe",
  0o020000: "device",
  0o060000: "device",
  0o140000: "socket"
}

/** From the mode that archives made on Unix contain; without one a trailing slash makes it a folder. */
const kindOf = ({ externalFileAttributes }: Entry, path: string): string => {
  const type = (externalFileAttributes >>> 16) & typeBits
  if (type === 0) return path.endsWith("/") ? "folder" : "file"
  return kinds[type] ?? "special entry"
}

/** yauzl enforces the size that an entry declares, but does not verify its checksum. */
async function* checked(content: AsyncIterable<Uint8Array>, entry: Entry, path: string) {
  let checksum = 0
  for await (const chunk of content) {
    checksum = crc32(chunk, checksum)
    yield chunk
  }
  if (checksum !== entry.crc32) throw new Error(`the checksum of ${JSON.stringify(path)} is wrong`)
}

/** The entries of a zip file, from its central directory. Fails with the reason if it is invalid. */
export async function* zipEntries(file: string): AsyncGenerator<ArchiveEntry, void, undefined> {
  const zip = await openPromise(file, { decodeStrings: false, validateEntrySizes: true })
  for await (const entry of zip.eachEntry()) {
    const { extraFields, fileNameRaw, generalPurposeBitFlag } = entry
    const path = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true)
    const content = async () => {
      if (entry.isEncrypted()) throw new Error(`${JSON.stringify(path)} is encrypted`)
      const stream = await zip.openReadStreamPromise(entry)
      // An error after the reader has stopped is ignored.
      return checked(
        stream.on("error", () => undefined),
        entry,
        path
      )
    }
    yield { path, kind: kindOf(entry, path), content }
  }
}
