import { randomUUID } from "node:crypto"
import { lstat, open, unlink } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { InstallError } from "../InstallError.ts"
import { readOwnFile } from "./readOwnFile.ts"
import type { Owner } from "./temporaryPath.ts"
import { isLeftOver, thisProcess } from "./temporaryPath.ts"

const lockName = ".marketplace-tmp-busy"

/** What one does while it has the folder takes milliseconds: who waits longer than that waits for nothing. */
const longestWait = 30_000
const between = 20

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code

/** Makes a file that must not be there; false where it is. */
const made = async (file: string, content: string): Promise<boolean> => {
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

const removed = (file: string): Promise<void> =>
  unlink(file).catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error
  })

const seen = async (file: string): Promise<{ readonly content: string; readonly at: Date } | undefined> => {
  const content = await readOwnFile(file)
  const found = content === undefined ? undefined : await lstat(file).catch(() => undefined)
  return content === undefined || found === undefined ? undefined : { content, at: found.mtime }
}

const holderOf = (content: string): (Owner & { readonly token: string }) | undefined => {
  const [, host = "", pid = "", token = ""] = /^([0-9a-f]{8}) ([0-9]+) ([0-9a-f-]{36})$/.exec(content) ?? []
  return token === "" ? undefined : { host, pid: Number(pid), token }
}

/**
 * Frees the folder of a process that has ended. Of several who see it, one alone makes the file that is named after that very lock,
 * and it alone removes the lock: never one that somebody else has taken meanwhile.
 */
const freeLeftOver = async (lock: string): Promise<void> => {
  const found = await seen(lock)
  if (found === undefined) return
  const holder = holderOf(found.content)
  if (!isLeftOver(holder ?? { host: "", pid: 0 }, found.at)) return
  const taking = `${lock}-${holder?.token ?? "unknown"}`
  if (!(await made(taking, ""))) return
  try {
    if ((await seen(lock))?.content === found.content) await removed(lock)
  } finally {
    await removed(taking)
  }
}

/** Does something while no other process and no other call does the same in that folder. */
export const exclusively = async <A>(installDir: string, signal: AbortSignal, action: () => Promise<A>): Promise<A> => {
  const lock = join(installDir, lockName)
  const content = `${thisProcess.host} ${thisProcess.pid} ${randomUUID()}`
  const deadline = performance.now() + longestWait
  while (!(await made(lock, content))) {
    signal.throwIfAborted()
    if (performance.now() > deadline)
      throw new InstallError(`another install is at work in ${installDir}; if there is none, remove ${lock}`)
    await freeLeftOver(lock)
    await pause(between * (0.5 + Math.random()))
  }
  try {
    return await action()
  } finally {
    await removed(lock)
  }
}
