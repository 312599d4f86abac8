import { randomBytes } from "node:crypto"
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"
import { withFileLock } from "../lock/FileLock.ts"
import { KeyFileError } from "./KeyFileError.ts"

/** An API key that a market has accepted. */
export interface StoredKey {
  readonly apiKey: string
}

/** The tokens of a login with a browser: they act as an agent of the account that consented (OAUTH-14). */
export interface StoredTokens {
  readonly accessToken: string
  /** Works once: every refresh replaces it. */
  readonly refreshToken: string
  /** When the access token expires by this machine's clock, as ISO 8601. */
  readonly expiresAt: string
  readonly scopes: ReadonlyArray<string>
}

/** The keys of a user, by the address of the market that accepted each: a key is never sent to another address (CLI-2). */
export interface StoredKeys {
  /** The default market. */
  readonly current?: string | undefined
  readonly markets: Readonly<Record<string, StoredKey | StoredTokens>>
}

/** `$XDG_CONFIG_HOME/agent-marketplace/config.json`, or in `~/.config` if that is not set. */
export const keyFilePlace = (env: Readonly<Record<string, string | undefined>>): string => {
  const home = env["XDG_CONFIG_HOME"] ?? ""
  const base = isAbsolute(home) ? home : join(env["HOME"] ?? homedir(), ".config")
  return join(base, "agent-marketplace", "config.json")
}

const isAbsent = (cause: unknown): boolean => cause instanceof Error && "code" in cause && cause.code === "ENOENT"

/** The command that corrects the permissions of the file or its folder; undefined if they are correct, and on Windows. */
const exposure = async (file: string): Promise<string | undefined> => {
  if (process.platform === "win32") return undefined
  const [own, folder] = await Promise.all([stat(file), stat(dirname(file))])
  if ((own.mode & 0o077) !== 0) return `chmod 600 ${file}`
  if ((folder.mode & 0o022) !== 0) return `chmod 700 ${dirname(file)}`
  return undefined
}

const isStored = (value: unknown): boolean => {
  const { accessToken, apiKey, expiresAt, refreshToken, scopes } = (value ?? {}) as Readonly<Record<string, unknown>>
  if (typeof apiKey === "string") return true
  return (
    typeof accessToken === "string" &&
    typeof refreshToken === "string" &&
    typeof expiresAt === "string" &&
    !Number.isNaN(Date.parse(expiresAt)) &&
    Array.isArray(scopes) &&
    scopes.every((scope) => typeof scope === "string")
  )
}

const isKept = (value: unknown): value is StoredKeys => {
  if (typeof value !== "object" || value === null || !("markets" in value)) return false
  const { current, markets } = value as { readonly current?: unknown; readonly markets: unknown }
  if (current !== undefined && typeof current !== "string") return false
  return typeof markets === "object" && markets !== null && Object.values(markets).every(isStored)
}

/** Empty if there is no file. Rejects with a `KeyFileError` if other users could have read or replaced it. */
export const readKeyFile = async (file: string): Promise<StoredKeys> => {
  try {
    const remedy = await exposure(file)
    if (remedy !== undefined) {
      const message = `${file} holds keys, and other users may read or replace it`
      throw new KeyFileError("KEY_FILE_EXPOSED", message, `Run \`${remedy}\`.`)
    }
    const parsed: unknown = JSON.parse(await readFile(file, "utf8"))
    if (isKept(parsed)) return parsed
  } catch (cause) {
    if (isAbsent(cause)) return { markets: {} }
    if (!(cause instanceof SyntaxError)) throw cause
  }
  const hint = "Remove it and run `agent-marketplace login`."
  throw new KeyFileError("KEY_FILE_BROKEN", `${file} is not a valid key file`, hint)
}

/** Replaces the file atomically. Other users can never read it. */
const store = async (file: string, kept: StoredKeys): Promise<void> => {
  const made = `${file}.${randomBytes(6).toString("hex")}`
  try {
    await writeFile(made, `${JSON.stringify(kept, undefined, 2)}\n`, { mode: 0o600, flag: "wx" })
    await rename(made, file)
  } finally {
    await rm(made, { force: true })
  }
}

/** In milliseconds. A refresh under the lock takes at most 20 seconds. */
const patience = 30_000
const longestHeld = 60_000

/**
 * Changes the file while no other process does: mode 0600 in a folder of mode 0700. `change` gets the present content; the file remains as it
 * is if it returns the same object.
 */
export const changeKeyFile = async (
  file: string,
  change: (kept: StoredKeys) => Promise<StoredKeys> | StoredKeys
): Promise<void> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await withFileLock(`${file}.lock`, { patience, longestHeld }, async () => {
    const kept = await readKeyFile(file)
    const changed = await change(kept)
    if (changed === kept) return
    await chmod(dirname(file), 0o700)
    await store(file, changed)
  })
}
