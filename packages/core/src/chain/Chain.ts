import type { Effect } from "effect"
import { Context, Data } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { WithdrawalTransaction } from "../wallets/Withdrawal.ts"

/** The chain did not answer, or its answer is not reliable. Nothing may be concluded from it. */
export class ChainUnavailable extends Data.TaggedError("ChainUnavailable")<{ readonly reason: string }> {
  /** The reason, as logs show it. */
  override get message(): string {
    return this.reason
  }
}

/**
 * This payment cannot be made at present, whatever the nodes do: the token refuses its receiver, or it would cost more than the chain allows.
 * Other payments are not affected.
 */
export class PayoutRefused extends Data.TaggedError("PayoutRefused")<{ readonly reason: string }> {}

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

/** The result of a transaction that was broadcast. */
export type TransactionFate =
  /** `tokenFee` is what the token took from the amount, if it took anything. */
  | { readonly _tag: "Confirmed"; readonly tokenFee?: Usdt }
  /** Final without effect: nothing was paid. */
  | { readonly _tag: "Reverted"; readonly reason: string }
  /** Neither final nor proven dead. */
  | { readonly _tag: "Waiting" }
  /** Proven: it is not included and never can be. */
  | { readonly _tag: "Dead" }

export type Broadcast =
  | { readonly _tag: "Accepted" }
  /** It is unknown whether the chain has the transaction. The same bytes may be sent again. */
  | { readonly _tag: "Unknown"; readonly reason: string }
  /** Nothing was sent, because the transaction has not all signatures (SIGNER-5). The same bytes may be offered to the signers again. */
  | {
      readonly _tag: "Unsigned"
      /** `pending`: a signer has not decided yet. `refused`: it answered that it does not sign. */
      readonly because: "pending" | "refused" | "unavailable"
      readonly reason: string
    }

/** The balance of the service's own wallet, which pays withdrawals. */
export interface PayingWallet {
  readonly usdt: Usdt
  /** The number of withdrawals whose chain fees it can pay. */
  readonly transfers: number
}

/** What one payout costs the paying wallet. */
export interface PayoutCost {
  /** In 10⁻⁶ of the coin that pays the chain's fees (sun on TRON). */
  readonly coin: bigint
  /** Whether the chain does not know the receiver's address yet; such payouts cost more. */
  readonly activatesAddress: boolean
}

/**
 * The port to a blockchain.
 *
 * Contract: final blocks never change. `transfers` returns all transfers of a range of final blocks, or fails. `prepare` changes no
 * state of the network: the transaction is stored before `broadcast` is called with it, and may be broadcast
 * any number of times but pays at most once. An address is valid exactly as written (case counts).
 */
export class Chain extends Context.Service<
  Chain,
  {
    /** Identifies the network permanently, e.g. `tron:` and the id of the first block. It may be unknown while the chain is unavailable. */
    readonly network: Effect.Effect<string, ChainUnavailable>
    /** The name that callers see, `TRON`. */
    readonly name: string
    /** Deterministic: the same index gives the same address. */
    readonly depositAddress: (index: number) => Effect.Effect<string, ChainUnavailable>
    readonly isAddress: (address: string) => Effect.Effect<boolean>
    /** The token that the market's books count, by the address of its contract. */
    readonly token: string
    /** The address of the wallet that pays withdrawals; null if this process does not know it. */
    readonly hotWallet: string | null
    /** Addresses that are refused as destinations: the token's contract and the service's own wallet. */
    readonly forbidden: ReadonlySet<string>
    /** The balance of the service's own wallet; null if this process does not know the wallet, or the chain has none. */
    readonly wallet: Effect.Effect<PayingWallet | null, ChainUnavailable>
    /** The first block to scan if no scan position is stored; null means the newest final block at that time. */
    readonly start: number | null
    /** The maximum number of blocks in one call of `transfers`. */
    readonly span: number
    /** The newest final block. */
    readonly finalHead: Effect.Effect<Head, ChainUnavailable>
    /** All transfers in final blocks `from` to `to`, both included, in order. */
    readonly transfers: (from: number, to: number) => Effect.Effect<ReadonlyArray<Transfer>, ChainUnavailable>
    /** Whether that address sent a transfer. May be cheaper than reading `from` of many transfers. */
    readonly sentBy: (address: string) => (transfer: Transfer) => boolean
    /** Transfers in blocks above `block`, which are not final and may disappear. */
    readonly pendingTransfers: (above: number) => Effect.Effect<ReadonlyArray<Transfer>, ChainUnavailable>
    /** Why the token would refuse any payment to that address now; null if it would not (WITHDRAWAL-21). */
    readonly refusal: (address: string) => Effect.Effect<string | null, ChainUnavailable>
    /** Whether the chain knows the address: it received something at some time (DEPOSIT-7). */
    readonly hasHistory: (address: string) => Effect.Effect<boolean, ChainUnavailable>
    /** The transfers of one final transaction, whatever the blocks' lists contain; none if there is no such transaction (DEPOSIT-8). */
    readonly transfersIn: (txid: string) => Effect.Effect<ReadonlyArray<Transfer>, ChainUnavailable>
    /** What a payout would cost now, fees and all; null: at most, to an address that the chain does not know. */
    readonly payoutCost: (
      payout: { readonly to: string; readonly amount: Usdt } | null
    ) => Effect.Effect<PayoutCost, ChainUnavailable>
    /** Builds (does not send) a transaction that pays `amount` to `to`; unique for each withdrawal and attempt. */
    readonly prepare: (payout: {
      readonly withdrawal: string
      readonly attempt: number
      readonly to: string
      readonly amount: Usdt
    }) => Effect.Effect<WithdrawalTransaction, ChainUnavailable | PayoutRefused>
    readonly broadcast: (transaction: WithdrawalTransaction) => Effect.Effect<Broadcast, ChainUnavailable>
    readonly fate: (transaction: WithdrawalTransaction) => Effect.Effect<TransactionFate, ChainUnavailable>
  }
>()("@agent-marketplace/core/chain/Chain") {}
