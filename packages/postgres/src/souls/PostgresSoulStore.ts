import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import type { MarketEvent } from "@agent-marketplace/core/events/MarketEvent"
import type { AccountId, SoulId } from "@agent-marketplace/core/ids/Ids"
import { bytesPurged } from "@agent-marketplace/core/releases/Purge"
import type { ReleaseStatus } from "@agent-marketplace/core/releases/Release"
import { Effect, Layer, Option } from "effect"
import { Database } from "../Database.ts"
import { eventsJson, insertEvents } from "../events/appendEvents.ts"
import { Notifications } from "../Notifications.ts"
import { liveLicense } from "../purchases/liveLicense.ts"
import type { CatalogueFilter } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import type { ListingStats } from "@agent-marketplace/core/listings/Listing"
import { soulCatalogue } from "../catalogue/Catalogue.ts"
import type { Shown } from "../catalogue/listItems.ts"
import { listItems } from "../catalogue/listItems.ts"
import { statsOf } from "../listings/ListingRow.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import { recordOnSale } from "../releases/recordOnSale.ts"
import { date } from "../Row.ts"
import { sharePurged } from "../releases/purgeReleases.ts"
import { uniqueSlug } from "../slugs/uniqueSlug.ts"
import { modifySoul, soulBySlug } from "./modifySoul.ts"
import type { Row } from "../Columns.ts"
import type { VersionRow } from "./SoulRow.ts"
import { soulColumns, soulOf, versionOf } from "./SoulRow.ts"
import { insertSoulRelease, insertSouls, renderStaleSouls } from "./writeSouls.ts"

const details = `
  SELECT wanted.slug AS key, soul.json FROM unnest($1::text[]) AS wanted (slug) CROSS JOIN LATERAL (
    SELECT detail_head || ',"downloads":' || downloads || ',"stats":{"sales":' || sales || ',"rating":' || rating
      || ',"reviews":' || reviews || '}}' AS json
    FROM souls JOIN item_stats ON item_id = id
    WHERE souls.slug = wanted.slug AND shelf IS NOT NULL OFFSET 0
  ) AS soul`

const detailBy = (by: "id" | "slug") => `
  SELECT ${soulColumns}, sales, rating, reviews, shelf IS NOT NULL AS listed,
    (SELECT status FROM releases WHERE releases.item_id = souls.id AND releases.version = souls.version || '.0.0') AS release_status,
    $2::text IS NOT NULL AND ${liveLicense("$2::text", "souls.id")} AS licensed
  FROM souls JOIN soul_versions v ON v.soul_id = souls.id AND v.version = souls.version
  JOIN item_stats ON item_stats.item_id = souls.id WHERE souls.${by} = $1::text`

const detailsBy = { id: detailBy("id"), slug: detailBy("slug") }

interface DetailRow extends Row, ListingStats {
  readonly licensed: boolean
  readonly listed: boolean
  readonly release_status: ReleaseStatus | null
}

const versions = pageQuery(
  "v.version, v.content, v.created_at, souls.id",
  "souls JOIN soul_versions v ON v.soul_id = souls.id",
  `souls.slug = $3::text AND ($4::text[] IS NULL OR NOT EXISTS (
    SELECT FROM releases WHERE item_id = v.soul_id AND releases.version = v.version || '.0.0' AND status <> ALL($4::text[])))`,
  "version DESC"
)

const findVersionBy = (by: "id" | "slug") => `
  SELECT v.version, v.content, v.created_at FROM souls JOIN soul_versions v ON v.soul_id = souls.id
  WHERE souls.${by} = $1::text AND v.version = $2::int`

const findVersion = { id: findVersionBy("id"), slug: findVersionBy("slug") }

const unreleased = `
  SELECT v.version, v.content, v.created_at, v.soul_id, souls.author_id
  FROM soul_versions v JOIN souls ON souls.id = v.soul_id
  WHERE NOT v.released ORDER BY v.soul_id, v.version DESC LIMIT $1::int`

interface UnreleasedRow extends VersionRow {
  readonly soul_id: SoulId
  readonly author_id: AccountId
}

const queueOf = (condition: string): string =>
  pageQuery(
    soulColumns,
    "souls JOIN soul_versions v ON v.soul_id = souls.id AND v.version = souls.version",
    `NOT souls.deleted${condition}`,
    "created_at, id"
  )

const queue = {
  all: queueOf(""),
  suspended: queueOf(" AND souls.suspension IS NOT NULL"),
  active: queueOf(" AND souls.suspension IS NULL"),
  in_review: queueOf(" AND EXISTS (SELECT FROM releases WHERE item_id = souls.id AND status = 'in_review')")
}

/** The author's own list also shows the fields that only the author sees (SOUL-9). */
const shown = ({ own }: Pick<CatalogueFilter, "own">): Shown => ({
  catalogues: [soulCatalogue],
  from: "JOIN souls ON souls.id = page.id",
  json: `souls.item_head || ${
    own === true
      ? `',"visibility":"' || souls.visibility || '","suspensionReason":' || coalesce(to_json(souls.suspension)::text, 'null') || `
      : ""
  }',"downloads":' || downloads || '}'`
})

