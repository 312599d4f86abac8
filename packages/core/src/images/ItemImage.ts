import type { Sha256 } from "../blobs/Sha256.ts"
import type { Timestamp } from "../clock/Timestamp.ts"
import type { ImageId, ItemId } from "../ids/Ids.ts"

export const imageKinds = ["thumbnail", "screenshot"] as const

/** What a picture is for: lists show the thumbnail, the page of the item shows the screenshots. */
export type ImageKind = (typeof imageKinds)[number]

/** The media types that can be uploaded (IMAGE-1). */
export const imageMediaTypes = ["image/png", "image/jpeg", "image/webp"] as const

export type ImageMediaType = (typeof imageMediaTypes)[number]

/** The largest upload, in bytes (IMAGE-1). */
export const maxImageBytes = 5 * 1_048_576

/** The most screenshots of one item (IMAGE-5). */
export const maxScreenshots = 8

/** The longest description of a picture, in characters (IMAGE-8). */
export const maxAltLength = 200

/** A WebP file that was made from an upload. `size` in bytes, the rest in pixels. */
export interface ImageVariant {
  readonly sha256: Sha256
  readonly size: number
  readonly width: number
  readonly height: number
}

/** A picture of a listing or a SOUL. */
export interface ItemImage {
  readonly id: ImageId
  readonly itemId: ItemId
  readonly kind: ImageKind
  /** Describes the picture for people who do not see it; empty if the seller wrote nothing. */
  readonly alt: string
  /** The digest of the uploaded bytes, which are not stored. */
  readonly source: Sha256
  readonly full: ImageVariant
  readonly small: ImageVariant
  readonly createdAt: Timestamp
}

/** The digests of the stored bytes of these pictures. */
export const digestsOf = (images: ReadonlyArray<ItemImage>): ReadonlyArray<Sha256> =>
  images.flatMap(({ full, small }) => [full.sha256, small.sha256])

/** The path at which everybody reads a variant while the item is public (IMAGE-10). */
export const imagePath = ({ sha256 }: ImageVariant): `/${string}` => `/images/${sha256}.webp`
