import { Context, Effect, Layer, Option, Result } from "effect"
import type { Operator } from "../admin/OperatorAction.ts"
import { changedFields } from "../admin/OperatorAction.ts"
import type { CatalogueFilter } from "../catalogue/CatalogueFilter.ts"
import { defaultsOf } from "../fields/Field.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import type {
  AccountFrozen,
  AgentNotClaimed,
  Conflict,
  QuotaExceeded,
  StoreUnavailable
} from "../errors/MarketError.ts"
import { Forbidden, LicenseRequired, NotFound } from "../errors/MarketError.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Caller.ts"
import { ListingStore } from "../listings/ListingStore.ts"
import { ExchangeRates } from "../money/ExchangeRates.ts"
import type { Review, ReviewDraft } from "../listings/Review.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import { Slug } from "../slugs/Slug.ts"
import { isListed } from "./Soul.ts"
import type { Soul, SoulDraft } from "./Soul.ts"
import { soulFields } from "./SoulFields.ts"
import { SoulJson } from "./SoulJson.ts"
import type { SoulChange } from "./SoulRules.ts"
import { decidedState, edited, published, restoration, soulEvent, suspension } from "./SoulRules.ts"
import type { SoulDetail, SoulVersion } from "./SoulStore.ts"
import { SoulStore } from "./SoulStore.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

type ReadFailure = NotFound | StoreUnavailable
type ChangeFailure = AgentNotClaimed | Forbidden | ReadFailure

/** A version's text, as far as the caller may read it. */
export interface ReadableVersion extends SoulVersion {
  /** Whether `content` has only the first 280 characters (SOUL-45). */
  readonly preview: boolean
}

const notFound = new NotFound({ resource: "SOUL" })
const notTheAuthor = new Forbidden({ required: ["creator"] })
const noLicense = new Forbidden({ required: ["license"] })

/** Publishes, reads, changes and moderates souls; downloads and reviews (SOUL-2, SOUL-33, SOUL-36, SOUL-41, SOUL-46). */
export class Souls extends Context.Service<
  Souls,
  {
    readonly create: (
      caller: Caller,
      draft: SoulDraft
    ) => StoreEffect<Soul, AccountFrozen | AgentNotClaimed | QuotaExceeded>
    /** The souls of a page as a JSON array, and the total number. */
    readonly list: (filter: CatalogueFilter) => StoreEffect<{ readonly json: string; readonly total: number }>
    /** The JSON of the detail. Of a paid text that the caller may not read, it contains only a preview (SOUL-44, SOUL-45). */
    readonly detail: (caller: Caller, slug: string) => Effect.Effect<string, ReadFailure>
    /** Only for the author. New content makes a new version. */
    readonly update: (caller: Caller, slug: string, patch: Partial<SoulDraft>) => Effect.Effect<Soul, ChangeFailure>
    /** Only for the author. License holders can still read it. */
    readonly remove: (caller: Caller, slug: string) => Effect.Effect<Soul, ChangeFailure>
    /** A paid soul requires a license, except for its author (SOUL-38). */
    readonly download: (
      caller: Caller,
      slug: string
    ) => Effect.Effect<Soul, AgentNotClaimed | LicenseRequired | ReadFailure>
    /** Newest first. */
    readonly versions: (
      caller: Caller,
      slug: string,
      page: PageRequest
    ) => Effect.Effect<Page<SoulVersion> & { readonly newest: number }, ReadFailure>
    /** Requires the same access as the content (SOUL-40). */
    readonly version: (caller: Caller, slug: string, version: number) => Effect.Effect<ReadableVersion, ReadFailure>
    /** Requires a license or, for a free soul, a download (SOUL-41). */
    readonly review: (caller: Caller, slug: string, review: ReviewDraft) => Effect.Effect<Review, ChangeFailure>
    readonly reviews: (caller: Caller, slug: string, page: PageRequest) => Effect.Effect<Page<Review>, ReadFailure>
    /** For operators: souls that are not deleted, oldest first. */
    readonly queue: (suspended: boolean | undefined, page: PageRequest) => StoreEffect<Page<Soul>>
    readonly suspend: (slug: string, reason: string, operator: Operator) => Effect.Effect<Soul, Conflict | ReadFailure>
    readonly restore: (slug: string, operator: Operator) => Effect.Effect<Soul, Conflict | ReadFailure>
  }
