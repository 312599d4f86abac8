import type { Result } from "effect"
import type {
  AccountFrozen,
  AgentFrozen,
  AlreadyPurchased,
  Conflict,
  IdempotencyKeyReused,
  InsufficientBalance,
  NotFound,
  OwnListing,
  PriceChanged,
  SpendingLimitExceeded,
  WithdrawalRefused
} from "../errors/MarketError.ts"
import type { CommandResult } from "./CommandResult.ts"

/** Why the rule refuses a command. */
export type Refusal =
  | AccountFrozen
  | AgentFrozen
  | AlreadyPurchased
  | Conflict
  | IdempotencyKeyReused
  | InsufficientBalance
  | NotFound
  | OwnListing
  | PriceChanged
  | SpendingLimitExceeded
  | WithdrawalRefused

export interface Settled {
  readonly result: CommandResult
  /** Whether this result was already returned for the same Idempotency-Key. */
  readonly replayed: boolean
}

/** The outcome of one command. */
export type Outcome = Result.Result<Settled, Refusal>
