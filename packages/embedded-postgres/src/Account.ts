import { spawnSync } from "node:child_process"
import { readFile, stat } from "node:fs/promises"
import type { Binaries } from "./Binaries.ts"

/** A user of the system. PostgreSQL refuses to run as root, so under root a cluster belongs to another. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** How to run a program: as which user, and through what. */
export interface Command {
  readonly file: string
  readonly args: ReadonlyArray<string>
  readonly options: Partial<Account>
}

/**
 * The account that a cluster in `folder` runs as. `undefined` is the current one, which is used unless it is root. Under root it
 * is the folder's owner, and for a new folder the user `postgres`, or else `nobody`.
 */
export const accountFor = async (folder: string): Promise<Account | undefined> => {
  if (process.getuid?.() !== 0) return undefined
  const owner = await stat(folder).catch(() => undefined)
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const users = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"))
  const user = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody")
  if (user === undefined) throw new Error("PostgreSQL cannot run as root, and there is no user postgres or nobody")
  return { uid: Number(user[2]) >>> 0, gid: Number(user[3]) >>> 0 }
}

/**
 * How to run `program` as the account on a data folder. If the account may not enter a parent folder of either, the
 * process gets the capability to pass (`CAP_DAC_OVERRIDE`); no permission on the disk changes.
 *
 * Throws an error that names the folders if this is not possible.
 */
export const commandAs = (
  account: Account | undefined,
  binaries: Binaries,
  folder: string
): ((program: string, args: ReadonlyArray<string>) => Command) => {
  if (account === undefined) return (file, args) => ({ file, args, options: {} })
  const probe = ["-c", 'test -r "$0" && test -x "$1" && test -w "$2"', binaries.catalogue, binaries.postgres, folder]
  const plain = (file: string, args: ReadonlyArray<string>): Command => ({ file, args, options: account })
  if (succeeds(plain("sh", probe))) return plain
  const passing = (file: string, args: ReadonlyArray<string>): Command => ({
    file: "setpriv",
    args: [...setprivArgs(account), file, ...args],
    options: {}
  })
  if (succeeds(passing("sh", probe))) return passing
  throw new Error(
    `PostgreSQL cannot run as root, and user ${account.uid} may not reach ${folder} or ${binaries.postgres}. ` +
      `Use folders that every user may enter (DATA_DIR), start as another user, or set DATABASE_URL`
  )
}

const setprivArgs = ({ gid, uid }: Account): ReadonlyArray<string> => [
  `--reuid=${uid}`,
  `--regid=${gid}`,
  "--clear-groups",
  // PostgreSQL looks for its own programs with access(2), which otherwise would ignore the capability.
  "--securebits=+no_setuid_fixup",
  "--inh-caps=+dac_override",
  "--ambient-caps=+dac_override",
  "--"
]

const succeeds = ({ args, file, options }: Command): boolean =>
  spawnSync(file, args, { ...options, cwd: "/", stdio: "ignore" }).status === 0