>()("@agent-marketplace/core/souls/Souls") {
  static readonly layer = Layer.effect(
    Souls,
    Effect.gen(function* () {
      const store = yield* SoulStore
      const listings = yield* ListingStore
      const rates = yield* ExchangeRates
      const clock = yield* MarketClock
      const { soulContent } = yield* MarketConfig
      const ids = yield* idGenerator

      /** The soul, if the caller may see it. A private soul of another author is reported as not found. */
      const visible = Effect.fnUntraced(function* (caller: Caller, slug: string) {
        const found = yield* store.detail(slug, caller.accountId)
        if (Option.isNone(found)) return yield* notFound
        const { licensed, listed, soul } = found.value
        const own = soul.authorId === caller.accountId && !soul.deleted
        const entitled = own || licensed
        if (!listed && !entitled) return yield* notFound
        return { ...found.value, own, entitled, readable: entitled || soulContent === "open" || soul.price === 0n }
      })

      const modify = Effect.fnUntraced(function* <E>(slug: string, rule: (soul: Soul) => Result.Result<SoulChange, E>) {
        const modified = yield* store.modify(slug, (soul) =>
          soul.deleted ? Result.fail(notFound) : (rule(soul) as Result.Result<SoulChange, E | NotFound>)
        )
        if (Option.isNone(modified)) return yield* notFound
        return yield* Effect.fromResult(modified.value)
      })

      const modifyOwn = Effect.fnUntraced(function* (caller: Caller, slug: string, change: (soul: Soul) => SoulChange) {
        const owner = yield* ownerOf(caller)
        return yield* modify(slug, (soul): Result.Result<SoulChange, Forbidden | NotFound> => {
          if (soul.authorId === owner) return Result.succeed(change(soul))
          return Result.fail(isListed(soul) ? notTheAuthor : notFound)
        })
      })

      /** A decision of the operator's, logged in the transaction that makes it (OPERATOR-14). */
      const decide = Effect.fnUntraced(function* (
        slug: string,
        { name: actor, requestId }: Operator,
        act: { readonly action: string; readonly reason?: string },
        rule: (soul: Soul, now: Timestamp) => Result.Result<SoulChange, Conflict>
      ) {
        const at = yield* clock.now
        const id = yield* ids.make("action")
        return yield* modify(slug, (before) =>
          Result.map(rule(before, at), (change) => ({
            ...change,
            action: {
              id,
              at,
              actor,
              action: act.action,
              subject: before.id,
              ...changedFields(decidedState(before), decidedState(change.soul)),
              reason: act.reason ?? null,
              requestId
            }
          }))
        )
      })

      const detailJson = ({
        own,
        readable,
        soul,
        stats
      }: Pick<SoulDetail, "soul" | "stats"> & {
        readonly own: boolean
        readonly readable: boolean
      }): string => {
        const head = readable ? SoulJson.detailHead(soul) : SoulJson.previewHead(soul)
        return SoulJson.closeDetail(own ? head + SoulJson.ownFields(soul) : head, soul.downloads, stats)
      }

      return {
        create: Effect.fn("Souls.create")(function* (caller, draft) {
          const authorId = yield* ownerOf(caller)
          const now = yield* clock.now
          const request = Slug.base(draft.name, "soul", yield* ids.random(8))
          const made = { ...defaultsOf(soulFields), ...draft }
          const soul: Omit<Soul, "slug"> = {
            ...made,
            id: yield* ids.make("soul"),
            authorId,
            author: caller.accountName ?? "",
            publishedAt: made.visibility === "public" ? now : null,
            createdAt: now,
            updatedAt: now
          }
          return yield* store.insert(soul, request, (created) => published(created, caller.agentId))
        }),
        list: Effect.fn("Souls.list")((filter) => store.list({ ...filter, rates: rates.current() })),
        detail: Effect.fnUntraced(function* (caller, slug) {
          // The stored document is the same for everybody; only an author sees additional fields, and only of an own soul.
          if (soulContent === "open") {
            const json = yield* store.detailJson(slug)
            const own = `"authorId":${JSON.stringify(caller.accountId)}`
            if (Option.isSome(json) && !json.value.includes(own)) return json.value
          }
          return detailJson(yield* visible(caller, slug))
        }),
        update: Effect.fn("Souls.update")(function* (caller, slug, patch) {
          const now = yield* clock.now
          return yield* modifyOwn(caller, slug, (before) => edited(before, patch, now, caller.agentId))
        }),
        remove: Effect.fn("Souls.remove")(function* (caller, slug) {
          const now = yield* clock.now
          return yield* modifyOwn(caller, slug, (soul) => ({
            soul: { ...soul, deleted: true, updatedAt: now },
            events: []
          }))
        }),
        download: Effect.fn("Souls.download")(function* (caller, slug) {
          const account = yield* ownerOf(caller)
          const { entitled, soul } = yield* visible(caller, slug)
          if (!entitled && soul.price > 0n) return yield* new LicenseRequired({ price: soul.price, itemId: soul.id })
          const now = yield* clock.now
          yield* store.download(soul, account, (current) => soulEvent("soul.downloaded", current, now, caller.agentId))
          return soul
        }),
        versions: Effect.fn("Souls.versions")(function* (caller, slug, page) {
          const { soul } = yield* visible(caller, slug)
          return { ...(yield* store.versions(soul.slug, page)), newest: soul.version }
        }),
        version: Effect.fn("Souls.version")(function* (caller, slug, number) {
          const { readable, soul } = yield* visible(caller, slug)
          const found = yield* store.findVersion(soul.slug, number)
          if (Option.isNone(found)) return yield* notFound
          const { content } = found.value
          return { ...found.value, content: readable ? content : SoulJson.preview(content), preview: !readable }
        }),
        review: Effect.fn("Souls.review")(function* (caller, slug, { comment, rating }) {
          const authorId = yield* ownerOf(caller)
          const { soul } = yield* visible(caller, slug)
          const now = yield* clock.now
          const kept = yield* listings.putReview({
            id: yield* ids.make("review"),
            itemId: soul.id,
            authorId,
            author: caller.accountName ?? "",
            rating,
            comment,
            createdAt: now,
            updatedAt: now
          })
          return Option.isSome(kept) ? kept.value : yield* noLicense
        }),
        reviews: Effect.fn("Souls.reviews")(function* (caller, slug, page) {
          const { soul } = yield* visible(caller, slug)
          return yield* listings.listReviews(soul.id, page)
        }),
        queue: store.queue,
        suspend: Effect.fn("Souls.suspend")((slug, reason, operator) =>
          decide(slug, operator, { action: "soul.suspend", reason }, (soul, now) => suspension(soul, reason, now))
        ),
        restore: Effect.fn("Souls.restore")((slug, operator) =>
          decide(slug, operator, { action: "soul.restore" }, restoration)
        )
      }
    })
  )
}
