/** Bounds of an archive (ARCHIVE-1). Sizes are in bytes. */
export interface ArchiveLimits {
  readonly packed: number
  /** Of all files together. */
  readonly unpacked: number
  /** Unpacked size divided by packed size. The first 64 KiB unpacked are exempt, because the padding of a tar compresses further. */
  readonly ratio: number
  /** Of files, and separately of folders. */
  readonly files: number
  /** Number of names in a path, the file's own included. */
  readonly depth: number
  /** Of a path in UTF-8. */
  readonly pathBytes: number
}

export const archiveLimits: ArchiveLimits = {
  packed: 20 * 1024 * 1024,
  unpacked: 100 * 1024 * 1024,
  ratio: 100,
  files: 2000,
  depth: 20,
  pathBytes: 255
}

/** Unpacked bytes to which no ratio applies. */
const exempt = 65_536

/** The most bytes that an archive of `packed` bytes may unpack to because of the ratio. */
export const ratioBound = (packed: number, limits: ArchiveLimits): number => Math.max(exempt, packed * limits.ratio)
