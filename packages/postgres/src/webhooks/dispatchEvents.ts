import type { FanOut } from "@agent-marketplace/core/webhooks/WebhookStore"
import { Effect } from "effect"
import { advisoryLocks } from "../AdvisoryLocks.ts"
import type { Database } from "../Database.ts"
import type { EventRow } from "../events/EventRow.ts"
import { eventColumns, eventOf } from "../events/EventRow.ts"
import { everLicensed } from "../purchases/everLicensed.ts"
import { liveLicense } from "../purchases/liveLicense.ts"
import { arrayOf } from "../Rowset.ts"
import { insertDeliveries } from "./insertDeliveries.ts"
import type { WebhookRow } from "./WebhookRow.ts"
import { webhookColumns, webhookOf } from "./WebhookRow.ts"

/** One process fans out at a time. Waiting for this lock takes no transaction id, so it does not hold up readers of the log. */
const oneAtATime = `SELECT pg_advisory_xact_lock(${advisoryLocks.eventFanOut})`

/** Two statements: the second sees everything that was committed before the horizon was read. */
const readPosition = `SELECT seq, event_horizon() AS horizon FROM webhook_cursor`

/** The number of events and the last one; and those of them that a webhook subscribes to. */
const readNext = `
  WITH next AS MATERIALIZED (
    SELECT ${eventColumns} FROM events WHERE seq > $1::bigint AND seq <= $2::bigint ORDER BY seq LIMIT $3::int
  )
  SELECT taken.count, taken.last, matching.* FROM (SELECT count(*), max(seq) AS last FROM next) AS taken
  LEFT JOIN (
    SELECT * FROM next WHERE audience IS NOT NULL OR EXISTS (SELECT FROM webhooks WHERE account_id = ANY(next.accounts))
  ) AS matching ON true
  ORDER BY matching.seq`

interface Position {
  readonly seq: bigint
  readonly horizon: bigint
}

const none = { taken: 0, made: 0 }

interface NextRow {
  readonly count: bigint
  readonly last: bigint | null
}

/**
 * The accounts that have a webhook for an event and belong to its audience: all of them, those that hold a license for the soul or have
 * downloaded it, or those that hold or held a license for the item or downloaded it (EVENT-4, EVENT-5, ADVISORY-7).
 */
export const findAudience = `
  SELECT event.seq, listening.account_id FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[])
    AS event (seq, type, subject, audience)
  CROSS JOIN LATERAL (
    SELECT DISTINCT account_id FROM webhooks WHERE events && ARRAY[event.type, '*'] AND (
      event.audience = 'everyone'
      OR EXISTS (SELECT FROM soul_downloads WHERE soul_id = event.subject AND soul_downloads.account_id = webhooks.account_id)
      OR (event.audience = 'users' AND ${liveLicense("webhooks.account_id", "event.subject")})
      OR (event.audience = 'holders' AND ${everLicensed("webhooks.account_id", "event.subject")})
    )
  ) AS listening`

/** Locked until the end, so that a change of status happens entirely before or after this (`WebhookStore.dispatch`). */
const lockListeners = `
  SELECT ${webhookColumns}, after_event FROM webhooks WHERE account_id = ANY($1::text[]) ORDER BY id FOR SHARE`

type Next = NextRow & (EventRow | { readonly seq: null })

/** See `WebhookStore.dispatch`. */
export const dispatchEvents = ({ read, sql, transaction }: Database["Service"]) => {
  /** The events, with the accounts of the audience added to each event's accounts. */
  const withAudiences = Effect.fnUntraced(function* (events: ReadonlyArray<EventRow>) {
    const wide = events.filter(({ audience }) => audience !== null)
    if (wide.length === 0) return events
    const found = yield* sql.unsafe<{ readonly seq: bigint; readonly account_id: string }>(findAudience, [
      arrayOf(
        "int8",
        wide.map(({ seq }) => seq)
      ),
      ...(["type", "subject", "audience"] as const).map((name) =>
        arrayOf(
          "text",
          wide.map((event) => event[name])
        )
      )
    ])
    const audiences = new Map<bigint, Array<string>>()
    for (const { account_id, seq } of found) audiences.set(seq, [...(audiences.get(seq) ?? []), account_id])
    return events.map((event) => ({
      ...event,
      accounts: [...new Set([...event.accounts, ...(audiences.get(event.seq) ?? [])])]
    }))
  })

  const deliver = Effect.fnUntraced(function* (appended: ReadonlyArray<EventRow>, fanOut: FanOut) {
    const events = yield* withAudiences(appended)
    const accounts = [...new Set(events.flatMap((event) => event.accounts))]
    const rows = yield* sql.unsafe<WebhookRow & { readonly after_event: bigint }>(lockListeners, [
      arrayOf("text", accounts)
    ])
    const webhooks = rows.map((row) => ({ webhook: webhookOf(row), after: row.after_event }))
    const deliveries = events.flatMap((event) =>
      fanOut(
        eventOf(event),
        webhooks
          .filter(({ after, webhook }) => after < event.seq && event.accounts.includes(webhook.accountId))
          .map(({ webhook }) => webhook)
      )
    )
    yield* insertDeliveries(sql, deliveries)
    return deliveries.length
  })

  const next = Effect.fnUntraced(function* (limit: number, fanOut: FanOut) {
    yield* sql.unsafe(oneAtATime)
    const [position] = yield* sql.unsafe<Position>(readPosition)
    if (position === undefined || position.horizon <= position.seq) return none
    const rows = yield* sql.unsafe<Next>(readNext, [position.seq, position.horizon, limit])
    const last = rows[0]?.last ?? null
    if (last === null) return none
    const matching = rows.filter((row): row is NextRow & EventRow => row.seq !== null)
    const made = matching.length === 0 ? 0 : yield* deliver(matching, fanOut)
    yield* sql.unsafe(`UPDATE webhook_cursor SET seq = $1::bigint`, [last])
    return { taken: Number(rows[0]?.count ?? 0n), made }
  })

  /** Checked without the lock: a process that finds nothing new does not wait for the others. */
  return Effect.fnUntraced(function* (limit: number, fanOut: FanOut) {
    const [position] = yield* read<Position>(readPosition)
    if (position === undefined || position.horizon <= position.seq) return none
    return yield* transaction(next(limit, fanOut))
  })
}
