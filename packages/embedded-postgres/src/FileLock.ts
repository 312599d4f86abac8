import { link, readFile, rename, rm, writeFile } from "node:fs/promises"
import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { processIdentity } from "./ProcessIdentity.ts"

const patience = 120_000

/**
 * Runs `body` while no other process, and no other call in this one, holds the lock at `path`. The lock of a process
 * that died does not count. Rejects after two minutes of waiting.
 */
export const withFileLock = async <A>(path: string, body: () => Promise<A>): Promise<A> => {
  await acquire(path)
  try {
    return await body()
  } finally {
    await rm(path, { force: true })
  }
}

const acquire = async (path: string): Promise<void> => {
  const claim = `${path}.${randomUUID()}`
  await writeFile(claim, `${process.pid} ${processIdentity(process.pid)}`)
  try {
    const deadline = Date.now() + patience
    while (!(await linked(claim, path))) {
      if (Date.now() > deadline) throw new Error(`${path} is held by another process`)
      await removeIfStale(path)
      await setTimeout(20)
    }
  } finally {
    await rm(claim, { force: true })
  }
}

/** A link appears with its content and fails where the name is taken: it is the one step that decides. */
const linked = (claim: string, path: string): Promise<boolean> =>
  link(claim, path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return false
      throw error
    }
  )

const removeIfStale = async (path: string): Promise<void> => {
  const seen = await readFile(path, "utf8").catch(() => undefined)
  if (seen === undefined || isHeld(seen)) return
  const aside = `${path}.${randomUUID()}`
  if (
    !(await rename(path, aside).then(
      () => true,
      () => false
    ))
  )
    return
  // Between the look and the move somebody else may have taken the lock: then it goes back.
  if ((await readFile(aside, "utf8")) !== seen) await linked(aside, path)
  await rm(aside, { force: true })
}

const isHeld = (content: string): boolean => {
  const [pid = "", identity = ""] = content.split(" ")
  return processIdentity(Number(pid)) === identity
}
