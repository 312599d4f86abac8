import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId, KeyId, SessionId } from "@agent-marketplace/core/ids/Ids"
import type { Session } from "@agent-marketplace/core/sessions/Session"
import { idleTime } from "@agent-marketplace/core/sessions/Session"
import { SessionStore } from "@agent-marketplace/core/sessions/SessionStore"
import { Effect, Layer, Option } from "effect"
import type { Row } from "../Columns.ts"
import { Database } from "../Database.ts"
import { stillActive } from "../identity/callingKey.ts"
import { IdentityAnnouncements } from "../identity/IdentityChanges.ts"
import type { IdentityChanges } from "../identity/IdentityChanges.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import type { Time } from "../Row.ts"
import { date, interval, time } from "../Row.ts"
import type { SignedInRow } from "./SessionRow.ts"
import { liveSessions, sessionColumns, sessionOf, signedInOf } from "./SessionRow.ts"
import { shareAccount, writeSession } from "./writeSession.ts"

const tidyLinks = `
  DELETE FROM sign_in_links WHERE hash IN (
    SELECT hash FROM sign_in_links WHERE expires_at <= market_now() LIMIT 10 FOR UPDATE SKIP LOCKED
  )`

const insertLink = `
  INSERT INTO sign_in_links (hash, account_id, made_by, expires_at) VALUES ($1::text, $2::text, $3::text, $4::timestamptz)`

const ownerOfLink = "SELECT account_id FROM sign_in_links WHERE hash = $1::text"

/** One of two concurrent statements deletes the row. */
const takeLink = `
  DELETE FROM sign_in_links WHERE hash = $1::text RETURNING account_id, made_by, expires_at > $2::timestamptz AS works`

/** Sessions of the link end with this key: the key that created the link, or that of the session that created it. */
const keyOfMaker = `
  SELECT id FROM api_keys WHERE id = $1::text
  UNION ALL
  SELECT key_id AS id FROM sessions WHERE id = $1::text AND key_id IS NOT NULL`

const find = `
  SELECT ${sessionColumns}, (SELECT to_jsonb(a) FROM accounts a WHERE a.id = live.account_id) AS account,
    EXISTS (SELECT FROM passkeys p WHERE p.account_id = live.account_id) AS has_passkey
  FROM ${liveSessions} WHERE hash = $1::text`

const list = pageQuery(
  sessionColumns,
  liveSessions,
  `account_id IS NOT DISTINCT FROM $3::text
    AND least(expires_at, last_used_at + ${interval(idleTime)}) > $4::timestamptz`,
  "created_at DESC, id DESC"
)

const end = `DELETE FROM sessions WHERE id = $1::text AND account_id IS NOT DISTINCT FROM $2::text RETURNING id`

/** Locks in a fixed order, so that processes that record uses of the same sessions cannot deadlock. */
const touch = `
  WITH uses AS (
    SELECT id, max(at) AS at FROM unnest($1::text[], $2::timestamptz[]) AS uses (id, at) GROUP BY id
  ),
  locked AS MATERIALIZED (
    SELECT s.id, uses.at FROM sessions s JOIN uses USING (id)
    WHERE s.last_used_at < uses.at ORDER BY s.id FOR NO KEY UPDATE OF s
  )
  UPDATE sessions s SET last_used_at = locked.at FROM locked WHERE s.id = locked.id AND s.last_used_at < locked.at`

const tidyAttempts = `
  DELETE FROM sign_in_attempts WHERE address IN (
    SELECT address FROM sign_in_attempts WHERE reset_at <= $1::timestamptz ORDER BY reset_at LIMIT 10 FOR UPDATE SKIP LOCKED
  )`

/** No row is returned if the limit is reached. */
const countAttempt = `
  INSERT INTO sign_in_attempts AS known (address, count, reset_at) VALUES ($1::text, 1, $3::timestamptz)
  ON CONFLICT (address) DO UPDATE SET
    count = CASE WHEN known.reset_at <= $2::timestamptz THEN 1 ELSE known.count + 1 END,
    reset_at = CASE WHEN known.reset_at <= $2::timestamptz THEN excluded.reset_at ELSE known.reset_at END
  WHERE known.reset_at <= $2::timestamptz OR known.count < $4::int
  RETURNING reset_at`

const windowEnd = "SELECT reset_at FROM sign_in_attempts WHERE address = $1::text"

const forgetAttempt = `
  UPDATE sign_in_attempts SET count = count - 1 WHERE address = $1::text AND reset_at = $2::timestamptz AND count > 0`

interface LinkRow {
  readonly account_id: string
  readonly made_by: string
  readonly works: boolean
}

type Store = SessionStore["Service"]

