import { blobsOf } from "./blobOptions.ts"
import type { MarketBlobs } from "./MarketBlobs.ts"

export interface FolderBlobsOptions {
  /** A folder of its own, which is created at the start. A backup of it must be as recent as that of the database. */
  readonly path: string
}

/**
 * Bytes of releases as files of a folder (BLOB-10), which all processes of the market share. Throws a `MarketplaceError` for an invalid path; a folder
 * that contains other files, or to which every user may write, is refused when the market starts.
 */
export const folderBlobs = (options: FolderBlobsOptions): MarketBlobs =>
  blobsOf("folder", options, { path: "BLOB_FOLDER" })
