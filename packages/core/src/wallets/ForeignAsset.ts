import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, ForeignAssetId } from "../ids/Ids.ts"

export const foreignAssetKinds = ["trx", "trc10", "trc20"] as const

/** The chain's coin, or a token other than the one that the market's ledger counts. */
export type ForeignAssetKind = (typeof foreignAssetKinds)[number]

export const foreignAssetStates = ["received", "returning", "returned", "failed"] as const

/** `failed`: the transaction of the return took no effect, so the operator decides again. */
export type ForeignAssetState = (typeof foreignAssetStates)[number]

/** A successful transfer of an asset that the market's ledger does not count. */
export interface ForeignTransfer {
  readonly txid: string
  readonly logIndex: number
  readonly kind: ForeignAssetKind
  /** The token's contract or number; `TRX` for the chain's coin. */
  readonly asset: string
  readonly from: string
  readonly to: string
  /** In the asset's smallest unit. The amount that a token's contract reports is not verified. */
  readonly amount: bigint
  readonly block: number
  readonly at: Timestamp
}

/** Such a transfer to a deposit address, before it is recorded. */
export interface ReceivedAsset extends Omit<ForeignTransfer, "from" | "to"> {
  readonly id: ForeignAssetId
  readonly accountId: AccountId
  readonly address: string
  readonly sender: string
}

/** A recorded transfer to a deposit address. It is never credited; the operator may return it (CHAIN-29). */
export interface ForeignAsset extends ReceivedAsset {
  readonly network: string
  /** The name that the token's contract gives itself: untrusted text. Null if it was not requested. */
  readonly unverifiedSymbol: string | null
  readonly state: ForeignAssetState
  /** Where the operator returns it. */
  readonly destination: string | null
  /** The last transaction of the return, and the amount that it sends: at most `amount`, and at most the balance of the address. */
  readonly transaction: { readonly txid: string; readonly amount: bigint } | null
  /** Why the last transaction took no effect. */
  readonly failure: string | null
}

/** A transaction that returns a foreign asset sends exactly this. */
export interface ForeignReturn {
  readonly id: ForeignAssetId
  readonly destination: string
}

const longestSymbol = 24

/** Untrusted text as one line of visible ASCII characters, limited in length; null if nothing is left. */
export const boundedSymbol = (text: string): string | null => {
  const visible = text.replace(/[^\x21-\x7e]/g, "").slice(0, longestSymbol)
  return visible === "" ? null : visible
}
