import { InstallError } from "../InstallError.ts"
import { quoted } from "../tree/quoted.ts"
import type { TreeWriter } from "../tree/TreeWriter.ts"

/** One entry of the fetched archive, as it describes itself: nothing of it is trusted yet. */
export interface ArchiveEntry {
  readonly path: string
  /** `file`, `folder`, or another kind: `symbolic link`, `device`, … */
  readonly kind: string
  /** The content of a file. It must be read to its end before the next entry is requested. */
  readonly content: () => Promise<AsyncIterable<Uint8Array>>
}

const failureOf = (error: unknown): InstallError =>
  error instanceof InstallError
    ? error
    : new InstallError(`the archive cannot be read: ${error instanceof Error ? error.message : String(error)}`, error)

/** The readers' errors use the terms of their formats; this adds that the archive is the cause. */
async function* readableContent(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* content
  } catch (error) {
    throw failureOf(error)
  }
}

/** The entries of an archive (INSTALL-8). They and their contents fail with an `InstallError`. */
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

/** tar writes `./SKILL.md` for a file in the folder in which it was run. */
const withoutDot = (path: string): string => path.replace(/^(?:\.\/+)+/, "").replace(/^\.$/, "")

/** Writes files and folders; every other kind of entry is refused (INSTALL-4), first of all every kind of link. */
export const unpack = async (entries: AsyncIterable<ArchiveEntry>, writer: TreeWriter): Promise<void> => {
  for await (const { content, kind, path: named } of entries) {
    const path = withoutDot(named)
    if (kind === "folder") {
      if (path !== "") await writer.folder(path.replace(/\/$/, ""))
    } else if (kind === "file") await writer.file(path, content)
    else throw new InstallError(`${quoted(named)} is a ${kind}: only files and folders are installed`)
  }
}
