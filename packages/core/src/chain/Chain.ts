import type { Effect } from "effect"
import { Context, Data } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { WithdrawalTransaction } from "../wallets/Withdrawal.ts"

/** The chain did not answer, or not in a way that can be believed. Nothing may be concluded from it. */
export class ChainUnavailable extends Data.TaggedError("ChainUnavailable")<{ readonly reason: string }> {
  /** What a log tells of it. */
  override get message(): string {
    return this.reason
  }
}

export interface Head {
  readonly block: number
  readonly at: Timestamp
}

/** A successful transfer of the configured token. */
export interface Transfer {
  readonly txid: string
  readonly logIndex: number
  readonly from: string
  readonly to: string
  readonly amount: Usdt
  readonly block: number
  readonly at: Timestamp
}

/** What became of a transaction that was handed to the chain. */
export type TransactionFate =
  | { readonly _tag: "Confirmed" }
  /** Final and without effect: nothing was paid. */
  | { readonly _tag: "Reverted"; readonly reason: string }
  /** Neither final nor proven dead. */
  | { readonly _tag: "Waiting" }
  /** Proven: it is not included and never can be. */
  | { readonly _tag: "Dead" }

export type Broadcast =
  | { readonly _tag: "Accepted" }
  /** Whether the chain has it is not known: the same bytes may be sent again. */
  | { readonly _tag: "Unknown"; readonly reason: string }

/** The service's own wallet, which pays withdrawals. */
export interface PayingWallet {
  readonly usdt: Usdt
  /** How many withdrawals it can pay the chain's fees of. */
  readonly transfers: number
}

/**
 * The port to a blockchain.
 *
 * Contract: final blocks never change. `transfers` answers for a range of final blocks completely or fails. `prepare` touches no
 * network state that could pay anybody: the transaction is stored before `broadcast` is called with it, and may be broadcast
 * any number of times but pays at most once. An address is valid exactly as written (case counts).
 */
export class Chain extends Context.Service<
  Chain,
  {
    /** Tells networks apart for ever, e.g. `tron:` and the id of the first block. A chain that is away may not know it yet. */
    readonly network: Effect.Effect<string, ChainUnavailable>
    /** The name that callers see, `TRON`. */
    readonly name: string
    /** Pure: the same index gives the same address. */
    readonly depositAddress: (index: number) => Effect.Effect<string, ChainUnavailable>
    readonly isAddress: (address: string) => Effect.Effect<boolean>
    /** Addresses nobody may withdraw to: the token's contract, the service's own wallet. */
    readonly forbidden: ReadonlySet<string>
    /** What the service's own wallet holds; null where this process does not know it, or the chain has none. */
    readonly wallet: Effect.Effect<PayingWallet | null, ChainUnavailable>
    /** The first block that is looked at where no position is known; null: the newest final one of that moment. */
    readonly start: number | null
    /** The most blocks that one call of `transfers` may span. */
    readonly span: number
    /** The newest final block. */
    readonly finalHead: Effect.Effect<Head, ChainUnavailable>
    /** All transfers in final blocks `from` to `to`, both included, in order. */
    readonly transfers: (from: number, to: number) => Effect.Effect<ReadonlyArray<Transfer>, ChainUnavailable>
    /** Transfers in blocks above `block` that are seen but not final; they may vanish. */
    readonly pendingTransfers: (above: number) => Effect.Effect<ReadonlyArray<Transfer>, ChainUnavailable>
    /** Builds (does not send) a transaction that pays `amount` to `to`; unique for each withdrawal and attempt. */
    readonly prepare: (payout: {
      readonly withdrawal: string
      readonly attempt: number
      readonly to: string
      readonly amount: Usdt
    }) => Effect.Effect<WithdrawalTransaction, ChainUnavailable>
    readonly broadcast: (transaction: WithdrawalTransaction) => Effect.Effect<Broadcast, ChainUnavailable>
    readonly fate: (transaction: WithdrawalTransaction) => Effect.Effect<TransactionFate, ChainUnavailable>
  }
>()("@agent-marketplace/core/chain/Chain") {}
