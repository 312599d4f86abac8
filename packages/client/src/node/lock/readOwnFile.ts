import { constants, open } from "node:fs/promises"
import { InstallError } from "../InstallError.ts"

/** Larger than any lock file or record of an install. */
const maxBytes = 64 * 1024 * 1024

/** A regular file's text; undefined if there is none. Rejects a link, a device or a pipe, which could lead anywhere or never end. */
export const readOwnFile = async (file: string): Promise<string | undefined> => {
  const noFollow = constants.O_NOFOLLOW ?? 0
  const handle = await open(file, constants.O_RDONLY | noFollow | (constants.O_NONBLOCK ?? 0)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined
      throw error.code === "ELOOP" ? new InstallError(`${file} is a symbolic link: remove it`) : error
    }
  )
  if (handle === undefined) return undefined
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw new InstallError(`${file} is not a regular file: remove it`)
    if (found.size > maxBytes) throw new InstallError(`${file} is larger than ${maxBytes} bytes: remove it`)
    return await handle.readFile("utf8")
  } finally {
    await handle.close()
  }
}
