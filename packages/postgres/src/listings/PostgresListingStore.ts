import type { Listing, ListingStats } from "@agent-marketplace/core/listings/Listing"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import { Effect, Layer, Option } from "effect"
import type { Row } from "../Columns.ts"
import { Database } from "../Database.ts"
import { Notifications } from "../Notifications.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import { liveLicense } from "../purchases/liveLicense.ts"
import { claimSlug } from "../slugs/claimSlug.ts"
import { listListings } from "./listListings.ts"
import type { ReviewRow } from "./ListingRow.ts"
import { listingColumns, listingOf, reviewColumns, reviewOf, statsOf } from "./ListingRow.ts"
import { modifyListing } from "./modifyListing.ts"
import { putReview } from "./putReview.ts"
import { insertListings, renderStaleListings } from "./writeListings.ts"

const byId = `SELECT ${listingColumns} FROM listings WHERE id = $1::text`

type Named = "id" | "slug"

/** A slug never holds an underscore, an id always. */
const named = (idOrSlug: string): Named => (idOrSlug.includes("_") ? "id" : "slug")

const detail = (by: Named) => `
  SELECT ${listingColumns}, sales, rating, reviews,
    $2::text IS NOT NULL AND ${liveLicense("$2::text", "listings.id")} AS licensed
  FROM listings JOIN item_stats ON item_id = id WHERE ${by} = $1::text`

const skills = (by: Named) => `
  SELECT wanted.name AS key, skill.json FROM unnest($1::text[]) AS wanted (name) CROSS JOIN LATERAL (
    SELECT skill_detail_head || ',"rating":' || rating || ',"stats":{"sales":' || sales || ',"rating":' || rating
      || ',"reviews":' || reviews || '}}' AS json
    FROM listings JOIN item_stats ON item_id = id WHERE listings.${by} = wanted.name AND status = 'approved' AND NOT withheld OFFSET 0
  ) AS skill`

const details = { id: detail("id"), slug: detail("slug") }

interface SkillRow {
  readonly key: string
  readonly json: string
}

const queue = {
  all: pageQuery(listingColumns, "listings", "status <> 'deleted'", "created_at, id"),
  ofStatus: pageQuery(listingColumns, "listings", "status <> 'deleted' AND status = $3::text", "created_at, id")
}

const reviews = pageQuery(reviewColumns, "listing_reviews", "listing_id = $3::text", "created_at DESC, id DESC")

interface DetailRow extends Row, ListingStats {
  readonly licensed: boolean
}

export const PostgresListingStore: { readonly layer: Layer.Layer<ListingStore, never, Database | Notifications> } = {
  layer: Layer.effect(
    ListingStore,
    Effect.gen(function* () {
      const database = yield* Database
      const { hint } = yield* Notifications
      const { read, sql, transaction } = database
      const skill = {
        id: yield* database.readEach<SkillRow>(skills("id")),
        slug: yield* database.readEach<SkillRow>(skills("slug"))
      }
      const happened = Effect.sync(() => hint("events"))

      return {
        insert: Effect.fn("ListingStore.insert")(function* (draft, request, events) {
          const written = Effect.gen(function* () {
            const { owner, slug } = yield* claimSlug(sql, "listing", request, draft.creatorId)
            const listing: Listing = { ...draft, slug, creatorName: owner ?? draft.creatorName }
            yield* insertListings(sql, [listing], events(listing))
            return listing
          })
          return yield* Effect.tap(transaction(written), happened)
        }),

        find: (id) => Effect.map(read<Row>(byId, [id]), ([row]) => Option.map(Option.fromUndefinedOr(row), listingOf)),

        modify: (id, rule) => Effect.tap(transaction(modifyListing(sql, id, rule)), happened),

        detail: (idOrSlug, viewer) =>
          Effect.map(read<DetailRow>(details[named(idOrSlug)], [idOrSlug, viewer]), ([row]) =>
            Option.map(Option.fromUndefinedOr(row), (found) => ({
              listing: listingOf(found),
              stats: statsOf(found),
              licensed: found.licensed
            }))
          ),

        skillJson: (idOrSlug) =>
          Effect.map(
            skill[named(idOrSlug)](idOrSlug),
            Option.map(({ json }) => json)
          ),

        list: (filter, face) => listListings(database, filter, face),

        queue: (status, page) =>
          Effect.map(
            status === undefined
              ? read<Row & PageRow>(queue.all, pageParameters(page))
              : read<Row & PageRow>(queue.ofStatus, [...pageParameters(page), status]),
            (rows) => pageOf(rows, listingOf)
          ),

        putReview: (review) => transaction(putReview(sql, review)),

        listReviews: (listing, page) =>
          Effect.map(read<ReviewRow & PageRow>(reviews, [...pageParameters(page), listing]), (rows) =>
            pageOf(rows, reviewOf)
          ),

        renderStale: transaction(renderStaleListings(sql))
      }
    })
  )
}
