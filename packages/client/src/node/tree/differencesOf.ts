import { lstat } from "node:fs/promises"
import type { LockEntry } from "../lock/LockEntry.ts"
import { lockFileName } from "../lock/LockEntry.ts"
import { filesOf, treeHash } from "./treeHash.ts"

/** A difference between an installed folder and its entry in the lock file. */
export interface Difference {
  /** The file's path below the skill's folder; `.` is the folder itself, `agent-marketplace.lock.json` the lock file. */
  readonly path: string
  readonly difference: "changed" | "missing" | "added" | "not a file" | "not signed"
}

/** The differences between the files of a folder and those of its entry. Follows no link. */
const filesDiffering = async (folder: string, entry: LockEntry): Promise<ReadonlyArray<Difference>> => {
  const expected = new Map(Object.entries(entry.files))
  const isFolder = await lstat(folder).then(
    (found) => found.isDirectory(),
    () => undefined
  )
  if (isFolder !== true) return [{ path: ".", difference: isFolder === undefined ? "missing" : "not a file" }]
  const found = await filesOf(folder)
  const ofPath = (path: string): ReadonlyArray<Difference> => {
    const [wanted, there] = [expected.get(path), found.get(path)]
    if (there === wanted) return []
    if (there === undefined) return [{ path, difference: "missing" }]
    if (there === null) return [{ path, difference: "not a file" }]
    return [{ path, difference: wanted === undefined ? "added" : "changed" }]
  }
  const paths = [...new Set([...expected.keys(), ...found.keys()])].toSorted()
  return paths.flatMap(ofPath)
}

/** The differences between a folder and its entry. */
export const differencesOf = async (folder: string, entry: LockEntry): Promise<ReadonlyArray<Difference>> => {
  const isSame = treeHash(Object.entries(entry.files)) === entry.sha256
  const lock = isSame ? [] : [{ path: lockFileName, difference: "changed" } as const]
  return [...lock, ...(await filesDiffering(folder, entry))]
}

/** The files that were changed or added by hand, which replacing the folder would lose. Missing files are none of them. */
export const changesByHand = async (folder: string, entry: LockEntry): Promise<ReadonlyArray<Difference>> =>
  (await filesDiffering(folder, entry)).filter(({ difference }) => difference !== "missing")
