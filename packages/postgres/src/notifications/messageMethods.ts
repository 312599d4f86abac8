import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { burst, pace } from "@agent-marketplace/core/notifications/NotificationChannel"
import type { NotificationChannel } from "@agent-marketplace/core/notifications/NotificationChannel"
import type {
  ClaimedMessage,
  MessageClaimRequest,
  NotificationStore
} from "@agent-marketplace/core/notifications/NotificationStore"
import type { AfterSend } from "@agent-marketplace/core/notifications/SendRule"
import { Effect } from "effect"
import type { Row } from "../Columns.ts"
import type { Database } from "../Database.ts"
import { date } from "../Row.ts"
import { arrayOf } from "../Rowset.ts"
import { writeChannel } from "./channelMethods.ts"
import { channelColumnNames, channelColumns, noticeColumnNames, noticeColumns, urgentFirst } from "./NotificationRow.ts"

const ownNames = channelColumnNames.map((name) => `own.${name}`).join(", ")

const isFree = `enabled AND verified_at IS NOT NULL AND (claimed_until IS NULL OR claimed_until <= clock_timestamp())
      AND (retry_at IS NULL OR retry_at <= $1::timestamptz) AND paced_until <= $2::timestamptz`

/**
 * Starts from the notices, of which there are few, and skips channels that another transaction has locked. Each channel has a place among
 * those of its account, after the ones that are claimed. Whether it is free is checked again once it is locked.
 */
const claimChannels = `
  WITH due AS MATERIALIZED (
    SELECT channel_id, min(due_at) AS due_at FROM notices WHERE due_at <= $1::timestamptz GROUP BY channel_id
  ), candidate AS MATERIALIZED (
    SELECT channel.id, due.due_at,
      row_number() OVER (PARTITION BY account_id ORDER BY due.due_at, channel.id) + (
        SELECT count(*) FROM notification_channels AS other
        WHERE other.account_id = channel.account_id AND other.claimed_until > clock_timestamp()
      ) AS place
    FROM due JOIN notification_channels AS channel ON channel.id = due.channel_id WHERE ${isFree}
  ), free AS (
    SELECT channel.id, candidate.due_at FROM candidate JOIN notification_channels AS channel ON channel.id = candidate.id
    WHERE place <= $5::int AND ${isFree}
    ORDER BY candidate.due_at, channel.id LIMIT $3::int FOR NO KEY UPDATE OF channel SKIP LOCKED
  )
  UPDATE notification_channels AS own SET claim = gen_random_uuid()::text,
    claimed_until = clock_timestamp() + make_interval(secs => $4::float8)
  FROM free WHERE own.id = free.id
  RETURNING ${ownNames}, own.claim, free.due_at AS first_due`

/** The notices of an unfinished message of each channel, or else the due ones. They become a part of the message. */
const claimNotices = `
  WITH next AS MATERIALIZED (
    SELECT found.* FROM unnest($1::text[]) AS claimed (id) CROSS JOIN LATERAL (
      SELECT id, first_value(id) OVER (ORDER BY ${urgentFirst}) AS first FROM notices
      WHERE channel_id = claimed.id AND (message IS NOT NULL OR (
        due_at <= $2::timestamptz
        AND NOT EXISTS (SELECT FROM notices AS begun WHERE begun.channel_id = claimed.id AND begun.message IS NOT NULL)
      ))
      ORDER BY ${urgentFirst} LIMIT $3::int
    ) AS found
  ), taken AS (
    UPDATE notices SET message = coalesce(message, next.first) FROM next WHERE notices.id = next.id RETURNING notices.*
  )
  SELECT ${noticeColumnNames.join(", ")}, message FROM taken ORDER BY channel_id, ${urgentFirst}`

const release = `
  UPDATE notification_channels SET claim = NULL, claimed_until = NULL WHERE id = ANY($1::text[])`

const lockClaimed = `
  SELECT ${channelColumnNames.join(", ")} FROM notification_channels WHERE id = $1::text AND claim = $2::text FOR UPDATE`

const remove = "DELETE FROM notification_channels WHERE id = $1::text"

const finish = "DELETE FROM notices WHERE channel_id = $1::text AND message IS NOT NULL"

type ChannelRow = Row & { readonly id: string; readonly claim: string; readonly first_due: Date }
type NoticeRow = Row & { readonly channel_id: string; readonly message: string }

export const messageMethods = ({
  sql,
  transaction
}: Database["Service"]): Pick<NotificationStore["Service"], "claim" | "settle"> => {
  const claim = Effect.fnUntraced(function* ({
    leaseSeconds,
    limit,
    now,
    perAccount,
    perMessage
  }: MessageClaimRequest) {
    const room = date(now + burst - pace)
    const channels = yield* sql.unsafe<ChannelRow>(claimChannels, [date(now), room, limit, leaseSeconds, perAccount])
    if (channels.length === 0) return []
    const ids = arrayOf(
      "text",
      channels.map(({ id }) => id)
    )
    const notices = yield* sql.unsafe<NoticeRow>(claimNotices, [ids, date(now), perMessage])
    const oldestFirst = channels.toSorted((a, b) => a.first_due.getTime() - b.first_due.getTime())
    const messages = oldestFirst.flatMap((row): ReadonlyArray<ClaimedMessage> => {
      const own = notices.filter(({ channel_id }) => channel_id === row.id)
      const [first] = own
      if (first === undefined) return []
      return [
        { id: first.message, claim: row.claim, channel: channelColumns.read(row), notices: own.map(noticeColumns.read) }
      ]
    })
    // Another worker has sent the notices of these channels between the two statements.
    const empty = channels.filter(({ id }) => !messages.some(({ channel }) => channel.id === id))
    if (empty.length > 0) {
      yield* sql.unsafe(release, [
        arrayOf(
          "text",
          empty.map(({ id }) => id)
        )
      ])
    }
    return messages
  })

  const settle = Effect.fnUntraced(function* (
    id: string,
    claimId: string,
    now: Timestamp,
    rule: (channel: NotificationChannel) => AfterSend
  ) {
    const [row] = yield* sql.unsafe<Row>(lockClaimed, [id, claimId])
    if (row === undefined) return false
    const before = channelColumns.read(row)
    const { channel, finished } = rule(before)
    if (channel === null) {
      yield* sql.unsafe(remove, [id])
      return true
    }
    if (finished) yield* sql.unsafe(finish, [id])
    yield* writeChannel(sql, before, channel, now)
    yield* sql.unsafe(release, [arrayOf("text", [id])])
    return true
  })

  return {
    claim: (request) => transaction(claim(request)),
    settle: (message, now, rule) => transaction(settle(message.channel.id, message.claim, now, rule))
  }
}
