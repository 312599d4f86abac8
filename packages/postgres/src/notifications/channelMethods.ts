import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import { Timestamp as Time } from "@agent-marketplace/core/clock/Timestamp"
import { Conflict } from "@agent-marketplace/core/errors/MarketError"
import type { AccountFrozen } from "@agent-marketplace/core/errors/MarketError"
import type { ChannelId } from "@agent-marketplace/core/ids/Ids"
import type { NotificationChannel } from "@agent-marketplace/core/notifications/NotificationChannel"
import {
  channelLimit,
  confirmationLimits,
  digestDue,
  isOpen
} from "@agent-marketplace/core/notifications/NotificationChannel"
import type { NotificationPreferences } from "@agent-marketplace/core/notifications/NotificationKind"
import { defaultPreferences } from "@agent-marketplace/core/notifications/NotificationKind"
import type { Confirmation, NotificationStore } from "@agent-marketplace/core/notifications/NotificationStore"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect, Option, Result } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { advisoryLockClasses } from "../AdvisoryLocks.ts"
import type { Row } from "../Columns.ts"
import type { Database } from "../Database.ts"
import { lockOwner } from "../identity/admitRecord.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import { date } from "../Row.ts"
import { channelColumnNames, channelColumns } from "./NotificationRow.ts"

const names = channelColumnNames.join(", ")

const fixed = ["id", "account_id", "kind", "label", "target", "created_at"]

const find = `SELECT ${names} FROM notification_channels WHERE id = $1::text`

const list = pageQuery(names, "notification_channels", "account_id = $3::text", "created_at DESC, id DESC")

const lock = `${find} FOR NO KEY UPDATE`

const count = "SELECT count(*)::int AS channels FROM notification_channels WHERE account_id = $1::text"

const insert = `
  INSERT INTO notification_channels (${names})
  SELECT ${names} FROM json_populate_record(NULL::notification_channels, $1::json)`

const updated = channelColumnNames
  .filter((name) => !fixed.includes(name))
  .map((name) => `${name} = given.${name}`)
  .join(", ")

const update = `
  UPDATE notification_channels AS own SET ${updated}
  FROM json_populate_record(NULL::notification_channels, $1::json) AS given WHERE own.id = given.id`

const remove = "DELETE FROM notification_channels WHERE id = $1::text RETURNING id"

const dropNotices = "DELETE FROM notices WHERE channel_id = $1::text"

const bringForward = "UPDATE notices SET due_at = least(due_at, $2::timestamptz) WHERE channel_id = $1::text"

const tidyConfirmations = `
  DELETE FROM notification_confirmations WHERE ctid IN (
    SELECT ctid FROM notification_confirmations WHERE at <= $1::timestamptz LIMIT 100 FOR UPDATE SKIP LOCKED
  )`

/** Confirmations of one address are serialized, by whichever account; those of one account by the lock of the account. */
const lockAddress = `SELECT pg_advisory_xact_lock(${advisoryLockClasses.confirmations}, hashtext($1::text))`

const countConfirmations = `
  SELECT (SELECT count(*)::int FROM notification_confirmations WHERE account_id = $1::text AND at > $3::timestamptz) AS account,
    (SELECT count(*)::int FROM notification_confirmations WHERE target_hash = $2::text AND at > $3::timestamptz) AS address`

const addConfirmation = `
  INSERT INTO notification_confirmations (account_id, target_hash, at) VALUES ($1::text, $2::text, $3::timestamptz)`

const findPreferences = "SELECT preferences FROM notification_preferences WHERE account_id = $1::text"

const putPreferences = `
  INSERT INTO notification_preferences (account_id, preferences) VALUES ($1::text, $2::json)
  ON CONFLICT (account_id) DO UPDATE SET preferences = EXCLUDED.preferences`

