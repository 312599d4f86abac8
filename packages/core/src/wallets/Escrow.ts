import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId } from "../ids/Ids.ts"
import type { Usdt } from "../money/Usdt.ts"

/** The proceeds of one sale or renewal that are locked until they are released (ESCROW-1). */
export interface Escrow {
  /** The seller. */
  readonly accountId: AccountId
  /** The id of the purchase or renewal. */
  readonly reference: string
  /** What is still locked: above zero, or zero once it was released or refunded. */
  readonly amount: Usdt
  readonly releasedAt: Timestamp
}

/** The order in which a refund takes other sales' proceeds: those first that would be released last. */
export const lastReleasedFirst = (one: Escrow, other: Escrow): number =>
  other.releasedAt - one.releasedAt || (one.reference < other.reference ? 1 : -1)
