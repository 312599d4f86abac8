import { InstallError } from "../InstallError.ts"
import type { ArchiveEntry } from "./ArchiveEntry.ts"

const failureOf = (error: unknown): InstallError =>
  error instanceof InstallError
    ? error
    : new InstallError(`the archive cannot be read: ${error instanceof Error ? error.message : String(error)}`, error)

/** Who unpacks says what is wrong in the words of formats: that it is the archive is said here. */
async function* readableContent(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* content
  } catch (error) {
    throw failureOf(error)
  }
}

/** The entries of an archive (INSTALL-8), which fail with an `InstallError`, as their contents do. */
export async function* readable(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<ArchiveEntry, void, undefined> {
  try {
    for await (const { content, kind, path } of entries) {
      const opened = () => content().then(readableContent, (error: unknown) => Promise.reject(failureOf(error)))
      yield { path, kind, content: opened }
    }
  } catch (error) {
    throw failureOf(error)
  }
}
