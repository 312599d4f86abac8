import { lstatSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import type { ScannedFile } from "./checks/fileChecks.ts"

const ignored = new Set([".git", "node_modules", ".DS_Store"])
/** The bounds of a release: files, and bytes in all. */
const mostFiles = 2_000
const mostBytes = 100 * 1024 * 1024

/** Why a folder cannot be scanned. */
export class FolderRefused extends Error {
  override readonly name = "FolderRefused"
}

/** The files of a folder, or one file. Links are refused, as in a release; `.git` and `node_modules` are left out. */
export const readFolder = (path: string): ReadonlyArray<ScannedFile> => {
  const files: Array<ScannedFile> = []
  let bytes = 0
  const add = (file: string, name: string, size: number) => {
    bytes += size
    if (files.length >= mostFiles || bytes > mostBytes)
      throw new FolderRefused(`${path}: more than ${mostFiles} files or ${mostBytes / 1024 / 1024} MiB`)
    files.push({ path: name, bytes: readFileSync(file) })
  }
  const walk = (folder: string, prefix: string): void => {
    for (const name of readdirSync(folder).toSorted()) {
      if (ignored.has(name)) continue
      const file = join(folder, name)
      const stat = lstatSync(file)
      if (stat.isSymbolicLink()) throw new FolderRefused(`${prefix}${name}: links are not allowed in a release`)
      if (stat.isDirectory()) walk(file, `${prefix}${name}/`)
      else if (stat.isFile()) add(file, `${prefix}${name}`, stat.size)
    }
  }
  const stat = lstatSync(path)
  if (stat.isDirectory()) walk(path, "")
  else if (stat.isFile()) add(path, basename(path), stat.size)
  else throw new FolderRefused(`${path}: neither a file nor a folder`)
  return files
}
