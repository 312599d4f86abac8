import type { LockEntry } from "./lock/LockFile.ts"

/** Something that is installed now. */
export interface Installed extends LockEntry {
  /** The name of its folder, and in the lock file: its slug. */
  readonly name: string
  /** Its folder, absolute. */
  readonly installedPath: string
}
