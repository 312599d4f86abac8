import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { thisHost } from "./FileLock.ts"
import { isRunning } from "./ProcessIdentity.ts"

/** Files and folders with this prefix are temporary: an install removes those of ended processes. */
const prefix = ".marketplace-tmp-"

/** In milliseconds. An install's time limit is shorter, so anything older is abandoned, on whatever machine it was made. */
export const longestLife = 60 * 60 * 1000

/** The process that created a temporary file, and its machine. */
export interface Owner {
  readonly host: string
  readonly pid: number
}

/** Whether the owner has ended. For a process on another machine only the age is known. */
export const isLeftOver = ({ host, pid }: Owner, madeAt: Date): boolean =>
  Date.now() - madeAt.getTime() > longestLife || (host === thisHost && !isRunning(pid))

/** An unused path in the folder whose name states its owner and cannot be guessed. */
export const newTemporaryPath = (installDir: string): string =>
  join(installDir, `${prefix}${thisHost}-${process.pid}-${randomBytes(16).toString("hex")}`)

/** The owner of a temporary file or folder; undefined for every other name. */
export const ownerOf = (name: string): Owner | undefined => {
  const [, host = "", pid = ""] =
    /^\.marketplace-tmp-([0-9a-f]{8})-([0-9]{1,9})-(?:[0-9a-f]{12}|[0-9a-f]{32})$/.exec(name) ?? []
  return host === "" ? undefined : { host, pid: Number(pid) }
}
