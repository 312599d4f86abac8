import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { Listener } from "@agent-marketplace/core/notifications/Notice"
import { noticedEvents } from "@agent-marketplace/core/notifications/Notice"
import { defaultPreferences } from "@agent-marketplace/core/notifications/NotificationKind"
import type { NotificationPreferences } from "@agent-marketplace/core/notifications/NotificationKind"
import type { NoticeFanOut } from "@agent-marketplace/core/notifications/NotificationStore"
import { Effect } from "effect"
import { advisoryLocks } from "../AdvisoryLocks.ts"
import type { Row } from "../Columns.ts"
import type { Database } from "../Database.ts"
import type { EventRow } from "../events/EventRow.ts"
import { eventColumns, eventOf } from "../events/EventRow.ts"
import { everLicensed } from "../purchases/everLicensed.ts"
import { arrayOf } from "../Rowset.ts"
import { channelColumnNames, channelColumns, noticeColumnNames, noticeColumns } from "./NotificationRow.ts"

/** One process creates notices at a time. Waiting for this lock takes no transaction id, so it does not hold up readers of the log. */
const oneAtATime = `SELECT pg_advisory_xact_lock(${advisoryLocks.noticeFanOut})`

/** Two statements: the second sees everything that was committed before the horizon was read. */
const readPosition = `SELECT seq, event_horizon() AS horizon FROM notification_cursor`

/** The number of events and the last one; and those of them that may notify somebody. */
const readNext = `
  WITH next AS MATERIALIZED (
    SELECT ${eventColumns} FROM events WHERE seq > $1::bigint AND seq <= $2::bigint ORDER BY seq LIMIT $3::int
  )
  SELECT taken.count, taken.last, noticed.* FROM (SELECT count(*), max(seq) AS last FROM next) AS taken
  LEFT JOIN (SELECT * FROM next WHERE type = ANY($4::text[])) AS noticed ON true
  ORDER BY noticed.seq`

/** The accounts with channels that hold or held a license for the item of an event, or downloaded it (ADVISORY-7). */
const findHolders = `
  SELECT event.seq, listening.account_id FROM unnest($1::bigint[], $2::text[]) AS event (seq, subject)
  CROSS JOIN LATERAL (
    SELECT DISTINCT account_id FROM notification_channels AS channel WHERE
      EXISTS (SELECT FROM soul_downloads WHERE soul_id = event.subject AND soul_downloads.account_id = channel.account_id)
      OR ${everLicensed("channel.account_id", "event.subject")}
  ) AS listening`

/** Locked until the end, so that a channel is closed entirely before or after this. */
const lockChannels = `
  SELECT ${channelColumnNames.join(", ")}, after_event FROM notification_channels
  WHERE account_id = ANY($1::text[]) ORDER BY id FOR SHARE`

const findPreferences = `
  SELECT account_id, preferences FROM notification_preferences WHERE account_id = ANY($1::text[])`

const insert = `
  INSERT INTO notices (${noticeColumnNames.join(", ")})
  SELECT ${noticeColumnNames.join(", ")} FROM json_populate_recordset(NULL::notices, $1::json)
  ON CONFLICT (id) DO NOTHING`

interface Position {
  readonly seq: bigint
  readonly horizon: bigint
}

interface NextRow {
  readonly count: bigint
  readonly last: bigint | null
}

type Next = NextRow & (EventRow | { readonly seq: null })

type ChannelRow = Row & { readonly after_event: bigint }

interface PreferencesRow {
  readonly account_id: string
  readonly preferences: Partial<NotificationPreferences>
}

/** See `NotificationStore.dispatch`. */
export const dispatchNotices = ({ read, sql, transaction }: Database["Service"]) => {
  const withHolders = Effect.fnUntraced(function* (events: ReadonlyArray<EventRow>) {
    const wide = events.filter(({ audience }) => audience === "holders")
    if (wide.length === 0) return events
    const found = yield* sql.unsafe<{ readonly seq: bigint; readonly account_id: string }>(findHolders, [
      arrayOf(
        "int8",
        wide.map(({ seq }) => seq)
      ),
      arrayOf(
        "text",
        wide.map(({ subject }) => subject)
      )
    ])
    return events.map((event) => {
      const holders = found.filter(({ seq }) => seq === event.seq).map(({ account_id }) => account_id)
      return { ...event, accounts: [...new Set([...event.accounts, ...holders])] }
    })
  })

  const notify = Effect.fnUntraced(function* (appended: ReadonlyArray<EventRow>, fanOut: NoticeFanOut) {
    const events = yield* withHolders(appended)
    const accounts = arrayOf("text", [...new Set(events.flatMap((event) => event.accounts))])
    const rows = yield* sql.unsafe<ChannelRow>(lockChannels, [accounts])
    if (rows.length === 0) return
    const stored = yield* sql.unsafe<PreferencesRow>(findPreferences, [accounts])
    const preferences = new Map(stored.map((row) => [row.account_id, row.preferences]))
    const channels = rows.map((row) => ({ channel: channelColumns.read(row), after: row.after_event }))
    const notices = events.flatMap((event) => {
      const listeners = event.accounts.map((account): Listener => {
        const own = channels.filter(({ after, channel }) => channel.accountId === account && after < event.seq)
        return {
          accountId: account as AccountId,
          preferences: { ...defaultPreferences, ...preferences.get(account) },
          channels: own.map(({ channel }) => channel)
        }
      })
      return fanOut(eventOf(event), listeners)
    })
    if (notices.length > 0) yield* sql.unsafe(insert, [JSON.stringify(notices.map(noticeColumns.write))])
  })

  const next = Effect.fnUntraced(function* (limit: number, fanOut: NoticeFanOut) {
    yield* sql.unsafe(oneAtATime)
    const [position] = yield* sql.unsafe<Position>(readPosition)
    if (position === undefined || position.horizon <= position.seq) return 0
    const parameters = [position.seq, position.horizon, limit, arrayOf("text", noticedEvents)]
    const rows = yield* sql.unsafe<Next>(readNext, parameters)
    const last = rows[0]?.last ?? null
    if (last === null) return 0
    const noticed = rows.filter((row): row is NextRow & EventRow => row.seq !== null)
    if (noticed.length > 0) yield* notify(noticed, fanOut)
    yield* sql.unsafe(`UPDATE notification_cursor SET seq = $1::bigint`, [last])
    return Number(rows[0]?.count ?? 0n)
  })

  /** Checked without the lock: a process that finds nothing new does not wait for the others. */
  return Effect.fnUntraced(function* (limit: number, fanOut: NoticeFanOut) {
    const [position] = yield* read<Position>(readPosition)
    if (position === undefined || position.horizon <= position.seq) return 0
    return yield* transaction(next(limit, fanOut))
  })
}
