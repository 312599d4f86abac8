import type { Advisory } from "../../wire/Endpoints.ts"

/** A copy of an item on this machine. */
export interface InstalledCopy {
  readonly itemId: string
  readonly version: string
  /** The SHA-256 of the archive that it was installed from, in hex; null if there was none. */
  readonly sha256: string | null
  /** Its folder. */
  readonly path: string
}

/** A copy and the advisories about it. */
export interface AuditedCopy extends InstalledCopy {
  /** `remove`: it must not be used. `note`: the newest advisory reports something. `clean`: there is no advisory. */
  readonly state: "clean" | "note" | "remove"
  /** Oldest first. */
  readonly advisories: ReadonlyArray<Advisory>
}

/** The same bytes in any item, or one of the versions of the item; every copy of an item without releases. */
const isAbout = ({ itemId, sha256, versions }: Advisory, copy: InstalledCopy): boolean =>
  (copy.sha256 !== null && sha256.includes(copy.sha256)) ||
  (itemId === copy.itemId && ((versions.length === 0 && sha256.length === 0) || versions.includes(copy.version)))

/** Finds the advisories about each copy. One that asks for removal counts whatever was published after it (ADVISORY-10). */
export const auditCopies = (
  copies: ReadonlyArray<InstalledCopy>,
  feed: ReadonlyArray<Advisory>
): ReadonlyArray<AuditedCopy> =>
  copies.map((copy) => {
    const advisories = feed.filter((advisory) => isAbout(advisory, copy))
    const removed = advisories.some(({ action }) => action === "remove")
    return { ...copy, state: removed ? "remove" : advisories.length > 0 ? "note" : "clean", advisories }
  })
