import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { ForeignReturn } from "./ForeignAsset.ts"
import type { WithdrawalTransaction } from "./Withdrawal.ts"

/** The end of a transfer: it took effect, was included without effect, or was proven never to be included. */
export type SweepEnd = "done" | "failed" | "dead"

/**
 * A transaction that moves the balance of a deposit address to one of the service's own wallets (`sweep`, in 10⁻⁶ USDT), sends that address the
 * money for the transaction's fee (`funding`, in the chain's smallest unit), or returns another asset (`return`, in the asset's smallest unit).
 */
export interface SweepTransfer {
  readonly kind: "sweep" | "funding" | "return"
  readonly address: string
  readonly amount: bigint
  /** The wallet that a `sweep` pays. Absent if an earlier release stored it: it goes to the hot wallet. */
  readonly destination?: string
  /** Stored before it is signed; only these bytes are ever sent. */
  readonly transaction: WithdrawalTransaction
  /** The asset of a `return`, and its destination. */
  readonly returns?: ForeignReturn
}

/** The state of the hot wallet on the chain when a sweep is about to start (TREASURY-4). */
export interface HotBalance {
  /** Its final balance. */
  readonly held: bigint
  /** Sweeps on their way to the hot wallet when the balance was read. They count even if they have ended meanwhile. */
  readonly counted: ReadonlySet<string>
}

/** The operator's finished and open sweeps, so that a resumed sweep repeats nothing. */
export class SweepStore extends Context.Service<
  SweepStore,
  {
    /**
     * Stores a transfer before it is signed. False, and nothing is stored, while another one of its address is open; and for a `return`, unless the asset
     * is `returning` to that destination. With `hot`, false also for a sweep whose destination is not what `sweepDestination` names in the same
     * transaction, in which no other sweep starts and no wallet or ceiling changes (TREASURY-4).
     */
    readonly start: (transfer: SweepTransfer, hot?: HotBalance) => Effect.Effect<boolean, StoreUnavailable>
    /** Transfers that have started and not ended, oldest first. */
    readonly open: Effect.Effect<ReadonlyArray<SweepTransfer>, StoreUnavailable>
    /**
     * Records the end of a transfer, with the reason of a failure. An end that is already recorded does not change. A `return` that is done makes its asset
     * `returned`, one that failed makes it `failed`; one that is dead leaves it `returning`.
     */
    readonly end: (txid: string, as: SweepEnd, reason?: string) => Effect.Effect<void, StoreUnavailable>
    /** The total of the completed sweeps of each address. */
    readonly swept: Effect.Effect<ReadonlyMap<string, Usdt>, StoreUnavailable>
    /** Every wallet that a sweep has paid or will pay, as far as destinations are stored. */
    readonly destinations: Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
  }
>()("@agent-marketplace/core/wallets/SweepStore") {}
