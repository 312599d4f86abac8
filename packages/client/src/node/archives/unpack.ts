import { InstallError } from "../InstallError.ts"
import { shown } from "../tree/shown.ts"
import type { TreeWriter } from "../tree/TreeWriter.ts"
import type { ArchiveEntry } from "./ArchiveEntry.ts"

/** `./SKILL.md` is how tar names what stands in the folder that it was called in. */
const withoutDot = (path: string): string => path.replace(/^(?:\.\/+)+/, "").replace(/^\.$/, "")

/** Writes files and folders; whatever else an archive may hold is refused (INSTALL-4), links of every kind first of all. */
export const unpack = async (entries: AsyncIterable<ArchiveEntry>, writer: TreeWriter): Promise<void> => {
  for await (const { content, kind, path: named } of entries) {
    const path = withoutDot(named)
    if (kind === "folder") {
      if (path !== "") await writer.folder(path.replace(/\/$/, ""))
    } else if (kind === "file") await writer.file(path, content)
    else throw new InstallError(`${shown(named)} is a ${kind}: only files and folders are installed`)
  }
}
