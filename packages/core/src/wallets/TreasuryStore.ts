import type { Effect } from "effect"
import { Context } from "effect"
import type { ActionDraft } from "../admin/OperatorAction.ts"
import type { Transfer } from "../chain/Chain.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import { Usdt } from "../money/Usdt.ts"

/** The service's own wallets (TREASURY-1), and the token that the books count. */
export interface Treasury {
  /** The contract of the token; null until the first process has started. */
  readonly token: string | null
  /** Pays withdrawals; null until a process that knows it has started, or the operator has named it. */
  readonly hot: string | null
  /** Holds what the hot wallet does not need; null if there is none. */
  readonly cold: string | null
  /** At this balance of the hot wallet or above it, deposits are swept to the cold one; null: never. */
  readonly hotCeiling: Usdt | null
  /** Below this balance the hot wallet must be topped up; never above the ceiling. */
  readonly topUpBelow: Usdt | null
}

export type TreasuryWallet = "hot" | "cold"

/** The limits of the hot wallet's balance that change; null removes one. */
export type TreasuryLimits = Partial<Pick<Treasury, "hotCeiling" | "topUpBelow">>

/** The limits before or after a change, as the log of actions shows them. */
export const limitsState = ({ hotCeiling, topUpBelow }: Pick<Treasury, "hotCeiling" | "topUpBelow">) => ({
  ceiling: hotCeiling === null ? null : Usdt.format(hotCeiling),
  topUpBelow: topUpBelow === null ? null : Usdt.format(topUpBelow)
})

/** Whether the top-up level is at most the ceiling. */
export const areLimitsOrdered = ({ hotCeiling, topUpBelow }: Pick<Treasury, "hotCeiling" | "topUpBelow">): boolean =>
  hotCeiling === null || topUpBelow === null || topUpBelow <= hotCeiling

/** A transfer from the hot wallet, as the operator sees it. */
export type OutgoingTransfer = Omit<Transfer, "from"> & { readonly network: string }

/**
 * The service's own wallets, and the transfers from the hot wallet that no withdrawal explains (TREASURY-3).
 *
 * Contract: a transfer is known if a withdrawal has its transaction, whether that was stored before or after the transfer was recorded. While
 * one is neither known nor explained, `WalletStore.payoutPause` is set and the settlement starts no payout.
 */
export class TreasuryStore extends Context.Service<
  TreasuryStore,
  {
    readonly treasury: Effect.Effect<Treasury, StoreUnavailable>
    /** Stores values that are not known yet, and returns what is stored then. A value that is already stored does not change. */
    readonly claim: (values: Partial<Pick<Treasury, "token" | "hot">>) => Effect.Effect<Treasury, StoreUnavailable>
    /** Replaces the wallet and logs the action. Changes nothing and returns false if it is not `from`, or if `to` is the other wallet. */
    readonly setWallet: (
      wallet: TreasuryWallet,
      change: { readonly from: string | null; readonly to: string | null },
      action: ActionDraft
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Changes limits and logs the action. Changes nothing and returns false if the top-up level would then be above the ceiling. */
    readonly setLimits: (limits: TreasuryLimits, action: ActionDraft) => Effect.Effect<boolean, StoreUnavailable>
    /** Records transfers from the hot wallet whose transactions no withdrawal has. Recording one again changes nothing. */
    readonly recordOutgoing: (
      network: string,
      transfers: ReadonlyArray<Transfer>
    ) => Effect.Effect<void, StoreUnavailable>
    /** Those of the transactions that a withdrawal has, or that the operator has explained. */
    readonly knownTransactions: (
      network: string,
      txids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>
    /** The recorded transfers that are neither known nor explained, oldest first. */
    readonly unknownTransfers: Effect.Effect<ReadonlyArray<OutgoingTransfer>, StoreUnavailable>
    /** Explains the recorded transfers of a transaction, and logs the action. False if it has none that are unknown. */
    readonly explain: (
      txid: string,
      explanation: string,
      action: ActionDraft
    ) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("@agent-marketplace/core/wallets/TreasuryStore") {}
