import { Context, Data, Effect, Layer, Option, Result } from "effect"
import { Advisories } from "../advisories/Advisories.ts"
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
  NameTooSimilar,
  QuotaExceeded,
  StoreUnavailable
} from "../errors/MarketError.ts"
import { Forbidden, LicenseRequired, NotFound, StoreUnavailable as Unavailable } from "../errors/MarketError.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Caller.ts"
import { ListingStore } from "../listings/ListingStore.ts"
import { ExchangeRates } from "../money/ExchangeRates.ts"
import type { Review, ReviewDraft } from "../listings/Review.ts"
import type { ReasonCode } from "../moderation/ReasonCode.ts"
import type { NameFindings } from "../names/NameFindings.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import { Slug } from "../slugs/Slug.ts"
import { isListed } from "./Soul.ts"
import type { Soul, SoulDraft } from "./Soul.ts"
import { soulFields } from "./SoulFields.ts"
import { SoulJson } from "./SoulJson.ts"
import type { SoulChange } from "./SoulRules.ts"
import { decidedState, edited, restoration, soulEvent, submitted, suspension } from "./SoulRules.ts"
import type { Release, ReleaseHead, ReleaseStatus } from "../releases/Release.ts"
import { rescanRequested, yanked } from "../releases/ReleaseRules.ts"
import type { ItemReleasesRule } from "../releases/ReleaseStore.ts"
import { ReleaseStore } from "../releases/ReleaseStore.ts"
import type { SoulRelease } from "./SoulRelease.ts"
import { readableStatuses, releaseVersionOf, soulVersionOf } from "./SoulRelease.ts"
import { SoulReleases } from "./SoulReleases.ts"
import type { QueuedSouls, SoulDetail, SoulVersion } from "./SoulStore.ts"
import { SoulStore } from "./SoulStore.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

type ReadFailure = NotFound | StoreUnavailable
type ChangeFailure = AgentNotClaimed | Forbidden | ReadFailure

/** The name that other items are compared with: a new one, or that of a soul that becomes public. */
const claimed =
  ({ name, visibility }: Partial<SoulDraft>) =>
  (soul: Soul): string | null => {
    const appears = visibility === "public" && soul.visibility === "private"
    return name !== undefined && name !== soul.name ? name : appears ? soul.name : null
  }

/** A version with its release; null if it has none yet. */
export interface ReleasedVersion extends SoulVersion {
  readonly release: Release | null
}

/** A version after a change by its author, and the number of the version that is now on sale. */
export interface ChangedVersion extends ReleasedVersion {
  readonly current: number
}

/** A version's text, as far as the caller may read it. */
export interface ReadableVersion extends ReleasedVersion {
  /** Whether `content` has only the first 280 characters (SOUL-45). */
  readonly preview: boolean
}

const notFound = new NotFound({ resource: "SOUL" })
const notTheAuthor = new Forbidden({ required: ["creator"] })
const noLicense = new Forbidden({ required: ["license"] })

/** A text is never empty, unless it was purged (PURGE-7). */
const isPurgedText = ({ content }: Pick<Soul, "content">): boolean => content === ""

/** Another change added a version after the release of this one was made. */
class VersionMoved extends Data.TaggedError("VersionMoved")<{}> {}

/** How often a change of the text is repeated after concurrent ones. */
const attempts = 20

const newestVersion = (releases: ReadonlyArray<ReleaseHead>): number =>
  Math.max(0, ...releases.map(({ version }) => soulVersionOf(version) ?? 0))

/** Whether a version may be read by others than its author. Versions without a release were published before souls had any. */
const isReadable = (status: ReleaseStatus | null, { quarantine }: Soul, licensed: boolean): boolean =>
  status === null ? quarantine === null : readableStatuses(licensed).includes(status)

