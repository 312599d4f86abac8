import type { Timestamp } from "../clock/Timestamp.ts"
import type { HeldDepositId } from "../ids/Ids.ts"
import type { Deposit } from "../wallets/Deposit.ts"
import type { ScreeningEvidence } from "./ScreeningEvidence.ts"

/**
 * `screening`: screening has not decided yet. `held`: it is flagged and waits for the operator. `cleared`: screening allowed it later.
 * `released` and `rejected`: the operator's decisions. `cleared` and `released` are credited; a `rejected` one never is (SCREENING-6).
 */
export const heldDepositStates = ["screening", "held", "cleared", "released", "rejected"] as const

export type HeldDepositState = (typeof heldDepositStates)[number]

/** A deposit that was recorded without being credited (SCREENING-3). */
export interface HeldDeposit extends Deposit {
  readonly id: HeldDepositId
  readonly sender: string
  readonly state: HeldDepositState
  /** Why it is flagged; null if it was never flagged. */
  readonly evidence: ScreeningEvidence | null
  readonly heldAt: Timestamp
  readonly decidedAt: Timestamp | null
}

/** Whether its money still waits for a decision. */
export const isUndecided = ({ state }: Pick<HeldDeposit, "state">): boolean => state === "screening" || state === "held"
