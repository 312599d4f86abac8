import type { Head } from "@agent-marketplace/core/chain/Chain"
import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Timestamp as Time } from "@agent-marketplace/core/clock/Timestamp"

/** A block is final once this many later ones have ended. */
const confirmations = 2

/** Blocks come each second of the market's time and are numbered by it (CHAIN-2). */
export const SimulatedBlocks: {
  readonly final: (now: Timestamp) => Head
  /** The block that includes what happens at `now`. */
  readonly next: (now: Timestamp) => Head
  readonly timeOf: (block: number) => Timestamp
} = {
  final: (now) => headAt(Math.floor(now / Time.second) - confirmations),
  next: (now) => headAt(Math.floor(now / Time.second) + 1),
  timeOf: (block) => block * Time.second
}

const headAt = (block: number): Head => ({ block, at: block * Time.second })
