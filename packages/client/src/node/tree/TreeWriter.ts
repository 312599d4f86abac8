import { createHash } from "node:crypto"
import { mkdir, open } from "node:fs/promises"
import { dirname, join } from "node:path"
import { InstallError } from "../InstallError.ts"
import type { InstallLimits } from "../InstallOptions.ts"
import { claimedNames } from "./claimedNames.ts"
import { faultOfPath } from "./faultOfPath.ts"
import { quoted } from "./quoted.ts"

/** Writes files into a new folder that no other process uses, within the limits, and never a link, so that no path leads out of it (INSTALL-4). */
export interface TreeWriter {
  /** A folder, which may exist already. */
  readonly folder: (path: string) => Promise<void>
  /**
   * A new file, by default not executable, whatever the source declares. Its content is opened only when it is read immediately, so that no
   * error of it goes unhandled.
   */
  readonly file: (path: string, open: () => Promise<AsyncIterable<Uint8Array>>, mode?: 0o644 | 0o755) => Promise<void>
  /** The SHA-256 of each file, in lower-case hex, by its path. */
  readonly files: () => ReadonlyMap<string, string>
}

/** All files of installs are written here, whatever the source. */
export const makeTreeWriter = (root: string, limits: InstallLimits, signal: AbortSignal): TreeWriter => {
  const names = claimedNames()
  const hashes = new Map<string, string>()
  let total = 0

  const claim = (path: string, kind: "file" | "folder") => {
    signal.throwIfAborted()
    const fault = faultOfPath(path) ?? names.claim(path, kind)
    if (fault !== undefined) throw new InstallError(`the path ${quoted(path)} ${fault}`)
    if (names.count() > limits.files) throw new InstallError(`it has more than ${limits.files} files and folders`)
  }

  const count = (path: string, size: number, more: number) => {
    signal.throwIfAborted()
    total += more
    if (size > limits.fileBytes)
      throw new InstallError(`the file ${quoted(path)} has more than ${limits.fileBytes} bytes`)
    if (total > limits.totalBytes) throw new InstallError(`its files have more than ${limits.totalBytes} bytes`)
  }

  return {
    folder: async (path) => {
      claim(path, "folder")
      await mkdir(join(root, path), { recursive: true })
    },
    file: async (path, openContent, mode = 0o644) => {
      claim(path, "file")
      await mkdir(join(root, dirname(path)), { recursive: true })
      const handle = await open(join(root, path), "wx", mode)
      try {
        const hash = createHash("sha256")
        let size = 0
        for await (const chunk of await openContent()) {
          size += chunk.length
          count(path, size, chunk.length)
          hash.update(chunk)
          await handle.writeFile(chunk)
        }
        hashes.set(path, hash.digest("hex"))
      } finally {
        await handle.close()
      }
    },
    files: () => hashes
  }
}
