import { toItemImage } from "@agent-marketplace/api/images/ImageWire"
import { toEnvelope } from "@agent-marketplace/api/wire/Envelope"
import { BlobStore } from "@agent-marketplace/core/blobs/BlobStore"
import { NotFound } from "@agent-marketplace/core/errors/MarketError"
import type { ImageId } from "@agent-marketplace/core/ids/Ids"
import type { NamedItem } from "@agent-marketplace/core/images/Images"
import { Images } from "@agent-marketplace/core/images/Images"
import type { ImageKind, ImageMediaType } from "@agent-marketplace/core/images/ItemImage"
import { imageMediaTypes, maxImageBytes } from "@agent-marketplace/core/images/ItemImage"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { handlerGroup } from "../edge/RequestServices.ts"
import { serveBlob } from "../blobs/serveBlob.ts"
import { UploadFolder } from "../blobs/UploadFolder.ts"
import { currentCaller } from "../edge/CurrentRequest.ts"
import { rawJson } from "../edge/RawJson.ts"
import { HttpOptions } from "../options/HttpOptions.ts"
import { UploadPlaces } from "../releases/UploadPlaces.ts"
import { ServedApi } from "../ServedApi.ts"

const rules = { maxBytes: maxImageBytes, mediaTypes: imageMediaTypes } as const

/** The operations of all prefixes; `wrap` adds the envelope, or not. */
const makeImages = Effect.gen(function* () {
  const images = yield* Images
  const uploads = yield* UploadFolder
  const places = yield* UploadPlaces
  const store = yield* BlobStore
  const { baseUrl = "" } = yield* HttpOptions
  const toWire = toItemImage(baseUrl)
  return {
    /** 201, or 200 for a picture that was uploaded before (IMAGE-6). */
    upload: Effect.fnUntraced(function* (
      item: NamedItem,
      { alt = "", kind = "screenshot" }: { readonly alt?: string | undefined; readonly kind?: ImageKind | undefined },
      wrap: (image: object) => object
    ) {
      const request = yield* HttpServerRequest.HttpServerRequest
      const caller = yield* currentCaller
      const receive = Effect.andThen(places.take(caller), uploads.receive(request, rules)).pipe(
        Effect.map(({ bytes, mediaType, sha256 }) => ({ bytes, sha256, mediaType: mediaType as ImageMediaType }))
      )
      const { image, replayed } = yield* images.upload(caller, item, { alt: alt.trim(), kind, receive })
      return rawJson(JSON.stringify(wrap(toWire(image))), replayed ? 200 : 201)
    }),
    list: Effect.fnUntraced(function* (item: NamedItem) {
      return (yield* images.list(yield* currentCaller, item)).map(toWire)
    }),
    content: Effect.fnUntraced(function* (item: NamedItem, imageId: ImageId, size: "full" | "small" = "full") {
      const request = yield* HttpServerRequest.HttpServerRequest
      const image = yield* images.find(yield* currentCaller, item, imageId)
      const blob = { sha256: image[size].sha256, mediaType: "image/webp", fileName: `${imageId}.webp`, isPublic: false }
      return yield* serveBlob(request, blob).pipe(
        Effect.provideService(BlobStore, store),
        // The picture was removed meanwhile.
        Effect.catchTag("BlobNotFound", () => Effect.fail(new NotFound({ resource: "IMAGE" })))
      )
    }),
    update: Effect.fnUntraced(function* (
      item: NamedItem,
      imageId: ImageId,
      fields: { readonly alt?: string; readonly position?: number }
    ) {
      return toWire(yield* images.change(yield* currentCaller, item, imageId, fields))
    }),
    remove: Effect.fnUntraced(function* (item: NamedItem, imageId: ImageId) {
      yield* images.remove(yield* currentCaller, item, imageId)
      return { id: imageId, deleted: true as const }
    })
  }
})

/** `/v1/listings/:id/images` (WIRE-5). */
export const ImagesHandlers = handlerGroup(
  ServedApi,
  "images",
  Effect.fnUntraced(function* (handlers) {
    const images = yield* makeImages
    return handlers.handleAll({
      upload: ({ params, query }) => images.upload({ listing: params.id }, query, (image) => image),
      list: ({ params }) => Effect.map(images.list({ listing: params.id }), (all) => ({ images: all })),
      content: ({ params, query }) => images.content({ listing: params.id }, params.imageId, query.size),
      update: ({ params, payload }) => images.update({ listing: params.id }, params.imageId, payload),
      remove: ({ params }) => images.remove({ listing: params.id }, params.imageId)
    })
  })
)

/** `/api/v1/listings/:id/images`: the same in the general envelope (WIRE-8). */
export const EnvelopedImagesHandlers = handlerGroup(
  ServedApi,
  "envelopedImages",
  Effect.fnUntraced(function* (handlers) {
    const images = yield* makeImages
    return handlers.handleAll({
      upload: ({ params, query }) => images.upload({ listing: params.id }, query, toEnvelope),
      list: ({ params }) => Effect.map(images.list({ listing: params.id }), toEnvelope),
      content: ({ params, query }) => images.content({ listing: params.id }, params.imageId, query.size),
      update: ({ params, payload }) =>
        Effect.map(images.update({ listing: params.id }, params.imageId, payload), toEnvelope),
      remove: ({ params }) => Effect.map(images.remove({ listing: params.id }, params.imageId), toEnvelope)
    })
  })
)

/** `/api/v1/souls/:slug/images` (IMAGE-17). */
export const SoulImagesHandlers = handlerGroup(
  ServedApi,
  "soulImages",
  Effect.fnUntraced(function* (handlers) {
    const images = yield* makeImages
    return handlers.handleAll({
      upload: ({ params, query }) => images.upload({ soul: params.slug }, query, toEnvelope),
      list: ({ params }) => Effect.map(images.list({ soul: params.slug }), toEnvelope),
      content: ({ params, query }) => images.content({ soul: params.slug }, params.imageId, query.size),
      update: ({ params, payload }) =>
        Effect.map(images.update({ soul: params.slug }, params.imageId, payload), toEnvelope),
      remove: ({ params }) => Effect.map(images.remove({ soul: params.slug }, params.imageId), toEnvelope)
    })
  })
)
