import { Context, Effect, Layer, Option, Result } from "effect"
import type { Operator } from "../admin/OperatorAction.ts"
import { changedFields } from "../admin/OperatorAction.ts"
import type { CatalogueFilter } from "../catalogue/CatalogueFilter.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import type {
  AccountFrozen,
  AgentNotClaimed,
  Issue,
  NameTooSimilar,
  QuotaExceeded,
  StoreUnavailable
} from "../errors/MarketError.ts"
import { Conflict, Forbidden, LicenseRequired, NotFound, ValidationFailed } from "../errors/MarketError.ts"
import type { AccountId, ListingId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Caller.ts"
import { ExchangeRates } from "../money/ExchangeRates.ts"
import type { ReasonCode } from "../moderation/ReasonCode.ts"
import type { NameFindings } from "../names/NameFindings.ts"
import { ReleaseStore } from "../releases/ReleaseStore.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import { Slug } from "../slugs/Slug.ts"
import { SoulJson } from "../souls/SoulJson.ts"
import { SoulStore } from "../souls/SoulStore.ts"
import { defaultsOf } from "../fields/Field.ts"
import type { Listing, ListingDraft, ListingStatus } from "./Listing.ts"
import { listingFields } from "./ListingFields.ts"
import { isPublic, linkOf } from "./Listing.ts"
import { ListingJson } from "./ListingJson.ts"
import type { ListingChange } from "./ListingRules.ts"
import {
  approval,
  changedSince,
  edited,
  featured,
  isAsSeen,
  priceViolations,
  rejection,
  removal,
  reviewState,
  submitted,
  suspension
} from "./ListingRules.ts"
import type { InstallPlace, ItemKind, ListingDetail, ListingFace } from "./ListingStore.ts"
import { ListingStore } from "./ListingStore.ts"
import type { Review, ReviewDraft } from "./Review.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

const notFound = new NotFound({ resource: "LISTING" })

type Failure = AgentNotClaimed | Conflict | Forbidden | NotFound | ValidationFailed | StoreUnavailable

const renamed =
  ({ name }: Partial<ListingDraft>) =>
  (listing: Listing): string | null =>
    name === undefined || name === listing.name ? null : name

/** A listing as its viewer sees it. */
interface SeenListing extends ListingDetail {
  /** The viewer is its creator. */
  readonly own: boolean
}

/** The state that an operator decides about (OPERATOR-33). */
interface SeenState {
  /** When the listing was last changed, as the operator saw it; without it the decision is about any state. */
  readonly updatedAt?: Timestamp | undefined
}

/** Listings and skills, two API views of one record: sale, search, reviews and moderation (LISTING-22, SKILL-1, REVIEW-2). */
export class Listings extends Context.Service<
  Listings,
  {
    /** Needs a seller account (ACCOUNT-4, SKILL-13). Without manual review the listing is approved immediately. */
    readonly create: (
      caller: Caller,
      draft: ListingDraft
    ) => StoreEffect<
      Listing,
      AccountFrozen | AgentNotClaimed | Forbidden | NameTooSimilar | QuotaExceeded | ValidationFailed
    >
    readonly list: (
      filter: CatalogueFilter,
      face: ListingFace,
      kind: ItemKind
    ) => StoreEffect<{ readonly json: string; readonly total: number }>
    /** Approved listings for everybody; others only for their creator and their license holders. */
    readonly detail: (caller: Caller, idOrSlug: string) => StoreEffect<SeenListing, NotFound>
    /** The JSON of LISTING-3, with `installUrl` for the creator, license holders, and everybody if the price is 0 (LISTING-4). */
    readonly listingJson: (caller: Caller, id: string) => StoreEffect<string, NotFound>
    readonly skillJson: (caller: Caller, idOrSlug: string) => StoreEffect<string, NotFound>
    /** Where and what to install: for license holders, the creator, and everybody if the item is free (LISTING-25, RELEASE-22). Nothing while it is quarantined. */
    readonly install: (
      caller: Caller,
      id: ListingId
    ) => StoreEffect<InstallPlace, Conflict | LicenseRequired | NotFound>
    /** The rule violations of the given fields. Empty for another creator's listing, which is not disclosed. */
    readonly ruleViolations: (
      caller: Caller,
      id: string,
      patch: Partial<ListingDraft>
    ) => StoreEffect<ReadonlyArray<Issue>>
    /** Only for the creator (LISTING-26). Returns the changed listing (WIRE-12). */
    readonly update: (
      caller: Caller,
      id: ListingId,
      patch: Partial<ListingDraft>
    ) => Effect.Effect<Listing, Failure | NameTooSimilar>
    /** Only for the creator. Existing licenses stay valid (LISTING-21). */
    readonly remove: (caller: Caller, id: ListingId) => Effect.Effect<Listing, Failure>
    /** Only for license holders. A second review replaces the first. */
    readonly review: (
      caller: Caller,
      id: ListingId,
      review: ReviewDraft
    ) => StoreEffect<Review, AgentNotClaimed | Forbidden | NotFound>
    readonly reviews: (caller: Caller, id: ListingId, page: PageRequest) => StoreEffect<Page<Review>, NotFound>
    /** For operators. */
    readonly queue: (status: ListingStatus | undefined, page: PageRequest) => StoreEffect<Page<Listing>>
    readonly approve: (id: ListingId, seen: SeenState, operator: Operator) => StoreEffect<Listing, NotFound | Conflict>
    readonly reject: (
      id: ListingId,
      why: SeenState & { readonly reason: string; readonly code?: ReasonCode | undefined },
      operator: Operator
    ) => StoreEffect<Listing, NotFound | Conflict>
    readonly suspend: (
      id: ListingId,
      why: { readonly reason?: string | undefined; readonly code?: ReasonCode | undefined },
      operator: Operator
    ) => StoreEffect<Listing, NotFound | Conflict>
    readonly feature: (
      id: ListingId,
      featured: boolean,
      operator: Operator
    ) => StoreEffect<Listing, NotFound | Conflict>
  }
>()("@agent-marketplace/core/listings/Listings") {
  static readonly layer = Layer.effect(
    Listings,
    Effect.gen(function* () {
      const store = yield* ListingStore
      const rates = yield* ExchangeRates
      const souls = yield* SoulStore
      const clock = yield* MarketClock
      const { baseUrl, listingReview } = yield* MarketConfig
      const releases = yield* ReleaseStore
      const ids = yield* idGenerator

      const modify = Effect.fnUntraced(function* <E>(
        id: ListingId,
        rule: (listing: Listing, names: NameFindings) => Result.Result<ListingChange, E>,
        claims?: (listing: Listing) => string | null
      ) {
        const modified = yield* store.modify(
          id,
          (listing, names) =>
            listing.status === "deleted"
              ? Result.fail(notFound)
              : (rule(listing, names) as Result.Result<ListingChange, E | NotFound>),
          claims
        )
        if (Option.isNone(modified)) return yield* notFound
        return yield* Effect.fromResult(modified.value)
      })

      const modifyOwn = Effect.fnUntraced(function* <E>(
        caller: Caller,
        id: ListingId,
        rule: (listing: Listing, names: NameFindings) => Result.Result<ListingChange, E>,
        claims: (listing: Listing) => string | null = () => null
      ) {
        const owner = yield* ownerOf(caller)
        return yield* modify(
          id,
          (listing, names): Result.Result<ListingChange, E | NotFound | Forbidden> =>
            listing.creatorId === owner
              ? rule(listing, names)
              : Result.fail(isPublic(listing) ? new Forbidden({ required: ["creator"] }) : notFound),
          (listing) => (listing.creatorId === owner ? claims(listing) : null)
        )
      })

      const detail = Effect.fn("Listings.detail")(function* (caller: Caller, idOrSlug: string) {
        const found = yield* store.detail(idOrSlug, caller.accountId)
        if (Option.isNone(found)) return yield* notFound
        const { licensed, listed, listing } = found.value
        const own = listing.creatorId === caller.accountId && listing.status !== "deleted"
        if (!listed && !own && !licensed) return yield* notFound
        return { ...found.value, own }
      })

      /** The skill page of a soul (SKILL-11). */
      const soulJson = Effect.fnUntraced(function* (caller: Caller, idOrSlug: string) {
        const found = yield* souls.detail(idOrSlug, caller.accountId)
        if (Option.isNone(found)) return yield* notFound
        const { licensed, listed, soul, stats } = found.value
        const own = soul.authorId === caller.accountId && !soul.deleted
        if (!listed && !own && !licensed) return yield* notFound
        return SoulJson.closeSkillDetail(SoulJson.skillDetailHead(soul), stats)
      })

      /** An operator's decision, logged in the same transaction (OPERATOR-14). */
      const decide = Effect.fnUntraced(function* (
        id: ListingId,
        { name: actor, requestId }: Operator,
        act: SeenState & { readonly action: string; readonly reason?: string | null },
        rule: (listing: Listing, now: number) => Result.Result<ListingChange, Conflict>
      ) {
        const now = yield* clock.now
        const actionId = yield* ids.make("action")
        return yield* modify(id, (before) =>
          Result.map(isAsSeen(before, act.updatedAt) ? rule(before, now) : changedSince(before), (change) => ({
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
          return yield* store.insert(listing, request, (created, names) =>
            submitted(created, listingReview, names, now)
          )
        }),
        list: (filter, face, kind) => store.list({ ...filter, rates: rates.current() }, face, kind),
        listingJson: Effect.fnUntraced(function* (caller, id) {
          const { licensed, listing, own, stats } = yield* detail(caller, id)
          const head = ListingJson.listingDetailHead(listing)
          return ListingJson.closeListingDetail(
            own ? head + ListingJson.ownDetailFields(listing) : head,
            stats,
            licensed || own || listing.price === 0n ? listing.installUrl : null
          )
        }),
        skillJson: Effect.fnUntraced(function* (caller, idOrSlug) {
          const json = yield* store.skillJson(idOrSlug)
          const creator = `"creator":{"id":${JSON.stringify(caller.accountId)}`
          // The stored document is the same for everybody; only a creator sees additional fields.
          if (Option.isSome(json) && !json.value.includes(creator)) return json.value
          const found = yield* Effect.option(detail(caller, idOrSlug))
          if (Option.isNone(found)) return yield* soulJson(caller, idOrSlug)
          const { listing, own, stats } = found.value
          const head = ListingJson.skillDetailHead(listing)
          return ListingJson.closeSkillDetail(own ? head + ListingJson.ownDetailFields(listing) : head, stats)
        }),
        install: Effect.fn("Listings.install")(function* (caller, id) {
          const { licensed, listing, own } = yield* detail(caller, id)
          const { installUrl: url, price, releaseVersion: version } = listing
          if (!licensed && !own && price > 0n) return yield* new LicenseRequired({ price, itemId: listing.id })
          if (listing.quarantined && !own) return yield* new Conflict({ state: "quarantined" })
          const release = version === null ? Option.none() : yield* releases.find(listing.id, version)
          if (version === null || Option.isNone(release)) return { kind: linkOf(url), url, version: null, sha256: null }
          const { sha256 } = release.value
          const download = `${baseUrl}/v1/listings/${listing.id}/releases/${encodeURIComponent(version)}/download`
          return { kind: "release", url: download, version, sha256 }
        }),
        ruleViolations: Effect.fn("Listings.ruleViolations")(function* (caller, id, patch) {
          const found = yield* store.detail(id, caller.accountId)
          const own = Option.filter(found, ({ listing }) => listing.creatorId === caller.accountId && listing.id === id)
          return priceViolations({ ...Option.getOrUndefined(own)?.listing, ...patch })
        }),
        update: Effect.fn("Listings.update")(function* (caller, id, patch) {
          const now = yield* clock.now
          return yield* modifyOwn(
            caller,
            id,
            (listing, names) => edited(listing, patch, listingReview, names, now),
            renamed(patch)
          )
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
            itemId: id,
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
        approve: Effect.fn("Listings.approve")((id, { updatedAt }, operator) =>
          decide(id, operator, { action: "listing.approve", updatedAt }, approval)
        ),
        reject: Effect.fn("Listings.reject")((id, { code = "other", reason, updatedAt }, operator) =>
          decide(id, operator, { action: "listing.reject", reason, updatedAt }, (listing, now) =>
            rejection(listing, { reason, code }, now)
          )
        ),
        suspend: Effect.fn("Listings.suspend")((id, { code = "other", reason = null }, operator) =>
          decide(id, operator, { action: "listing.suspend", reason }, (listing, now) =>
            suspension(listing, { reason, code }, now)
          )
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
