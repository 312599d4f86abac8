import { open, rename } from "node:fs/promises"
import { join } from "node:path"
import { InstallError } from "../InstallError.ts"
import { isRecord } from "../lock/LockEntry.ts"
import { readOwnFile } from "../lock/readOwnFile.ts"
import { newTemporaryPath } from "../lock/temporaryPath.ts"
import type { FeedCursor } from "./readFeed.ts"

/** Where the end of the feed is kept, so that a shorter feed is noticed. */
const cursorName = ".marketplace-advisories.json"

/** The end of the feed when it was last read; undefined if it never was. */
export const readCursor = async (folder: string): Promise<FeedCursor | undefined> => {
  const file = join(folder, cursorName)
  const text = await readOwnFile(file)
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value) && typeof value["id"] === "string" && typeof value["digest"] === "string")
      return { id: value["id"], digest: value["digest"] }
  } catch {
    // The message below tells what to do.
  }
  throw new InstallError(`${file} is not the end of a feed of advisories: put the right one back, or remove it`)
}

export const writeCursor = async (folder: string, cursor: FeedCursor): Promise<void> => {
  const temporary = newTemporaryPath(folder)
  const handle = await open(temporary, "wx", 0o600)
  try {
    await handle.writeFile(`${JSON.stringify(cursor)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, join(folder, cursorName))
}
