import { Effect } from "effect"
import { lstat, readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { CommandFailure, usageFailure } from "../errors/CommandFailure.ts"
import type { IsIgnored } from "./ignoreRules.ts"
import { ignoreRules } from "./ignoreRules.ts"

/** The files of a release, and what was left out. */
export interface SkillFolder {
  readonly files: ReadonlyArray<{ readonly path: string; readonly bytes: Uint8Array }>
  /** Paths of files and folders, sorted; a folder ends in `/`. */
  readonly leftOut: ReadonlyArray<string>
}

/** The bounds of a release: files, and bytes in all (ARCHIVE-1). */
const mostFiles = 2000
const mostBytes = 100 * 1024 * 1024

const rulesOf = async (folder: string): Promise<IsIgnored> => {
  const file = join(folder, ".skillignore")
  const found = await lstat(file).catch(() => undefined)
  if (found?.isFile() === false) throw usageFailure(`${file} is not a regular file`)
  const rules = ignoreRules(found === undefined ? "" : await readFile(file, "utf8"))
  if (typeof rules === "string") throw usageFailure(`${folder}: ${rules}`)
  return rules
}

const read = async (folder: string): Promise<SkillFolder> => {
  const isIgnored = await rulesOf(folder)
  const files: Array<SkillFolder["files"][number]> = []
  const leftOut: Array<string> = []
  let total = 0
  const visit = async (below: string): Promise<void> => {
    const names = (await readdir(join(folder, below))).toSorted()
    for (const name of names) {
      const path = `${below}${name}`
      const found = await lstat(join(folder, path))
      if (isIgnored(path, found.isDirectory())) leftOut.push(found.isDirectory() ? `${path}/` : path)
      else if (found.isDirectory()) await visit(`${path}/`)
      else if (found.isFile()) {
        total += found.size
        if (files.length >= mostFiles || total > mostBytes)
          throw usageFailure(
            `${folder} has more than ${mostFiles} files or 100 MiB`,
            "List what does not belong to the skill in .skillignore."
          )
        files.push({ path, bytes: await readFile(join(folder, path)) })
      } else
        throw usageFailure(
          `${join(folder, path)} is ${found.isSymbolicLink() ? "a symbolic link" : "not a regular file"}`,
          "A release contains files only: copy it, or list it in .skillignore."
        )
    }
  }
  await visit("")
  return { files, leftOut }
}

/** The files of a skill's folder without those that its `.skillignore` names (CLI-21). Links are refused, as in a release. */
export const readSkillFolder = (folder: string) =>
  Effect.tryPromise({
    try: () => read(folder),
    catch: (cause) =>
      cause instanceof CommandFailure
        ? cause
        : usageFailure(`${folder} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
  })
