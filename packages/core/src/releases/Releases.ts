import type { Scope } from "effect"
import { Context, Effect, Layer, Option, Semaphore } from "effect"
import { Advisories } from "../advisories/Advisories.ts"
import type { BlobDraft } from "../blobs/Blobs.ts"
import { Blobs } from "../blobs/Blobs.ts"
import { BlobRemoved } from "../blobs/BlobRegistry.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import type { AccountFrozen, AgentNotClaimed, Conflict, LicenseRequired, QuotaExceeded } from "../errors/MarketError.ts"
import {
  Conflict as VersionTaken,
  Forbidden,
  LicenseRequired as Unlicensed,
  NotFound,
  StoreUnavailable,
  ValidationFailed
} from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Caller.ts"
import type { ListingId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import type { Listing } from "../listings/Listing.ts"
import { isPublic } from "../listings/Listing.ts"
import { Listings } from "../listings/Listings.ts"
import { ListingStore } from "../listings/ListingStore.ts"
import type { Page, PageRequest } from "../paging/Page.ts"
import type { UnpackedArchive } from "./ArchiveReader.ts"
import { ArchiveReader } from "./ArchiveReader.ts"
import { bytesPurged } from "./Purge.ts"
import type { Release, ReleaseHead, ReleaseMediaType, WaitingStatus } from "./Release.ts"
import { checkVersion, listingNotFound, rescanRequested, uploaded, yanked } from "./ReleaseRules.ts"
import type { ItemReleasesRule } from "./ReleaseStore.ts"
import { ReleaseStore } from "./ReleaseStore.ts"

/** How many archives are unpacked and stored at once in one process; others that were received wait (RELEASE-28). */
const concurrentUnpackings = 2

/** How many uploads one process has at once, from the start of the body until the release is stored (RELEASE-28). */
const concurrentUploads = 32

/** An archive that was received completely. Its bytes can be read until the scope closes. */
export interface ReceivedArchive extends BlobDraft<never> {
  readonly mediaType: ReleaseMediaType
}

/** The version of the query, undefined if only `SKILL.md` states it, and how to receive the archive. */
export interface ReleaseUpload<E> {
  readonly version: string | undefined
  readonly receive: Effect.Effect<ReceivedArchive, E, Scope.Scope>
}

/** A stored release, and whether it was stored by an earlier request. */
export interface Uploaded {
  readonly release: Release
  readonly replayed: boolean
}

/** A release whose bytes the caller may read, and its listing. */
export interface Downloadable {
  readonly release: Release
  readonly listing: Listing
}

/** Whether an upload failed because its bytes, or some of them, were purged meanwhile (PURGE-6, PURGE-9). */
const isPurgeOf = (error: AccountFrozen | Conflict | QuotaExceeded | StoreUnavailable): boolean =>
  error === bytesPurged || (error._tag === "StoreUnavailable" && error.cause instanceof BlobRemoved)

const releaseNotFound = new NotFound({ resource: "RELEASE" })

const invalid = (message: string) => new ValidationFailed({ issues: [{ path: "body", message }] })

/** Releases of listings: uploads, downloads, yanks and rescans (RELEASE-1). */
export class Releases extends Context.Service<
  Releases,
  {
    /** Only for the creator of the listing. The archive is received only if the caller may upload. */
    readonly upload: <E>(
      caller: Caller,
      id: ListingId,
      upload: ReleaseUpload<E>
    ) => StoreEffect<
      Uploaded,
      AccountFrozen | AgentNotClaimed | Conflict | E | Forbidden | NotFound | QuotaExceeded | ValidationFailed
    >
    /** For every account that can see the listing (RELEASE-14). */
    readonly list: (caller: Caller, id: ListingId, page: PageRequest) => StoreEffect<Page<Release>, NotFound>
    readonly find: (caller: Caller, id: ListingId, version: string) => StoreEffect<Release, NotFound>
    /** For the creator, license holders, and everybody if the listing is free; purged bytes for nobody (RELEASE-12, RELEASE-13, RELEASE-15, PURGE-5). */
    readonly download: (
      caller: Caller,
      id: ListingId,
      version: string
    ) => StoreEffect<Downloadable, LicenseRequired | NotFound>
    /** For operators (RELEASE-29). */
    readonly waiting: (status: WaitingStatus | undefined, page: PageRequest) => StoreEffect<Page<ReleaseHead>>
    /** Only for the creator (RELEASE-24). */
    readonly yank: (
      caller: Caller,
      id: ListingId,
      version: string,
      reason: string
    ) => StoreEffect<Release, AgentNotClaimed | Conflict | Forbidden | NotFound>
    /** Only for the creator (RELEASE-16). */
    readonly rescan: (
      caller: Caller,
      id: ListingId,
      version: string
    ) => StoreEffect<Release, AgentNotClaimed | Conflict | Forbidden | NotFound>
  }
>()("@agent-marketplace/core/releases/Releases") {
  static readonly layer = Layer.effect(
    Releases,
    Effect.gen(function* () {
      const advisories = yield* Advisories
      const listings = yield* Listings
      const listingStore = yield* ListingStore
      const store = yield* ReleaseStore
      const reader = yield* ArchiveReader
      const blobs = yield* Blobs
      const clock = yield* MarketClock
      const ids = yield* idGenerator
      const uploads = yield* Semaphore.make(concurrentUploads)
      const unpackings = yield* Semaphore.make(concurrentUnpackings)

      const find = Effect.fnUntraced(function* (id: ListingId, version: string) {
        const found = yield* store.find(id, version)
        return Option.isNone(found) ? yield* releaseNotFound : found.value
      })

      /** The caller's own listing. For another creator's listing it fails with 403 if the listing is public, otherwise with 404 (RELEASE-1). */
      const ownListing = Effect.fnUntraced(function* (caller: Caller, id: ListingId) {
        const owner = yield* ownerOf(caller)
        const found = yield* listingStore.find(id)
        if (Option.isNone(found) || found.value.status === "deleted") return yield* listingNotFound
        if (found.value.creatorId === owner) return found.value
        return yield* isPublic(found.value) ? new Forbidden({ required: ["creator"] }) : listingNotFound
      })

      const modifyOwn = Effect.fnUntraced(function* (
        caller: Caller,
        id: ListingId,
        version: string,
        rule: ItemReleasesRule<Conflict | NotFound>
      ) {
        yield* ownListing(caller, id)
        const changed = yield* store.modify(id, rule)
        if (Option.isNone(changed)) return yield* listingNotFound
        yield* Effect.fromResult(changed.value)
        return yield* find(id, version)
      })

      /** If the version already has the same bytes, the stored release is returned and nothing is stored (RELEASE-3). */
      const earlier = Effect.fnUntraced(function* (release: ReleaseHead) {
        const found = yield* store.find(release.itemId, release.version)
        if (Option.isNone(found)) return undefined
        return found.value.sha256 === release.sha256 ? found.value : yield* new VersionTaken({ state: "version_taken" })
      })

      const stored = Effect.fnUntraced(function* (
        release: ReleaseHead,
        archive: ReceivedArchive,
        { files, frontMatter }: UnpackedArchive
      ) {
        const before = yield* earlier(release)
        if (before !== undefined) return { release: before, replayed: true }
        // The digests were computed from the same bytes, so a mismatch is a bug.
        yield* Effect.catchTag(blobs.store([archive, ...files]), "BlobMismatch", Effect.die)
        const manifest = files.map(({ path, sha256, size }) => ({ path, size, sha256 }))
        const digests = [release.sha256, ...files.map(({ sha256 }) => sha256)]
        const changed = yield* Effect.tapError(
          store.upload(release.itemId, uploaded({ ...release, files: manifest, frontMatter })),
          // A concurrent purge removed some of the bytes, perhaps before this upload stored them.
          (error) => (isPurgeOf(error) ? Effect.ignore(blobs.purge(digests)) : Effect.void)
        )
        if (Option.isNone(changed)) return yield* listingNotFound
        yield* Effect.fromResult(changed.value)
        const kept = yield* find(release.itemId as ListingId, release.version)
        return { release: kept, replayed: kept.id !== release.id }
      })

      const received = Effect.fnUntraced(function* <E>(id: ListingId, { receive, version }: ReleaseUpload<E>) {
        const archive = yield* receive
        const { mediaType } = archive
        if (yield* store.isPurged(archive.sha256)) return yield* bytesPurged
        return yield* unpackings.withPermits(1)(
          Effect.gen(function* () {
            const unpacked = yield* Effect.mapError(reader.unpack(archive.bytes, mediaType), ({ message }) =>
              invalid(message)
            )
            const head: ReleaseHead = {
              id: yield* ids.make("release"),
              itemId: id,
              version: yield* Effect.fromResult(checkVersion(version, unpacked.version)),
              mediaType,
              sha256: archive.sha256,
              size: archive.size,
              status: "scanning",
              ruleset: null,
              level: null,
              itemFindings: [],
              decidedBy: "scan",
              awaits: null,
              reason: null,
              createdAt: yield* clock.now,
              yankedAt: null,
              rescannedAt: null,
              rescanDue: false,
              purgedAt: null
            }
            return yield* stored(head, archive, unpacked)
          })
        )
      })

      /** Whether the caller may read the bytes; the failure otherwise. */
      const admit = Effect.fnUntraced(function* (caller: Caller, release: Release, price: bigint, licensed: boolean) {
        if (release.status === "quarantined" || (yield* store.isQuarantined(release.sha256))) return false
        if (release.status === "yanked" && release.yankedAt !== null) {
          return (
            caller.accountId !== null &&
            (yield* store.licensedBefore(caller.accountId, release.itemId, release.yankedAt))
          )
        }
        return release.status === "published" && (licensed || price === 0n)
      })

      return {
        upload: Effect.fn("Releases.upload")(function* (caller, id, upload) {
          yield* ownListing(caller, id)
          if (upload.version !== undefined) yield* Effect.fromResult(checkVersion(upload.version, null))
          const done = yield* uploads.withPermitsIfAvailable(1)(Effect.scoped(received(id, upload)))
          return Option.isSome(done) ? done.value : yield* new StoreUnavailable({ cause: "too many uploads at once" })
        }),
        list: Effect.fn("Releases.list")(function* (caller, id, page) {
          yield* listings.detail(caller, id)
          return yield* store.list(id, page)
        }),
        find: Effect.fn("Releases.find")(function* (caller, id, version) {
          yield* listings.detail(caller, id)
          return yield* find(id, version)
        }),
        download: Effect.fn("Releases.download")(function* (caller, id, version) {
          const { licensed, listing, own } = yield* listings.detail(caller, id)
          const release = yield* find(id, version)
          if (release.purgedAt !== null) return yield* releaseNotFound
          if (!own && !(yield* admit(caller, release, listing.price, licensed))) {
            // Bytes that were never on sale, and bytes that a license does not give access to, cannot be bought.
            if (licensed || listing.price === 0n) return yield* releaseNotFound
            return yield* new Unlicensed({ price: listing.price, itemId: id })
          }
          return { release, listing }
        }),
        waiting: store.waiting,
        yank: Effect.fn("Releases.yank")(function* (caller, id, version, reason) {
          const now = yield* clock.now
          const release = yield* modifyOwn(caller, id, version, yanked(version, reason, now))
          yield* advisories.publishNow
          return release
        }),
        rescan: Effect.fn("Releases.rescan")(function* (caller, id, version) {
          const now = yield* clock.now
          return yield* modifyOwn(caller, id, version, rescanRequested(version, now))
        })
      }
    })
  )
}
