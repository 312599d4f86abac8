import type { Effect } from "effect"
import { Context, Data } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { Usdt } from "../money/Usdt.ts"
import type { ForeignAsset, ForeignTransfer } from "../wallets/ForeignAsset.ts"
import type { WithdrawalTransaction } from "../wallets/Withdrawal.ts"
import type { WalletResources } from "./WalletResources.ts"

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
  /** Identifies the block and everything before it. */
  readonly id: string
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

/** The transfers in a range of blocks as one source reports them. */
export interface Preview {
  readonly transfers: ReadonlyArray<Transfer>
  /** Whether no other source could contradict it, so that it is as good as `transfers`. */
  readonly agreed: boolean
}

/** The chain's reports about assets other than the market's token (CHAIN-29). */
export interface ForeignAssetSource {
  /** Transfers in the blocks from which `transfers` or `preview` made this same array, as far as blocks contain them. Sends no request. */
  readonly beside: (transfers: ReadonlyArray<Transfer>) => ReadonlyArray<ForeignTransfer>
  /** All transfers of one final transaction. */
  readonly inTransaction: (txid: string) => Effect.Effect<ReadonlyArray<ForeignTransfer>, ChainUnavailable>
  /** The name that the token gives itself, limited in length: untrusted text. Null if it is unknown. */
  readonly symbol: (asset: Pick<ForeignAsset, "kind" | "asset">) => Effect.Effect<string | null>
}

/** A state of the chain's sources that stops money or soon may (SYSTEM-9). */
export interface ChainCondition {
  readonly kind: (typeof chainConditionKinds)[number]
  /** Which source says or does what. */
  readonly detail: string
}

export const chainConditionKinds = ["nodes_disagree", "quorum_missing", "node_stalled"] as const

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
    /** The final balance of an address; null if the chain counts no balances. */
    readonly balanceOf: (address: string) => Effect.Effect<Usdt | null, ChainUnavailable>
    /** The resources of a wallet for the fees of withdrawals, and the present cost of one (TREASURY-6). */
    readonly resources: (wallet: string) => Effect.Effect<WalletResources, ChainUnavailable>
    /** The first block to scan if no scan position is stored; null means the newest final block at that time. */
    readonly start: number | null
    /** The maximum number of blocks in one call of `transfers`. */
    readonly span: number
    /** Blocks up to this one were scanned, so they are final. A source that is far below it is not asked until it has caught up. */
    readonly resumeAt: (block: number) => Effect.Effect<void>
    /** The newest final block. */
    readonly finalHead: Effect.Effect<Head, ChainUnavailable>
    /**
     * The id of final block `to`. Fails if block `from` is not the successor of the block with id `parent`; null: that is not known.
     */
    readonly follow: (parent: string | null, from: number, to: number) => Effect.Effect<string, ChainUnavailable>
    /** All transfers in final blocks `from` to `to`, both included, in order. If the chain has several sources, they all report the same. */
    readonly transfers: (from: number, to: number) => Effect.Effect<ReadonlyArray<Transfer>, ChainUnavailable>
    /** A faster reading for a scanner that catches up, from one source. Nothing may be credited from it alone. Null if the chain has one source. */
    readonly preview: ((from: number, to: number) => Effect.Effect<Preview, ChainUnavailable>) | null
    /** What the calls of this process have found about the chain's sources. Empty if all is well. */
    readonly conditions: Effect.Effect<ReadonlyArray<ChainCondition>>
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
    /** Absent on a chain without other assets. */
    readonly foreign?: ForeignAssetSource
  }
>()("@agent-marketplace/core/chain/Chain") {}
