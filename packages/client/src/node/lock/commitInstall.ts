import { lstat, mkdir, open, readdir, realpath, rename, rm, unlink } from "node:fs/promises"
import { basename, join } from "node:path"
import { ChangedByHand } from "../ChangedByHand.ts"
import { InstallError } from "../InstallError.ts"
import type { Difference } from "../tree/differencesOf.ts"
import { changesByHand, differencesOf } from "../tree/differencesOf.ts"
import { withFileLock } from "./FileLock.ts"
import { isSigned, sign } from "./installerKey.ts"
import type { Lock, LockEntry } from "./LockEntry.ts"
import { faultOfInstalledName, isLockEntry, isRecord } from "./LockEntry.ts"
import { readLockFile, writeLockFile } from "./LockFile.ts"
import type { PinnedKey } from "./PinnedKey.ts"
import { isPinnedKey, joinKeys } from "./PinnedKey.ts"
import { readOwnFile } from "./readOwnFile.ts"
import { isLeftOver, longestLife, newTemporaryPath, ownerOf } from "./temporaryPath.ts"

/** A fetched and checked install, and the name of its folder. */
export interface Prepared {
  readonly name: string
  readonly entry: LockEntry
  /** The market's keys with which it was checked. */
  readonly keys: ReadonlyArray<PinnedKey>
}

/** A change of one install; without an entry it is removed. */
interface Decision {
  readonly name: string
  readonly entry: LockEntry | null
  readonly keys: ReadonlyArray<PinnedKey>
}

/** In a staging folder: the files to install, the folder that they replace, and the decision to install them. */
const ready = "ready"
const before = "before"
const decided = "decided.json"

/** Held while a folder is compared with its entry and replaced. */
const busyName = ".marketplace-tmp-busy"

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false
  )

const discard = (path: string): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 })

/** Runs `action` with a new folder inside the install folder, and therefore on the same file system, and removes it afterwards. */
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

/** What a decision's signature covers: the change, and the one folder in which it may be carried out. */
const factsOf = async (installDir: string, staging: string, { entry, keys, name }: Decision) => [
  "install",
  await realpath(installDir),
  basename(staging),
  name,
  entry,
  keys
]

