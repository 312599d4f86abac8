import type { Scope } from "effect"
import { Context, Effect, Layer, Option, Semaphore, Stream } from "effect"
import { Digest } from "effect/crypto"
import { Blobs } from "../blobs/Blobs.ts"
import { BlobRemoved } from "../blobs/BlobRegistry.ts"
import type { Sha256 } from "../blobs/Sha256.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import { MarketConfig } from "../config/MarketConfig.ts"
import type { AccountFrozen, AgentNotClaimed } from "../errors/MarketError.ts"
import { Conflict, Forbidden, NotFound, StoreUnavailable, ValidationFailed } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { Caller } from "../identity/Caller.ts"
import { ownerOf } from "../identity/Caller.ts"
import type { ImageId, ItemId, ListingId } from "../ids/Ids.ts"
import { idGenerator } from "../ids/Ids.ts"
import { isPublic } from "../listings/Listing.ts"
import { Listings } from "../listings/Listings.ts"
import { ListingStore } from "../listings/ListingStore.ts"
import { Souls } from "../souls/Souls.ts"
import { concatenated } from "../blobs/concatenated.ts"
import type { RenderedImage } from "./ImageRenderer.ts"
import { ImageRenderer } from "./ImageRenderer.ts"
import type { ImagesRule } from "./ImageRules.ts"
import { imageAdded, imageChanged, imageRemoved, sameUpload } from "./ImageRules.ts"
import { ImageStore } from "./ImageStore.ts"
import type { ImageKind, ImageMediaType, ItemImage } from "./ItemImage.ts"

/** How many pictures one process decodes at once, and how many uploads it has at once; a further one is refused (IMAGE-7). */
const concurrentRenderings = 2
const concurrentUploads = 16

/** An upload that was received completely. */
export interface ReceivedImage {
  readonly sha256: Sha256
  readonly mediaType: ImageMediaType
  readonly bytes: Stream.Stream<Uint8Array>
}

export interface ImageUpload<E> {
  readonly kind: ImageKind
  readonly alt: string
  readonly receive: Effect.Effect<ReceivedImage, E, Scope.Scope>
}

const imageNotFound = new NotFound({ resource: "IMAGE" })
const listingNotFound = new NotFound({ resource: "LISTING" })

const invalid = (message: string) => new ValidationFailed({ issues: [{ path: "body", message }] })

const unsupported = new Conflict({
  state: "images_unsupported",
  reason: "this market cannot decode pictures: its operator must install the npm package sharp"
})

/** The item that a request names: a listing by its id, or a SOUL by its slug. */
export type NamedItem = { readonly listing: ListingId } | { readonly soul: string }

/** Pictures of listings and SOULs: uploads, descriptions, order and removal (IMAGE-1). */
export class Images extends Context.Service<
  Images,
  {
    /** Only for the creator. `replayed` is true if the item had the same upload already (IMAGE-6). */
    readonly upload: <E>(
      caller: Caller,
      item: NamedItem,
      upload: ImageUpload<E>
    ) => StoreEffect<
      { readonly image: ItemImage; readonly replayed: boolean },
      AccountFrozen | AgentNotClaimed | Conflict | E | Forbidden | NotFound | ValidationFailed
    >
    /** For every account that can see the item, the thumbnail first. */
    readonly list: (caller: Caller, item: NamedItem) => StoreEffect<ReadonlyArray<ItemImage>, NotFound>
    readonly find: (caller: Caller, item: NamedItem, image: ImageId) => StoreEffect<ItemImage, NotFound>
    /** Only for the creator (IMAGE-8). */
    readonly change: (
      caller: Caller,
      item: NamedItem,
      image: ImageId,
      fields: { readonly alt?: string | undefined; readonly position?: number | undefined }
    ) => StoreEffect<ItemImage, AccountFrozen | AgentNotClaimed | Forbidden | NotFound>
    /** Only for the creator. */
    readonly remove: (
      caller: Caller,
      item: NamedItem,
      image: ImageId
    ) => StoreEffect<void, AccountFrozen | AgentNotClaimed | Forbidden | NotFound>
    /** Whether everybody may read these bytes (IMAGE-10). */
    readonly isPublic: (sha256: Sha256) => StoreEffect<boolean>
  }