/** Publishes, reads, changes and moderates souls; downloads and reviews (SOUL-2, SOUL-33, SOUL-36, SOUL-41, SOUL-46). */
export class Souls extends Context.Service<
  Souls,
  {
    readonly create: (
      caller: Caller,
      draft: SoulDraft
    ) => StoreEffect<Soul, AccountFrozen | AgentNotClaimed | Conflict | NameTooSimilar | QuotaExceeded>
    /** The souls of a page as a JSON array, and the total number. */
    readonly list: (filter: CatalogueFilter) => StoreEffect<{ readonly json: string; readonly total: number }>
    /** The JSON of the detail. Of a paid text that the caller may not read, it contains only a preview (SOUL-44, SOUL-45). */
    readonly detail: (caller: Caller, slug: string) => Effect.Effect<string, ReadFailure>
    /** The soul, if the caller can see it. */
    readonly find: (caller: Caller, slug: string) => Effect.Effect<Soul, ReadFailure>
    /** Only for the author. */
    readonly findOwn: (caller: Caller, slug: string) => Effect.Effect<Soul, ChangeFailure>
    /** Only for the author. New content makes a new version. */
    readonly update: (
      caller: Caller,
      slug: string,
      patch: Partial<SoulDraft>
    ) => Effect.Effect<Soul, ChangeFailure | Conflict | NameTooSimilar>
    /** Only for the author. License holders can still read it. */
    readonly remove: (caller: Caller, slug: string) => Effect.Effect<Soul, ChangeFailure>
    /** A paid soul requires a license, except for its author (SOUL-38). */
    readonly download: (
      caller: Caller,
      slug: string
    ) => Effect.Effect<Soul, AgentNotClaimed | LicenseRequired | ReadFailure>
    /** Newest first. Only the author gets versions that are not on sale (SOUL-53, SOUL-54). */
    readonly versions: (
      caller: Caller,
      slug: string,
      page: PageRequest
    ) => Effect.Effect<Page<ReleasedVersion> & { readonly current: number }, ReadFailure>
    /** Requires the same access as the content (SOUL-40). */
    readonly version: (caller: Caller, slug: string, version: number) => Effect.Effect<ReadableVersion, ReadFailure>
    /** Takes a version off sale permanently; only for the author (SOUL-57). */
    readonly yankVersion: (
      caller: Caller,
      slug: string,
      version: number,
      reason: string
    ) => Effect.Effect<ChangedVersion, ChangeFailure | Conflict>
    /** Requests another scan of a version; only for the author (SOUL-58). */
    readonly rescanVersion: (
      caller: Caller,
      slug: string,
      version: number
    ) => Effect.Effect<ChangedVersion, ChangeFailure | Conflict>
    /** Requires a license or, for a free soul, a download (SOUL-41). */
    readonly review: (caller: Caller, slug: string, review: ReviewDraft) => Effect.Effect<Review, ChangeFailure>
    readonly reviews: (caller: Caller, slug: string, page: PageRequest) => Effect.Effect<Page<Review>, ReadFailure>
    /** For operators: souls that are not deleted, oldest first. */
    readonly queue: (which: QueuedSouls | undefined, page: PageRequest) => StoreEffect<Page<Soul>>
    readonly suspend: (
      slug: string,
      why: { readonly reason: string; readonly code?: ReasonCode | undefined },
      operator: Operator
    ) => Effect.Effect<Soul, Conflict | ReadFailure>
    readonly restore: (slug: string, operator: Operator) => Effect.Effect<Soul, Conflict | ReadFailure>
  }
