import { limits } from "@agent-marketplace/api/access/EndpointLimits"
import { BlobStore } from "@agent-marketplace/core/blobs/BlobStore"
import { Sha256 } from "@agent-marketplace/core/blobs/Sha256"
import { NotFound } from "@agent-marketplace/core/errors/MarketError"
import { Images } from "@agent-marketplace/core/images/Images"
import { Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { serveBlob } from "../blobs/serveBlob.ts"
import type { OauthRoute, Refused } from "../oauth/oauthEndpoint.ts"
import { makeOauthEndpoint } from "../oauth/oauthEndpoint.ts"

const route: OauthRoute = { method: "GET", path: "/images/:name" }

const codes: Readonly<Record<number, string>> = {
  404: "NOT_FOUND",
  429: "RATE_LIMIT_EXCEEDED",
  503: "SERVICE_UNAVAILABLE"
}

const refused: Refused = ({ description, headers, status }) => {
  const message = status === 404 ? "No public item has this picture" : description
  const error = { code: codes[status] ?? "INTERNAL_ERROR", message, details: {} }
  return HttpServerResponse.jsonUnsafe(
    { success: false, error },
    { status, headers: { ...headers, "cache-control": "no-store" } }
  )
}

const notFound = new NotFound({ resource: "IMAGE" })

const isDigest = Schema.is(Sha256)

/** Caches keep a picture for an hour, which bounds how long they have it after its item left the shop. */
const headers = {
  "cache-control": "public, max-age=3600",
  "content-disposition": "inline",
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "cross-origin"
}

/** The pictures of public items, for everybody: `/images/<SHA-256>.webp` (IMAGE-10). */
export const ImageRoutes = {
  routes: [route] as ReadonlyArray<OauthRoute>,
  layer: Layer.effectDiscard(
    Effect.gen(function* () {
      const endpoint = yield* makeOauthEndpoint
      const images = yield* Images
      const store = yield* BlobStore
      yield* endpoint(
        route,
        limits.images,
        Effect.fnUntraced(function* (request) {
          const { name = "" } = yield* HttpRouter.params
          const sha256 = name.replace(/\.webp$/, "")
          if (!isDigest(sha256) || name === sha256 || !(yield* images.isPublic(sha256))) return yield* notFound
          const blob = { sha256, mediaType: "image/webp", fileName: name, isPublic: true }
          const response = yield* serveBlob(request, blob).pipe(
            Effect.provideService(BlobStore, store),
            // The bytes are being removed.
            Effect.catchTag("BlobNotFound", () => Effect.fail(notFound))
          )
          return HttpServerResponse.setHeaders(response, headers)
        }),
        refused
      )
    })
  )
} as const
