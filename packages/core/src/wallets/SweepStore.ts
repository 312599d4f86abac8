import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { ForeignReturn } from "./ForeignAsset.ts"
import type { WithdrawalTransaction } from "./Withdrawal.ts"

/** The end of a transfer: it took effect, was included without effect, or was proven never to be included. */
export type SweepEnd = "done" | "failed" | "dead"

/**
 * A transaction that moves the balance of a deposit address to the service's own wallet (`sweep`, in 10⁻⁶ USDT), sends that address the
 * money for the transaction's fee (`funding`, in the chain's smallest unit), or returns another asset (`return`, in the asset's smallest unit).
 */
export interface SweepTransfer {
  readonly kind: "sweep" | "funding" | "return"
  readonly address: string
  readonly amount: bigint
  /** Stored before it is signed; only these bytes are ever sent. */
  readonly transaction: WithdrawalTransaction
  /** What a `return` returns, and to which address. */
  readonly returns?: ForeignReturn
}

/** The operator's finished and open sweeps, so that a resumed sweep repeats nothing. */
export class SweepStore extends Context.Service<
  SweepStore,
  {
    /**
     * Stores a transfer before it is signed. False, and nothing is stored, while another one of its address is open; and for a `return`, unless the asset
     * is `returning` to that destination.
     */
    readonly start: (transfer: SweepTransfer) => Effect.Effect<boolean, StoreUnavailable>
    /** Transfers that have started and not ended, oldest first. */
    readonly open: Effect.Effect<ReadonlyArray<SweepTransfer>, StoreUnavailable>
    /**
     * Records the end of a transfer, with the reason of a failure. An end that is already recorded does not change. A `return` that is done makes its asset
     * `returned`, one that failed makes it `failed`; one that is dead leaves it `returning`.
     */
    readonly end: (txid: string, as: SweepEnd, reason?: string) => Effect.Effect<void, StoreUnavailable>
    /** The total of the completed sweeps of each address. */
    readonly swept: Effect.Effect<ReadonlyMap<string, Usdt>, StoreUnavailable>
  }
>()("@agent-marketplace/core/wallets/SweepStore") {}
