import { Data } from "effect"
import { chmod, link, lstat, mkdir, open, readdir, readFile, rm } from "node:fs/promises"
import { randomUUID } from "node:crypto"
import { join } from "node:path"

/** The folder is not used. The message says why and what to do. */
export class BlobFolderRefused extends Data.TaggedError("BlobFolderRefused")<{ readonly message: string }> {}

/** Where puts write before a blob gets its name. */
export const partsFolder = "parts"

const marker = "agent-marketplace-blobs"
const markerText = "Bytes of releases by SHA-256. Do not change files in this folder.\n"

/** What a folder that is still empty may contain: `lost+found` is in the root of a new file system, the rest is of another process that starts. */
const isIgnored = (name: string): boolean => name === "lost+found" || name.startsWith(`.${marker}-`)

const isMarked = async (folder: string): Promise<boolean> => {
  try {
    const path = join(folder, marker)
    return (await lstat(path)).isFile() && (await readFile(path, "utf8")) === markerText
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false
    throw error
  }
}

/** The marker appears complete, so that a killed process leaves an empty folder or one of ours. */
const mark = async (folder: string): Promise<void> => {
  const made = join(folder, `.${marker}-${randomUUID()}`)
  try {
    const handle = await open(made, "wx", 0o600)
    try {
      await handle.writeFile(markerText)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await link(made, join(folder, marker))
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  } finally {
    await rm(made, { force: true })
  }
}

/**
 * Makes the folder, or accepts one that an earlier process made. Refuses a folder that contains anything else, because a mistyped path must
 * not mix blobs with other files, and one to which every user of the machine may write.
 */
export const ownFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const info = await lstat(folder)
  if (!info.isDirectory())
    throw new BlobFolderRefused({ message: `${folder} is a link or a file: name the folder itself` })
  if (!(await isMarked(folder))) {
    const foreign = (await readdir(folder)).find((name) => !isIgnored(name) && name !== marker)
    if (foreign !== undefined && !(await isMarked(folder)))
      throw new BlobFolderRefused({
        message: `${folder} contains ${foreign}, which is no blob: name an empty folder, or one that held blobs before`
      })
    if ((await readdir(folder)).includes(marker) && !(await isMarked(folder)))
      throw new BlobFolderRefused({ message: `${join(folder, marker)} was changed: the folder is not used` })
    await chmod(folder, 0o700).catch(() => undefined)
    await mark(folder)
  }
  if (((await lstat(folder)).mode & 0o002) !== 0)
    throw new BlobFolderRefused({ message: `every user may write to ${folder}: run chmod o-w ${folder}` })
  await mkdir(join(folder, partsFolder), { recursive: true, mode: 0o700 })
}
