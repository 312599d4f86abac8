import { toCreatorProfile } from "@agent-marketplace/api/catalogue/CatalogueGroup"
import { toItemImage } from "@agent-marketplace/api/images/ImageWire"
import { toReview } from "@agent-marketplace/api/listings/ListingWire"
import { toItemTrust, toRelease } from "@agent-marketplace/api/releases/ReleaseWire"
import { ActivityFeed } from "@agent-marketplace/core/activity/ActivityFeed"
import { Catalogue } from "@agent-marketplace/core/catalogue/Catalogue"
import type { CatalogueFilter } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import type { AccountId, ItemId, KeyId, ListingId } from "@agent-marketplace/core/ids/Ids"
import { Images } from "@agent-marketplace/core/images/Images"
import { Listings } from "@agent-marketplace/core/listings/Listings"
import { ItemTrust } from "@agent-marketplace/core/releases/ItemTrust"
import { Releases } from "@agent-marketplace/core/releases/Releases"
import { SoulJson } from "@agent-marketplace/core/souls/SoulJson"
import { Souls } from "@agent-marketplace/core/souls/Souls"
import { Effect } from "effect"
import type { ShopQuery } from "./ShopQuery.ts"

/** The number of items on a page of the search (SHOP-2). */
const pageSize = 24

/** Somebody without an account: sees what everybody may see and owns nothing. */
const visitor: Caller = {
  keyId: "key_visitor" as KeyId,
  scope: "READ",
  agentId: null,
  accountId: null,
  accountName: null,
  seller: false,
  tier: "free",
  hourlyLimit: null,
  expiresAt: null,
  frozen: null,
  agentFrozen: null
}

/** The fields that decide what else a page shows. */
interface ItemHead {
  readonly id: string
  readonly kind: "skill" | "soul"
  readonly price: string
  readonly slug: string
}

const newest = { page: 1, limit: 10 } as const

/** An object as JSON, of members that are JSON already. */
const object = (members: Readonly<Record<string, string>>): string =>
  `{${Object.entries(members)
    .map(([name, json]) => `${JSON.stringify(name)}:${json}`)
    .join(",")}}`

/** What the pages of the shop window show, as JSON. It contains nothing that an API key without an account could not read. */
export const makeShopWindow = Effect.gen(function* () {
  const catalogue = yield* Catalogue
  const listings = yield* Listings
  const souls = yield* Souls
  const releases = yield* Releases
  const trust = yield* ItemTrust
  const feed = yield* ActivityFeed
  const pictures = yield* Images

  const items = (filter: Omit<CatalogueFilter, "offset"> & { readonly offset?: number }) =>
    listings.list({ offset: 0, ...filter }, "skill", "all")
  const shelf = (filter: Omit<CatalogueFilter, "offset" | "limit">) =>
    Effect.map(items({ ...filter, limit: 8 }), ({ json }) => json)

  /** Visitors read the beginning of a paid SOUL only, even if every key reads the whole text (SHOP-9). */
  const asPreview = (json: string): string => {
    const soul = JSON.parse(json) as { readonly content: string }
    return JSON.stringify({ ...soul, content: SoulJson.preview(soul.content), preview: true })
  }

  const soulParts = Effect.fnUntraced(function* (slug: string, paid: boolean) {
    const [soul, images, versions, reviews] = yield* Effect.all(
      [
        souls.detail(visitor, slug),
        Effect.map(pictures.list(visitor, { soul: slug }), (all) => JSON.stringify(all.map(toItemImage("")))),
        souls.versions(visitor, slug, newest),
        Effect.map(souls.reviews(visitor, slug, newest), (page) => page.items.map(toReview))
      ],
      { concurrency: "unbounded" }
    )
    const shown = versions.items.map(({ createdAt, version }) => ({
      version: String(version),
      status: "published",
      createdAt: new Date(createdAt).toISOString(),
      sha256: null
    }))
    return {
      soul: paid ? asPreview(soul) : soul,
      listing: "null",
      images,
      versions: JSON.stringify(shown),
      reviews: JSON.stringify(reviews)
    }
  })

  const listingParts = Effect.fnUntraced(function* (id: ListingId) {
    const [listing, images, versions, reviews] = yield* Effect.all(
      [
        listings.listingJson(visitor, id),
        Effect.map(pictures.list(visitor, { listing: id }), (all) => JSON.stringify(all.map(toItemImage("")))),
        Effect.map(releases.list(visitor, id, newest), (page) => page.items.map(toRelease)),
        Effect.map(listings.reviews(visitor, id, newest), (page) => page.items.map(toReview))
      ],
      { concurrency: "unbounded" }
    )
    const shown = versions.map(({ createdAt, sha256, status, version }) => ({ version, status, createdAt, sha256 }))
    return { soul: "null", listing, images, versions: JSON.stringify(shown), reviews: JSON.stringify(reviews) }
  })

  return {
    home: Effect.fn("ShopWindow.home")(function* () {
      const [featured, popular, latest, categories, activity] = yield* Effect.all(
        [
          shelf({ featured: true }),
          shelf({ sortBy: "popular" }),
          shelf({ sortBy: "newest" }),
          catalogue.categories,
          feed.last(8)
        ],
        { concurrency: "unbounded" }
      )
      return object({ kind: '"home"', featured, popular, latest, categories: JSON.stringify(categories), activity })
    }),

    search: Effect.fn("ShopWindow.search")(function* (query: ShopQuery) {
      const { category, maxPrice, page, pricingModel, search, sortBy } = query.filter
      const { json, total } = yield* items({
        ...(category === undefined ? {} : { categories: [category] }),
        ...(search === undefined ? {} : { search }),
        ...(maxPrice === undefined ? {} : { maxPrice }),
        ...(pricingModel === undefined ? {} : { pricingModel }),
        ...(sortBy === undefined ? {} : { sortBy }),
        limit: pageSize,
        offset: (page - 1) * pageSize
      })
      const categories = yield* catalogue.categories
      return object({
        kind: '"search"',
        query: JSON.stringify(query.given),
        path: JSON.stringify(query.path),
        items: json,
        total: String(total),
        page: String(page),
        pages: String(Math.max(1, Math.ceil(total / pageSize))),
        categories: JSON.stringify(categories)
      })
    }),

    item: Effect.fn("ShopWindow.item")(function* (
      idOrSlug: string
    ): Effect.fn.Return<string, Effect.Error<ReturnType<typeof souls.detail>>> {
      const item = yield* listings.skillJson(visitor, idOrSlug)
      const { id, kind, price, slug } = JSON.parse(item) as ItemHead
      const paid = kind === "soul" && Number(price) > 0
      const [parts, verdict] = yield* Effect.all(
        [
          kind === "soul" ? soulParts(slug, paid) : listingParts(id as ListingId),
          Effect.map(trust.read(visitor, id as ItemId), toItemTrust)
        ],
        { concurrency: "unbounded" }
      )
      // The evidence of a finding quotes the text.
      const findings = verdict.findings.map((finding) => (paid ? { ...finding, evidence: "" } : finding))
      return object({ kind: '"item"', item, trust: JSON.stringify({ ...verdict, findings }), ...parts })
    }),

    creator: Effect.fn("ShopWindow.creator")(function* (id: AccountId) {
      const [creator, { json, total }] = yield* Effect.all(
        [Effect.map(catalogue.creator(id), toCreatorProfile), items({ creatorId: id, limit: pageSize })],
        { concurrency: "unbounded" }
      )
      return object({ kind: '"creator"', creator: JSON.stringify(creator), items: json, total: String(total) })
    })
  }
})

export type ShopWindow = Effect.Success<typeof makeShopWindow>
