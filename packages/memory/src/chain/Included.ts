import type { Transfer } from "@agent-marketplace/core/chain/Chain"

/** A transfer in its block; a reverted one moved no money. */
export interface Included {
  readonly transfer: Transfer
  readonly reverted: boolean
}
