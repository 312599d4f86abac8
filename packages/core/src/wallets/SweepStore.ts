import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { WithdrawalTransaction } from "./Withdrawal.ts"

/** How a transfer ended: with its effect, included without it, or proven never to be included. */
export type SweepEnd = "done" | "failed" | "dead"

/**
 * A transaction that moves what came to a deposit address on to the service's own wallet (`sweep`, in 10⁻⁶ USDT), or gives that address what
 * the fee of it takes (`funding`, in the chain's own smallest unit).
 */
export interface SweepTransfer {
  readonly kind: "sweep" | "funding"
  readonly address: string
  readonly amount: bigint
  /** Stored before it is signed; only these bytes are ever sent. */
  readonly transaction: WithdrawalTransaction
}

/** The operator's finished and open sweeps, so that a resumed sweep repeats nothing. */
export class SweepStore extends Context.Service<
  SweepStore,
  {
    /** Stores a transfer before it is signed. False, and nothing is stored, while another one of its address is open. */
    readonly begin: (transfer: SweepTransfer) => Effect.Effect<boolean, StoreUnavailable>
    /** What has begun and not ended, the oldest first. */
    readonly open: Effect.Effect<ReadonlyArray<SweepTransfer>, StoreUnavailable>
    /** Once: what has ended stays as it is. */
    readonly end: (txid: string, as: SweepEnd) => Effect.Effect<void, StoreUnavailable>
    /** How much the sweeps that are done took from each address. */
    readonly swept: Effect.Effect<ReadonlyMap<string, Usdt>, StoreUnavailable>
  }
>()("@agent-marketplace/core/wallets/SweepStore") {}
