import { Data } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { PricingModel } from "../listings/Listing.ts"
import type { ItemId } from "../ids/Ids.ts"
import type { Usdt } from "../money/Usdt.ts"

export type Resource =
  | "LISTING"
  | "SOUL"
  | "RELEASE"
  | "IMAGE"
  | "PURCHASE"
  | "APPROVAL"
  | "AGENT"
  | "KEY"
  | "WEBHOOK"
  | "DELIVERY"
  | "SUBSCRIPTION"
  | "FOREIGN_ASSET"
  | "WITHDRAWAL"
  | "DEPOSIT"
  | "ADDRESS"
  | "ACCOUNT"
  | "CLAIM_CODE"
  | "SESSION"
  | "CLIENT"
  | "GRANT"
  | "REQUEST"
  | "PASSKEY"
  | "DOMAIN"
  | "APPEAL"
  | "REPORT"
  | "CHANNEL"

/** One invalid input. `path` is dotted; "" is the whole input (ERROR-2). */
export interface Issue {
  readonly path: string
  readonly message: string
}

/** The input breaks one or more rules; all of them are reported. */
export class ValidationFailed extends Data.TaggedError("ValidationFailed")<{ readonly issues: ReadonlyArray<Issue> }> {}

/** Missing, malformed, unknown, expired or deactivated key (ERROR-3, KEY-13). */
export class InvalidApiKey extends Data.TaggedError("InvalidApiKey")<{
  /** `scheme`: `Authorization` has no bearer token. `operator`: the operator's token was sent where an account's key is needed. */
  readonly reason: "missing" | "invalid" | "scheme" | "operator" | "passkey"
}> {}

/** The caller may not do this. `required` lists what would be needed (ERROR-5). */
export class Forbidden extends Data.TaggedError("Forbidden")<{ readonly required: ReadonlyArray<string> }> {}

/** A session must first be confirmed with a passkey (SESSION-17, ERROR-29). */
export class StepUpRequired extends Data.TaggedError("StepUpRequired")<{}> {}

/** An unclaimed agent's key was used for something that needs an owner (ERROR-8). */
export class AgentNotClaimed extends Data.TaggedError("AgentNotClaimed")<{}> {}

/** The account is frozen: it can read, but change nothing (ERROR-22). */
export class AccountFrozen extends Data.TaggedError("AccountFrozen")<{
  readonly since: Timestamp
  readonly reason: string | null
}> {}

/** The agent is frozen: it can read, but change nothing. */
export class AgentFrozen extends Data.TaggedError("AgentFrozen")<{
  readonly since: Timestamp
  readonly reason: string | null
}> {}

/** The record does not exist, or this caller may not see it. Both cases look the same (ERROR-9, ERROR-10). */
export class NotFound extends Data.TaggedError("NotFound")<{ readonly resource: Resource }> {}

/** The buyer is the item's seller (ERROR-6). */
export class OwnListing extends Data.TaggedError("OwnListing")<{}> {}

/** The price or the pricing model is not what the buyer agreed to (BUY-4, BUY-5). `price` in USDT. */
export class PriceChanged extends Data.TaggedError("PriceChanged")<{
  readonly price: Usdt
  readonly pricingModel: PricingModel
}> {}

/** The buyer already has a license for this item (ERROR-13). */
export class AlreadyPurchased extends Data.TaggedError("AlreadyPurchased")<{ readonly purchaseId: string }> {}

/**
 * The content needs a license: the download of a paid soul, or the install target of a paid item (SOUL-38, LISTING-25). `price` in units of
 * 10⁻⁶.
 */
export class LicenseRequired extends Data.TaggedError("LicenseRequired")<{
  readonly price: Usdt
  readonly itemId: ItemId
}> {}

/** The present state does not allow the change (ERROR-14). */
export class Conflict extends Data.TaggedError("Conflict")<{
  readonly state: string
  readonly reason?: string
  readonly purchaseId?: string
  /** The most there may be, where a number of records is what refuses. */
  readonly limit?: number
  /** When the record was last changed, if a decision was about an earlier state of it. */
  readonly updatedAt?: Timestamp
}> {}

/** The wallet's available balance is lower than required. Both amounts in units of 10⁻⁶ USDT. */
export class InsufficientBalance extends Data.TaggedError("InsufficientBalance")<{
  readonly required: Usdt
  readonly available: Usdt
}> {}

/** The limited resources of an account (QUOTA-1); `releaseBytes` counts bytes. */
export type QuotaName = "souls" | "listings" | "agents" | "keys" | "webhooks" | "releaseBytes"

export type LimitName = "perTransaction" | "daily" | "weekly" | "monthly" | "category" | "seller"

/** A hard limit of a spending policy refuses the amount; `allowed` is what remains of the limit. */
export class SpendingLimitExceeded extends Data.TaggedError("SpendingLimitExceeded")<{
  readonly limit: LimitName
  readonly allowed?: Usdt
  readonly requested?: Usdt
}> {}

/** A withdrawal rule that an owner can set, by its field. */
export type WithdrawalRuleName = "allowListOnly" | "newAddressDelayHours" | "dailyLimit" | "screening"

/** One of the owner's withdrawal rules refuses the withdrawal (WITHDRAWAL-19). */
export class WithdrawalRefused extends Data.TaggedError("WithdrawalRefused")<{ readonly rule: WithdrawalRuleName }> {}

/** One more record would exceed a quota of the account (QUOTA-1). */
export class QuotaExceeded extends Data.TaggedError("QuotaExceeded")<{
  readonly quota: QuotaName
  readonly limit: number
  readonly used: number
}> {}

/** The name is spelled differently from that of another creator's public item, and looks the same (NAME-1). */
export class NameTooSimilar extends Data.TaggedError("NameTooSimilar")<{ readonly conflictsWith: ItemId }> {}

/** The same Idempotency-Key was used with a different request (ERROR-15). */
export class IdempotencyKeyReused extends Data.TaggedError("IdempotencyKeyReused")<{}> {}

/** The store is unavailable (ERROR-21). Whether the request took effect is not known; it may be repeated. */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{ readonly cause?: unknown }> {}

/** Every failure that a caller of the market can receive. */
export type MarketError =
  | ValidationFailed
  | InvalidApiKey
  | Forbidden
  | StepUpRequired
  | AccountFrozen
  | AgentFrozen
  | AgentNotClaimed
  | NotFound
  | OwnListing
  | PriceChanged
  | AlreadyPurchased
  | LicenseRequired
  | Conflict
  | InsufficientBalance
  | SpendingLimitExceeded
  | QuotaExceeded
  | NameTooSimilar
  | WithdrawalRefused
  | IdempotencyKeyReused
  | StoreUnavailable