/** Writes a changed channel that the transaction has locked, with the consequences for its notices. */
export const writeChannel = Effect.fnUntraced(function* (
  sql: SqlClient,
  before: NotificationChannel,
  after: NotificationChannel,
  now: Timestamp
): Effect.fn.Return<void, SqlError> {
  yield* sql.unsafe(update, [JSON.stringify(channelColumns.write(after))])
  if (!isOpen(after)) yield* sql.unsafe(dropNotices, [after.id])
  else if (after.digest !== before.digest)
    yield* sql.unsafe(bringForward, [after.id, date(digestDue(after.digest, now))])
})

const counted = Effect.fnUntraced(function* (
  sql: SqlClient,
  { accountId, at, targetHash }: Confirmation
): Effect.fn.Return<void, Conflict | SqlError> {
  const since = date(at - Time.day)
  yield* sql.unsafe(lockAddress, [targetHash])
  yield* sql.unsafe(tidyConfirmations, [since])
  const [sent] = yield* sql.unsafe<{ readonly account: number; readonly address: number }>(countConfirmations, [
    accountId,
    targetHash,
    since
  ])
  for (const name of ["account", "address"] as const) {
    const limit = confirmationLimits[name]
    if ((sent?.[name] ?? 0) >= limit) return yield* new Conflict({ state: "confirmation_limit", limit })
  }
  yield* sql.unsafe(addConfirmation, [accountId, targetHash, date(at)])
})

type Methods = Pick<
  NotificationStore["Service"],
  "confirm" | "create" | "find" | "list" | "preferences" | "remove" | "setPreferences" | "update"
>

export const channelMethods = ({ attempt, read, sql, transaction }: Database["Service"]): Methods => {
  const create = Effect.fnUntraced(function* (
    channel: NotificationChannel,
    confirmation: Confirmation | null
  ): Effect.fn.Return<void, AccountFrozen | Conflict | SqlError> {
    yield* lockOwner(sql, channel.accountId)
    const [row] = yield* sql.unsafe<{ readonly channels: number }>(count, [channel.accountId])
    if ((row?.channels ?? 0) >= channelLimit) {
      return yield* new Conflict({ state: "channel_limit", limit: channelLimit })
    }
    if (confirmation !== null) yield* counted(sql, confirmation)
    yield* sql.unsafe(insert, [JSON.stringify(channelColumns.write(channel))])
  })

  const modify = Effect.fnUntraced(function* <E>(
    id: ChannelId,
    now: Timestamp,
    rule: (channel: NotificationChannel) => Result.Result<NotificationChannel, E>
  ) {
    const [row] = yield* sql.unsafe<Row>(lock, [id])
    if (row === undefined) return Option.none()
    const before = channelColumns.read(row)
    const ruled = rule(before)
    if (Result.isFailure(ruled)) return yield* Effect.fail(ruled.failure)
    yield* writeChannel(sql, before, ruled.success, now)
    return Option.some(ruled.success)
  })

  return {
    create: (channel, confirmation) => transaction(create(channel, confirmation)),
    list: (account, page) =>
      Effect.map(read<Row & PageRow>(list, [...pageParameters(page), account]), (rows) =>
        pageOf(rows, channelColumns.read)
      ),
    find: (id) =>
      Effect.map(read<Row>(find, [id]), ([row]) => Option.map(Option.fromUndefinedOr(row), channelColumns.read)),
    update: (id, now, rule) => transaction(modify(id, now, rule)),
    confirm: (confirmation) =>
      transaction(Effect.andThen(lockOwner(sql, confirmation.accountId), counted(sql, confirmation))),
    remove: (id) => Effect.map(attempt(sql.unsafe(remove, [id])), (gone) => gone.length > 0),
    preferences: (account) =>
      Effect.map(
        read<{ readonly preferences: Partial<NotificationPreferences> }>(findPreferences, [account]),
        ([row]) =>
          Option.map(Option.fromUndefinedOr(row), ({ preferences }) => ({ ...defaultPreferences, ...preferences }))
      ),
    setPreferences: (account, preferences) =>
      transaction(
        Effect.andThen(lockOwner(sql, account), sql.unsafe(putPreferences, [account, JSON.stringify(preferences)]))
      )
  }
}
