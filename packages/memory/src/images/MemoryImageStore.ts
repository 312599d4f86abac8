import { AccountFrozen } from "@agent-marketplace/core/errors/MarketError"
import type { AccountId, ItemId, ListingId, SoulId } from "@agent-marketplace/core/ids/Ids"
import type { ImageContext, ImagesRule } from "@agent-marketplace/core/images/ImageRules"
import { illustrated } from "@agent-marketplace/core/images/ImageRules"
import { deletedBatch, ImageStore } from "@agent-marketplace/core/images/ImageStore"
import type { ItemImage } from "@agent-marketplace/core/images/ItemImage"
import { digestsOf } from "@agent-marketplace/core/images/ItemImage"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import { isPublic } from "@agent-marketplace/core/listings/Listing"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { isListed } from "@agent-marketplace/core/souls/Soul"
import { Effect, Layer, Option, Result } from "effect"
import { dropBlobReferences, referBlobs } from "../blobs/referBlobs.ts"
import { storeListing } from "../listings/storeListing.ts"
import { storeSoul } from "../souls/storeSoul.ts"
import type { MarketTables } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"

const imagesOf = (tables: MarketTables, id: ItemId): ReadonlyArray<ItemImage> => tables.images.get(id) ?? []

interface StoredItem {
  readonly item: Listing | Soul
  readonly owner: AccountId
  readonly deleted: boolean
  readonly listed: boolean
}

const itemOf = (tables: MarketTables, id: ItemId): StoredItem | undefined => {
  const soul = tables.souls.get(id as SoulId)?.soul
  if (soul !== undefined) return { item: soul, owner: soul.authorId, deleted: soul.deleted, listed: isListed(soul) }
  const listing = tables.listings.get(id as ListingId)?.listing
  if (listing === undefined) return undefined
  const deleted = listing.status === "deleted"
  return { item: listing, owner: listing.creatorId, deleted, listed: isPublic(listing) }
}

const storeItem = (tables: MarketTables, item: Listing | Soul): void =>
  "authorId" in item ? storeSoul(tables, item) : storeListing(tables, item)

const modify = <E>(tables: MarketTables, id: ItemId, rule: ImagesRule<E>, context: ImageContext) =>
  Effect.gen(function* () {
    const stored = itemOf(tables, id)
    if (stored === undefined || stored.deleted) return Option.none()
    const frozen = tables.accounts.get(stored.owner)?.frozen ?? null
    if (frozen !== null) return yield* new AccountFrozen(frozen)
    const before = imagesOf(tables, id)
    const ruled = rule(before)
    if (Result.isFailure(ruled)) return Option.some(Result.fail(ruled.failure))
    const images = ruled.success
    if (images === before) return Option.some(Result.succeed(images))
    const added = images.filter((image) => before.every((other) => other.id !== image.id))
    for (const image of added) yield* referBlobs(tables, image.id, digestsOf([image]))
    const removed = before.filter((image) => images.every((other) => other.id !== image.id))
    dropBlobReferences(
      tables,
      removed.map((image) => image.id)
    )
    tables.images.set(id, images)
    storeItem(tables, illustrated(stored.item, before, images, context))
    return Option.some(Result.succeed(images))
  })

const drop = (tables: MarketTables, id: ItemId): ReadonlyArray<ItemImage> => {
  const images = imagesOf(tables, id)
  dropBlobReferences(
    tables,
    images.map((image) => image.id)
  )
  tables.images.delete(id)
  const item = itemOf(tables, id)?.item
  if (images.some(({ kind }) => kind === "thumbnail") && item !== undefined) {
    storeItem(tables, { ...item, thumbnailUrl: null })
  }
  return images
}

export const MemoryImageStore: { readonly layer: Layer.Layer<ImageStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    ImageStore,
    Effect.map(MemoryMarket, ({ tables }) => ({
      modify: (id, rule, context) => modify(tables, id, rule, context),
      list: (id) => Effect.sync(() => imagesOf(tables, id)),
      isPublic: (sha256) =>
        Effect.sync(() =>
          [...tables.images].some(
            ([id, images]) => itemOf(tables, id)?.listed === true && digestsOf(images).includes(sha256)
          )
        ),
      clear: (id) => Effect.sync(() => digestsOf(drop(tables, id))),
      removeDeleted: Effect.sync(() => {
        const deleted = [...tables.images.keys()].filter((id) => itemOf(tables, id)?.deleted).slice(0, deletedBatch)
        for (const id of deleted) drop(tables, id)
        return deleted.length === deletedBatch
      })
    }))
  )
}
