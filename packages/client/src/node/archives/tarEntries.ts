import type { Readable } from "node:stream"
import { extract } from "tar-stream"
import type { ArchiveEntry } from "./unpack.ts"

const kinds: Readonly<Record<string, string>> = {
  file: "file",
  "contiguous-file": "file",
  directory: "folder",
  link: "hard link",
  symlink: "symbolic link",
  "character-device": "device",
  "block-device": "device",
  fifo: "pipe"
}

/** The entries of a tar, in their order, while it is received. Fails with the reason if it is invalid. */
export async function* tarEntries(tar: Readable): AsyncGenerator<ArchiveEntry, void, undefined> {
  const extraction = extract()
  let fault: unknown
  const closed = new Promise<void>((resolve) => extraction.on("close", resolve))
  extraction.on("error", (error: unknown) => {
    fault = error
  })
  tar.on("error", (error) => extraction.destroy(error))
  tar.pipe(extraction)
  // An entry that is cut off only reports that it ended, not why.
  async function* whole(entry: AsyncIterable<unknown>) {
    try {
      yield* entry as AsyncIterable<Uint8Array>
    } catch (error) {
      await closed
      throw fault ?? error
    }
  }
  try {
    for await (const entry of extraction) {
      const { name, type } = entry.header
      yield { path: name, kind: kinds[type ?? ""] ?? "special entry", content: async () => whole(entry) }
      entry.resume()
    }
  } finally {
    tar.destroy()
  }
}
