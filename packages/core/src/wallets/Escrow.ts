import type { Timestamp } from "../clock/Timestamp.ts"
import type { AccountId } from "../ids/Ids.ts"
import type { Usdt } from "../money/Usdt.ts"

/** The proceeds of one sale or renewal that are locked until they are released (ESCROW-1). */
export interface Escrow {
  /** The seller. */
  readonly accountId: AccountId
  /** The id of the purchase or renewal. */
  readonly reference: string
  /** The amount that is still locked; zero after it was released or refunded. */
  readonly amount: Usdt
  readonly releasedAt: Timestamp
}

/** The order in which a refund takes the proceeds of other sales: the last ones to be released first. */
export const lastReleasedFirst = (one: Escrow, other: Escrow): number =>
  other.releasedAt - one.releasedAt || (one.reference < other.reference ? 1 : -1)
