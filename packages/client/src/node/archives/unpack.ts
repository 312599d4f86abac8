import { InstallError } from "../InstallError.ts"
import { quoted } from "../tree/quoted.ts"
import type { TreeWriter } from "../tree/TreeWriter.ts"

/** One entry of what was fetched, as it names itself: nothing of it is trusted yet. */
export interface ArchiveEntry {
  readonly path: string
  /** `file`, `folder`, or what else it is: `symbolic link`, `device`, … */
  readonly kind: string
  /** Of a file; read at once, and to its end before the next entry is asked for. */
  readonly content: () => Promise<AsyncIterable<Uint8Array>>
}

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

/** `./SKILL.md` is how tar names what stands in the folder that it was called in. */
const withoutDot = (path: string): string => path.replace(/^(?:\.\/+)+/, "").replace(/^\.$/, "")

/** Writes files and folders; whatever else an archive may hold is refused (INSTALL-4), links of every kind first of all. */
export const unpack = async (entries: AsyncIterable<ArchiveEntry>, writer: TreeWriter): Promise<void> => {
  for await (const { content, kind, path: named } of entries) {
    const path = withoutDot(named)
    if (kind === "folder") {
      if (path !== "") await writer.folder(path.replace(/\/$/, ""))
    } else if (kind === "file") await writer.file(path, content)
    else throw new InstallError(`${quoted(named)} is a ${kind}: only files and folders are installed`)
  }
}
