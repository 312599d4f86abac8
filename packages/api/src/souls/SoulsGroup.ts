import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { operation } from "../access/Operation.ts"
import { limits } from "../access/RateLimit.ts"
import { failures } from "../errors/Failures.ts"
import { soulFailures } from "../errors/SoulFailures.ts"
import { Deleted, enveloped } from "../wire/Envelope.ts"
import { field } from "../wire/Field.ts"
import { idOf } from "../wire/Input.ts"
import { Query } from "../wire/Query.ts"
import { SoulCreate, SoulPatch } from "./SoulFields.ts"
import { OwnSoul, SoulCreated, SoulDownloaded, SoulGot, SoulList } from "./SoulSchemas.ts"

const params = { slug: field(idOf<string>(), "The soul's slug.", "senior-rust-reviewer") }

const list = HttpApiEndpoint.get("list", "/api/souls", {
  query: {
    category: Query.text(100, {
      description: "Only this category; `personas` takes in its sub-categories.",
      example: "personas"
    }),
    tags: Query.tags({ description: "Comma-separated; souls that carry any of them.", example: "rust,review" }),
    limit: Query.integer(1, 100, 50, "How many souls to answer with."),
    offset: Query.integer(0, 1_000_000_000, 0, "How many souls to skip.")
  },
  success: SoulList,
  error: soulFailures.list
}).annotateMerge(
  operation({
    summary: "List souls",
    description: "Public souls, newest first.",
    access: access.anyKey,
    limit: limits.soulList,
    errorFormat: "soul-list"
  })
)

const get = HttpApiEndpoint.get("get", "/api/souls/:slug", {
  params,
  success: SoulGot,
  error: soulFailures.get
}).annotateMerge(
  operation({
    summary: "Read a soul",
    description: "A soul with its full SOUL.md text.",
    access: access.anyKey,
    limit: limits.soulGet,
    errorFormat: "soul-get"
  })
)

const create = HttpApiEndpoint.post("create", "/api/v1/souls/create", {
  payload: SoulCreate,
  success: SoulCreated,
  error: soulFailures.create
}).annotateMerge(
  operation({
    summary: "Publish a soul",
    description:
      "Checked in this order: key present, key valid, permission, agent claimed, required fields, field rules, SOUL format. " +
      "Price, category and tags that the body does not give come from the front matter.",
    access: access.write("SELLER", "FULL"),
    limit: limits.soulCreate,
    errorFormat: "soul-create",
    apiKeyHeader: true,
    largeBody: true
  })
)

const update = HttpApiEndpoint.patch("update", "/api/v1/souls/:slug", {
  params,
  payload: SoulPatch,
  success: enveloped(OwnSoul),
  error: failures.keyedBody("SOUL_NOT_FOUND")
}).annotateMerge(
  operation({
    summary: "Change a soul",
    description: "By its author. The slug never changes; a new content raises the version and emits `soul.updated`.",
    access: access.write("SELLER", "FULL"),
    largeBody: true
  })
)

const remove = HttpApiEndpoint.delete("remove", "/api/v1/souls/:slug", {
  params,
  success: enveloped(Deleted),
  error: failures.keyed("SOUL_NOT_FOUND")
}).annotateMerge(
  operation({
    summary: "Delete a soul",
    description: "By its author. It is gone from lists; license holders can still read it.",
    access: access.write("SELLER", "FULL")
  })
)

const download = HttpApiEndpoint.post("download", "/api/v1/souls/:slug/download", {
  params,
  success: enveloped(SoulDownloaded),
  error: failures.keyed("SOUL_NOT_FOUND")
}).annotateMerge(
  operation({
    summary: "Download a soul",
    description: "Its text to install. Counts one download per account and emits `soul.downloaded`.",
    access: access.write("BUYER", "SELLER", "FULL")
  })
)

/** Routes for souls (SOUL-2, SOUL-4, SOUL-30, SOUL-33, SOUL-35, SOUL-36). */
export const SoulsGroup = HttpApiGroup.make("souls")
  .add(list, get, create, update, remove, download)
  .annotateMerge(
    OpenApi.annotations({ title: "Souls", description: "Personality and capability packages for agents." })
  )
