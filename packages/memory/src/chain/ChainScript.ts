import type { Transfer } from "@agent-marketplace/core/chain/Chain"
import type { Usdt } from "@agent-marketplace/core/money/Usdt"
import type { Effect } from "effect"

/** The methods of the chain that can be made to fail. */
export type ChainMethod =
  | "depositAddress"
  | "finalHead"
  | "transfers"
  | "pendingTransfers"
  | "refusal"
  | "hasHistory"
  | "transfersIn"
  | "payoutCost"
  | "prepare"
  | "broadcast"
  | "fate"

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
  /** The token refuses payments to this address until `accept`. */
  readonly refuse: (address: string) => Effect.Effect<void>
  readonly accept: (address: string) => Effect.Effect<void>
  /** Includes a transfer between any two addresses in the next block, as somebody with the key of `from` could. */
  readonly transfer: (from: string, to: string, amount: Usdt) => Effect.Effect<Transfer>
  /** No new blocks until `resume`; then the chain catches up immediately. */
  readonly stall: Effect.Effect<void>
  readonly resume: Effect.Effect<void>
  /** Removes a transfer that is not final from its block; false if there is none. */
  readonly forget: (txid: string) => Effect.Effect<boolean>
}
