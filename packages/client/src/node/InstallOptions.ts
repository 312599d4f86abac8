/** How much one install may take. What is larger is refused while it arrives, before the rest is read. */
export interface InstallLimits {
  /** Bytes of the archive or file as it is sent, or of a repository's pack; 64 MiB. */
  readonly downloadBytes: number
  /** Bytes of all files together once unpacked, an archive's headers included; 256 MiB. */
  readonly totalBytes: number
  /** Bytes of one file; 64 MiB. */
  readonly fileBytes: number
  /** Files and folders; 10,000. */
  readonly files: number
  /** From the first request to the last byte; 300. */
  readonly seconds: number
}

const mebibyte = 1024 * 1024

export const installLimits: InstallLimits = {
  downloadBytes: 64 * mebibyte,
  totalBytes: 256 * mebibyte,
  fileBytes: 64 * mebibyte,
  files: 10_000,
  seconds: 300
}

/** What may be said about every install. */
export interface InstallOptions {
  /** Those that differ from the usual ones. */
  readonly limits?: Partial<InstallLimits> | undefined
  /**
   * For development and tests: sources on this very machine (127.0.0.0/8 and ::1) may be fetched, also by plain HTTP. Everything
   * else stays HTTPS from public addresses.
   */
  readonly allowLoopback?: boolean | undefined
  /** Ends the install; nothing of it stays. */
  readonly signal?: AbortSignal | undefined
}

/** Where installs go when nobody says where: a folder beside the program. */
export const defaultInstallDir = "skills"
