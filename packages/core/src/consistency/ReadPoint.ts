import { Context } from "effect"
import type { Effect } from "effect"

/**
 * A place in the history of a store: 16 hexadecimal digits in lower case. The later one of two positions of a store is the greater text. Only the
 * store knows what a position means.
 */
export type StorePosition = string

/** Whether a text has the form of a position. */
export const isStorePosition = (text: string): text is StorePosition => /^[0-9a-f]{16}$/.test(text)

/** The position that every copy of a store has reached. */
export const startOfStore: StorePosition = "0".repeat(16)

/**
 * How new the data must be that the current effect reads from lists, details and histories: at least as new as this position. Null, the default,
 * means the newest data: nothing is read from a replica (DATABASE-8).
 */
export class ReadPoint extends Context.Reference<StorePosition | null>(
  "@agent-marketplace/core/consistency/ReadPoint",
  {
    defaultValue: () => null
  }
) {}

/** The positions of a store with replicas. */
export interface Positions {
  /** A position that is not before any commit that preceded this request. Null if the store does not answer. */
  readonly current: Effect.Effect<StorePosition | null>
  /** After this time, in milliseconds, every replica in use has reached a position, so it need not be remembered any longer. */
  readonly lifetime: number
}

/** The positions of the market's store; null if it has no replicas. */
export class StorePositions extends Context.Reference<Positions | null>(
  "@agent-marketplace/core/consistency/StorePositions",
  { defaultValue: () => null }
) {}
