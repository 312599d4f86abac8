import { lstat, mkdir, open, readdir, readFile, rename, rm, stat, unlink } from "node:fs/promises"
import { join } from "node:path"
import { InstallError } from "../InstallError.ts"
import { exclusively } from "./exclusively.ts"
import type { LockEntry } from "./LockFile.ts"
import { readLockFile, writeLockFile } from "./LockFile.ts"
import { isLeftOver, newTemporaryPath, ownerOf } from "./temporaryPath.ts"

/** What is about to stand under a name. */
export interface Prepared {
  readonly name: string
  readonly entry: LockEntry
}

/** In a staging folder: what was fetched and checked, what stood there before, and what is to be. */
const ready = "ready"
const before = "before"
const decided = "decided.json"

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false
  )

const discard = (path: string): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 })

/** A folder beside what is installed, on the same file system; the next install removes it where this process cannot. */
export const inStaging = async <A>(installDir: string, action: (staging: string) => Promise<A>): Promise<A> => {
  await mkdir(installDir, { recursive: true })
  const staging = newTemporaryPath(installDir)
  await mkdir(staging, { mode: 0o700 })
  try {
    return await action(staging)
  } finally {
    await discard(staging)
  }
}

/** From here on it happens, also when this process ends now: whoever comes next does the rest. */
const decide = async (staging: string, prepared: Prepared): Promise<void> => {
  const handle = await open(join(staging, `${decided}.new`), "wx", 0o600)
  try {
    await handle.writeFile(JSON.stringify(prepared))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(join(staging, `${decided}.new`), join(staging, decided))
}

/** Puts what is ready in the place of what stood there; done already where nothing is ready. */
const exchange = async (target: string, staging: string): Promise<void> => {
  if (!(await exists(join(staging, ready)))) return
  if (await exists(target)) await rename(target, join(staging, before))
  await rename(join(staging, ready), target)
}

const takeBack = async (target: string, staging: string): Promise<void> => {
  if (!(await exists(join(staging, ready)))) await rename(target, join(staging, ready))
  if (await exists(join(staging, before))) await rename(join(staging, before), target)
}

/** Carries out what was decided, from wherever it was left. */
const finish = async (installDir: string, staging: string): Promise<void> => {
  const { entry, name } = JSON.parse(await readFile(join(staging, decided), "utf8")) as Prepared
  const target = join(installDir, name)
  try {
    await exchange(target, staging)
    await writeLockFile(installDir, new Map([...(await readLockFile(installDir)), [name, entry]]))
  } catch (error) {
    await takeBack(target, staging)
    throw error
  }
  await unlink(join(staging, decided))
  await discard(staging)
}

/** Ends what processes that are gone have begun: what was decided is finished, everything else removed. */
const clearLeftOvers = async (installDir: string): Promise<void> => {
  for (const found of await readdir(installDir)) {
    const owner = ownerOf(found)
    if (owner === undefined) continue
    const path = join(installDir, found)
    const made = await stat(path).catch(() => undefined)
    if (made === undefined || !isLeftOver(owner, made.mtime)) continue
    if (await exists(join(path, decided))) await finish(installDir, path)
    // What cannot be removed, being another user's for instance, is in nobody's way.
    else await discard(path).catch(() => undefined)
  }
}

const refuseForeign = async (installDir: string, { entry, name }: Prepared): Promise<void> => {
  const there = (await readLockFile(installDir)).get(name)
  if (there !== undefined && there.id !== entry.id)
    throw new InstallError(`${join(installDir, name)} is ${there.id}: install ${entry.id} into another folder`)
  if (there === undefined && (await exists(join(installDir, name))))
    throw new InstallError(
      `${join(installDir, name)} is there already and was not installed by the market: move it away`
    )
}

/**
 * Puts what stands in `root`, inside `staging`, in the place of what was installed under that name, and writes it down: both
 * or neither. Gives what stood in the lock file before.
 */
export const commitInstall = (
  installDir: string,
  staging: string,
  root: string,
  prepared: Prepared,
  signal: AbortSignal
): Promise<LockEntry | undefined> =>
  exclusively(installDir, signal, async () => {
    await clearLeftOvers(installDir)
    await refuseForeign(installDir, prepared)
    signal.throwIfAborted()
    const earlier = (await readLockFile(installDir)).get(prepared.name)
    await rename(root, join(staging, ready))
    await decide(staging, prepared)
    await finish(installDir, staging)
    return earlier
  })
