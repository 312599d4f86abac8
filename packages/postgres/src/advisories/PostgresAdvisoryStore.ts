import type { Advisory } from "@agent-marketplace/core/advisories/Advisory"
import { advisoryEvent, advisoryPosition } from "@agent-marketplace/core/advisories/Advisory"
import type { FeedEnd, SignAdvisory } from "@agent-marketplace/core/advisories/AdvisoryStore"
import { AdvisoryStore } from "@agent-marketplace/core/advisories/AdvisoryStore"
import { Effect, Layer, Option } from "effect"
import { advisoryLocks } from "../AdvisoryLocks.ts"
import { Database } from "../Database.ts"
import { appendEvents } from "../events/appendEvents.ts"
import { Notifications } from "../Notifications.ts"
import { date } from "../Row.ts"
import { arrayOf } from "../Rowset.ts"
import type { AdvisoryRow, DraftRow } from "./AdvisoryRow.ts"
import { advisoryOf, draftOf } from "./AdvisoryRow.ts"
import { insertDrafts } from "./insertDrafts.ts"

const columns = "position, item_id, versions, sha256, severity, reason, action, published_at, previous, envelope"

const oneAtATime = `SELECT pg_advisory_xact_lock(${advisoryLocks.advisories})`

/** After the lock, so that it sees what the process before published. */
const readEnd = `SELECT ${columns} FROM advisories ORDER BY position DESC LIMIT 1`

/** The oldest ones that are committed. A draft whose transaction commits later is published later, at a greater position. */
const readDrafts = `SELECT * FROM advisory_drafts ORDER BY seq LIMIT $1::int`

const insert = `
  INSERT INTO advisories (${columns})
  VALUES ($1::bigint, $2::text, $3::text[], $4::text[], $5::text, $6::text, $7::text, $8::timestamptz, $9::text, $10::json)`

/** The row at the position itself comes first, so that an unknown one is noticed. */
const readFrom = `SELECT ${columns} FROM advisories WHERE position >= $1::bigint ORDER BY position LIMIT $2::int`

const hasDrafts = `SELECT EXISTS (SELECT FROM advisory_drafts) AS waiting`

const parameters = (position: number, advisory: Advisory) => [
  position,
  advisory.itemId,
  arrayOf("text", advisory.versions),
  arrayOf("text", advisory.sha256),
  advisory.severity,
  advisory.reason,
  advisory.action,
  date(advisory.publishedAt),
  advisory.previous,
  JSON.stringify(advisory.envelope)
]

const publishDrafts = ({ sql }: Database["Service"]) =>
  Effect.fnUntraced(function* (limit: number, sign: SignAdvisory) {
    yield* sql.unsafe(oneAtATime)
    const [row] = yield* sql.unsafe<AdvisoryRow>(readEnd)
    const drafts = yield* sql.unsafe<DraftRow>(readDrafts, [limit])
    let end: FeedEnd = { position: Number(row?.position ?? 0n), last: row === undefined ? null : advisoryOf(row) }
    for (const draft of drafts.map(draftOf)) {
      const advisory = yield* sign(draft, end)
      end = { position: end.position + 1, last: advisory }
      yield* sql.unsafe(insert, parameters(end.position, advisory))
      yield* appendEvents(sql, [advisoryEvent(advisory, draft.creatorId)])
    }
    const published = arrayOf(
      "int8",
      drafts.map(({ seq }) => seq)
    )
    yield* sql.unsafe(`DELETE FROM advisory_drafts WHERE seq = ANY($1::bigint[])`, [published])
    return drafts.length
  })

export const PostgresAdvisoryStore: {
  readonly layer: Layer.Layer<AdvisoryStore, never, Database | Notifications>
} = {
  layer: Layer.effect(
    AdvisoryStore,
    Effect.gen(function* () {
      const database = yield* Database
      const notifications = yield* Notifications
      const { attempt, read, sql, transaction } = database
      const publish = publishDrafts(database)
      return {
        add: (draft) => attempt(insertDrafts(sql, [draft])),
        publish: Effect.fnUntraced(function* (limit, sign) {
          const [found] = yield* read<{ readonly waiting: boolean }>(hasDrafts)
          if (found?.waiting !== true) return 0
          const published = yield* transaction(publish(limit, sign))
          if (published > 0) notifications.hint("events")
          return published
        }),
        list: (after, limit) => {
          const position = after === undefined ? 0 : advisoryPosition(after)
          if (position === undefined) return Effect.succeedNone
          return Effect.map(read<AdvisoryRow>(readFrom, [position, limit + 1]), (rows) => {
            if (position === 0) return Option.some(rows.slice(0, limit).map(advisoryOf))
            return Number(rows[0]?.position) === position ? Option.some(rows.slice(1).map(advisoryOf)) : Option.none()
          })
        }
      }
    })
  )
}
