import { Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { open, readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Configuration } from "./Configuration.ts"
import type { DataFolderRefused } from "./DataFolder.ts"
import { ownDataFolder } from "./DataFolder.ts"

const read = async (file: string): Promise<string | undefined> => {
  try {
    const text = (await readFile(file, "utf8")).trim()
    return text === "" ? undefined : text
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined
    throw cause
  }
}

/** Writes a file that only its owner reads; false where another process was faster. */
const create = async (file: string, text: string): Promise<boolean> => {
  try {
    const handle = await open(file, "wx", 0o600)
    try {
      await handle.writeFile(`${text}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    return true
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return false
    throw cause
  }
}

const readOrMake = async (file: string): Promise<Redacted.Redacted> => {
  const made = randomBytes(32).toString("base64url")
  const kept = (await read(file)) ?? ((await create(file, made)) ? made : await read(file))
  return Redacted.make(kept ?? made)
}

/** A secret that is made on the first start and kept in the data folder (CONFIG-5), which must be the user's own (CONFIG-24). */
export const keptSecret = (
  configuration: Pick<Configuration, "adminToken" | "adoptData" | "dataDir">,
  name: string
): Effect.Effect<Redacted.Redacted, DataFolderRefused> =>
  Effect.andThen(
    ownDataFolder(configuration),
    Effect.promise(() => readOrMake(join(configuration.dataDir, name)))
  )
