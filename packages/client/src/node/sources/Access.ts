import type { InstallLimits } from "../InstallOptions.ts"

/** What every step of fetching goes by. */
export interface Access {
  readonly limits: InstallLimits
  /** Aborts at the time limit, or when the caller wants to stop. */
  readonly signal: AbortSignal
  readonly allowLoopback: boolean
}
