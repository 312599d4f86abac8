import type { InstallLimits } from "../InstallOptions.ts"

/** What every step of fetching goes by. */
export interface Access {
  readonly limits: InstallLimits
  /** Aborts at the time limit, or when the caller wants to stop. */
  readonly signal: AbortSignal
  readonly allowLoopback: boolean
}

/** Where something installed came from, as the lock file keeps it. */
export interface Source {
  readonly type: "repository" | "archive" | "file" | "soul"
  /** The address it was fetched from; a SOUL has none, it comes from the market itself. */
  readonly url?: string
}

/** What was fetched and stands, checked, in a folder of its own. */
export interface Fetched {
  readonly source: Source
  /** The commit of a repository, `sha256:<hex>` of an archive or a file as it was sent, the version of a SOUL. */
  readonly version: string
  /** The folder that holds it. */
  readonly root: string
  /** The SHA-256 of each file by its path. */
  readonly files: ReadonlyMap<string, string>
}
