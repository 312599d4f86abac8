import { isKeyStored, isSigned, sign } from "@agent-marketplace/client/node/lock/installerKey"
import { readOwnFile } from "@agent-marketplace/client/node/lock/readOwnFile"
import { Data, Effect, Redacted } from "effect"
import { randomBytes, timingSafeEqual } from "node:crypto"
import { link, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import type { Configuration } from "./Configuration.ts"
import { derivedSecret } from "./marketConfig.ts"

/** The data folder is not used. The message has the reason and what to do. */
export class DataFolderRefused extends Data.TaggedError("DataFolderRefused")<{ readonly message: string }> {}

/**
 * The content of `DATA_DIR/owner`: a random id, and signatures of it by the user's key and, if `ADMIN_TOKEN` is set, by a key derived from it.
 * They do not cover the path, so that a copy of the folder works in another place.
 */
interface Owner {
  readonly id: string
  readonly byUser: string
  readonly byToken: string | undefined
}

type Token = Redacted.Redacted | undefined

const ownerFile = "owner"

/** Written before it gets its name; left over if the process is killed, and never read. */
const unfinished = /^owner\.[0-9a-f]{32}$/

/** Entries that a new folder may contain: `lost+found` is in the root of a new file system. */
const isIgnored = (name: string): boolean => name === "lost+found" || unfinished.test(name)

const ownerOf = (text: string | undefined): Owner | undefined => {
  const found = /^([0-9a-f]{32}) ([0-9a-f]{64}) ([0-9a-f]{64}|-)\n$/.exec(text ?? "")
  const [, id = "", byUser = "", byToken = "-"] = found ?? []
  return found === null ? undefined : { id, byUser, byToken: byToken === "-" ? undefined : byToken }
}

const factsOf = (id: string): ReadonlyArray<string> => ["the owner of a data folder", id]

const tokenSignature = (id: string, token: Token): string | undefined =>
  token === undefined ? undefined : Redacted.value(derivedSecret(token, `data-folder ${id}`))

const isByToken = ({ byToken, id }: Owner, token: Token): boolean => {
  const expected = tokenSignature(id, token)
  return expected !== undefined && byToken !== undefined && timingSafeEqual(Buffer.from(byToken), Buffer.from(expected))
}

const isOurs = async (owner: Owner | undefined, token: Token): Promise<boolean> =>
  owner !== undefined && (isByToken(owner, token) || (await isSigned(factsOf(owner.id), owner.byUser)))

const newOwner = async (token: Token): Promise<Owner> => {
  const id = randomBytes(16).toString("hex")
  return { id, byUser: await sign(factsOf(id)), byToken: tokenSignature(id, token) }
}

/** Makes the file appear complete: a killed process leaves the old state or the new one. */
const write = async (
  folder: string,
  { byToken = "-", byUser, id }: Owner,
  place: (made: string, file: string) => Promise<void>
): Promise<void> => {
  const made = join(folder, `${ownerFile}.${randomBytes(16).toString("hex")}`)
  try {
    const handle = await open(made, "wx", 0o600)
    try {
      await handle.writeFile(`${id} ${byUser} ${byToken}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await place(made, join(folder, ownerFile))
  } finally {
    await rm(made, { force: true })
  }
}

/** The entries of the folder. A link could lead to files of another program, so none is accepted. */
const entriesOf = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder, { withFileTypes: true })
  const linked = entries.find((entry) => entry.isSymbolicLink())
  if (linked !== undefined)
    throw new DataFolderRefused({
      message: `The data folder ${folder} contains a symbolic link, ${linked.name}: replace it by what it leads to, or set DATA_DIR to another folder.`
    })
  return entries.map(({ name }) => name).filter((name) => !isIgnored(name))
}

const readOwner = async (folder: string): Promise<Owner | undefined> =>
  ownerOf(await readOwnFile(join(folder, ownerFile)))

const foreign = (folder: string): DataFolderRefused =>
  new DataFolderRefused({
    message:
      `The data folder ${folder} was not made by this user or with this ADMIN_TOKEN, so nothing in it was read. If its content is yours, such as that ` +
      `of an earlier release or a backup, start once with DATA_DIR_ADOPT=true. Otherwise set DATA_DIR to another folder.`
  })

const unsigned = (folder: string): DataFolderRefused =>
  new DataFolderRefused({
    message:
      `The data folder ${folder} cannot be signed, because this user's key cannot be stored in ~/.local/state. ` +
      `Set XDG_STATE_HOME to a folder that lasts, or set ADMIN_TOKEN.`
  })

/** Makes a folder with its parents. Node's own recursive call does not end where a folder exists in which none can be made, such as /proc. */
const makeFolder = async (folder: string): Promise<void> => {
  const made = (path: string) =>
    mkdir(path).then(
      () => undefined,
      (cause: NodeJS.ErrnoException) => cause
    )
  const fault = await made(folder)
  if (fault === undefined) return
  if (fault.code === "EEXIST" && (await stat(folder)).isDirectory()) return
  const parent = dirname(folder)
  const isMissing = await stat(parent).then(
    () => false,
    (cause: NodeJS.ErrnoException) => cause.code === "ENOENT"
  )
  if (fault.code !== "ENOENT" || !isMissing || parent === folder) throw fault
  await makeFolder(parent)
  const again = await made(folder)
  if (again !== undefined && again.code !== "EEXIST") throw again
}

const own = async (folder: string, token: Token, adopt: boolean): Promise<void> => {
  await makeFolder(folder)
  // The entries first: a process that makes the folder writes `owner` before anything else.
  const entries = await entriesOf(folder)
  const owner = await readOwner(folder)
  if (owner !== undefined && (await isOurs(owner, token))) {
    if (token !== undefined && !isByToken(owner, token))
      await write(folder, { ...owner, byToken: tokenSignature(owner.id, token) }, rename)
    return
  }
  if (!adopt && entries.length > 0) throw foreign(folder)
  if (token === undefined && !(await isKeyStored())) throw unsigned(folder)
  if (adopt) return await write(folder, await newOwner(token), rename)
  try {
    await write(folder, await newOwner(token), link)
  } catch (cause) {
    // Another process was faster.
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST" || !(await isOurs(await readOwner(folder), token)))
      throw cause
  }
}

/**
 * Succeeds if the data folder is this user's own, or empty, which makes it so (CONFIG-24). A cloned repository may contain a data folder:
 * its database, token and keys are not believed. `DATA_DIR_ADOPT=true` accepts a folder as it is.
 */
export const ownDataFolder = ({
  adminToken,
  adoptData,
  dataDir
}: Pick<Configuration, "adminToken" | "adoptData" | "dataDir">): Effect.Effect<void, DataFolderRefused> =>
  Effect.tryPromise({
    try: () => own(resolve(dataDir), adminToken, adoptData),
    catch: (cause) =>
      cause instanceof DataFolderRefused
        ? cause
        : new DataFolderRefused({
            message: `The data folder ${resolve(dataDir)} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`
          })
  })

/** Whether the data folder is this user's own; changes nothing. */
export const isOwnDataFolder = async (dataDir: string): Promise<boolean> => {
  try {
    await entriesOf(resolve(dataDir))
    return await isOurs(await readOwner(resolve(dataDir)), undefined)
  } catch {
    return false
  }
}
