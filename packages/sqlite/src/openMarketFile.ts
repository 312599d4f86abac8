import { UnsuitableStore } from "@agent-marketplace/core/errors/UnsuitableStore"
import { closeSync, existsSync, openSync, realpathSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { tableKinds } from "./tableKinds.ts"

/** "AGMK": distinguishes the file from those of other programs. */
const applicationId = 0x41474d4b

/** Raised when stored records change their form, together with a step in `upgrades`. */
const format = 1

/** The step at position n makes a file of format n + 1 one of format n + 2. */
const upgrades: ReadonlyArray<(database: DatabaseSync) => void> = []

const busy = 5
const notDatabase = 26

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "errcode" in error ? error.errcode : undefined

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const integer = (database: DatabaseSync, pragma: string): number =>
  Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0])

/** Opens a file that only this user can read if it is new. SQLite gives its journals the same mode (SQLITE-5). */
const open = (file: string, timeout: number): DatabaseSync => {
  closeSync(openSync(file, "a", 0o600))
  return new DatabaseSync(file, { timeout })
}

/** The operating system releases the lock when the process ends, however it ends (SQLITE-2). */
const lock = (file: string): DatabaseSync => {
  const held = open(`${file}-lock`, 0)
  try {
    held.exec("BEGIN EXCLUSIVE")
    return held
  } catch (error) {
    held.close()
    throw codeOf(error) === busy
      ? new UnsuitableStore(
          `The SQLite file ${file} is in use by another process: one process at a time can open it. Stop the other one, or name another file (SQLITE_FILE).`
        )
      : error
  }
}

/** SQLite names its journals after the file, so two names of one file would give two journals and two locks (SQLITE-2). */
const refuseHardLinks = (file: string): void => {
  const { nlink } = statSync(file)
  if (nlink > 1)
    throw new UnsuitableStore(
      `The SQLite file ${file} has ${nlink} names (hard links), so another process could open it under another name: remove the other links, or copy the file and name the copy (SQLITE_FILE). Nothing in it was changed.`
    )
}

const isNew = (database: DatabaseSync): boolean =>
  integer(database, "application_id") === 0 &&
  database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined

/** Throws `UnsuitableStore` for a file of another program or of a later format (SQLITE-3). */
const checkFormat = (database: DatabaseSync, file: string): void => {
  if (isNew(database)) return
  if (integer(database, "application_id") !== applicationId)
    throw new UnsuitableStore(
      `The SQLite file ${file} belongs to another program: name another file (SQLITE_FILE). Nothing in it was changed.`
    )
  const found = integer(database, "user_version")
  if (found < 1 || found > format)
    throw new UnsuitableStore(
      `The SQLite file ${file} has format ${found}, and this version of the market reads formats 1 to ${format}: start the version that wrote it, or a later one.`
    )
}

const prepare = (database: DatabaseSync): void => {
  database.exec("BEGIN IMMEDIATE")
  for (const [name, kind] of Object.entries(tableKinds)) {
    if (kind === "derived") continue
    database.exec(
      `CREATE TABLE IF NOT EXISTS "${name}" (position INTEGER PRIMARY KEY, key TEXT NOT NULL, member TEXT NOT NULL, value TEXT, UNIQUE (key, member)) STRICT`
    )
  }
  database.exec("CREATE TABLE IF NOT EXISTS probe (id INTEGER PRIMARY KEY, bytes BLOB) STRICT")
  if (integer(database, "application_id") === applicationId)
    for (const upgrade of upgrades.slice(integer(database, "user_version") - 1)) upgrade(database)
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${format}; COMMIT`)
}

const openDatabase = (file: string): DatabaseSync => {
  const database = open(file, 5000)
  try {
    checkFormat(database, file)
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
    prepare(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

export interface OpenFile {
  readonly database: DatabaseSync
  readonly close: () => void
}

/**
 * Opens the file, or makes it, and holds its lock. Another process may read it meanwhile, for example for a backup. Throws `UnsuitableStore` with a
 * sentence for the operator.
 */
export const openMarketFile = (given: string): OpenFile => {
  const path = resolve(given)
  if (!existsSync(dirname(path)))
    throw new UnsuitableStore(`The folder of the SQLite file ${path} does not exist: make it, or change SQLITE_FILE.`)
  let file = path
  try {
    // Two names of one file must not give two locks. A link can only be resolved once its file exists.
    closeSync(openSync(path, "a", 0o600))
    file = realpathSync(path)
    refuseHardLinks(file)
    const held = lock(file)
    try {
      const database = openDatabase(file)
      return {
        database,
        close: () => {
          database.close()
          held.close()
        }
      }
    } catch (error) {
      held.close()
      throw error
    }
  } catch (error) {
    if (error instanceof UnsuitableStore) throw error
    throw new UnsuitableStore(
      codeOf(error) === notDatabase
        ? `The file ${file} is not a SQLite database: name another file (SQLITE_FILE). Nothing in it was changed.`
        : `The SQLite file ${file} cannot be opened for writing (${messageOf(error)}): check SQLITE_FILE, and that this user may write to the file and its folder.`
    )
  }
}
