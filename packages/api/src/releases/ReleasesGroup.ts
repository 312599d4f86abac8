import type { ListingId } from "@agent-marketplace/core/ids/Ids"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import { Release, ReleaseList, YankInput } from "./ReleaseSchemas.ts"

const params = { id: field(idOf<ListingId>(), "The listing's id.", "lst_01j9zq5k2f8h3m6n7p0r4s") }

const versioned = { ...params, version: field(Schema.String, "The version.", "1.0.0") }

const created = HttpApiSchema.status(201)

const bytes = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/octet-stream" }))

/** The bodies of `/v1/listings/:id/releases`: unwrapped (WIRE-5). */
const unwrapped = {
  upload: Release.pipe(created),
  list: ReleaseList,
  one: Release
} as const

/** The same in the general envelope (WIRE-8). */
const wrapped = {
  upload: enveloped(Release).pipe(created),
  list: pageOf(Schema.Array(Release).annotate({ description: "The releases of the page, newest first." })),
  one: enveloped(Release)
} as const

type Bodies = typeof unwrapped | typeof wrapped

const endpoints = <const Prefix extends `/${string}`, const B extends Bodies>(prefix: Prefix, success: B) =>
  [
    endpoint.post("upload", `${prefix}/:id/releases`, {
      summary: "Upload a release",
      description:
        "By the creator. The body is the archive, a tar.gz or a zip of at most 20 MiB. A version is published once: the same bytes again return " +
        "the first release with 200.",
      access: access.write("SELLER", "FULL"),
      archiveBody: true,
      params,
      query: {
        version: Query.text(200, "A semantic version; by default the version in the front matter of SKILL.md.", "1.0.0")
      },
      success: success.upload as B["upload"],
      errors: [
        "LISTING_NOT_FOUND",
        "CONFLICT",
        "QUOTA_EXCEEDED",
        "PAYLOAD_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
        "ACCOUNT_FROZEN",
        "AGENT_FROZEN"
      ]
    }),
    endpoint.get("list", `${prefix}/:id/releases`, {
      summary: "List releases",
      description: "A listing's releases with their verdicts and signed statements, newest first.",
      access: access.anyKey,
      params,
      query: pageQuery,
      success: success.list as B["list"],
      errors: ["LISTING_NOT_FOUND"]
    }),
    endpoint.get("get", `${prefix}/:id/releases/:version`, {
      summary: "Read a release",
      description: "Its files, verdict and signed statement.",
      access: access.anyKey,
      params: versioned,
      success: success.one as B["one"],
      errors: ["LISTING_NOT_FOUND", "RELEASE_NOT_FOUND"]
    }),
    endpoint.get("download", `${prefix}/:id/releases/:version/download`, {
      summary: "Download a release",
      description:
        "The archive, for license holders and the creator; if the listing is free, for everybody. `ETag` is the SHA-256. One range is supported. " +
        "A yanked release is only for holders of an earlier license, a quarantined one only for the creator. With `path`, one file of it.",
      access: access.anyKey,
      params: versioned,
      query: { path: Query.text(255, "A path of `files`: only this file is returned.", "SKILL.md") },
      success: bytes,
      errors: ["LISTING_NOT_FOUND", "RELEASE_NOT_FOUND", "LICENSE_REQUIRED"]
    }),
    endpoint.post("yank", `${prefix}/:id/releases/:version/yank`, {
      summary: "Yank a release",
      description: "By the creator. It is no longer on sale; holders of an earlier license can still download it.",
      access: access.write("SELLER", "FULL"),
      params: versioned,
      payload: YankInput,
      success: success.one as B["one"],
      errors: ["LISTING_NOT_FOUND", "RELEASE_NOT_FOUND", "CONFLICT"]
    }),
    endpoint.post("rescan", `${prefix}/:id/releases/:version/rescan`, {
      summary: "Scan a release again",
      description: "By the creator, at most once an hour. The verdict follows in the background.",
      access: access.write("SELLER", "FULL"),
      params: versioned,
      success: success.one as B["one"],
      errors: ["LISTING_NOT_FOUND", "RELEASE_NOT_FOUND", "CONFLICT", "ACCOUNT_FROZEN", "AGENT_FROZEN"]
    })
  ] as const

/** `/v1/listings/:id/releases` (RELEASE-1, RELEASE-14, RELEASE-15, RELEASE-16, RELEASE-24). */
export const ReleasesGroup = HttpApiGroup.make("releases")
  .add(...endpoints("/v1/listings", unwrapped))
  .annotateMerge(OpenApi.annotations({ title: "Releases", description: "What is installed, scanned and signed." }))

/** `/api/v1/listings/:id/releases`: the same operations in the general envelope. */
export const EnvelopedReleasesGroup = HttpApiGroup.make("envelopedReleases")
  .add(...endpoints("/api/v1/listings", wrapped))
  .annotateMerge(
    OpenApi.annotations({ title: "Releases (enveloped)", description: "The same operations in the general envelope." })
  )
