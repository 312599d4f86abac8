import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { renderBatch } from "@agent-marketplace/core/listings/ListingStore"
import { soulRendering } from "@agent-marketplace/core/souls/SoulFields"
import { SoulJson } from "@agent-marketplace/core/souls/SoulJson"
import type { MarketEvent } from "@agent-marketplace/core/events/MarketEvent"
import type { SoulId } from "@agent-marketplace/core/ids/Ids"
import type { SoulRelease } from "@agent-marketplace/core/souls/SoulRelease"
import { nameKeys } from "@agent-marketplace/core/names/Skeleton"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { soulCatalogue, soulShelf } from "../catalogue/Catalogue.ts"
import { renamePopular } from "../catalogue/popularNames.ts"
import { bothWords, facetRows, writeFacets } from "../catalogue/writeFacets.ts"
import type { Row } from "../Columns.ts"
import { eventsJson, insertEvents } from "../events/appendEvents.ts"
import { insertParameter, insertRelease } from "../releases/ReleaseRow.ts"
import { date } from "../Row.ts"
import { soulOf, soulRecord, soulsById } from "./SoulRow.ts"

/** The JSON and the keys of the name that are rendered when a soul is written, beside its fields. */
const rendered = {
  item_head: { type: "text", of: SoulJson.itemHead },
  detail_head: { type: "text", of: SoulJson.detailHead },
  skill_head: { type: "text", of: SoulJson.skillHead },
  name_keys: { type: "text[]", of: ({ name, slug }: Soul) => nameKeys(name, slug).keys },
  rendering: { type: "int", of: () => soulRendering }
} as const

const names = [...soulRecord.names, ...Object.keys(rendered)]

const typed = [soulRecord.typed, ...Object.entries(rendered).map(([name, { type }]) => `${name} ${type}`)].join(", ")

const given = facetRows(
  `author_id AS creator_id, false AS featured, CASE WHEN price = 0 THEN 'free' ELSE 'one_time' END AS pricing_model,
      visibility AS state, deleted AS gone`,
  `json_to_recordset($1::json)
      AS soul (${typed}, content text, listed_words tsvector, apart_words tsvector, item_shelf text)`,
  `visibility = 'public' AND NOT deleted AND suspension IS NULL AND NOT withheld AND NOT quarantined`
)

const rowOf = (soul: Soul): Row => ({
  ...soulRecord.rowOf(soul),
  ...Object.fromEntries(Object.entries(rendered).map(([name, { of }]) => [name, of(soul)])),
  content: soul.content,
  ...bothWords({ ...soul, creatorName: soul.author }),
  item_shelf: soulShelf(soul.category)
})

const write = writeFacets(soulCatalogue, "item_shelf")

const insert = `
  WITH ${given},
  soul AS (INSERT INTO souls (${names.join(", ")}, named_at) SELECT ${names.join(", ")}, created_at FROM given),
  version AS (
    INSERT INTO soul_versions (soul_id, version, content, created_at) SELECT id, version, content, updated_at FROM given
  ),
  facets AS (${write.facets}),
  stats AS (${write.newStats})
  ${insertEvents("$2")}`

const updateRows = `
  UPDATE souls SET ${names.map((name) => `${name} = given.${name}`).join(", ")},
    named_at = CASE WHEN souls.name = given.name THEN souls.named_at ELSE given.updated_at END
  FROM given WHERE souls.id = given.id`

const rewrite = `WITH ${given} ${updateRows}`

const update = `
  WITH ${given},
  version AS (
    INSERT INTO soul_versions (soul_id, version, content, created_at) SELECT id, version, content, updated_at FROM given
    ON CONFLICT (soul_id, version) DO NOTHING
  ),
  popular AS (${renamePopular}),
  facets AS (${write.facets}),
  gone AS (${write.gone}),
  stats AS (${write.stats})
  ${updateRows}`

/** Stores new souls and their events, in the current transaction. */
export const insertSouls = (
  sql: SqlClient,
  souls: ReadonlyArray<Soul>,
  events: ReadonlyArray<MarketEvent>
): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql.unsafe(insert, [JSON.stringify(souls.map(rowOf)), eventsJson(events)]))

const insertVersion = `
  INSERT INTO soul_versions (soul_id, version, content, created_at)
  VALUES ($1::text, $2::int, $3::text, $4::timestamptz) ON CONFLICT (soul_id, version) DO NOTHING`

/** Stores the release of a new version of a stored soul, and the version's text. */
export const insertSoulRelease = Effect.fnUntraced(function* (
  sql: SqlClient,
  soul: SoulId,
  release: SoulRelease | undefined
): Effect.fn.Return<void, SqlError> {
  if (release === undefined) return
  const { content, head, statement, version } = release
  yield* sql.unsafe(insertVersion, [soul, version, content, date(head.createdAt)])
  yield* sql.unsafe(insertRelease, [insertParameter(head, statement)])
})

/** Stores changed souls, whose rows are locked; a text with a new version number is added to the earlier ones. */
export const updateSouls = (sql: SqlClient, souls: ReadonlyArray<Soul>): Effect.Effect<void, SqlError> =>
  souls.length === 0 ? Effect.void : Effect.asVoid(sql.unsafe(update, [JSON.stringify(souls.map(rowOf))]))

/** As {@link updateSouls}, but the lists and searches stay as they are: the caller removes the souls from them. */
export const rewriteSouls = (sql: SqlClient, souls: ReadonlyArray<Soul>): Effect.Effect<void, SqlError> =>
  souls.length === 0 ? Effect.void : Effect.asVoid(sql.unsafe(rewrite, [JSON.stringify(souls.map(rowOf))]))

const lockStale = `SELECT id FROM souls WHERE rendering < ${soulRendering}
  ORDER BY rendering LIMIT ${renderBatch} FOR NO KEY UPDATE SKIP LOCKED`

/** See `SoulStore.renderStale`; in the current transaction. */
export const renderStaleSouls = Effect.fnUntraced(function* (sql: SqlClient): Effect.fn.Return<boolean, SqlError> {
  const ids = (yield* sql.unsafe<{ readonly id: string }>(lockStale)).map(({ id }) => id)
  // After the lock, so that each text belongs to its row.
  const souls = ids.length === 0 ? [] : yield* sql.unsafe<Row>(soulsById, [ids])
  yield* updateSouls(sql, souls.map(soulOf))
  return ids.length === renderBatch
})
