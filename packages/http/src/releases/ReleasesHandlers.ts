import { toPages } from "@agent-marketplace/api/listings/ListingWire"
import { toItemTrust, toRelease } from "@agent-marketplace/api/releases/ReleaseWire"
import { BlobStore } from "@agent-marketplace/core/blobs/BlobStore"
import { NotFound, ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import type { ListingId } from "@agent-marketplace/core/ids/Ids"
import { maxArchiveBytes } from "@agent-marketplace/core/releases/ArchiveReader"
import { ItemTrust } from "@agent-marketplace/core/releases/ItemTrust"
import type { ReleaseMediaType } from "@agent-marketplace/core/releases/Release"
import type { Downloadable } from "@agent-marketplace/core/releases/Releases"
import { Releases } from "@agent-marketplace/core/releases/Releases"
import { toEnvelope } from "@agent-marketplace/api/wire/Envelope"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { handlerGroup } from "../edge/RequestServices.ts"
import { serveBlob } from "../blobs/serveBlob.ts"
import { UploadFolder } from "../blobs/UploadFolder.ts"
import { currentCaller } from "../edge/CurrentRequest.ts"
import { rawJson } from "../edge/RawJson.ts"
import { forCaller } from "../edge/Reply.ts"
import { pageOf } from "../paging/PageOf.ts"
import { ServedApi } from "../ServedApi.ts"
import { UploadPlaces } from "./UploadPlaces.ts"

interface Versioned {
  readonly id: ListingId
  readonly version: string
}

const rules = { maxBytes: maxArchiveBytes, mediaTypes: ["application/gzip", "application/zip"] } as const

const endings = { "application/gzip": "tar.gz", "application/zip": "zip", "text/markdown": "md" } as const

const archiveOf = ({ listing, release }: Downloadable) => {
  const { mediaType, sha256, version } = release
  return { sha256, mediaType, fileName: `${listing.slug}-${version}.${endings[mediaType]}` }
}

const noFile = new ValidationFailed({
  issues: [{ path: "path", message: "is not the path of a file in this release" }]
})

const fileOf = ({ release }: Downloadable, path: string) => {
  const file = release.files.find((one) => one.path === path)
  if (file === undefined) return Effect.fail(noFile)
  const fileName = path.slice(path.lastIndexOf("/") + 1)
  return Effect.succeed({ sha256: file.sha256, mediaType: "application/octet-stream", fileName })
}

/** The operations whose responses are not JSON of one schema, for both prefixes. */
const makeRaw = Effect.gen(function* () {
  const releases = yield* Releases
  const uploads = yield* UploadFolder
  const places = yield* UploadPlaces
  const store = yield* BlobStore
  return {
    /** 201, or 200 for bytes that were uploaded before (RELEASE-3). */
    upload: Effect.fnUntraced(function* (
      id: ListingId,
      version: string | undefined,
      wrap: (release: object) => object
    ) {
      const request = yield* HttpServerRequest.HttpServerRequest
      const caller = yield* currentCaller
      const receive = Effect.andThen(places.take(caller), uploads.receive(request, rules)).pipe(
        Effect.map(({ mediaType, ...archive }) => ({ ...archive, mediaType: mediaType as ReleaseMediaType }))
      )
      const { release, replayed } = yield* releases.upload(caller, id, { version, receive })
      return rawJson(JSON.stringify(wrap(toRelease(release))), replayed ? 200 : 201)
    }),
    /** The archive, or the file at `path` (RELEASE-26). */
    download: Effect.fnUntraced(function* ({ id, version }: Versioned, path: string | undefined) {
      const request = yield* HttpServerRequest.HttpServerRequest
      const downloadable = yield* releases.download(yield* currentCaller, id, version)
      const blob = path === undefined ? archiveOf(downloadable) : yield* fileOf(downloadable, path)
      return yield* serveBlob(request, { ...blob, isPublic: false }).pipe(
        Effect.provideService(BlobStore, store),
        // The bytes were purged, but the record remains.
        Effect.catchTag("BlobNotFound", () => Effect.fail(new NotFound({ resource: "RELEASE" })))
      )
    })
  }
})

/** `/v1/listings/:id/releases` (WIRE-5). */
export const ReleasesHandlers = handlerGroup(
  ServedApi,
  "releases",
  Effect.fnUntraced(function* (handlers) {
    const releases = yield* Releases
    const raw = yield* makeRaw
    return handlers.handleAll({
      upload: ({ params, query }) => raw.upload(params.id, query.version, (release) => release),
      download: ({ params, query }) => raw.download(params, query.path),
      list: Effect.fnUntraced(function* ({ params, query }) {
        const page = pageOf(query)
        const { items, total } = yield* releases.list(yield* currentCaller, params.id, page)
        return { releases: items.map(toRelease), pagination: toPages(page, total) }
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        return toRelease(yield* releases.find(yield* currentCaller, params.id, params.version))
      }),
      yank: Effect.fnUntraced(function* ({ params, payload }) {
        return toRelease(yield* releases.yank(yield* currentCaller, params.id, params.version, payload.reason))
      }),
      rescan: Effect.fnUntraced(function* ({ params }) {
        return toRelease(yield* releases.rescan(yield* currentCaller, params.id, params.version))
      })
    })
  })
)

/** `/api/v1/listings/:id/releases`: the same in the general envelope (WIRE-8). */
export const EnvelopedReleasesHandlers = handlerGroup(
  ServedApi,
  "envelopedReleases",
  Effect.fnUntraced(function* (handlers) {
    const releases = yield* Releases
    const raw = yield* makeRaw
    return handlers.handleAll({
      upload: ({ params, query }) => raw.upload(params.id, query.version, toEnvelope),
      download: ({ params, query }) => raw.download(params, query.path),
      list: ({ params, query }) =>
        forCaller.page(query, toRelease, (caller, page) => releases.list(caller, params.id, page)),
      get: ({ params }) => forCaller.one(toRelease, (caller) => releases.find(caller, params.id, params.version)),
      yank: ({ params, payload }) =>
        forCaller.one(toRelease, (caller) => releases.yank(caller, params.id, params.version, payload.reason)),
      rescan: ({ params }) => forCaller.one(toRelease, (caller) => releases.rescan(caller, params.id, params.version))
    })
  })
)

/** `/api/v1/items/:id/trust`. */
export const TrustHandlers = handlerGroup(
  ServedApi,
  "trust",
  Effect.fnUntraced(function* (handlers) {
    const trust = yield* ItemTrust
    return handlers.handleAll({
      get: ({ params }) => forCaller.one(toItemTrust, (caller) => trust.read(caller, params.id))
    })
  })
)
