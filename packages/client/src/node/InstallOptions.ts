/** The limits of one install. Anything larger is refused while it is received, before the rest is read. */
export interface InstallLimits {
  /** Bytes of the archive or file as it is sent, or of a repository's pack; 64 MiB. */
  readonly downloadBytes: number
  /** Bytes of all unpacked files together, including an archive's headers; 256 MiB. */
  readonly totalBytes: number
  /** Bytes of one file; 64 MiB. */
  readonly fileBytes: number
  /** Files and folders; 10,000. */
  readonly files: number
  /** Seconds from the first request to the last byte; 300. */
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

/** Options of every install. */
export interface InstallOptions {
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<InstallLimits> | undefined
  /**
   * For development and tests: sources on this machine (127.0.0.0/8 and ::1) may be fetched, also over plain HTTP. All other
   * sources must still be HTTPS at public addresses.
   */
  readonly allowLoopback?: boolean | undefined
  /** Aborts the install; nothing of it remains. */
  readonly signal?: AbortSignal | undefined
}

/** The default folder of installs: below the working directory. */
export const defaultInstallDir = "skills"
