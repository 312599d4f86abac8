import type { Timestamp } from "../clock/Timestamp.ts"

/** An account or an agent that may read and change nothing, since when and why (ACCOUNT-12). */
export interface Freeze {
  readonly since: Timestamp
  readonly reason: string | null
}
