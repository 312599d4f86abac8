import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"

/** The SHA-256 of each file below a folder by its path, `null` for anything that is neither a file nor a folder. Follows no link. */
export const filesOf = async (root: string): Promise<ReadonlyMap<string, string | null>> => {
  const files = new Map<string, string | null>()
  const visit = async (folder: string): Promise<void> => {
    const found = await readdir(join(root, folder), { withFileTypes: true })
    for (const entry of found) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) await visit(path)
      else files.set(path, entry.isFile() ? await hashOf(join(root, path)) : null)
    }
  }
  await visit("")
  return files
}

const hashOf = async (file: string): Promise<string> => {
  const hash = createHash("sha256")
  await pipeline(createReadStream(file), hash)
  return hash.digest("hex")
}

const byPath = ([a]: readonly [string, string], [b]: readonly [string, string]): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b))

/**
 * The SHA-256 of a folder: that of a text with a line `<sha256 of the file>  <path>` for each file, in the byte order of their paths, as
 * `sha256sum` prints them. The same files with the same names have the same hash.
 */
export const treeHash = (files: Iterable<readonly [path: string, sha256: string]>): string => {
  const lines = [...files].toSorted(byPath).map(([path, sha256]) => `${sha256}  ${path}\n`)
  return createHash("sha256").update(lines.join("")).digest("hex")
}
