import { Result } from "effect"
import type { Timestamp } from "../clock/Timestamp.ts"
import { Conflict, NotFound } from "../errors/MarketError.ts"
import type { ImageId } from "../ids/Ids.ts"
import type { Listing } from "../listings/Listing.ts"
import type { Soul } from "../souls/Soul.ts"
import type { ItemImage } from "./ItemImage.ts"
import { imagePath, maxScreenshots } from "./ItemImage.ts"

/** A pure change of the pictures of an item: the thumbnail first, then the screenshots in their order. A result that is its argument changes nothing. */
export type ImagesRule<E> = (before: ReadonlyArray<ItemImage>) => Result.Result<ReadonlyArray<ItemImage>, E>

/** Where the pictures are served, without a trailing slash, and the time of the change. */
export interface ImageContext {
  readonly baseUrl: string
  readonly now: Timestamp
}

const imageNotFound = new NotFound({ resource: "IMAGE" })

const isThumbnail = ({ kind }: ItemImage): boolean => kind === "thumbnail"

/** An operator sees that an approved listing has changed (LISTING-20). Souls are not reviewed. */
const reviewMark = (item: Listing | Soul): Partial<Listing> =>
  "changedSinceReview" in item ? { changedSinceReview: item.changedSinceReview || item.status === "approved" } : {}

/** The item after a change of its pictures: its `thumbnailUrl` follows the uploaded thumbnail (IMAGE-9). */
export const illustrated = <I extends Listing | Soul>(
  item: I,
  before: ReadonlyArray<ItemImage>,
  after: ReadonlyArray<ItemImage>,
  { baseUrl, now }: ImageContext
): I => {
  const thumbnail = after.find(isThumbnail)
  const thumbnailUrl = thumbnail === undefined ? null : baseUrl + imagePath(thumbnail.full)
  return {
    ...item,
    ...(before.find(isThumbnail)?.id === thumbnail?.id ? {} : { thumbnailUrl }),
    ...reviewMark(item),
    updatedAt: now
  }
}

/** The same bytes for the same purpose are one picture (IMAGE-6). */
export const sameUpload = (images: ReadonlyArray<ItemImage>, { kind, source }: Pick<ItemImage, "kind" | "source">) =>
  images.find((image) => image.kind === kind && image.source === source)

/** A thumbnail replaces the earlier one; a screenshot is added at the end (IMAGE-5). */
export const imageAdded =
  (image: ItemImage): ImagesRule<Conflict> =>
  (before) => {
    if (sameUpload(before, image) !== undefined) return Result.succeed(before)
    const screenshots = before.filter((other) => !isThumbnail(other))
    if (isThumbnail(image)) return Result.succeed([image, ...screenshots])
    return screenshots.length < maxScreenshots
      ? Result.succeed([...before, image])
      : Result.fail(new Conflict({ state: "image_limit", limit: maxScreenshots }))
  }

export const imageRemoved =
  (id: ImageId): ImagesRule<NotFound> =>
  (before) => {
    const rest = before.filter((image) => image.id !== id)
    return rest.length === before.length ? Result.fail(imageNotFound) : Result.succeed(rest)
  }

/** `position` counts the screenshots from 1; a larger one means the end. A thumbnail has no position (IMAGE-8). */
export const imageChanged =
  (
    id: ImageId,
    { alt, position }: { readonly alt?: string | undefined; readonly position?: number | undefined }
  ): ImagesRule<NotFound> =>
  (before) => {
    const found = before.find((image) => image.id === id)
    if (found === undefined) return Result.fail(imageNotFound)
    const image = alt === undefined ? found : { ...found, alt }
    const images = before.map((one) => (one.id === id ? image : one))
    if (position === undefined || isThumbnail(image)) return Result.succeed(images)
    const others = images.filter((other) => !isThumbnail(other) && other.id !== id)
    return Result.succeed([...images.filter(isThumbnail), ...others.toSpliced(position - 1, 0, image)])
  }
