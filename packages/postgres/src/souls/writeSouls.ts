import type { Soul } from "@agent-marketplace/core/souls/Soul"
import { SoulJson } from "@agent-marketplace/core/souls/SoulJson"
import type { MarketEvent } from "@agent-marketplace/core/events/MarketEvent"
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { eventsJson, insertEvents } from "../events/appendEvents.ts"
import { date } from "../Row.ts"

const columns = {
  id: "text",
  slug: "text",
  name: "text",
  description: "text",
  price: "bigint",
  category: "text",
  tags: "text[]",
  author_id: "text",
  author: "text",
  version: "int",
  visibility: "text",
  deleted: "boolean",
  created_at: "timestamptz",
  updated_at: "timestamptz",
  item_head: "text",
  detail_head: "text"
} as const

const names = Object.keys(columns)

const given = `SELECT * FROM json_to_recordset($1::json) AS soul (${names
  .map((name) => `${name} ${columns[name as keyof typeof columns]}`)
  .join(", ")}, content text)`

const rowOf = (soul: Soul): Record<keyof typeof columns | "content", unknown> => ({
  id: soul.id,
  slug: soul.slug,
  name: soul.name,
  description: soul.description,
  price: soul.price.toString(),
  category: soul.category,
  tags: soul.tags,
  author_id: soul.authorId,
  author: soul.author,
  version: soul.version,
  visibility: soul.visibility,
  deleted: soul.deleted,
  created_at: date(soul.createdAt),
  updated_at: date(soul.updatedAt),
  item_head: SoulJson.itemHead(soul),
  detail_head: SoulJson.detailHead(soul),
  content: soul.content
})

const insert = `
  WITH given AS MATERIALIZED (${given}),
  soul AS (INSERT INTO souls (${names.join(", ")}) SELECT ${names.join(", ")} FROM given),
  version AS (INSERT INTO soul_versions (soul_id, version, content) SELECT id, version, content FROM given),
  stats AS (INSERT INTO item_stats (item_id, downloads) SELECT id, downloads
    FROM json_to_recordset($3::json) AS stats (id text, downloads int))
  ${insertEvents("$2")}`

const update = `
  WITH given AS MATERIALIZED (${given}),
  version AS (
    INSERT INTO soul_versions (soul_id, version, content) SELECT id, version, content FROM given
    ON CONFLICT (soul_id, version) DO NOTHING
  )
  UPDATE souls SET ${names.map((name) => `${name} = given.${name}`).join(", ")} FROM given WHERE souls.id = given.id`

/** Stores new souls and their events, in the transaction that is under way. */
export const insertSouls = (
  sql: PgClient.PgClient,
  souls: ReadonlyArray<Soul>,
  events: ReadonlyArray<MarketEvent>
): Effect.Effect<void, SqlError> =>
  Effect.asVoid(
    sql.unsafe(insert, [
      JSON.stringify(souls.map(rowOf)),
      eventsJson(events),
      JSON.stringify(souls.map(({ downloads, id }) => ({ id, downloads })))
    ])
  )

/** Stores changed souls, whose rows are locked; a text with a new version number is kept beside the earlier ones. */
export const updateSouls = (sql: PgClient.PgClient, souls: ReadonlyArray<Soul>): Effect.Effect<void, SqlError> =>
  souls.length === 0 ? Effect.void : Effect.asVoid(sql.unsafe(update, [JSON.stringify(souls.map(rowOf))]))
