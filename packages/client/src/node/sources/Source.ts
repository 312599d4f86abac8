import type { InstallLimits } from "../InstallOptions.ts"

/** The parameters of every step of fetching. */
export interface Access {
  readonly limits: InstallLimits
  /** Aborts at the time limit, or when the caller aborts. */
  readonly signal: AbortSignal
  readonly allowLoopback: boolean
}

/** The source of an installed item, as recorded in the lock file. */
export interface Source {
  readonly type: "release" | "repository" | "archive" | "file" | "soul"
  /** The address it was fetched from; a release and a SOUL have none, because they come from the market itself. */
  readonly url?: string
}

/** A fetched and checked item in a separate folder. */
export interface Fetched {
  readonly source: Source
  /** The commit of a repository, `sha256:<hex>` of an archive or a file as it was sent, or the version of a SOUL. */
  readonly version: string
  /** Its folder. */
  readonly root: string
  /** The SHA-256 of each file by its path. */
  readonly files: ReadonlyMap<string, string>
}
