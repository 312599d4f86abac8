import { createHash } from "node:crypto"

/** A file of a release. */
export interface ArchiveFile {
  /** Relative, with `/` between folders: `scripts/run.sh`. */
  readonly path: string
  readonly bytes: Uint8Array
}

export interface ManifestEntry {
  readonly path: string
  /** In bytes. */
  readonly size: number
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string
}

/** Orders paths by the bytes of their UTF-8 form, which no locale changes. */
export const byPathBytes = (one: { readonly path: string }, other: { readonly path: string }): number =>
  Buffer.compare(Buffer.from(one.path), Buffer.from(other.path))

/** The manifest of a release (ARCHIVE-13): every file with size and SHA-256, sorted by the bytes of the paths. */
export const manifestOf = (files: ReadonlyArray<ArchiveFile>): ReadonlyArray<ManifestEntry> =>
  files
    .map(({ bytes, path }) => ({
      path,
      size: bytes.byteLength,
      sha256: createHash("sha256").update(bytes).digest("hex")
    }))
    .toSorted(byPathBytes)