/** Records the decision. From here on the change happens: if this process ends, the next install finishes it. */
const decide = async (installDir: string, staging: string, decision: Decision): Promise<void> => {
  const signature = await sign(await factsOf(installDir, staging, decision))
  const handle = await open(join(staging, `${decided}.new`), "wx", 0o600)
  try {
    await handle.writeFile(JSON.stringify({ ...decision, signature }))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(join(staging, `${decided}.new`), join(staging, decided))
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The decision of a staging folder, where this user's installer made it for this very folder (CLIENT-14); undefined for any other content. */
const decisionOf = async (installDir: string, staging: string): Promise<Decision | undefined> => {
  const text = await readOwnFile(join(staging, decided)).catch(() => undefined)
  const found = text === undefined ? undefined : parsed(text)
  if (!isRecord(found)) return undefined
  const { entry, keys, name, signature } = found
  if (typeof name !== "string" || faultOfInstalledName(name) !== undefined) return undefined
  if (entry !== null && !isLockEntry(entry)) return undefined
  if (!Array.isArray(keys) || !keys.every(isPinnedKey) || typeof signature !== "string") return undefined
  const decision = { name, entry, keys }
  return (await isSigned(await factsOf(installDir, staging, decision), signature)) ? decision : undefined
}

/** Exchanges the installed folder with the prepared one, or takes it away. Does nothing if that was done before. */
const exchange = async (target: string, staging: string, isRemoval: boolean): Promise<void> => {
  if (!isRemoval && !(await exists(join(staging, ready)))) return
  if (await exists(target)) await rename(target, join(staging, before))
  if (!isRemoval) await rename(join(staging, ready), target)
}

const takeBack = async (target: string, staging: string, isRemoval: boolean): Promise<void> => {
  if (!isRemoval && !(await exists(join(staging, ready)))) await rename(target, join(staging, ready))
  if (await exists(join(staging, before))) await rename(join(staging, before), target)
}

const changed = ({ entries, keys }: Lock, decision: Decision): Lock => {
  const others = [...entries].filter(([name]) => name !== decision.name)
  const own: ReadonlyArray<readonly [string, LockEntry]> =
    decision.entry === null ? [] : [[decision.name, decision.entry]]
  return { keys: joinKeys(keys, decision.keys), entries: new Map([...others, ...own]) }
}

/** Carries out a decision, from whichever step was reached before. */
const finish = async (installDir: string, staging: string, decision: Decision): Promise<void> => {
  const target = join(installDir, decision.name)
  const isRemoval = decision.entry === null
  try {
    await exchange(target, staging, isRemoval)
    await writeLockFile(installDir, changed(await readLockFile(installDir), decision))
  } catch (error) {
    await takeBack(target, staging, isRemoval)
    throw error
  }
  await unlink(join(staging, decided))
  await discard(staging)
}

/** Finishes a decided install whose process has ended, unless its files were changed since. */
const recover = async (installDir: string, staging: string, decision: Decision): Promise<void> => {
  const { entry } = decision
  const isReady = await exists(join(staging, ready))
  const isChanged = entry !== null && isReady && (await differencesOf(join(staging, ready), entry)).length > 0
  if (!isChanged) return finish(installDir, staging, decision)
  const target = join(installDir, decision.name)
  if (!(await exists(target))) await takeBack(target, staging, false)
  return discard(staging)
}

/**
 * Clears up after processes that have ended: their decided changes are finished, everything else is removed. A folder that
 * did not come from this user's installer, for example one that a repository holds, is never finished.
 */
const clearLeftOvers = async (installDir: string): Promise<void> => {
  for (const found of await readdir(installDir)) {
    const owner = ownerOf(found)
    if (owner === undefined) continue
    const path = join(installDir, found)
    const made = await lstat(path).catch(() => undefined)
    if (made === undefined || !isLeftOver(owner, made.mtime)) continue
    const decision = made.isDirectory() ? await decisionOf(installDir, path) : undefined
    if (decision !== undefined) await recover(installDir, path, decision)
    // What cannot be removed, for example another user's folder, does not affect later installs.
    else await discard(path).catch(() => undefined)
  }
}

const refuseForeign = async (
  installDir: string,
  there: LockEntry | undefined,
  { entry, name }: Prepared
): Promise<void> => {
  if (there !== undefined && there.id !== entry.id)
    throw new InstallError(`${join(installDir, name)} is ${there.id}: install ${entry.id} into another folder`)
  if (there === undefined && (await exists(join(installDir, name))))
    throw new InstallError(
      `${join(installDir, name)} is there already and was not installed by the market: move it away`
    )
}

/** Runs `action` while no other process changes the install folder, after interrupted changes were finished. */
export const holdingFolder = <A>(installDir: string, action: () => Promise<A>, signal?: AbortSignal): Promise<A> =>
  withFileLock(join(installDir, busyName), { patience: 30_000, longestHeld: longestLife, signal }, async () => {
    await clearLeftOvers(installDir)
    return action()
  })

/** Rejects changes that were made by hand unless `force` is set (INSTALL-20). Returns them. */
const refuseChangedByHand = async (
  installDir: string,
  name: string,
  entry: LockEntry,
  force: boolean
): Promise<ReadonlyArray<Difference>> => {
  const differences = await changesByHand(join(installDir, name), entry)
  if (differences.length > 0 && !force) throw new ChangedByHand(name, differences)
  return differences
}

/** Whether an earlier install may be replaced. */
interface Consent {
  /** Throws if the entry that is there must not be replaced. */
  readonly permit: (earlier: LockEntry | undefined) => void
  /** Discards changes that were made by hand. */
  readonly force: boolean
}

/** What an install replaced. */
interface Replaced {
  readonly earlier: LockEntry | undefined
  /** The changes that were made by hand and are lost. */
  readonly discarded: ReadonlyArray<Difference>
}

/**
 * Moves `root`, a folder inside `staging`, to the place of an earlier install of the same name and writes the lock file: both or
 * neither (INSTALL-5).
 */
export const commitInstall = (
  installDir: string,
  staging: string,
  root: string,
  prepared: Prepared,
  signal: AbortSignal,
  { force, permit }: Consent
): Promise<Replaced> =>
  holdingFolder(
    installDir,
    async () => {
      const earlier = (await readLockFile(installDir)).entries.get(prepared.name)
      await refuseForeign(installDir, earlier, prepared)
      permit(earlier)
      const { entry, keys, name } = prepared
      const discarded = earlier === undefined ? [] : await refuseChangedByHand(installDir, name, earlier, force)
      signal.throwIfAborted()
      await rename(root, join(staging, ready))
      await decide(installDir, staging, { name, entry, keys })
      await finish(installDir, staging, { name, entry, keys })
      return { earlier, discarded }
    },
    signal
  )

/** Removes the folder of an install and its entry: both or neither. `permit` rejects if they must stay. */
export const commitRemoval = (
  installDir: string,
  staging: string,
  name: string,
  permit: (entry: LockEntry | undefined) => Promise<void>
): Promise<void> =>
  holdingFolder(installDir, async () => {
    const { entries, keys } = await readLockFile(installDir)
    await permit(entries.get(name))
    await decide(installDir, staging, { name, entry: null, keys })
    await finish(installDir, staging, { name, entry: null, keys })
  })
