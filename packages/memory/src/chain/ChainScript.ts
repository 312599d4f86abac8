import type { Effect } from "effect"

/** The methods of the chain that can be made to fail. */
export type ChainMethod =
  "depositAddress" | "finalHead" | "transfers" | "pendingTransfers" | "payoutCost" | "prepare" | "broadcast" | "fate"

/** The faults that a test can script. */
export interface ChainScript {
  /** The next `times` calls of the method fail with ChainUnavailable and have no effect. */
  readonly failNext: (method: ChainMethod, times?: number) => Effect.Effect<void>
  /** The next `times` broadcasts are accepted and lost. */
  readonly dropBroadcast: (times?: number) => Effect.Effect<void>
  /** The next `times` broadcasts reach the chain, but the caller gets the result Unknown. */
  readonly hideBroadcast: (times?: number) => Effect.Effect<void>
  /** Any transaction that pays this withdrawal is included without effect. */
  readonly revert: (withdrawal: string) => Effect.Effect<void>
  /** No new blocks until `resume`; then the chain catches up immediately. */
  readonly stall: Effect.Effect<void>
  readonly resume: Effect.Effect<void>
  /** Removes a transfer that is not final from its block; false if there is none. */
  readonly forget: (txid: string) => Effect.Effect<boolean>
}
