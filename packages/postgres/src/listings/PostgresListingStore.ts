import type { ListingStats } from "@agent-marketplace/core/listings/Listing"
import type { CreatorAccount, CreatorCounts, ItemFacts } from "@agent-marketplace/core/listings/ListingStore"
import { ListingStore } from "@agent-marketplace/core/listings/ListingStore"
import type { AccountId, ItemId } from "@agent-marketplace/core/ids/Ids"
import { Effect, Layer, Option } from "effect"
import type { Row } from "../Columns.ts"
import { Database } from "../Database.ts"
import { Notifications } from "../Notifications.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import { liveLicense } from "../purchases/liveLicense.ts"
import { isVerified } from "../domains/isVerified.ts"
import { uniqueSlug } from "../slugs/uniqueSlug.ts"
import { listItems } from "../catalogue/listItems.ts"
import type { Time } from "../Row.ts"
import { time } from "../Row.ts"
import { agePurchases } from "../settlement/Popularity.ts"
import type { ReviewRow } from "./ListingRow.ts"
import { listingColumns, listingOf, reviewColumns, reviewOf, statsOf } from "./ListingRow.ts"
import { modifyListing } from "./modifyListing.ts"
import { putReview } from "./putReview.ts"
import { shownAs } from "./shownAs.ts"
import { insertListings, renderStaleListings } from "./writeListings.ts"

const byId = `SELECT ${listingColumns} FROM listings WHERE id = $1::text`

type Named = "id" | "slug"

/** A slug never contains an underscore, an id always does. */
const named = (idOrSlug: string): Named => (idOrSlug.includes("_") ? "id" : "slug")

const detail = (by: Named) => `
  SELECT ${listingColumns}, sales, rating, reviews,
    $2::text IS NOT NULL AND ${liveLicense("$2::text", "listings.id")} AS licensed, shelf IS NOT NULL AS listed
  FROM listings JOIN item_stats ON item_id = id WHERE ${by} = $1::text`

const skills = (by: Named) => `
  SELECT wanted.name AS key, skill.json FROM unnest($1::text[]) AS wanted (name) CROSS JOIN LATERAL (
    SELECT skill_detail_head || ',"rating":' || rating || ',"stats":{"sales":' || sales || ',"rating":' || rating
      || ',"reviews":' || reviews || '}}' AS json
    FROM listings JOIN item_stats ON item_id = id WHERE listings.${by} = wanted.name AND shelf IS NOT NULL OFFSET 0
  ) AS skill`

const details = { id: detail("id"), slug: detail("slug") }

interface SkillRow {
  readonly key: string
  readonly json: string
}

const queue = {
  all: pageQuery(listingColumns, "listings", "status <> 'deleted'", "created_at, id"),
  ofStatus: pageQuery(listingColumns, "listings", "status <> 'deleted' AND status = $3::text", "created_at, id"),
  waiting: pageQuery(listingColumns, "listings", "waiting_since IS NOT NULL", "waiting_since, id")
}

const reviews = pageQuery(reviewColumns, "item_reviews", "item_id = $3::text AND counts", "created_at DESC, id DESC")

const categoryCounts = `
  SELECT category, sum(items)::int AS items FROM catalogue_counts
  WHERE category = ANY($1::text[]) AND items > 0 GROUP BY category`

const creators = `
  SELECT id, name, seller, created_at, ${isVerified("accounts.id")} AS verified, own.* FROM accounts CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE is_soul)::int AS souls, count(*) FILTER (WHERE NOT is_soul)::int AS listings,
      coalesce(sum(sales), 0)::int AS sales,
      coalesce(round(sum(rating_sum)::numeric / nullif(sum(reviews), 0), 2), 0)::float8 AS rating
    FROM (
      SELECT item_id, true AS is_soul FROM soul_facets WHERE creator_id = accounts.id AND approved
      UNION ALL SELECT item_id, false FROM listing_facets WHERE creator_id = accounts.id AND approved
    ) AS items JOIN item_stats USING (item_id)
  ) AS own WHERE accounts.id = ANY($1::text[])`

interface CreatorRow extends CreatorCounts {
  readonly id: string
  readonly name: string
  readonly seller: boolean
  readonly verified: boolean
  readonly created_at: Time
}

const creatorOf = ({ created_at, id, ...row }: CreatorRow): CreatorAccount => ({
  ...row,
  id: id as AccountId,
  createdAt: time(created_at)
})

