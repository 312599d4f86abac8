import { createHash, randomUUID } from "node:crypto"
import { lstat, open, unlink } from "node:fs/promises"
import { hostname } from "node:os"
import { setTimeout as pause } from "node:timers/promises"
import { isRunning, processIdentity } from "./ProcessIdentity.ts"
import { readOwnFile } from "./readOwnFile.ts"

export interface FileLockOptions {
  /** How long to wait for another holder, in milliseconds. */
  readonly patience: number
  /** After this time a lock counts as abandoned if its holder cannot be examined, because it runs on another machine. */
  readonly longestHeld: number
  /** Aborts the wait. */
  readonly signal?: AbortSignal | undefined
}

interface Holder {
  readonly host: string
  readonly pid: number
  readonly identity: string
  readonly token: string
}

const betweenAttempts = 20

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8)

/** This machine's name in lock files and temporary names. */
export const thisHost = digest(hostname())

/** Used on systems without a machine id, such as Windows. */
const unknownIdentity = "00000000"

/** Identifies a process among all that had or will have its process id. */
const identityOf = (pid: number): string => {
  const identity = processIdentity(pid)
  return identity === undefined ? unknownIdentity : digest(identity)
}

const isAlive = ({ identity, pid }: Holder): boolean =>
  identity === unknownIdentity ? isRunning(pid) : identityOf(pid) === identity

const contentOf = ({ host, identity, pid, token }: Holder): string => `${host} ${pid} ${identity} ${token}`

const holderOf = (content: string): Holder | undefined => {
  const found = /^([0-9a-f]{8}) ([0-9]{1,10}) ([0-9a-f]{8}) ([0-9a-f-]{36})$/.exec(content)
  const [, host = "", pid = "", identity = "", token = ""] = found ?? []
  return found === null ? undefined : { host, pid: Number(pid), identity, token }
}

/** Creates a file; false if it exists. */
const created = async (file: string, content: string): Promise<boolean> => {
  try {
    const handle = await open(file, "wx", 0o600)
    try {
      await handle.writeFile(content)
    } finally {
      await handle.close()
    }
    return true
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false
    throw error
  }
}

const remove = (file: string): Promise<void> =>
  unlink(file).catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error
  })

/** In milliseconds. A process may be killed between creating a lock file and writing its content. */
const longestIncomplete = 2000

/** Whether the lock is abandoned: its process has ended; or, if that cannot be determined, the lock is old. */
const isAbandoned = async (lock: string, holder: Holder | undefined, longestHeld: number): Promise<boolean> => {
  if (holder?.host === thisHost) return !isAlive(holder)
  const found = await lstat(lock).catch(() => undefined)
  const longest = holder === undefined ? Math.min(longestIncomplete, longestHeld) : longestHeld
  return found !== undefined && Date.now() - found.mtimeMs > longest
}

/**
 * Removes the lock of a process that has ended. If several processes see it, only the one that creates a file named after this
 * lock removes it, so that none removes a lock that another process has taken meanwhile.
 */
const removeAbandoned = async (lock: string, longestHeld: number): Promise<void> => {
  const content = await readOwnFile(lock)
  if (content === undefined) return
  const holder = holderOf(content)
  if (!(await isAbandoned(lock, holder, longestHeld))) return
  const removal = `${lock}-${holder?.token ?? "unknown"}`
  if (!(await created(removal, ""))) return
  try {
    if ((await readOwnFile(lock)) === content) await remove(lock)
  } finally {
    await remove(removal)
  }
}

/**
 * Runs `action` while no other process, and no other call in this one, holds the lock file at `lock`. The lock of a killed process
 * is taken over immediately. Rejects if another holder does not release it in time, or the signal aborts.
 */
export const withFileLock = async <A>(
  lock: string,
  { longestHeld, patience, signal }: FileLockOptions,
  action: () => Promise<A>
): Promise<A> => {
  const content = contentOf({
    host: thisHost,
    pid: process.pid,
    identity: identityOf(process.pid),
    token: randomUUID()
  })
  const deadline = performance.now() + patience
  while (!(await created(lock, content))) {
    signal?.throwIfAborted()
    if (performance.now() > deadline)
      throw new Error(`${lock} is held by another process: if none is running, remove that file`)
    await removeAbandoned(lock, longestHeld)
    await pause(betweenAttempts * (0.5 + Math.random()))
  }
  try {
    return await action()
  } finally {
    await remove(lock)
  }
}
