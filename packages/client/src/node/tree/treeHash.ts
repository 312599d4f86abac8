import { createHash } from "node:crypto"

const byPath = ([a]: readonly [string, string], [b]: readonly [string, string]): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b))

/**
 * The SHA-256 of a folder: that of a text with a line `<sha256 of the file>  <path>` for each file, by the bytes of their paths, as
 * `sha256sum` prints them. The same files under the same names have the same hash, whenever and from wherever they came.
 */
export const treeHash = (files: Iterable<readonly [path: string, sha256: string]>): string => {
  const lines = [...files].toSorted(byPath).map(([path, sha256]) => `${sha256}  ${path}\n`)
  return createHash("sha256").update(lines.join("")).digest("hex")
}