const starts = ({ sql, transaction }: Database["Service"]): Pick<Store, "create" | "createLink" | "spendLink"> => {
  const spend = Effect.fnUntraced(function* (hash: string, draft: Parameters<Store["spendLink"]>[1]) {
    const [known] = yield* sql.unsafe<{ readonly account_id: string }>(ownerOfLink, [hash])
    if (known === undefined) return Option.none<Session>()
    yield* sql.unsafe(shareAccount, [known.account_id])
    const [link] = yield* sql.unsafe<LinkRow>(takeLink, [hash, date(draft.createdAt)])
    if (link === undefined || !link.works) return Option.none<Session>()
    const maker = link.made_by as KeyId
    const ended = yield* Effect.as(stillActive(sql, maker), false).pipe(
      Effect.catchTag("InvalidApiKey", () => Effect.succeed(true))
    )
    if (ended) return Option.none<Session>()
    const [key] = yield* sql.unsafe<{ readonly id: string }>(keyOfMaker, [maker])
    const session: Session = {
      ...draft,
      accountId: link.account_id as AccountId,
      keyId: (key?.id ?? null) as KeyId | null
    }
    yield* writeSession(sql, session)
    return Option.some(session)
  })

  return {
    create: (session) =>
      transaction(
        Effect.gen(function* () {
          if (session.accountId !== null) yield* sql.unsafe(shareAccount, [session.accountId])
          yield* stillActive(sql, session.keyId)
          yield* writeSession(sql, session)
        })
      ),
    createLink: (link) =>
      transaction(
        Effect.gen(function* () {
          yield* sql.unsafe(shareAccount, [link.accountId])
          yield* stillActive(sql, link.madeBy)
          yield* sql.unsafe(tidyLinks)
          yield* sql.unsafe(insertLink, [link.hash, link.accountId, link.madeBy, date(link.expiresAt)])
        })
      ),
    spendLink: (hash, draft) => transaction(spend(hash, draft))
  }
}

const attempts = ({
  attempt,
  sql,
  transaction
}: Database["Service"]): Pick<Store, "countAttempt" | "forgetAttempt"> => ({
  countAttempt: (address, now, limit, window) =>
    transaction(
      Effect.gen(function* () {
        const ends = (rows: ReadonlyArray<{ readonly reset_at: Time }>, otherwise: Timestamp): Timestamp =>
          rows[0] === undefined ? otherwise : time(rows[0].reset_at)
        const counted = yield* sql.unsafe<{ readonly reset_at: Time }>(countAttempt, [
          address,
          date(now),
          date(now + window),
          limit
        ])
        if (counted.length > 0) {
          yield* sql.unsafe(tidyAttempts, [date(now)])
          return { admitted: true, resetAt: ends(counted, now) }
        }
        return {
          admitted: false,
          resetAt: ends(yield* sql.unsafe<{ readonly reset_at: Time }>(windowEnd, [address]), now + window)
        }
      })
    ),
  forgetAttempt: (address, resetAt) => Effect.asVoid(attempt(sql.unsafe(forgetAttempt, [address, date(resetAt)])))
})

const uses = ({ attempt, read, sql }: Database["Service"]): Pick<Store, "find" | "list" | "touch"> => ({
  find: (hash) =>
    Effect.map(read<SignedInRow>(find, [hash]), ([row]) => Option.map(Option.fromUndefinedOr(row), signedInOf)),
  list: (owner, now, page) =>
    Effect.map(read<Row & PageRow>(list, [...pageParameters(page), owner, date(now)]), (rows) =>
      pageOf(rows, sessionOf)
    ),
  touch: (each) =>
    each.length === 0
      ? Effect.void
      : Effect.asVoid(attempt(sql.unsafe(touch, [each.map(([id]) => id), each.map(([, at]) => date(at))])))
})

const ends = ({ sql, transaction }: Database["Service"], { announcing }: IdentityChanges): Pick<Store, "end"> => ({
  end: (id: SessionId, owner) =>
    announcing((say) =>
      transaction(
        Effect.gen(function* () {
          const rows = yield* sql.unsafe(end, [id, owner])
          if (rows.length > 0) yield* say(id)
          return rows.length > 0
        })
      )
    )
})

export const PostgresSessionStore: {
  readonly layer: Layer.Layer<SessionStore, never, Database | IdentityAnnouncements>
} = {
  layer: Layer.effect(
    SessionStore,
    Effect.gen(function* () {
      const database = yield* Database
      const announcements = yield* IdentityAnnouncements
      return {
        ...starts(database),
        ...attempts(database),
        ...uses(database),
        ...ends(database, announcements),
        changes: announcements.changes,
        live: announcements.live
      }
    })
  )
}
