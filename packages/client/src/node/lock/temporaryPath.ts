import { createHash, randomBytes } from "node:crypto"
import { hostname } from "node:os"
import { join } from "node:path"

/** Files and folders with this prefix are temporary: an install removes those that an ended process has left. */
const prefix = ".marketplace-tmp-"

/** In milliseconds. An install's own time limit is shorter, so anything older was left behind, on whatever machine it was made. */
const longestLife = 60 * 60 * 1000

const thisHost = createHash("sha256").update(hostname()).digest("hex").slice(0, 8)

/** The process that made a temporary file, and its machine. */
export interface Owner {
  readonly host: string
  readonly pid: number
}

export const thisProcess: Owner = { host: thisHost, pid: process.pid }

const runs = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH"
  }
}

/** Whether the owner has ended. Of a process on another machine only the age is known. */
export const isLeftOver = ({ host, pid }: Owner, madeAt: Date): boolean =>
  Date.now() - madeAt.getTime() > longestLife || (host === thisHost && !runs(pid))

/** An unused path in the folder whose name states its owner and cannot be guessed. */
export const newTemporaryPath = (installDir: string): string =>
  join(installDir, `${prefix}${thisHost}-${process.pid}-${randomBytes(16).toString("hex")}`)

/** The owner of a temporary file or folder; undefined for every other name. */
export const ownerOf = (name: string): Owner | undefined => {
  const [, host = "", pid = ""] =
    /^\.marketplace-tmp-([0-9a-f]{8})-([0-9]{1,9})-(?:[0-9a-f]{12}|[0-9a-f]{32})$/.exec(name) ?? []
  return host === "" ? undefined : { host, pid: Number(pid) }
}