const itemFacts = `
  SELECT items.id, creator_id, sales, rating, reviews FROM (
    SELECT id, creator_id FROM listings WHERE id = ANY($1::text[])
    UNION ALL SELECT id, author_id FROM souls WHERE id = ANY($1::text[])
  ) AS items JOIN item_stats ON item_id = items.id`

interface FactsRow extends ListingStats {
  readonly id: string
  readonly creator_id: string
}

const factsOf = (row: FactsRow): ItemFacts => ({
  id: row.id as ItemId,
  creatorId: row.creator_id as AccountId,
  stats: statsOf(row)
})

const oldestWaiting = `
  SELECT waiting_since FROM listings WHERE waiting_since IS NOT NULL ORDER BY waiting_since LIMIT 1`

interface DetailRow extends Row, ListingStats {
  readonly licensed: boolean
  readonly listed: boolean
}

export const PostgresListingStore: { readonly layer: Layer.Layer<ListingStore, never, Database | Notifications> } = {
  layer: Layer.effect(
    ListingStore,
    Effect.gen(function* () {
      const database = yield* Database
      const { hint } = yield* Notifications
      const { inTurn, longTransaction, read, replica, sql, transaction } = database
      const skill = {
        id: yield* replica.readEach<SkillRow>(skills("id")),
        slug: yield* replica.readEach<SkillRow>(skills("slug"))
      }
      const happened = Effect.sync(() => hint("events"))

      return {
        insert: Effect.fn("ListingStore.insert")(function* (draft, request, rule) {
          const written = Effect.gen(function* () {
            const { names, owner, slug, verified } = yield* uniqueSlug(
              sql,
              "listing",
              request,
              draft.creatorId,
              draft.name
            )
            const { events, listing } = rule(
              { ...draft, slug, creatorName: owner ?? draft.creatorName, creatorVerified: verified },
              names
            )
            yield* insertListings(sql, [listing], events)
            return listing
          })
          return yield* Effect.tap(
            inTurn(draft.creatorId, inTurn(`listing ${request.base}`, transaction(written))),
            happened
          )
        }),

        find: (id) => Effect.map(read<Row>(byId, [id]), ([row]) => Option.map(Option.fromUndefinedOr(row), listingOf)),

        modify: (id, rule, claims) => Effect.tap(transaction(modifyListing(sql, id, rule, claims)), happened),

        detail: (idOrSlug, viewer) =>
          Effect.map(read<DetailRow>(details[named(idOrSlug)], [idOrSlug, viewer]), ([row]) =>
            Option.map(Option.fromUndefinedOr(row), (found) => ({
              listing: listingOf(found),
              stats: statsOf(found),
              licensed: found.licensed,
              listed: found.listed
            }))
          ),

        skillJson: (idOrSlug) =>
          Effect.map(
            skill[named(idOrSlug)](idOrSlug),
            Option.map(({ json }) => json)
          ),

        list: (filter, face, kind) => listItems(replica, filter, shownAs(face, kind, filter)),

        queue: (status, page) =>
          Effect.map(
            status === undefined || status === "pending_review"
              ? read<Row & PageRow>(status === undefined ? queue.all : queue.waiting, pageParameters(page))
              : read<Row & PageRow>(queue.ofStatus, [...pageParameters(page), status]),
            (rows) => pageOf(rows, listingOf)
          ),

        putReview: (review) => Effect.tap(transaction(putReview(sql, review)), happened),

        listReviews: (listing, page) =>
          Effect.map(replica.read<ReviewRow & PageRow>(reviews, [...pageParameters(page), listing]), (rows) =>
            pageOf(rows, reviewOf)
          ),

        categoryCounts: (categories) =>
          Effect.map(
            replica.read<{ readonly category: string; readonly items: number }>(categoryCounts, [categories]),
            (rows) => new Map(rows.map(({ category, items }) => [category, items]))
          ),

        creators: (ids) => Effect.map(replica.read<CreatorRow>(creators, [ids]), (rows) => rows.map(creatorOf)),

        itemFacts: (ids) => Effect.map(replica.read<FactsRow>(itemFacts, [ids]), (rows) => rows.map(factsOf)),

        oldestWaiting: Effect.map(read<{ readonly waiting_since: Time }>(oldestWaiting, []), ([row]) =>
          Option.map(Option.fromUndefinedOr(row), (found) => time(found.waiting_since))
        ),

        agePurchases: longTransaction(agePurchases(sql)),

        renderStale: transaction(renderStaleListings(sql))
      }
    })
  )
}
