import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, WithdrawalId } from "../ids/Ids.ts"
import type { ScreeningEvidence } from "../screening/ScreeningEvidence.ts"
import type { Usdt } from "../money/Usdt.ts"

/**
 * The state of a withdrawal. On the wire, `in_review`, `queued` and `broadcasting` are all `pending` (WITHDRAWAL-4).
 * `in_review` → `queued` | `cancelled` | `failed`, as the operator or the owner decides (WITHDRAWAL-13);
 * `queued` → `broadcasting` | `cancelled` | `failed`, or `in_review` if the operator holds it or screening flags the destination; `queued` and `in_review` → `completed` if the operator
 * settles it with a transaction that paid it; `broadcasting` → `completed` | `failed`, or back to `queued` with proof that the old
 * transaction can never be included; to `in_review` instead if a signer refused that transaction (SIGNER-6).
 */
export type WithdrawalState = "in_review" | "queued" | "broadcasting" | "completed" | "failed" | "cancelled"

/** The transaction that pays the withdrawal. It is stored before it is sent, and only the stored bytes are sent. */
export interface WithdrawalTransaction {
  readonly txid: string
  readonly raw: string
  /** Once a final block is later than this, the transaction can no longer be included. */
  readonly expiresAt: Timestamp
}

/** Why screening flagged the destination, and whether the operator approved the withdrawal since (SCREENING-8). */
export interface WithdrawalScreening extends ScreeningEvidence {
  readonly approved: boolean
}

export interface Withdrawal {
  readonly id: WithdrawalId
  readonly accountId: AccountId
  readonly amount: Usdt
  readonly fee: Usdt
  readonly network: string
  readonly destinationAddress: string
  readonly state: WithdrawalState
  readonly transaction: WithdrawalTransaction | null
  /** What the token took from the amount on the chain, so that the receiver got less; null if it took nothing (WITHDRAWAL-23). */
  readonly tokenFee: Usdt | null
  /** The number of transactions built for it. */
  readonly attempts: number
  /** Why it failed, or why a signer refused its last transaction. */
  readonly failure: string | null
  /** Null if screening never flagged the destination. */
  readonly screening: WithdrawalScreening | null
  readonly createdAt: Timestamp
  readonly completedAt: Timestamp | null
}

/** Whether its money is held because it waits for the operator or for the chain. */
export const isOpen = ({ state }: Pick<Withdrawal, "state">): boolean =>
  state === "in_review" || state === "queued" || state === "broadcasting"

/** A pause of all payouts, by the operator (OPERATOR-22) or because of transfers that the books do not know (TREASURY-3). */
export interface PayoutPause {
  readonly since: Timestamp
  readonly reason: string | null
  /** Whether the hot wallet made transfers that are neither withdrawals nor explained. The operator's `resume` does not end this. */
  readonly unknownTransfers?: true
}

/** The reason of a pause that the operator did not request. */
export const unknownTransfersReason =
  "the hot wallet made transfers that the books do not know: match or explain them (operator treasury resume)"
