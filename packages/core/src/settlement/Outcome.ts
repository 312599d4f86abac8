import type { Result } from "effect"
import type {
  AlreadyPurchased,
  Conflict,
  IdempotencyKeyReused,
  InsufficientBalance,
  NotFound,
  OwnListing,
  SpendingLimitExceeded
} from "../errors/MarketError.ts"
import type { CommandResult } from "./CommandResult.ts"

/** Why the rule refuses an order. */
export type Refusal =
  | AlreadyPurchased
  | Conflict
  | IdempotencyKeyReused
  | InsufficientBalance
  | NotFound
  | OwnListing
  | SpendingLimitExceeded

export interface Settled {
  readonly result: CommandResult
  /** The answer was given before, to the same Idempotency-Key. */
  readonly replayed: boolean
}

/** What becomes of one order. */
export type Outcome = Result.Result<Settled, Refusal>
