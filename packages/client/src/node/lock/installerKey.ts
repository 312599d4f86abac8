import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { link, lstat, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"

/** `$XDG_STATE_HOME/agent-marketplace/installer.key`, or in `~/.local/state` if that is not set: never in a project's folder. */
const keyFile = (): string => {
  const home = process.env["XDG_STATE_HOME"] ?? ""
  return join(isAbsolute(home) ? home : join(homedir(), ".local", "state"), "agent-marketplace", "installer.key")
}

const keyBytes = 32

/** The stored key; undefined if there is none that only this user can read. */
const storedKey = async (file: string): Promise<Buffer | undefined> => {
  const found = await lstat(file).catch(() => undefined)
  if (found === undefined || !found.isFile() || found.size !== keyBytes) return undefined
  const isPrivate = process.platform === "win32" || ((found.mode & 0o077) === 0 && found.uid === process.getuid?.())
  return isPrivate ? readFile(file) : undefined
}

/** A hard link appears with its content and fails if the name exists, so that only one of two processes creates the key. */
const makeKey = async (file: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const made = `${file}.${randomBytes(6).toString("hex")}`
  try {
    await writeFile(made, randomBytes(keyBytes), { flag: "wx", mode: 0o600 })
    if ((await storedKey(file)) === undefined) await rm(file, { force: true })
    await link(made, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error
    })
  } finally {
    await rm(made, { force: true })
  }
}

/** Used if the home folder cannot be written: signatures are then valid within this process only. */
const processKey = randomBytes(keyBytes)

const installerKey = async (): Promise<Buffer> => {
  const file = keyFile()
  const stored = await storedKey(file)
  if (stored !== undefined) return stored
  await makeKey(file).catch(() => undefined)
  return (await storedKey(file)) ?? processKey
}

/** Whether signatures stay valid after this process ends. */
export const isKeyStored = async (): Promise<boolean> => (await installerKey()) !== processKey

/**
 * A signature that only this user's installs can make. Files in a project's folder may come from anybody, for example with a
 * cloned repository; the signature distinguishes the files of this installer from all others.
 */
export const sign = async (facts: ReadonlyArray<unknown>): Promise<string> =>
  createHmac("sha256", await installerKey())
    .update(JSON.stringify(facts))
    .digest("hex")

/** Whether `signature` is the signature that `sign` returns for these facts. */
export const isSigned = async (facts: ReadonlyArray<unknown>, signature: string): Promise<boolean> => {
  const expected = Buffer.from(await sign(facts))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