>()("@agent-marketplace/core/images/Images") {
  static readonly layer = Layer.effect(
    Images,
    Effect.gen(function* () {
      const listings = yield* Listings
      const souls = yield* Souls
      const listingStore = yield* ListingStore
      const store = yield* ImageStore
      const renderer = yield* ImageRenderer
      const blobs = yield* Blobs
      const clock = yield* MarketClock
      const digest = yield* Digest.Digest
      const { baseUrl } = yield* MarketConfig
      const ids = yield* idGenerator
      const uploads = yield* Semaphore.make(concurrentUploads)
      const renderings = yield* Semaphore.make(concurrentRenderings)

      /** Fails with 403 for another creator's public item, and with 404 for one that the caller cannot see. */
      const findOwn = Effect.fnUntraced(function* (caller: Caller, item: NamedItem) {
        if ("soul" in item) return (yield* souls.findOwn(caller, item.soul)).id
        const owner = yield* ownerOf(caller)
        const found = yield* listingStore.find(item.listing)
        if (Option.isNone(found) || found.value.status === "deleted") return yield* listingNotFound
        if (found.value.creatorId === owner) return item.listing
        return yield* isPublic(found.value) ? new Forbidden({ required: ["creator"] }) : listingNotFound
      })

      /** The pictures of an item that the caller can see. */
      const listed = Effect.fnUntraced(function* (caller: Caller, item: NamedItem) {
        if ("soul" in item) return yield* store.list((yield* souls.find(caller, item.soul)).id)
        yield* listings.detail(caller, item.listing)
        return yield* store.list(item.listing)
      })

      const modify = Effect.fnUntraced(function* <E>(id: ItemId, rule: ImagesRule<E>) {
        const changed = yield* store.modify(id, rule, { baseUrl, now: yield* clock.now })
        if (Option.isSome(changed)) return yield* Effect.fromResult(changed.value)
        return yield* new NotFound({ resource: id.startsWith("soul_") ? "SOUL" : "LISTING" })
      })

      const findIn = (images: ReadonlyArray<ItemImage>, id: ImageId) => {
        const found = images.find((image) => image.id === id)
        return found === undefined ? Effect.fail(imageNotFound) : Effect.succeed(found)
      }

      const variantOf = Effect.fnUntraced(function* ({ bytes, height, width }: RenderedImage) {
        const sha256 = (yield* Effect.orDie(digest.digestHex(Digest.sha256, bytes))) as Sha256
        return { sha256, size: bytes.length, width, height }
      })

      const rendered = Effect.fnUntraced(function* ({ bytes, mediaType }: ReceivedImage, kind: ImageKind) {
        const whole = concatenated(yield* Stream.runCollect(bytes))
        const { full, small } = yield* renderings
          .withPermits(1)(renderer.render(whole, mediaType, kind))
          .pipe(
            Effect.catchTags({
              ImageInvalid: ({ message }) => Effect.fail(invalid(message)),
              ImagesUnsupported: () => Effect.fail(unsupported)
            })
          )
        const variants = { full: yield* variantOf(full), small: yield* variantOf(small) }
        const drafts = [full, small].map((each, position) => {
          const { sha256, size } = position === 0 ? variants.full : variants.small
          return { sha256, size, bytes: Stream.make(each.bytes) }
        })
        // The digests were computed from the same bytes, so a mismatch is a bug.
        yield* Effect.catchTag(blobs.store(drafts), "BlobMismatch", Effect.die)
        return variants
      })

      const received = Effect.fnUntraced(function* <E>(id: ItemId, { alt, kind, receive }: ImageUpload<E>) {
        const upload = yield* receive
        const earlier = sameUpload(yield* store.list(id), { kind, source: upload.sha256 })
        if (earlier !== undefined) return { image: earlier, replayed: true }
        const { full, small } = yield* rendered(upload, kind)
        const now = yield* clock.now
        const made = yield* ids.make("image")
        const image: ItemImage = { id: made, itemId: id, kind, alt, source: upload.sha256, full, small, createdAt: now }
        const images = yield* modify(id, imageAdded(image)).pipe(
          Effect.tapError((error) =>
            error._tag === "StoreUnavailable" && error.cause instanceof BlobRemoved
              ? Effect.ignore(blobs.purge([full.sha256, small.sha256]))
              : Effect.void
          )
        )
        const stored = sameUpload(images, image) ?? image
        return { image: stored, replayed: stored.id !== made }
      })

      return {
        upload: Effect.fn("Images.upload")(function* (caller, item, upload) {
          const id = yield* findOwn(caller, item)
          const done = yield* uploads.withPermitsIfAvailable(1)(Effect.scoped(received(id, upload)))
          return Option.isSome(done) ? done.value : yield* new StoreUnavailable({ cause: "too many uploads at once" })
        }),
        list: Effect.fn("Images.list")(listed),
        find: Effect.fn("Images.find")(function* (caller, item, image) {
          return yield* findIn(yield* listed(caller, item), image)
        }),
        change: Effect.fn("Images.change")(function* (caller, item, image, fields) {
          const id = yield* findOwn(caller, item)
          return yield* findIn(yield* modify(id, imageChanged(image, fields)), image)
        }),
        remove: Effect.fn("Images.remove")(function* (caller, item, image) {
          yield* modify(yield* findOwn(caller, item), imageRemoved(image))
        }),
        isPublic: store.isPublic
      }
    })
  )
}
