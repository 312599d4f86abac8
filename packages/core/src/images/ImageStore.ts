import type { Option, Result } from "effect"
import { Context } from "effect"
import type { Sha256 } from "../blobs/Sha256.ts"
import type { AccountFrozen } from "../errors/MarketError.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import type { ItemId } from "../ids/Ids.ts"
import type { ImageContext, ImagesRule } from "./ImageRules.ts"
import type { ItemImage } from "./ItemImage.ts"

/** The most items of which one call of `removeDeleted` removes the pictures. */
export const deletedBatch = 100

/**
 * The pictures of listings and SOULs.
 *
 * Contract: each method is one transaction. The bytes of a picture are referred to in the transaction that adds it (BLOB-6), and no longer
 * after the one that removes it.
 */
export class ImageStore extends Context.Service<
  ImageStore,
  {
    /** Locks the item, applies the rule to its pictures, and stores the result and the `illustrated` item. None if there is no such item, or it is deleted. */
    readonly modify: <E>(
      id: ItemId,
      rule: ImagesRule<E>,
      context: ImageContext
    ) => StoreEffect<Option.Option<Result.Result<ReadonlyArray<ItemImage>, E>>, AccountFrozen>
    /** The pictures of an item in any state, the thumbnail first. */
    readonly list: (id: ItemId) => StoreEffect<ReadonlyArray<ItemImage>>
    /** Whether a picture of a public item has these bytes (IMAGE-10). */
    readonly isPublic: (sha256: Sha256) => StoreEffect<boolean>
    /** Removes all pictures of an item, whose bytes an operator purges, and its `thumbnailUrl`. Returns their digests (IMAGE-12). */
    readonly clear: (id: ItemId) => StoreEffect<ReadonlyArray<Sha256>>
    /** Removes the pictures of deleted items, at most of {@link deletedBatch} (IMAGE-12). True if there may be more. */
    readonly removeDeleted: StoreEffect<boolean>
  }
>()("@agent-marketplace/core/images/ImageStore") {}
