import type { AccountFrozen, StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { AccountId, ImageId, ItemId } from "@agent-marketplace/core/ids/Ids"
import type { ImageContext, ImagesRule } from "@agent-marketplace/core/images/ImageRules"
import { illustrated } from "@agent-marketplace/core/images/ImageRules"
import { deletedBatch, ImageStore } from "@agent-marketplace/core/images/ImageStore"
import type { ImageVariant, ItemImage } from "@agent-marketplace/core/images/ItemImage"
import { digestsOf, imageKinds } from "@agent-marketplace/core/images/ItemImage"
import type { Listing } from "@agent-marketplace/core/listings/Listing"
import type { Soul } from "@agent-marketplace/core/souls/Soul"
import type { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { Effect, Layer, Option, Result } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { dropBlobReferences, referBlobs } from "../blobs/referBlobs.ts"
import { eachListed } from "../catalogue/listedItems.ts"
import type { Row } from "../Columns.ts"
import { Database } from "../Database.ts"
import { lockOwner } from "../identity/admitRecord.ts"
import { listingOf } from "../listings/ListingRow.ts"
import { updateListings } from "../listings/writeListings.ts"
import { column, recordColumns } from "../RecordColumns.ts"
import { creatorOf, lockListing, lockSoul } from "../releases/modifyItemReleases.ts"
import { soulOf, soulsById } from "../souls/SoulRow.ts"
import { updateSouls } from "../souls/writeSouls.ts"

const imageColumns = recordColumns<ItemImage>({
  id: column.id<ImageId>(),
  itemId: column.id<ItemId>(),
  kind: column.literals(imageKinds),
  alt: column.text,
  source: column.id<Sha256>(),
  full: column.json<ImageVariant>(),
  small: column.json<ImageVariant>(),
  createdAt: column.time
})

const columns = `id, item_id, kind, alt, source, "full", small, created_at`

/** The thumbnail first, then the screenshots in their order. */
const list = `SELECT ${columns} FROM item_images WHERE item_id = $1::text ORDER BY kind = 'screenshot', position`

const remove = "DELETE FROM item_images WHERE id = ANY ($1::text[])"

const put = `
  INSERT INTO item_images (${columns}, position, digests)
  SELECT ${columns}, position, ARRAY["full"->>'sha256', small->>'sha256']
  FROM json_populate_recordset(NULL::item_images, $1::json)
  ON CONFLICT (id) DO UPDATE SET alt = EXCLUDED.alt, position = EXCLUDED.position`

const isPublic = `SELECT id FROM item_images WHERE digests @> ARRAY[$1::text] AND ${eachListed("item_id")} LIMIT 1`

const deleted = `
  SELECT DISTINCT item_id AS id FROM item_images
  WHERE EXISTS (SELECT FROM listings WHERE listings.id = item_id AND status = 'deleted')
    OR EXISTS (SELECT FROM souls WHERE souls.id = item_id AND deleted) LIMIT ${deletedBatch}`

const imagesOf = (sql: SqlClient, id: string): Effect.Effect<ReadonlyArray<ItemImage>, SqlError> =>
  Effect.map(sql.unsafe<Row>(list, [id]), (rows) => rows.map(imageColumns.read))

const lockItem = Effect.fnUntraced(function* (
  sql: SqlClient,
  id: string
): Effect.fn.Return<Listing | Soul | undefined, SqlError> {
  const [listing] = yield* sql.unsafe<Row>(lockListing, [id])
  if (listing !== undefined) return listingOf(listing)
  // The text is in another table: only a statement after the lock is sure to read the text that belongs to the row.
  yield* sql.unsafe(lockSoul, [id])
  const [soul] = yield* sql.unsafe<Row>(soulsById, [[id]])
  return soul === undefined ? undefined : soulOf(soul)
})

const isDeleted = (item: Listing | Soul): boolean => ("authorId" in item ? item.deleted : item.status === "deleted")

const writeItem = (sql: SqlClient, item: Listing | Soul): Effect.Effect<void, SqlError> =>
  "authorId" in item ? updateSouls(sql, [item]) : updateListings(sql, [item])

const removeImages = Effect.fnUntraced(function* (
  sql: SqlClient,
  ids: ReadonlyArray<ImageId>
): Effect.fn.Return<void, SqlError> {
  if (ids.length === 0) return
  yield* sql.unsafe(remove, [ids])
  yield* dropBlobReferences(sql, ids)
})

/** In the current transaction. The account is locked before the item, as by a freeze. */
const modify = Effect.fnUntraced(function* <E>(
  sql: SqlClient,
  id: ItemId,
  rule: ImagesRule<E>,
  context: ImageContext
): Effect.fn.Return<
  Option.Option<Result.Result<ReadonlyArray<ItemImage>, E>>,
  AccountFrozen | SqlError | StoreUnavailable
> {
  const [creator] = yield* sql.unsafe<{ readonly id: AccountId }>(creatorOf, [id])
  if (creator === undefined) return Option.none()
  yield* lockOwner(sql, creator.id)
  const item = yield* lockItem(sql, id)
  if (item === undefined || isDeleted(item)) return Option.none()
  const before = yield* imagesOf(sql, id)
  const ruled = rule(before)
  if (Result.isFailure(ruled)) return Option.some(Result.fail(ruled.failure))
  const images = ruled.success
  if (images === before) return Option.some(Result.succeed(images))
  const isIn = (all: ReadonlyArray<ItemImage>) => (image: ItemImage) => all.some((other) => other.id === image.id)
  const removed = before.filter((image) => !isIn(images)(image))
  yield* removeImages(
    sql,
    removed.map((image) => image.id)
  )
  for (const image of images.filter((one) => !isIn(before)(one))) yield* referBlobs(sql, image.id, digestsOf([image]))
  const rows = images.map((image, position) => ({ ...imageColumns.write(image), position }))
  yield* sql.unsafe(put, [JSON.stringify(rows)])
  yield* writeItem(sql, illustrated(item, before, images, context))
  return Option.some(Result.succeed(images))
})

const clear = Effect.fnUntraced(function* (
  sql: SqlClient,
  id: string
): Effect.fn.Return<ReadonlyArray<Sha256>, SqlError> {
  const item = yield* lockItem(sql, id)
  if (item === undefined) return []
  const images = yield* imagesOf(sql, id)
  yield* removeImages(
    sql,
    images.map((image) => image.id)
  )
  if (images.some(({ kind }) => kind === "thumbnail")) yield* writeItem(sql, { ...item, thumbnailUrl: null })
  return digestsOf(images)
})

export const PostgresImageStore: { readonly layer: Layer.Layer<ImageStore, never, Database> } = {
  layer: Layer.effect(
    ImageStore,
    Effect.map(Database, ({ read, sql, transaction }) => ({
      modify: (id, rule, context) => transaction(modify(sql, id, rule, context)),
      list: (id) => Effect.map(read<Row>(list, [id]), (rows) => rows.map(imageColumns.read)),
      isPublic: (sha256) => Effect.map(read<Row>(isPublic, [sha256]), (rows) => rows.length > 0),
      clear: (id) => transaction(clear(sql, id)),
      removeDeleted: transaction(
        Effect.gen(function* () {
          const found = yield* sql.unsafe<{ readonly id: string }>(deleted)
          yield* Effect.forEach(found, ({ id }) => clear(sql, id), { discard: true })
          return found.length === deletedBatch
        })
      )
    }))
  )
}
