import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"
import { CliContext } from "../terminal/CliContext.ts"

/** The keys of a user, by the address of the market that accepted each: a key is never sent to another address (CLI-2). */
export interface StoredKeys {
  /** The default market. */
  readonly current?: string | undefined
  readonly markets: Readonly<Record<string, { readonly apiKey: string }>>
}

const refused = (code: string, message: string, hint: string) =>
  new CommandFailure({ code, message, hint, exitCode: exitCodes.key })

/** `$XDG_CONFIG_HOME/agent-marketplace/config.json`, or in `~/.config` if that is not set. */
const place = Effect.map(CliContext, ({ env }) => {
  const home = env["XDG_CONFIG_HOME"] ?? ""
  const base = isAbsolute(home) ? home : join(env["HOME"] ?? homedir(), ".config")
  return join(base, "agent-marketplace", "config.json")
})

const isAbsent = (cause: unknown): boolean => cause instanceof Error && "code" in cause && cause.code === "ENOENT"

/** The command that corrects the permissions of the file or its folder; undefined if they are correct, and on Windows. */
const exposure = async (file: string): Promise<string | undefined> => {
  if (process.platform === "win32") return undefined
  const [own, folder] = await Promise.all([stat(file), stat(dirname(file))])
  if ((own.mode & 0o077) !== 0) return `chmod 600 ${file}`
  if ((folder.mode & 0o022) !== 0) return `chmod 700 ${dirname(file)}`
  return undefined
}

const isKept = (value: unknown): value is StoredKeys => {
  if (typeof value !== "object" || value === null || !("markets" in value)) return false
  const { markets } = value
  return (
    typeof markets === "object" &&
    markets !== null &&
    Object.values(markets).every((market) => typeof (market as { apiKey?: unknown } | null)?.apiKey === "string")
  )
}

const load = async (file: string): Promise<StoredKeys | CommandFailure> => {
  try {
    const remedy = await exposure(file)
    if (remedy !== undefined)
      return refused(
        "KEY_FILE_EXPOSED",
        `${file} holds keys, and other users may read or replace it`,
        `Run \`${remedy}\`.`
      )
    const parsed: unknown = JSON.parse(await readFile(file, "utf8"))
    if (isKept(parsed)) return parsed
  } catch (cause) {
    if (isAbsent(cause)) return { markets: {} }
    if (!(cause instanceof SyntaxError)) throw cause
  }
  return refused("KEY_FILE_BROKEN", `${file} is not a valid key file`, "Remove it and run `agent-marketplace login`.")
}

/** Replaces the file atomically. Other users can never read it. */
const store = async (file: string, kept: StoredKeys): Promise<void> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await chmod(dirname(file), 0o700)
  const made = `${file}.${randomBytes(6).toString("hex")}`
  try {
    await writeFile(made, `${JSON.stringify(kept, undefined, 2)}\n`, { mode: 0o600, flag: "wx" })
    await rename(made, file)
  } finally {
    await rm(made, { force: true })
  }
}

const failing = (cause: unknown) =>
  new CommandFailure({
    code: "KEY_FILE_UNUSABLE",
    message: cause instanceof Error ? cause.message : String(cause),
    exitCode: exitCodes.failure
  })

/** The file with the user's keys: mode 0600 in a folder of mode 0700. */
export const keyFile = {
  place,
  /** Empty if there is no file. Fails if other users could have read or replaced it. */
  read: Effect.gen(function* () {
    const file = yield* place
    const kept = yield* Effect.tryPromise({ try: () => load(file), catch: failing })
    return kept instanceof CommandFailure ? yield* kept : kept
  }),
  write: (kept: StoredKeys) =>
    Effect.gen(function* () {
      const file = yield* place
      yield* Effect.tryPromise({ try: () => store(file, kept), catch: failing })
    })
}