>()("@agent-marketplace/core/souls/Souls") {
  static readonly layer = Layer.effect(
    Souls,
    Effect.gen(function* () {
      const advisories = yield* Advisories
      const store = yield* SoulStore
      const listings = yield* ListingStore
      const releases = yield* ReleaseStore
      const texts = yield* SoulReleases
      const rates = yield* ExchangeRates
      const clock = yield* MarketClock
      const { soulContent } = yield* MarketConfig
      const ids = yield* idGenerator

      /** The soul, if the caller may see it. A private soul of another author is reported as not found. */
      const visible = Effect.fnUntraced(function* (caller: Caller, slug: string) {
        const found = yield* store.detail(slug, caller.accountId)
        if (Option.isNone(found)) return yield* notFound
        const { licensed, listed, soul, status } = found.value
        const own = soul.authorId === caller.accountId && !soul.deleted
        const entitled = own || licensed
        if (!listed && !entitled) return yield* notFound
        if (!own && !isReadable(status, soul, licensed)) return yield* notFound
        return { ...found.value, own, entitled, readable: entitled || soulContent === "open" || soul.price === 0n }
      })

      const modify = Effect.fnUntraced(function* <E>(
        slug: string,
        rule: (
          soul: Soul,
          names: NameFindings,
          releases: ReadonlyArray<ReleaseHead>
        ) => Result.Result<SoulChange, E | NotFound>,
        claims?: (soul: Soul) => string | null
      ) {
        const modified = yield* store.modify(
          slug,
          (soul, names, known) => (soul.deleted ? Result.fail(notFound) : rule(soul, names, known)),
          claims
        )
        if (Option.isNone(modified)) return yield* notFound
        return yield* Effect.fromResult(modified.value)
      })

      const modifyOwn = Effect.fnUntraced(function* <E>(
        caller: Caller,
        slug: string,
        change: (soul: Soul, names: NameFindings, releases: ReadonlyArray<ReleaseHead>) => Result.Result<SoulChange, E>,
        claims: (soul: Soul) => string | null = () => null
      ) {
        const owner = yield* ownerOf(caller)
        return yield* modify(
          slug,
          (soul, names, known): Result.Result<SoulChange, E | Forbidden | NotFound> => {
            if (soul.authorId === owner) return change(soul, names, known)
            return Result.fail(isListed(soul) ? notTheAuthor : notFound)
          },
          (soul) => (soul.authorId === owner ? claims(soul) : null)
        )
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

      /** The newest version, unless it is on sale (SOUL-54). */
      const pendingVersion = Effect.fnUntraced(function* ({ id, slug }: Soul) {
        const [newest] = (yield* store.versions(slug, { page: 1, limit: 1 })).items
        if (newest === undefined) return null
        const release = Option.getOrNull(yield* releases.find(id, releaseVersionOf(newest.version)))
        return release === null || release.status === "published" ? null : { ...newest, release }
      })

      const detailJson = Effect.fnUntraced(function* ({
        own,
        readable,
        soul,
        stats
      }: Pick<SoulDetail, "soul" | "stats"> & {
        readonly own: boolean
        readonly readable: boolean
      }) {
        const head = readable ? SoulJson.detailHead(soul) : SoulJson.previewHead(soul)
        const ownFields = own ? SoulJson.ownFields(soul) + SoulJson.pendingVersion(yield* pendingVersion(soul)) : ""
        return SoulJson.closeDetail(head + ownFields, soul.downloads, stats)
      })

      /** The release of a new text of the caller's soul; null if it is the newest text already, or not the caller's soul. */
      const released = Effect.fnUntraced(function* (
        caller: Caller,
        slug: string,
        content: string,
        name: string | null
      ): Effect.fn.Return<SoulRelease | null, StoreUnavailable> {
        const found = yield* store.findBySlug(slug)
        const [newest] = (yield* store.versions(slug, { page: 1, limit: 1 })).items
        if (Option.isNone(found) || newest === undefined || newest.content === content) return null
        const { authorId: author, deleted, id: soul } = found.value
        if (deleted || author !== caller.accountId) return null
        const isReleased = Option.isSome(yield* releases.find(soul, releaseVersionOf(newest.version)))
        // At once, so that the request waits only as long as for one scan (SOUL-50).
        const [text] = yield* Effect.all(
          [texts.scan(content), isReleased ? Effect.void : texts.adopt(soul, author, newest)],
          { concurrency: "unbounded" }
        )
        return yield* texts.make(text, {
          soul,
          author,
          version: newest.version + 1,
          createdAt: yield* clock.now,
          name
        })
      })

      const changed = Effect.fnUntraced(function* (caller: Caller, slug: string, patch: Partial<SoulDraft>) {
        const release =
          patch.content === undefined ? null : yield* released(caller, slug, patch.content, patch.name ?? null)
        const now = yield* clock.now
        return yield* modifyOwn(
          caller,
          slug,
          (before, names, known): Result.Result<SoulChange, NameTooSimilar | VersionMoved> =>
            release !== null && newestVersion(known) + 1 !== release.version
              ? Result.fail(new VersionMoved())
              : edited(before, patch, names, { releases: known, release }, now, caller.agentId),
          claimed(patch)
        )
      })

      const findOwn = Effect.fnUntraced(function* (caller: Caller, slug: string) {
        const owner = yield* ownerOf(caller)
        const found = yield* store.findBySlug(slug)
        if (Option.isNone(found) || found.value.deleted) return yield* notFound
        if (found.value.authorId === owner) return found.value
        return yield* isListed(found.value) ? notTheAuthor : notFound
      })

      /** Changes the release of a version of the caller's soul. */
      const changeVersion = Effect.fnUntraced(function* (
        caller: Caller,
        slug: string,
        number: number,
        rule: ItemReleasesRule<Conflict | NotFound>
      ) {
        const soul = yield* findOwn(caller, slug)
        const stored = yield* store.findVersion(soul.id, number)
        if (Option.isNone(stored)) return yield* notFound
        const wanted = releaseVersionOf(number)
        if (Option.isNone(yield* releases.find(soul.id, wanted)))
          yield* texts.adopt(soul.id, soul.authorId, stored.value)
        const result = yield* releases.modify(soul.id, rule)
        if (Option.isNone(result)) return yield* notFound
        // Both the soul and the version exist, so a missing one was deleted meanwhile.
        yield* Effect.catchTag(Effect.fromResult(result.value), "NotFound", () => Effect.fail(notFound))
        const release = Option.getOrNull(yield* releases.find(soul.id, wanted))
        const after = Option.getOrElse(yield* store.findBySlug(slug), () => soul)
        return { ...stored.value, release, current: after.version }
      })

      return {
        find: (caller, slug) => Effect.map(visible(caller, slug), ({ soul }) => soul),
        findOwn,
        create: Effect.fn("Souls.create")(function* (caller, draft) {
          const authorId = yield* ownerOf(caller)
          const text = yield* texts.scan(draft.content)
          const now = yield* clock.now
          const request = Slug.base(draft.name, "soul", yield* ids.random(8))
          const made = { ...defaultsOf(soulFields), ...draft }
          const id = yield* ids.make("soul")
          const release = yield* texts.make(text, {
            soul: id,
            author: authorId,
            version: 1,
            createdAt: now,
            name: draft.name
          })
          const soul: Omit<Soul, "slug"> = {
            ...made,
            id,
            authorId,
            author: caller.accountName ?? "",
            publishedAt: null,
            createdAt: now,
            updatedAt: now
          }
          return yield* store.insert(soul, request, (created, names) =>
            submitted(created, names, release, now, caller.agentId)
          )
        }),
        list: Effect.fn("Souls.list")((filter) => store.list({ ...filter, rates: rates.current() })),
        detail: Effect.fnUntraced(function* (caller, slug) {
          // The stored document is the same for everybody; only an author sees additional fields, and only of an own soul.
          if (soulContent === "open") {
            const json = yield* store.detailJson(slug)
            const own = `"authorId":${JSON.stringify(caller.accountId)}`
            if (Option.isSome(json) && !json.value.includes(own)) return json.value
          }
          return yield* detailJson(yield* visible(caller, slug))
        }),
        update: Effect.fn("Souls.update")((caller, slug, patch) =>
          changed(caller, slug, patch).pipe(
            Effect.retry({ times: attempts, while: ({ _tag }) => _tag === "VersionMoved" }),
            Effect.catchTag("VersionMoved", () =>
              Effect.fail(new Unavailable({ cause: `other changes of the soul ${slug} did not end` }))
            )
          )
        ),
        remove: Effect.fn("Souls.remove")(function* (caller, slug) {
          const now = yield* clock.now
          return yield* modifyOwn(
            caller,
            slug,
            (soul) => Result.succeed({ soul: { ...soul, deleted: true, updatedAt: now }, events: [] })
            // Only a new text can have been purged.
          ).pipe(Effect.catchTag("Conflict", Effect.die))
        }),
        download: Effect.fn("Souls.download")(function* (caller, slug) {
          const account = yield* ownerOf(caller)
          const { entitled, soul } = yield* visible(caller, slug)
          if (isPurgedText(soul)) return yield* notFound
          if (!entitled && soul.price > 0n) return yield* new LicenseRequired({ price: soul.price, itemId: soul.id })
          const now = yield* clock.now
          yield* store.download(soul, account, (current) => soulEvent("soul.downloaded", current, now, caller.agentId))
          return soul
        }),
        versions: Effect.fn("Souls.versions")(function* (caller, slug, page) {
          const { licensed, own, soul } = yield* visible(caller, slug)
          const { items, total } = yield* store.versions(soul.slug, page, own ? undefined : readableStatuses(licensed))
          const found = yield* releases.findEach(
            soul.id,
            items.map(({ version }) => releaseVersionOf(version))
          )
          const byVersion = new Map(found.map((release) => [release.version, release]))
          const released = items.map((item) => ({
            ...item,
            release: byVersion.get(releaseVersionOf(item.version)) ?? null
          }))
          return { items: released, total, current: soul.version }
        }),
        version: Effect.fn("Souls.version")(function* (caller, slug, number) {
          const { licensed, own, readable, soul } = yield* visible(caller, slug)
          const found = yield* store.findVersion(soul.slug, number)
          if (Option.isNone(found) || isPurgedText(found.value)) return yield* notFound
          const release = Option.getOrNull(yield* releases.find(soul.id, releaseVersionOf(number)))
          const stopped = !own && release !== null && (yield* releases.isQuarantined(release.sha256))
          if (!own && (stopped || !isReadable(release?.status ?? null, soul, licensed))) return yield* notFound
          const { content } = found.value
          return {
            ...found.value,
            content: readable ? content : SoulJson.preview(content),
            preview: !readable,
            release
          }
        }),
        yankVersion: Effect.fn("Souls.yankVersion")(function* (caller, slug, number, reason) {
          const rule = yanked(releaseVersionOf(number), reason, yield* clock.now)
          const version = yield* changeVersion(caller, slug, number, rule)
          yield* advisories.publishNow
          return version
        }),
        rescanVersion: Effect.fn("Souls.rescanVersion")(function* (caller, slug, number) {
          const rule = rescanRequested(releaseVersionOf(number), yield* clock.now)
          return yield* changeVersion(caller, slug, number, rule)
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
        suspend: Effect.fn("Souls.suspend")((slug, { code = "other", reason }, operator) =>
          decide(slug, operator, { action: "soul.suspend", reason }, (soul, now) =>
            suspension(soul, { reason, code }, now)
          )
        ),
        restore: Effect.fn("Souls.restore")((slug, operator) =>
          decide(slug, operator, { action: "soul.restore" }, restoration)
        )
      }
    })
  )
}
