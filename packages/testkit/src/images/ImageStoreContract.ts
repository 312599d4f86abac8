import { BlobRegistry } from "@agent-marketplace/core/blobs/BlobRegistry"
import type { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { AccountFrozen } from "@agent-marketplace/core/errors/MarketError"
import type { ImageContext } from "@agent-marketplace/core/images/ImageRules"
import { imageAdded, imageChanged, imageRemoved } from "@agent-marketplace/core/images/ImageRules"
import { ImageStore } from "@agent-marketplace/core/images/ImageStore"
import type { ImageKind, ItemImage } from "@agent-marketplace/core/images/ItemImage"
import { digestsOf, imagePath, maxScreenshots } from "@agent-marketplace/core/images/ItemImage"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import type { ItemId } from "@agent-marketplace/core/ids/Ids"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import type { MarketStores } from "@agent-marketplace/core/MarketStores"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import type { Layer } from "effect"
import { eraseNow } from "../fixtures/eraseNow.ts"
import { freshId } from "../fixtures/freshId.ts"
import { listingOnSale } from "../fixtures/listingOnSale.ts"
import { openAccount } from "../fixtures/openAccount.ts"
import { publishedSoul } from "../fixtures/publishedSoul.ts"
import { freshDigest } from "../fixtures/release.ts"
import { storeSuite } from "../fixtures/storeSuite.ts"

const baseUrl = "https://market.test"

const imageOf = Effect.fnUntraced(function* (itemId: ItemId, kind: ImageKind, alt = "") {
  const createdAt = yield* (yield* MarketClock).now
  const variant = (width: number, height: number) => ({ sha256: freshDigest(), size: 1234, width, height })
  const image: ItemImage = {
    id: freshId("img"),
    itemId,
    kind,
    alt,
    source: freshDigest(),
    full: variant(640, 360),
    small: variant(320, 180),
    createdAt
  }
  return image
})

const contextNow: Effect.Effect<ImageContext, never, MarketClock> = Effect.gen(function* () {
  return { baseUrl, now: yield* Effect.orDie((yield* MarketClock).now) }
})

const announce = (image: ItemImage) => Effect.flatMap(BlobRegistry, (registry) => registry.announce(digestsOf([image])))

const add = Effect.fnUntraced(function* (image: ItemImage) {
  yield* announce(image)
  const changed = yield* (yield* ImageStore).modify(image.itemId, imageAdded(image), yield* contextNow)
  return Option.getOrThrow(changed)
})

const added = Effect.fnUntraced(function* (itemId: ItemId, kind: ImageKind, alt = "") {
  const image = yield* imageOf(itemId, kind, alt)
  Result.getOrThrow(yield* add(image))
  return image
})

const idsOf = (images: ReadonlyArray<ItemImage>) => images.map(({ id }) => id)

/** The digests of blobs that no record refers to. */
const unused = Effect.fnUntraced(function* (images: ReadonlyArray<ItemImage>) {
  const registry = yield* BlobRegistry
  const { claimed } = yield* registry.claimUnused(digestsOf(images))
  yield* Effect.forEach(claimed, (blob: Sha256) => registry.removed(blob))
  return new Set(claimed)
})

/** The contract of `ImageStore`. */
export const imageStoreContract = <E>(name: string, stores: Layer.Layer<MarketStores, E>): void =>
  storeSuite(`${name}: ImageStore`, stores, (it) => {
    it.effect("pictures are stored completely: the thumbnail first, screenshots in their order (IMAGE-5)", () =>
      Effect.gen(function* () {
        const store = yield* ImageStore
        const { id } = yield* listingOnSale(yield* openAccount())
        const one = yield* added(id, "screenshot", "The table, sorted.")
        const two = yield* added(id, "screenshot")
        const thumbnail = yield* added(id, "thumbnail")
        assert.deepStrictEqual(yield* store.list(id), [thumbnail, one, two])
        const moved = imageChanged(two.id, { position: 1, alt: "İlk “resim” 🖼" })
        Result.getOrThrow(Option.getOrThrow(yield* store.modify(id, moved, yield* contextNow)))
        assert.deepStrictEqual(yield* store.list(id), [thumbnail, { ...two, alt: "İlk “resim” 🖼" }, one])
        const replacement = yield* added(id, "thumbnail")
        assert.deepStrictEqual(idsOf(yield* store.list(id)), [replacement.id, two.id, one.id])
        const free = yield* unused([thumbnail, one, two, replacement])
        assert.deepStrictEqual(free, new Set(digestsOf([thumbnail])), "only the replaced bytes are free")
      })
    )

    it.effect("the listing follows its thumbnail and is marked as changed, in the same step (IMAGE-9)", () =>
      Effect.gen(function* () {
        const store = yield* ImageStore
        const listings = yield* ListingStore
        const { id } = yield* listingOnSale(yield* openAccount())
        const thumbnail = yield* added(id, "thumbnail")
        const before = Option.getOrThrow(yield* listings.find(id))
        assert.strictEqual(before.thumbnailUrl, baseUrl + imagePath(thumbnail.full))
        assert.isTrue(before.changedSinceReview)
        const shown = Option.getOrThrow(yield* listings.skillJson(id))
        assert.include(shown, imagePath(thumbnail.full))
        yield* store.modify(id, imageRemoved(thumbnail.id), yield* contextNow)
        assert.isNull(Option.getOrThrow(yield* listings.find(id)).thumbnailUrl)
        const again = Option.getOrThrow(yield* store.modify(id, imageRemoved(thumbnail.id), yield* contextNow))
        assert.isTrue(Result.isFailure(again), "it is removed once")
      })
    )

    it.effect("concurrent additions stop at the limit, and a refusal stores nothing (IMAGE-5)", () =>
      Effect.gen(function* () {
        const store = yield* ImageStore
        const { id } = yield* listingOnSale(yield* openAccount())
        const images = yield* Effect.forEach(Array.from({ length: maxScreenshots + 3 }), () =>
          imageOf(id, "screenshot")
        )
        const outcomes = yield* Effect.forEach(images, add, { concurrency: "unbounded" })
        assert.strictEqual(outcomes.filter(Result.isSuccess).length, maxScreenshots)
        const stored = yield* store.list(id)
        assert.strictEqual(stored.length, maxScreenshots)
        const refused = images.filter((image) => !idsOf(stored).includes(image.id))
        assert.deepStrictEqual(yield* unused(images), new Set(digestsOf(refused)))
      })
    )

    it.effect("concurrent uploads of the same bytes are one picture (IMAGE-6)", () =>
      Effect.gen(function* () {
        const { id } = yield* listingOnSale(yield* openAccount())
        const image = yield* imageOf(id, "screenshot")
        const twins = [1, 2, 3, 4].map(() => ({ ...image, id: freshId("img") as ItemImage["id"] }))
        yield* Effect.forEach(twins, add, { concurrency: "unbounded" })
        assert.strictEqual((yield* (yield* ImageStore).list(id)).length, 1)
      })
    )

    it.effect("a picture whose bytes may be removed is not stored (BLOB-6)", () =>
      Effect.gen(function* () {
        const store = yield* ImageStore
        const { id } = yield* listingOnSale(yield* openAccount())
        const image = yield* imageOf(id, "thumbnail")
        const failed = yield* Effect.flip(store.modify(id, imageAdded(image), yield* contextNow))
        assert.strictEqual(failed._tag, "StoreUnavailable")
        assert.deepStrictEqual(yield* store.list(id), [])
        assert.isNull(Option.getOrThrow(yield* (yield* ListingStore).find(id)).thumbnailUrl)
      })
    )

    it.effect("everybody reads the bytes of public listings only (IMAGE-10)", () =>
      Effect.gen(function* () {
        const store = yield* ImageStore
        const listings = yield* ListingStore
        const creator = yield* openAccount()
        const { id } = yield* listingOnSale(creator)
        const image = yield* added(id, "screenshot")
        const waiting = yield* listingOnSale(creator, { status: "pending_review" })
        const hidden = yield* added(waiting.id, "screenshot")
        for (const sha256 of digestsOf([image])) assert.isTrue(yield* store.isPublic(sha256))
        for (const sha256 of digestsOf([hidden])) assert.isFalse(yield* store.isPublic(sha256))
        assert.isFalse(yield* store.isPublic(image.source), "the upload itself is not served")
        yield* listings.modify(id, (listing) =>
          Result.succeed({ listing: { ...listing, status: "suspended" }, events: [] })
        )
        assert.isFalse(yield* store.isPublic(image.full.sha256))
      })
    )

    it.effect("a frozen account's pictures do not change (IMAGE-7)", () =>
      Effect.gen(function* () {
        const creator = yield* openAccount()
        const { id } = yield* listingOnSale(creator)
        yield* (yield* IdentityStore).setFrozen(creator.id, {
          since: yield* (yield* MarketClock).now,
          reason: "a test"
        })
        const image = yield* imageOf(id, "thumbnail")
        const failure = yield* Effect.flip(add(image))
        assert.instanceOf(failure, AccountFrozen)
        assert.deepStrictEqual(yield* (yield* ImageStore).list(id), [])
      })
    )

    it.effect("pictures of purged, deleted and erased items are removed with their bytes (IMAGE-12)", () =>
      Effect.gen(function* () {
        const store = yield* ImageStore
        const listings = yield* ListingStore
        const creator = yield* openAccount()
        const purged = yield* listingOnSale(creator)
        const gone = [yield* added(purged.id, "thumbnail"), yield* added(purged.id, "screenshot")]
        assert.deepStrictEqual(new Set(yield* store.clear(purged.id)), new Set(digestsOf(gone)))
        assert.deepStrictEqual(yield* store.clear(purged.id), [])
        assert.isNull(Option.getOrThrow(yield* listings.find(purged.id)).thumbnailUrl)
        assert.deepStrictEqual(yield* unused(gone), new Set(digestsOf(gone)))

        const deleted = yield* listingOnSale(creator)
        const image = yield* added(deleted.id, "thumbnail")
        yield* listings.modify(deleted.id, (listing) =>
          Result.succeed({ listing: { ...listing, status: "deleted" }, events: [] })
        )
        const other = yield* openAccount()
        const erased = yield* listingOnSale(other)
        const forgotten = yield* added(erased.id, "screenshot")
        yield* eraseNow(other)
        while (yield* store.removeDeleted);
        assert.deepStrictEqual([yield* store.list(deleted.id), yield* store.list(erased.id)], [[], []])
        const bytes = [image, forgotten]
        assert.deepStrictEqual(yield* unused(bytes), new Set(digestsOf(bytes)))
        const late = yield* imageOf(deleted.id, "screenshot")
        yield* announce(late)
        const refused = yield* store.modify(deleted.id, imageAdded(late), yield* contextNow)
        assert.isTrue(Option.isNone(refused), "a deleted listing gets no pictures")
      })
    )

    it.effect("a SOUL has pictures as a listing has, and its skill page shows the thumbnail (IMAGE-9, IMAGE-17)", () =>
      Effect.gen(function* () {
        const store = yield* ImageStore
        const souls = yield* SoulStore
        const author = yield* openAccount()
        const soul = yield* publishedSoul(author)
        const thumbnail = yield* added(soul.id, "thumbnail")
        const screenshot = yield* added(soul.id, "screenshot", "A reply")
        assert.deepStrictEqual(yield* store.list(soul.id), [thumbnail, screenshot])
        const shown = Option.getOrThrow(yield* souls.findBySlug(soul.slug))
        assert.strictEqual(shown.thumbnailUrl, baseUrl + imagePath(thumbnail.full))
        assert.deepStrictEqual([shown.content, shown.version], [soul.content, soul.version])
        const own = { creatorId: author.id, limit: 10, offset: 0 }
        const { json } = yield* (yield* ListingStore).list(own, "skill", "soul")
        assert.include(json, imagePath(thumbnail.full))
        for (const sha256 of digestsOf([thumbnail, screenshot])) assert.isTrue(yield* store.isPublic(sha256))
        yield* souls.modify(soul.slug, (one) =>
          Result.succeed({ soul: { ...one, visibility: "private" as const }, events: [] })
        )
        for (const sha256 of digestsOf([thumbnail, screenshot])) assert.isFalse(yield* store.isPublic(sha256))
        assert.deepStrictEqual(
          new Set(yield* store.clear(soul.id)),
          new Set(digestsOf([thumbnail, screenshot])),
          "a purge"
        )
        assert.isNull(Option.getOrThrow(yield* souls.findBySlug(soul.slug)).thumbnailUrl)
      })
    )

    it.effect("pictures of deleted SOULs are removed, and a frozen author cannot change them (IMAGE-7, IMAGE-12)", () =>
      Effect.gen(function* () {
        const store = yield* ImageStore
        const souls = yield* SoulStore
        const author = yield* openAccount()
        const soul = yield* publishedSoul(author)
        const image = yield* added(soul.id, "screenshot")
        yield* souls.modify(soul.slug, (one) => Result.succeed({ soul: { ...one, deleted: true }, events: [] }))
        const late = yield* imageOf(soul.id, "screenshot")
        yield* announce(late)
        assert.isTrue(Option.isNone(yield* store.modify(soul.id, imageAdded(late), yield* contextNow)))
        while (yield* store.removeDeleted);
        assert.deepStrictEqual(yield* store.list(soul.id), [])
        assert.deepStrictEqual(yield* unused([image]), new Set(digestsOf([image])))
        const other = yield* publishedSoul(author)
        yield* (yield* IdentityStore).setFrozen(author.id, {
          since: yield* (yield* MarketClock).now,
          reason: "a test"
        })
        assert.instanceOf(yield* Effect.flip(add(yield* imageOf(other.id, "thumbnail"))), AccountFrozen)
      })
    )
  })
