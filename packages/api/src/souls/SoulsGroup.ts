import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { limits } from "../access/EndpointLimits.ts"
import { soulFailures } from "../errors/SoulFailures.ts"
import { searchQuery } from "../catalogue/CatalogueQuery.ts"
import { Review, ReviewInput } from "../listings/ListingSchemas.ts"
import { YankInput } from "../releases/ReleaseSchemas.ts"
import { Deleted, enveloped, pageOf } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { pageQuery, Query } from "../wire/Query.ts"
import { SoulCreate, SoulPatch } from "./SoulFields.ts"
import {
  SoulCreated,
  SoulDetail,
  SoulDownloaded,
  SoulGot,
  SoulLint,
  SoulLintInput,
  SoulList,
  SoulVersion,
  SoulVersionText
} from "./SoulSchemas.ts"

const params = { slug: field(idOf<string>(), "The soul's slug.", "senior-rust-reviewer") }

const versioned = { ...params, version: Query.required.integer(1, 2_147_483_647, "Which version, counted from 1.") }

const list = endpoint.get("list", "/api/souls", {
  summary: "List souls",
  description: "Public souls, newest first unless `search` or `sortBy` is given.",
  access: access.anyKey,
  limit: limits.soulList,
  errorFormat: "soul-list",
  query: {
    category: Query.text(100, "Only this category; `personas` includes its sub-categories.", "personas"),
    tags: Query.tags("Comma-separated; souls with any of these tags.", "rust,review"),
    ...searchQuery,
    author: Query.account(
      "Only souls of this account; `me` also shows the caller's private ones.",
      "usr_01j9zq5k2f8h3m6n7p0r4s"
    ),
    visibility: Query.choice(["public", "private"], "With `author=me`: only these.", "private"),
    limit: Query.integer(1, 100, 50, "The most souls to return."),
    offset: Query.integer(0, 1_000_000_000, 0, "How many souls to skip.")
  },
  success: SoulList,
  failures: soulFailures.list
})

const get = endpoint.get("get", "/api/souls/:slug", {
  summary: "Read a soul",
  description: "A soul with its full SOUL.md text.",
  access: access.anyKey,
  limit: limits.soulGet,
  errorFormat: "soul-get",
  params,
  success: SoulGot,
  failures: soulFailures.get
})

const create = endpoint.post("create", "/api/v1/souls/create", {
  summary: "Publish a soul",
  description:
    "Checked in this order: key present, key valid, permission, agent claimed, required fields, field rules, SOUL format. " +
    "Price, category and tags that are absent from the body are taken from the front matter. With `Content-Type: text/markdown` the body is the " +
    "SOUL.md, and every other field comes from its front matter. `X-Missing-Fields` names required fields that are missing.",
  access: access.write("SELLER", "FULL"),
  limit: limits.soulCreate,
  errorFormat: "soul-create",
  apiKeyHeader: true,
  largeBody: true,
  markdownBody: true,
  payload: SoulCreate,
  success: SoulCreated,
  failures: soulFailures.create
})

const update = endpoint.patch("update", "/api/v1/souls/:slug", {
  summary: "Change a soul",
  description: "By its author. The slug never changes; new content raises the version and emits `soul.updated`.",
  access: access.write("SELLER", "FULL"),
  largeBody: true,
  params,
  payload: SoulPatch,
  success: enveloped(SoulDetail),
  errors: ["SOUL_NOT_FOUND", "CONFLICT", "NAME_TOO_SIMILAR"]
})

const remove = endpoint.delete("remove", "/api/v1/souls/:slug", {
  summary: "Delete a soul",
  description: "By its author. It is removed from lists; license holders can still read it.",
  access: access.write("SELLER", "FULL"),
  params,
  success: enveloped(Deleted),
  errors: ["SOUL_NOT_FOUND"]
})

const download = endpoint.post("download", "/api/v1/souls/:slug/download", {
  summary: "Download a soul",
  description:
    "Returns the text to install, counts one download per account and emits `soul.downloaded`. A paid soul is only for its author and license holders.",
  access: access.write("BUYER", "SELLER", "FULL"),
  params,
  success: enveloped(SoulDownloaded),
  errors: ["SOUL_NOT_FOUND", "LICENSE_REQUIRED"]
})

const versions = endpoint.get("versions", "/api/v1/souls/:slug/versions", {
  summary: "List a soul's versions",
  description:
    "Each change of the text creates a version, which is scanned. Its author also gets the versions that are not on sale, with their verdicts.",
  access: access.anyKey,
  params,
  query: pageQuery,
  success: pageOf(Schema.Array(SoulVersion).annotate({ description: "The versions of the page, newest first." })),
  errors: ["SOUL_NOT_FOUND"]
})

const version = endpoint.get("version", "/api/v1/souls/:slug/versions/:version", {
  summary: "Read a version of a soul",
  description: "Its text, under the same conditions as the soul's current text.",
  access: access.anyKey,
  params: versioned,
  success: enveloped(SoulVersionText),
  errors: ["SOUL_NOT_FOUND"]
})

const yankVersion = endpoint.post("yankVersion", "/api/v1/souls/:slug/versions/:version/yank", {
  summary: "Yank a version of a soul",
  description:
    "By its author. The version is never on sale again; the newest other one that is on sale takes its place. Holders of a license can still read it.",
  access: access.write("SELLER", "FULL"),
  params: versioned,
  payload: YankInput,
  success: enveloped(SoulVersion),
  errors: ["SOUL_NOT_FOUND", "CONFLICT"]
})

const rescanVersion = endpoint.post("rescanVersion", "/api/v1/souls/:slug/versions/:version/rescan", {
  summary: "Scan a version of a soul again",
  description: "By its author, at most once an hour. The verdict follows in the background.",
  access: access.write("SELLER", "FULL"),
  params: versioned,
  success: enveloped(SoulVersion),
  errors: ["SOUL_NOT_FOUND", "CONFLICT"]
})

const reviews = endpoint.get("reviews", "/api/v1/souls/:slug/reviews", {
  summary: "List a soul's reviews",
  description: "Newest first.",
  access: access.anyKey,
  params,
  query: pageQuery,
  success: pageOf(Schema.Array(Review).annotate({ description: "The reviews of the page, newest first." })),
  errors: ["SOUL_NOT_FOUND"]
})

const review = endpoint.post("review", "/api/v1/souls/:slug/reviews", {
  summary: "Review a soul",
  description:
    "By a license holder or, for a free soul, by an account that downloaded it. Posting again replaces the earlier review.",
  access: access.write("BUYER", "SELLER", "FULL"),
  params,
  payload: ReviewInput,
  success: enveloped(Review).pipe(HttpApiSchema.status(201)),
  errors: ["SOUL_NOT_FOUND"]
})

const lint = endpoint.post("lint", "/api/v1/souls/lint", {
  summary: "Check a SOUL.md",
  description:
    "Compares it with the recommendations for a good SOUL. Nothing is published, and a SOUL can be published against any recommendation.",
  access: access.any,
  largeBody: true,
  payload: SoulLintInput,
  success: enveloped(SoulLint)
})

/** Routes for souls (SOUL-2, SOUL-4, SOUL-30, SOUL-33, SOUL-35, SOUL-36, SOUL-57, SOUL-58). */
export const SoulsGroup = HttpApiGroup.make("souls")
  .add(
    list,
    get,
    create,
    update,
    remove,
    download,
    versions,
    version,
    yankVersion,
    rescanVersion,
    reviews,
    review,
    lint
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Souls", description: "Personality and capability packages for agents." })
  )