const isDownloaded = "SELECT soul_id FROM soul_downloads WHERE soul_id = $1::text AND account_id = $2::text"

/** A change of the author's name, or its erasure, happens entirely before or after the download. */
const shareSoul = "SELECT author FROM souls WHERE id = $1::text FOR SHARE"

const download = `
  WITH counted AS (
    INSERT INTO soul_downloads (soul_id, account_id, at) VALUES ($1::text, $2::text, $3::timestamptz)
    ON CONFLICT DO NOTHING RETURNING soul_id
  ),
  stats AS (
    UPDATE item_stats SET downloads = downloads + 1, popularity = popularity_of(sales, aged_buyers, downloads + 1)
    FROM counted WHERE item_id = soul_id
  ),
  event AS (${insertEvents("(CASE WHEN EXISTS (SELECT FROM counted) THEN $4::text ELSE '[]' END)")})
  SELECT count(*)::int AS counted FROM counted`

export const PostgresSoulStore: { readonly layer: Layer.Layer<SoulStore, never, Database | Notifications> } = {
  layer: Layer.effect(
    SoulStore,
    Effect.gen(function* () {
      const database = yield* Database
      const { hint } = yield* Notifications
      const { inTurn, read, replica, sql, transaction } = database
      const detail = yield* replica.readEach<{ readonly key: string; readonly json: string }>(details)
      const happened = Effect.sync(() => hint("events"))

      const firstDownload = Effect.fnUntraced(function* (
        soul: Soul,
        account: AccountId,
        event: (soul: Soul) => MarketEvent
      ) {
        const [current] = yield* sql.unsafe<{ readonly author: string }>(shareSoul, [soul.id])
        const downloaded = event({ ...soul, author: current?.author ?? soul.author })
        const parameters = [soul.id, account, date(downloaded.at), eventsJson([downloaded])]
        const [row] = yield* sql.unsafe<{ readonly counted: number }>(download, parameters)
        return row?.counted === 1
      })

      return {
        insert: Effect.fn("SoulStore.insert")(function* (draft, request, rule) {
          const written = Effect.gen(function* () {
            const { names, owner, slug, verified } = yield* uniqueSlug(sql, "soul", request, draft.authorId, draft.name)
            const { events, release, soul } = rule(
              { ...draft, slug, author: owner ?? draft.author, creatorVerified: verified },
              names
            )
            if (release !== undefined && (yield* sharePurged(sql, release.head.sha256))) return yield* bytesPurged
            yield* insertSouls(sql, [soul], events)
            yield* insertSoulRelease(sql, soul.id, release)
            yield* recordOnSale(sql, soul.id)
            return soul
          })
          return yield* Effect.tap(
            inTurn(draft.authorId, inTurn(`soul ${request.base}`, transaction(written))),
            happened
          )
        }),

        findBySlug: (slug) =>
          Effect.map(read<Row>(soulBySlug, [slug]), ([row]) => Option.map(Option.fromUndefinedOr(row), soulOf)),

        modify: (slug, rule, claims) => Effect.tap(transaction(modifySoul(sql, slug, rule, claims)), happened),

        list: (filter) => listItems(replica, filter, shown(filter)),

        detail: (idOrSlug, viewer) =>
          Effect.map(
            read<DetailRow>(idOrSlug.includes("_") ? detailsBy.id : detailsBy.slug, [idOrSlug, viewer]),
            ([row]) =>
              Option.map(Option.fromUndefinedOr(row), (found) => ({
                soul: soulOf(found),
                stats: statsOf(found),
                licensed: found.licensed,
                listed: found.listed,
                status: found.release_status
              }))
          ),

        detailJson: (slug) =>
          Effect.map(
            detail(slug),
            Option.map(({ json }) => json)
          ),

        download: Effect.fn("SoulStore.download")(function* (soul, account, event) {
          // A repeated download changes nothing and locks nothing.
          if ((yield* read(isDownloaded, [soul.id, account])).length > 0) return { counted: false }
          const counted = yield* transaction(firstDownload(soul, account, event))
          if (counted) yield* happened
          return { counted }
        }),

        versions: (slug, page, statuses) =>
          Effect.map(read<VersionRow & PageRow>(versions, [...pageParameters(page), slug, statuses ?? null]), (rows) =>
            pageOf(rows, versionOf)
          ),

        findVersion: (idOrSlug, version) =>
          Effect.map(
            read<VersionRow>(idOrSlug.includes("_") ? findVersion.id : findVersion.slug, [idOrSlug, version]),
            ([row]) => Option.map(Option.fromUndefinedOr(row), versionOf)
          ),

        unreleased: (limit) =>
          Effect.map(read<UnreleasedRow>(unreleased, [limit]), (rows) =>
            rows.map((row) => ({ ...versionOf(row), soul: row.soul_id, author: row.author_id }))
          ),

        queue: (which, page) =>
          Effect.map(read<Row & PageRow>(queue[which ?? "all"], pageParameters(page)), (rows) => pageOf(rows, soulOf)),

        renderStale: transaction(renderStaleSouls(sql))
      }
    })
  )
}
