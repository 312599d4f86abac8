import type { Operator } from "../admin/OperatorAction.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId, ItemId, RevocationId } from "../ids/Ids.ts"
import { Usdt } from "../money/Usdt.ts"

/** What a revocation has done so far (REVOKE-7). */
export interface RevocationProgress {
  /** The number of refunded purchases and renewals. */
  readonly refunded: number
  /** The amount that buyers got back. */
  readonly amount: Usdt
  /** The part of `amount` that the platform paid and the seller owes. */
  readonly covered: Usdt
  /** The number of purchases that waited for approval and were rejected. */
  readonly rejected: number
}

export const noProgress: RevocationProgress = { refunded: 0, amount: Usdt.zero, covered: Usdt.zero, rejected: 0 }

export const addProgress = (one: RevocationProgress, other: RevocationProgress): RevocationProgress => ({
  refunded: one.refunded + other.refunded,
  amount: Usdt.of(one.amount + other.amount),
  covered: Usdt.of(one.covered + other.covered),
  rejected: one.rejected + other.rejected
})

/** The steps of the work, in their order. The first waits until every sale that was in progress has ended. */
export const revocationSteps = ["start", "approvals", "purchases", "renewals", "done"] as const

export type RevocationStep = (typeof revocationSteps)[number]

/** The bounds of `refundDays`; the operator's own refunds have the same limit (REVOKE-2). */
export const refundDaysRange = { minimum: 1, maximum: 180 } as const

/** A new revocation, stored in the same transaction as the releases that it takes off sale. */
export interface RevocationDraft {
  readonly id: RevocationId
  readonly itemId: ItemId
  readonly sellerId: AccountId
  /** The versions that it revoked; empty for an item without releases. */
  readonly versions: ReadonlyArray<string>
  readonly reason: string
  readonly operator: Pick<Operator, "name" | "requestId">
  readonly at: Timestamp
  /** Purchases and renewals in this number of days before `at` are refunded; null if none are. */
  readonly refundDays: number | null
  /** Whether nothing of the item is on sale any more, so that purchases that wait for approval are rejected. */
  readonly rejectsWaiting: boolean
}

/** A revocation and its progress, which survives every restart (REVOKE-5). */
export interface Revocation extends RevocationDraft, RevocationProgress {
  /** Later purchases are not refunded; null until every sale that was in progress has ended. */
  readonly until: Timestamp | null
  readonly step: RevocationStep
  /** The position within the step; null at its start. Only the store reads it. */
  readonly position: string | null
  readonly finishedAt: Timestamp | null
}

export const newRevocation = (draft: RevocationDraft): Revocation => ({
  ...draft,
  ...noProgress,
  until: null,
  step: "start",
  position: null,
  finishedAt: null
})

/** The time from which on purchases are refunded; null if none are. */
export const refundsSince = ({ at, refundDays }: Pick<Revocation, "at" | "refundDays">): Timestamp | null =>
  refundDays === null ? null : at - refundDays * Timestamp.day
