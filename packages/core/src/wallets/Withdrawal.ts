import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, WithdrawalId } from "../ids/Ids.ts"
import type { Usdt } from "../money/Usdt.ts"

/**
 * The state of a withdrawal. On the wire, `in_review`, `queued` and `broadcasting` are all `pending` (WITHDRAWAL-4).
 * `in_review` → `queued` | `cancelled` | `failed`, as the operator or the owner decides (WITHDRAWAL-13);
 * `queued` → `broadcasting` | `cancelled` | `failed`; `broadcasting` → `completed` | `failed`, or back to `queued` with proof that the old
 * transaction can never be included.
 */
export type WithdrawalState = "in_review" | "queued" | "broadcasting" | "completed" | "failed" | "cancelled"

/** The transaction that pays the withdrawal. It is stored before it is sent, and only the stored bytes are sent. */
export interface WithdrawalTransaction {
  readonly txid: string
  readonly raw: string
  /** Once a final block is later than this, the transaction can no longer be included. */
  readonly expiresAt: Timestamp
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
  /** The number of transactions built for it. */
  readonly attempts: number
  readonly failure: string | null
  readonly createdAt: Timestamp
  readonly completedAt: Timestamp | null
}

/** Whether its money is held because it waits for the operator or for the chain. */
export const isOpen = ({ state }: Pick<Withdrawal, "state">): boolean =>
  state === "in_review" || state === "queued" || state === "broadcasting"

/** A pause of all payouts (OPERATOR-22). */
export interface PayoutPause {
  readonly since: Timestamp
  readonly reason: string | null
}
