import { createHash, randomBytes } from "node:crypto"
import { hostname } from "node:os"
import { join } from "node:path"

/** Every name of ours that is not meant to stay begins so. */
const prefix = ".marketplace-tmp-"

/** No install takes that long (its own limit is shorter): what is older, in milliseconds, is left over whoever made it. */
const longestLife = 60 * 60 * 1000

const thisHost = createHash("sha256").update(hostname()).digest("hex").slice(0, 8)

/** Who made something: a process on a machine. */
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

/** Whether something is left over: its process has ended; where that cannot be known, because it is old. */
export const isLeftOver = ({ host, pid }: Owner, madeAt: Date): boolean =>
  Date.now() - madeAt.getTime() > longestLife || (host === thisHost && !runs(pid))

/** A name in the folder that nobody has, and that says whose it is. */
export const newTemporaryPath = (installDir: string): string =>
  join(installDir, `${prefix}${thisHost}-${process.pid}-${randomBytes(6).toString("hex")}`)

/** Whose temporary file or folder that is; undefined where it is none of ours. */
export const ownerOf = (name: string): Owner | undefined => {
  const [, host = "", pid = ""] = /^\.marketplace-tmp-([0-9a-f]{8})-([0-9]{1,9})-[0-9a-f]{12}$/.exec(name) ?? []
  return host === "" ? undefined : { host, pid: Number(pid) }
}
