import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"

/** A digest of the files that a build reads, relative to `folder`, without the installed packages, whose versions the lock file names. */
export const digestOf = (folder: string, files: ReadonlyArray<string>): string => {
  const digest = createHash("sha256")
  for (const file of files.toSorted()) digest.update(`${file}\0`).update(readFileSync(join(folder, file)))
  return digest.digest("hex")
}

export interface FolderBuild {
  /** The folder that is built. */
  readonly target: string
  /** The digest of the files that the build reads; see `digestOf`. */
  readonly digest: string
  /** Builds also from sources that are the same. */
  readonly force: boolean
  readonly build: (folder: string) => Promise<void>
}

/**
 * Builds a folder, unless its last build was made from the same sources. The new folder takes the place of the old one when it is complete, so
 * that a complete folder is there while others read it, and after a build that failed.
 */
export const buildFolder = async ({ build, digest, force, target }: FolderBuild): Promise<void> => {
  const madeFrom = join(target, "sources.txt")
  if (!force && existsSync(madeFrom) && readFileSync(madeFrom, "utf8") === digest) return
  // The result must not depend on the caller, such as a test runner.
  process.env["NODE_ENV"] = "production"
  mkdirSync(dirname(target), { recursive: true })
  const beside = mkdtempSync(join(dirname(target), `.${basename(target)}-`))
  try {
    const made = join(beside, "new")
    await build(made)
    writeFileSync(join(made, "sources.txt"), digest)
    if (existsSync(target)) renameSync(target, join(beside, "old"))
    renameSync(made, target)
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
}
