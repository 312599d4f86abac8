import { Result } from "effect"
import type { ActionState, OperatorAction } from "../admin/OperatorAction.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { Issue } from "../errors/MarketError.ts"
import { Conflict, ValidationFailed } from "../errors/MarketError.ts"
import type { EventType, MarketEvent } from "../events/MarketEvent.ts"
import { Usdt } from "../money/Usdt.ts"
import type { Listing } from "./Listing.ts"

/** A listing after a move, and what is told of it. */
export interface ListingChange {
  readonly listing: Listing
  readonly events: ReadonlyArray<MarketEvent>
  /** The operator's action behind it, for the log (OPERATOR-14). */
  readonly action?: OperatorAction
}

/** What an operator decides about a listing, as the log of actions shows it. */
export const reviewState = ({ featured, rejectionReason, status }: Listing): NonNullable<ActionState> => ({
  status,
  rejectionReason,
  featured
})

const event = (type: EventType, listing: Listing, at: Timestamp): MarketEvent => ({
  type,
  at,
  subject: listing.id,
  accounts: [listing.creatorId],
  data: {
    listingId: listing.id,
    slug: listing.slug,
    name: listing.name,
    creator: listing.creatorName,
    price: Usdt.format(listing.price),
    currency: listing.currency,
    ...(listing.rejectionReason === null ? {} : { reason: listing.rejectionReason })
  }
})

/** What is wrong with the price for the pricing model (SKILL-12): `free` costs nothing, a subscription something. */
export const priceViolations = ({
  price,
  pricingModel
}: Partial<Pick<Listing, "price" | "pricingModel">>): ReadonlyArray<Issue> => {
  if (price === undefined) return []
  if (pricingModel === "free" && price > 0n) {
    return [{ path: "price", message: "must be 0 where pricingModel is free" }]
  }
  if (pricingModel === "subscription" && price === 0n) {
    return [{ path: "price", message: "must be greater than 0 where pricingModel is subscription" }]
  }
  return []
}

/** `pending_review` or `suspended` → `approved`; only a first approval is told (EVENT-8). */
export const approval = (before: Listing, now: Timestamp): ListingChange => {
  const listing: Listing = { ...before, status: "approved", rejectionReason: null, updatedAt: now }
  return { listing, events: before.status === "pending_review" ? [event("listing.approved", listing, now)] : [] }
}

/** `pending_review` → `rejected`. */
export const rejection = (before: Listing, reason: string, now: Timestamp): Result.Result<ListingChange, Conflict> => {
  if (before.status !== "pending_review") return Result.fail(new Conflict({ state: before.status }))
  const listing: Listing = { ...before, status: "rejected", rejectionReason: reason, updatedAt: now }
  return Result.succeed({ listing, events: [event("listing.rejected", listing, now)] })
}

/** `approved` → `suspended` (LISTING-22). */
export const suspension = (before: Listing, now: Timestamp): Result.Result<ListingChange, Conflict> =>
  before.status === "approved"
    ? Result.succeed({ listing: { ...before, status: "suspended", updatedAt: now }, events: [] })
    : Result.fail(new Conflict({ state: before.status }))

export const featured = (before: Listing, value: boolean, now: Timestamp): ListingChange => ({
  listing: { ...before, featured: value, updatedAt: now },
  events: []
})

export const removal = (before: Listing, now: Timestamp): ListingChange => ({
  listing: { ...before, status: "deleted", updatedAt: now },
  events: []
})

/**
 * The creator's change (LISTING-15, LISTING-22): a rejected listing goes back to review, and so does an approved one whose `installUrl` becomes
 * another while operators review, so that what was reviewed is what is sold.
 */
export const edited = (
  before: Listing,
  patch: Partial<Listing>,
  review: "manual" | "auto",
  now: Timestamp
): Result.Result<ListingChange, ValidationFailed> => {
  const listing: Listing = { ...before, ...patch, updatedAt: now }
  const issues = priceViolations(listing)
  if (issues.length > 0) return Result.fail(new ValidationFailed({ issues }))
  const moved = before.status === "approved" && listing.installUrl !== before.installUrl && review === "manual"
  if (!moved && before.status !== "rejected") return Result.succeed({ listing, events: [] })
  const pending: Listing = { ...listing, status: "pending_review", rejectionReason: null }
  return Result.succeed(review === "auto" ? approval(pending, now) : { listing: pending, events: [] })
}
