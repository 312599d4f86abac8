import { Effect } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"
import { CommandFailure, exitCodes } from "../errors/CommandFailure.ts"
import { CliContext } from "../terminal/CliContext.ts"

/** How long the market keeps an idempotency key (IDEMPOTENCY-2), in milliseconds. */
const lifetime = 24 * 60 * 60_000

/** `$XDG_STATE_HOME/agent-marketplace/idempotency-keys`, or in `~/.local/state` if that is not set. */
const placeOf = (market: string, order: string) =>
  Effect.map(CliContext, ({ env }) => {
    const home = env["XDG_STATE_HOME"] ?? ""
    const base = isAbsolute(home) ? home : join(env["HOME"] ?? homedir(), ".local", "state")
    const name = createHash("sha256").update(`${market}\n${order}`).digest("hex")
    return join(base, "agent-marketplace", "idempotency-keys", name)
  })

const create = async (file: string): Promise<string | undefined> => {
  const key = `cli-${randomUUID()}`
  try {
    await writeFile(file, key, { mode: 0o600, flag: "wx" })
    return key
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return undefined
    throw cause
  }
}

const take = async (file: string): Promise<{ readonly key: string; readonly isRepeated: boolean }> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const made = await create(file)
  if (made !== undefined) return { key: made, isRepeated: false }
  const [{ mtimeMs }, kept] = await Promise.all([stat(file), readFile(file, "utf8")])
  if (Date.now() - mtimeMs < lifetime && kept !== "") return { key: kept, isRepeated: true }
  await rm(file, { force: true })
  return take(file)
}

const failing = (cause: unknown) =>
  new CommandFailure({
    code: "IDEMPOTENCY_KEY_NOT_STORED",
    message: `the idempotency key could not be stored: ${cause instanceof Error ? cause.message : String(cause)}`,
    hint: "--idempotency-key avoids storing one.",
    exitCode: exitCodes.failure
  })

/**
 * The idempotency key of a request, stored before the request is sent (CLI-5) and kept until the market has responded: repeating the
 * command after a crash or a time-out within 24 hours returns the purchase that was made, and does not make a second one.
 */
export const pendingKey = {
  take: (market: string, order: string) =>
    Effect.flatMap(placeOf(market, order), (file) => Effect.tryPromise({ try: () => take(file), catch: failing })),
  /** Removes the key once the market has responded. */
  settle: (market: string, order: string) =>
    Effect.flatMap(placeOf(market, order), (file) =>
      Effect.tryPromise({ try: () => rm(file, { force: true }), catch: failing })
    )
}
