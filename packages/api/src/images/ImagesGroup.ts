import type { ImageId, ListingId } from "@agent-marketplace/core/ids/Ids"
import { imageKinds, maxAltLength } from "@agent-marketplace/core/images/ItemImage"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { Deleted, enveloped } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { Query } from "../wire/Query.ts"
import { ImageUpdate, ItemImage, ItemImageList } from "./ImageSchemas.ts"

const imageId = field(idOf<ImageId>(), "The picture's id.", "img_01j9zq5k2f8h3m6n7p0r4s")

const id = field(idOf<ListingId>(), "The listing's id.", "lst_01j9zq5k2f8h3m6n7p0r4s")

const slug = field(idOf<string>(), "The SOUL's slug.", "senior-rust-reviewer")

const ofListing = { params: { id }, one: { id, imageId }, notFound: "LISTING_NOT_FOUND" } as const

const ofSoul = { params: { slug }, one: { slug, imageId }, notFound: "SOUL_NOT_FOUND" } as const

const created = HttpApiSchema.status(201)

const webp = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "image/webp" }))

/** The bodies of `/v1/listings/:id/images`: unwrapped (WIRE-5). */
const unwrapped = { created: ItemImage.pipe(created), one: ItemImage, list: ItemImageList, deleted: Deleted } as const

/** The same in the general envelope (WIRE-8). */
const wrapped = {
  created: enveloped(ItemImage).pipe(created),
  one: enveloped(ItemImage),
  list: enveloped(Schema.Array(ItemImage).annotate({ description: "The thumbnail first, then the screenshots." })),
  deleted: enveloped(Deleted)
} as const

type Bodies = typeof unwrapped | typeof wrapped

/** `params` are those of the item's path, `one` those of a picture's, and `notFound` is the code of an item that is not there. */
const endpoints = <
  const Prefix extends `/${string}`,
  Params extends Schema.Struct.Fields,
  One extends Schema.Struct.Fields,
  const B extends Bodies
>(
  prefix: Prefix,
  item: {
    readonly params: Params
    readonly one: One
    readonly notFound: "LISTING_NOT_FOUND" | "SOUL_NOT_FOUND"
  },
  success: B
) => {
  const { notFound, one, params } = item
  return [
    endpoint.post("upload", `${prefix}/images`, {
      summary: "Upload a picture",
      description:
        "By the creator. The body is a PNG, a JPEG or a WebP of at most 5 MiB and 24 megapixels. It is encoded again as WebP, without metadata. A " +
        "thumbnail replaces the earlier one; an item has at most 8 screenshots. The same bytes again return the first picture with 200.",
      access: access.write("SELLER", "FULL"),
      imageBody: true,
      params,
      query: {
        kind: Query.choice(imageKinds, "What the picture is for; by default a screenshot.", "screenshot"),
        alt: Query.text(maxAltLength, "Describes it for people who do not see it.", "A table, sorted by date.")
      },
      success: success.created as B["created"],
      errors: [notFound, "CONFLICT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "ACCOUNT_FROZEN", "AGENT_FROZEN"]
    }),
    endpoint.get("list", `${prefix}/images`, {
      summary: "List pictures",
      description: "The uploaded pictures of an item: the thumbnail first, then the screenshots in their order.",
      access: access.anyKey,
      params,
      success: success.list as B["list"],
      errors: [notFound]
    }),
    endpoint.get("content", `${prefix}/images/:imageId/content`, {
      summary: "Read a picture",
      description: "The WebP, for everybody who can see the item; before it is public, for its creator.",
      access: access.anyKey,
      params: one,
      query: { size: Query.choice(["full", "small"], "The variant; by default the full one.", "small") },
      success: webp,
      errors: [notFound, "IMAGE_NOT_FOUND"]
    }),
    endpoint.patch("update", `${prefix}/images/:imageId`, {
      summary: "Describe or move a picture",
      description: "By the creator.",
      access: access.write("SELLER", "FULL"),
      params: one,
      payload: ImageUpdate,
      success: success.one as B["one"],
      errors: [notFound, "IMAGE_NOT_FOUND", "ACCOUNT_FROZEN", "AGENT_FROZEN"]
    }),
    endpoint.delete("remove", `${prefix}/images/:imageId`, {
      summary: "Remove a picture",
      description: "By the creator. Its bytes are removed too.",
      access: access.write("SELLER", "FULL"),
      params: one,
      success: success.deleted as B["deleted"],
      errors: [notFound, "IMAGE_NOT_FOUND", "ACCOUNT_FROZEN", "AGENT_FROZEN"]
    })
  ] as const
}

/** `/v1/listings/:id/images` (IMAGE-1, IMAGE-8, IMAGE-11). */
export const ImagesGroup = HttpApiGroup.make("images")
  .add(...endpoints("/v1/listings/:id", ofListing, unwrapped))
  .annotateMerge(OpenApi.annotations({ title: "Pictures", description: "Thumbnails and screenshots of listings." }))

/** `/api/v1/listings/:id/images`: the same operations in the general envelope. */
export const EnvelopedImagesGroup = HttpApiGroup.make("envelopedImages")
  .add(...endpoints("/api/v1/listings/:id", ofListing, wrapped))
  .annotateMerge(
    OpenApi.annotations({ title: "Pictures (enveloped)", description: "The same operations in the general envelope." })
  )

/** `/api/v1/souls/:slug/images` (IMAGE-17). */
export const SoulImagesGroup = HttpApiGroup.make("soulImages")
  .add(...endpoints("/api/v1/souls/:slug", ofSoul, wrapped))
  .annotateMerge(
    OpenApi.annotations({ title: "Pictures of SOULs", description: "Thumbnails and screenshots of SOULs." })
  )
