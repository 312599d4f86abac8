import type { Effect } from "effect"

/** The methods of the chain that can be made to fail. */
export type ChainMethod =
  "depositAddress" | "finalHead" | "transfers" | "pendingTransfers" | "prepare" | "broadcast" | "fate"

/** The faults that a test can order. */
export interface ChainScript {
  /** The next `times` calls of the method fail with ChainUnavailable; what they were to do is not done. */
  readonly failNext: (method: ChainMethod, times?: number) => Effect.Effect<void>
  /** The next `times` broadcasts are accepted and lost. */
  readonly dropBroadcast: (times?: number) => Effect.Effect<void>
  /** The next `times` broadcasts reach the chain, and the caller is not told: the answer is Unknown. */
  readonly hideBroadcast: (times?: number) => Effect.Effect<void>
  /** Whatever pays this withdrawal is included without effect. */
  readonly revert: (withdrawal: string) => Effect.Effect<void>
  /** No new blocks until `resume`; then the chain has caught up at once. */
  readonly stall: Effect.Effect<void>
  readonly resume: Effect.Effect<void>
  /** Takes a transfer that is not final out of its block; false where there is none. */
  readonly forget: (txid: string) => Effect.Effect<boolean>
}
