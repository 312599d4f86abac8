import { Result } from "effect"
import type { ActionState, OperatorAction } from "../admin/OperatorAction.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { Issue } from "../errors/MarketError.ts"
import { Conflict, NameTooSimilar, ValidationFailed } from "../errors/MarketError.ts"
import type { EventData, EventType, MarketEvent } from "../events/MarketEvent.ts"
import type { ReasonCode } from "../moderation/ReasonCode.ts"
import { Usdt } from "../money/Usdt.ts"
import type { NameFindings } from "../names/NameFindings.ts"
import type { Listing } from "./Listing.ts"
import type { PendingChanges } from "./ListingFields.ts"

/** A listing after a change, and the events of that change. */
export interface ListingChange {
  readonly listing: Listing
  readonly events: ReadonlyArray<MarketEvent>
  /** The operator's action that caused it, for the log (OPERATOR-14). */
  readonly action?: OperatorAction
}

/** The state of a listing that operators decide on, for the log of actions. */
export const reviewState = ({ featured, reasonCode, rejectionReason, status }: Listing): NonNullable<ActionState> => ({
  status,
  rejectionReason,
  reasonCode,
  featured
})

const event = (type: EventType, listing: Listing, at: Timestamp, more: EventData = {}): MarketEvent => ({
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
    ...(listing.rejectionReason === null ? {} : { reason: listing.rejectionReason }),
    ...(listing.reasonCode === null ? {} : { code: listing.reasonCode }),
    ...more
  }
})

/** The violations of price and pricing model (SKILL-12): `free` requires the price 0, a subscription a price above 0. */
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

/** A listing that is neither rejected nor suspended. */
const undecided = { rejectionReason: null, reasonCode: null, decidedAt: null } as const

/** Why an operator rejects or suspends an item (REASON-2). */
export interface RefusalReason {
  readonly reason: string | null
  readonly code: ReasonCode | null
}

const refused = ({ code, reason }: RefusalReason, now: Timestamp) => ({
  rejectionReason: reason,
  reasonCode: code,
  decidedAt: now,
  updatedAt: now
})

/** The approved listing with its pending changes applied. `listing.approved` is emitted for a first approval and for changes (EVENT-8). */
const approved = (before: Listing, now: Timestamp): ListingChange => {
  const { pendingChanges, status } = before
  const listing: Listing = {
    ...before,
    ...pendingChanges,
    pendingChanges: null,
    changedSinceReview: false,
    waitingSince: null,
    ...undecided,
    status: "approved",
    updatedAt: now
  }
  if (status === "pending_review") return { listing, events: [event("listing.approved", listing, now)] }
  return {
    listing,
    events: pendingChanges === null ? [] : [event("listing.approved", listing, now, { changes: true })]
  }
}

/**
 * A new listing. Without manual review it is approved immediately, unless its name is nearly that of a popular item: then a person
 * decides (NAME-3).
 */
export const submitted = (
  created: Listing,
  review: "manual" | "auto",
  names: NameFindings,
  now: Timestamp
): ListingChange =>
  review === "auto" && names.popular === null
    ? approved(created, now)
    : { listing: { ...created, waitingSince: now }, events: [] }

/** Whether the listing is unchanged since the operator read it (OPERATOR-33). */
export const isAsSeen = ({ updatedAt }: Listing, seen: Timestamp | undefined): boolean =>
  seen === undefined || seen === updatedAt

/** Refuses a decision about an earlier state. */
export const changedSince = ({ status, updatedAt }: Listing): Result.Result<never, Conflict> =>
  Result.fail(new Conflict({ state: status, updatedAt, reason: "the listing was changed since you read it" }))

/** `pending_review` or `suspended` → `approved`; or applies the pending changes of an approved listing (LISTING-18, LISTING-22). */
export const approval = (before: Listing, now: Timestamp): Result.Result<ListingChange, Conflict> => {
  const { pendingChanges, status } = before
  const decidable = status === "pending_review" || status === "suspended" || pendingChanges !== null
  return decidable ? Result.succeed(approved(before, now)) : Result.fail(new Conflict({ state: status }))
}

/** `pending_review` → `rejected`; of an approved listing, drops only the pending changes (LISTING-18). */
export const rejection = (
  before: Listing,
  reason: RefusalReason,
  now: Timestamp
): Result.Result<ListingChange, Conflict> => {
  const { pendingChanges, status } = before
  const decided = { ...refused(reason, now), waitingSince: null }
  if (status === "pending_review") {
    const listing: Listing = { ...before, ...decided, status: "rejected" }
    return Result.succeed({ listing, events: [event("listing.rejected", listing, now)] })
  }
  if (pendingChanges === null) return Result.fail(new Conflict({ state: status }))
  const listing: Listing = { ...before, ...decided, pendingChanges: null }
  return Result.succeed({ listing, events: [event("listing.rejected", listing, now, { changes: true })] })
}

