import { Context, Effect, Layer, Option, Result } from "effect"
import type { Operator } from "../admin/OperatorAction.ts"
import { changedFields } from "../admin/OperatorAction.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import type { AccountFrozen, AgentNotClaimed, Issue, QuotaExceeded, StoreUnavailable } from "../errors/MarketError.ts"
import { Conflict, Forbidden, NotFound, ValidationFailed } from "../errors/MarketError.ts"
import type { MarketEvent } from "../events/MarketEvent.ts"
import type { AccountId, ListingId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Owner.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import { Slug } from "../slugs/Slug.ts"
import { defaultsOf } from "../fields/Field.ts"
import type { Listing, ListingDraft, ListingStatus } from "./Listing.ts"
import { listingFields } from "./ListingFields.ts"
import { ListingJson } from "./ListingJson.ts"
import type { ListingChange } from "./ListingRules.ts"
import {
  approval,
  edited,
  featured,
  priceViolations,
  rejection,
  removal,
  reviewState,
  suspension
} from "./ListingRules.ts"
import type { ListingDetail, ListingFace, ListingFilter } from "./ListingStore.ts"
import { ListingStore } from "./ListingStore.ts"
import type { Review } from "./Review.ts"

const notFound = new NotFound({ resource: "LISTING" })

type Failure = AgentNotClaimed | Conflict | Forbidden | NotFound | ValidationFailed | StoreUnavailable

/** Listings and skills, two faces of one thing: offered, reviewed, found, judged (LISTING-22, SKILL-1, REVIEW-2). */
export class Listings extends Context.Service<
  Listings,
  {
    /** Needs a seller account (ACCOUNT-4, SKILL-13). Approved at once where nobody reviews. */
    readonly create: (
      caller: Caller,
      draft: ListingDraft
    ) => Effect.Effect<
      Listing,
      AccountFrozen | AgentNotClaimed | Forbidden | QuotaExceeded | ValidationFailed | StoreUnavailable
    >
    readonly list: (
      filter: ListingFilter,
      face: ListingFace
    ) => Effect.Effect<{ readonly json: string; readonly total: number }, StoreUnavailable>
    /** Approved ones for everybody; others for their creator and, where bought, for license holders. */
    readonly detail: (caller: Caller, idOrSlug: string) => Effect.Effect<ListingDetail, NotFound | StoreUnavailable>
    /** The JSON of LISTING-3; `installUrl` for the creator, license holders, or where the price is 0 (LISTING-4). */
    readonly listingJson: (caller: Caller, id: string) => Effect.Effect<string, NotFound | StoreUnavailable>
    readonly skillJson: (caller: Caller, idOrSlug: string) => Effect.Effect<string, NotFound | StoreUnavailable>
    /** What speaks against a change, for each field that is given; of what is another's nothing is told. */
    readonly ruleViolations: (
      caller: Caller,
      id: string,
      patch: Partial<ListingDraft>
    ) => Effect.Effect<ReadonlyArray<Issue>, StoreUnavailable>
    /** By its creator (LISTING-26); returns the listing as it is then (WIRE-12). */
    readonly update: (caller: Caller, id: ListingId, patch: Partial<ListingDraft>) => Effect.Effect<Listing, Failure>
    /** By its creator. Its licenses stay valid (LISTING-21). */
    readonly remove: (caller: Caller, id: ListingId) => Effect.Effect<Listing, Failure>
    /** By a license holder, again to change it. */
    readonly review: (
      caller: Caller,
      id: ListingId,
      review: { readonly rating: number; readonly comment: string | null }
    ) => Effect.Effect<Review, AgentNotClaimed | Forbidden | NotFound | StoreUnavailable>
    readonly reviews: (
      caller: Caller,
      id: ListingId,
      page: PageRequest
    ) => Effect.Effect<Page<Review>, NotFound | StoreUnavailable>
    /** For operators. */
    readonly queue: (
      status: ListingStatus | undefined,
      page: PageRequest
    ) => Effect.Effect<Page<Listing>, StoreUnavailable>
    readonly approve: (
      id: ListingId,
      operator: Operator
    ) => Effect.Effect<Listing, NotFound | Conflict | StoreUnavailable>
    readonly reject: (
      id: ListingId,
      reason: string,
      operator: Operator
    ) => Effect.Effect<Listing, NotFound | Conflict | StoreUnavailable>
    readonly suspend: (
      id: ListingId,
      operator: Operator
    ) => Effect.Effect<Listing, NotFound | Conflict | StoreUnavailable>
    readonly feature: (
      id: ListingId,
      featured: boolean,
      operator: Operator
    ) => Effect.Effect<Listing, NotFound | Conflict | StoreUnavailable>
  }
>()("@agent-marketplace/core/listings/Listings") {
  static readonly layer = Layer.effect(
    Listings,
    Effect.gen(function* () {
      const store = yield* ListingStore
      const clock = yield* MarketClock
      const { listingReview } = yield* MarketConfig
      const ids = yield* idGenerator

      const modify = Effect.fnUntraced(function* <E>(
        id: ListingId,
        rule: (listing: Listing) => Result.Result<ListingChange, E>
      ) {
        const modified = yield* store.modify(id, (listing) =>
          listing.status === "deleted"
            ? Result.fail(notFound)
            : (rule(listing) as Result.Result<ListingChange, E | NotFound>)
        )
        if (Option.isNone(modified)) return yield* notFound
        return yield* Effect.fromResult(modified.value)
      })

      const modifyOwn = Effect.fnUntraced(function* (
        caller: Caller,
        id: ListingId,
        rule: (listing: Listing) => Result.Result<ListingChange, ValidationFailed | Conflict>
      ) {
        const owner = yield* ownerOf(caller)
        return yield* modify(
          id,
          (listing): Result.Result<ListingChange, ValidationFailed | Conflict | NotFound | Forbidden> =>
            listing.creatorId === owner
              ? rule(listing)
              : Result.fail(
                  listing.status === "approved" && !listing.withheld
                    ? new Forbidden({ required: ["creator"] })
                    : notFound
                )
        )
      })

      const detail = Effect.fn("Listings.detail")(function* (caller: Caller, idOrSlug: string) {
        const found = yield* store.detail(idOrSlug, caller.accountId)
        if (Option.isNone(found)) return yield* notFound
        const { licensed, listing } = found.value
        const own = listing.creatorId === caller.accountId && listing.status !== "deleted"
        const onSale = listing.status === "approved" && !listing.withheld
        if (!onSale && !own && !licensed) return yield* notFound
        return found.value
      })

      /** A decision of the operator's, logged in the transaction that makes it (OPERATOR-14). */
      const decide = Effect.fnUntraced(function* (
        id: ListingId,
        { name: actor, requestId }: Operator,
        act: { readonly action: string; readonly reason?: string },
        rule: (listing: Listing, now: number) => Result.Result<ListingChange, Conflict>
      ) {
        const now = yield* clock.now
        const actionId = yield* ids.make("action")
        return yield* modify(id, (before) =>
          Result.map(rule(before, now), (change) => ({
            ...change,
            action: {
              id: actionId,
              at: now,
              actor,
              action: act.action,
              subject: id,
              ...changedFields(reviewState(before), reviewState(change.listing)),
              reason: act.reason ?? null,
              requestId
            }
          }))
        )
      })

      return {
        detail,
        create: Effect.fn("Listings.create")(function* (caller, draft) {
          const creatorId = yield* ownerOf(caller)
          if (!caller.seller) return yield* new Forbidden({ required: ["seller account"] })
          const issues = priceViolations(draft)
          if (issues.length > 0) return yield* new ValidationFailed({ issues })
          const now = yield* clock.now
          const listing: Omit<Listing, "slug"> = {
            ...defaultsOf(listingFields),
            ...draft,
            id: yield* ids.make("listing"),
            status: "pending_review",
            creatorId,
            creatorName: caller.accountName ?? "",
            createdAt: now,
            updatedAt: now
          }
          const request = Slug.base(draft.name, "skill", yield* ids.random(8))
          const auto = listingReview === "auto"
          return yield* store.insert(
            auto ? { ...listing, status: "approved" } : listing,
            request,
            (created): ReadonlyArray<MarketEvent> =>
              auto ? approval({ ...created, status: "pending_review" }, now).events : []
          )
        }),
        list: store.list,
        listingJson: Effect.fnUntraced(function* (caller, id) {
          const { licensed, listing, stats } = yield* detail(caller, id)
          const shown = licensed || listing.creatorId === caller.accountId || listing.price === 0n
          return ListingJson.closeListingDetail(
            ListingJson.listingDetailHead(listing),
            stats,
            shown ? listing.installUrl : null
          )
        }),
        skillJson: Effect.fnUntraced(function* (caller, idOrSlug) {
          const json = yield* store.skillJson(idOrSlug)
          if (Option.isSome(json)) return json.value
          const { listing, stats } = yield* detail(caller, idOrSlug)
          return ListingJson.closeSkillDetail(ListingJson.skillDetailHead(listing), stats)
        }),
        ruleViolations: Effect.fn("Listings.objections")(function* (caller, id, patch) {
          const found = yield* store.detail(id, caller.accountId)
          const own = Option.filter(found, ({ listing }) => listing.creatorId === caller.accountId && listing.id === id)
          return priceViolations({ ...Option.getOrUndefined(own)?.listing, ...patch })
        }),
        update: Effect.fn("Listings.update")(function* (caller, id, patch) {
          const now = yield* clock.now
          return yield* modifyOwn(caller, id, (listing) => edited(listing, patch, listingReview, now))
        }),
        remove: Effect.fn("Listings.remove")(function* (caller, id) {
          const now = yield* clock.now
          return yield* modifyOwn(caller, id, (listing) => Result.succeed(removal(listing, now)))
        }),
        review: Effect.fn("Listings.review")(function* (caller, id, { comment, rating }) {
          const authorId: AccountId = yield* ownerOf(caller)
          yield* detail(caller, id)
          const now = yield* clock.now
          const review: Review = {
            id: yield* ids.make("review"),
            listingId: id,
            authorId,
            author: caller.accountName ?? "",
            rating,
            comment,
            createdAt: now,
            updatedAt: now
          }
          const kept = yield* store.putReview(review)
          if (Option.isNone(kept)) return yield* new Forbidden({ required: ["license"] })
          return kept.value
        }),
        reviews: Effect.fn("Listings.reviews")(function* (caller, id, page) {
          yield* detail(caller, id)
          return yield* store.listReviews(id, page)
        }),
        queue: store.queue,
        approve: Effect.fn("Listings.approve")((id, operator) =>
          decide(id, operator, { action: "listing.approve" }, (listing, now) =>
            listing.status === "pending_review" || listing.status === "suspended"
              ? Result.succeed(approval(listing, now))
              : Result.fail(new Conflict({ state: listing.status }))
          )
        ),
        reject: Effect.fn("Listings.reject")((id, reason, operator) =>
          decide(id, operator, { action: "listing.reject", reason }, (listing, now) => rejection(listing, reason, now))
        ),
        suspend: Effect.fn("Listings.suspend")((id, operator) =>
          decide(id, operator, { action: "listing.suspend" }, suspension)
        ),
        feature: Effect.fn("Listings.feature")((id, value, operator) =>
          decide(id, operator, { action: "listing.feature" }, (listing, now) =>
            Result.succeed(featured(listing, value, now))
          )
        )
      }
    })
  )
}