/** `approved` → `suspended` (LISTING-22). */
export const suspension = (
  before: Listing,
  reason: RefusalReason,
  now: Timestamp
): Result.Result<ListingChange, Conflict> => {
  if (before.status !== "approved") return Result.fail(new Conflict({ state: before.status }))
  const listing: Listing = { ...before, ...refused(reason, now), status: "suspended" }
  return Result.succeed({ listing, events: [event("listing.suspended", listing, now)] })
}

/**
 * Undoes a rejection or a suspension (APPEAL-4). Changes that wait for a review still wait, and rejected changes of a listing on sale can be
 * submitted again.
 */
export const reinstated = (before: Listing, now: Timestamp): ListingChange =>
  before.status === "rejected"
    ? approved({ ...before, status: "pending_review" }, now)
    : { listing: { ...before, ...undecided, status: "approved", updatedAt: now }, events: [] }

export const featured = (before: Listing, value: boolean, now: Timestamp): ListingChange => ({
  listing: { ...before, featured: value, updatedAt: now },
  events: []
})

export const removal = (before: Listing, now: Timestamp): ListingChange => ({
  listing: { ...before, status: "deleted", pendingChanges: null, waitingSince: null, updatedAt: now },
  events: []
})

const reviewed = ["name", "installUrl", "pricingModel"] as const

/** The pending changes after a patch: the earlier ones and the new ones, without those that equal the present value. */
const waitingAfter = (before: Listing, patch: Partial<Listing>): PendingChanges | null => {
  const merged: Partial<Listing> = { ...before.pendingChanges, ...patch }
  const waiting = reviewed.flatMap((name) =>
    merged[name] === undefined || merged[name] === before[name] ? [] : [[name, merged[name]] as const]
  )
  return waiting.length === 0 ? null : Object.fromEntries(waiting)
}

const isReviewed = (name: string): boolean => reviewed.some((field) => field === name)

/** A change of an approved listing under manual review: reviewed fields wait, the others take effect immediately. */
const withheld = (before: Listing, patch: Partial<Listing>, now: Timestamp): Listing => {
  const others = Object.entries(patch).filter(([name]) => !isReviewed(name))
  const pendingChanges = waitingAfter(before, patch)
  return {
    ...before,
    ...Object.fromEntries(others),
    pendingChanges,
    changedSinceReview: before.changedSinceReview || others.length > 0,
    ...(pendingChanges === null ? {} : undecided),
    waitingSince: pendingChanges === null ? null : (before.waitingSince ?? now),
    updatedAt: now
  }
}

/** Each change has a later `updatedAt`, even within one millisecond, so that a decision about an earlier state is refused. */
const withOwnTime = (before: Listing, change: ListingChange): ListingChange => ({
  ...change,
  listing: { ...change.listing, updatedAt: Math.max(change.listing.updatedAt, before.updatedAt + 1) }
})

/**
 * The creator's change. A rejected listing is submitted for review again. Under manual review, an approved listing stays on sale as it was
 * reviewed: changes of reviewed fields wait (LISTING-16), the others take effect immediately (LISTING-19). A name that is nearly that of a
 * popular item is reviewed manually in any case (NAME-3).
 */
export const edited = (
  before: Listing,
  patch: Partial<Listing>,
  mode: "manual" | "auto",
  names: NameFindings,
  now: Timestamp
): Result.Result<ListingChange, NameTooSimilar | ValidationFailed> => {
  if (names.similar !== null) return Result.fail(new NameTooSimilar({ conflictsWith: names.similar }))
  const review = names.popular === null ? mode : "manual"
  const after: Listing = { ...before, ...patch, updatedAt: now }
  const waits = before.status === "approved" && review === "manual"
  const listing = waits ? withheld(before, patch, now) : after
  // Both the version on sale and the version after approval of the changes must be valid.
  const issues = [listing, { ...listing, ...listing.pendingChanges }]
    .map(priceViolations)
    .find((found) => found.length > 0)
  if (issues !== undefined) return Result.fail(new ValidationFailed({ issues }))
  if (before.status !== "rejected") return Result.succeed(withOwnTime(before, { listing, events: [] }))
  const pending: Listing = { ...listing, ...undecided, status: "pending_review", waitingSince: now }
  const change = review === "auto" ? approved(pending, now) : { listing: pending, events: [] }
  return Result.succeed(withOwnTime(before, change))
}
