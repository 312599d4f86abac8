import { Conflict } from "@agent-marketplace/core/errors/MarketError"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { PasskeyUse } from "@agent-marketplace/core/passkeys/PasskeyStore"
import { PasskeyStore } from "@agent-marketplace/core/passkeys/PasskeyStore"
import { Effect, Layer, Option } from "effect"
import type { Row } from "../Columns.ts"
import { Database } from "../Database.ts"
import { stillActive } from "../identity/callingKey.ts"
import { IdentityAnnouncements } from "../identity/IdentityChanges.ts"
import type { IdentityChanges } from "../identity/IdentityChanges.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import { date } from "../Row.ts"
import { shareAccount, writeSession } from "../sessions/writeSession.ts"
import {
  challengeColumns,
  challengeOf,
  insertPasskey,
  passkeyColumns,
  passkeyOf,
  passkeyParameters
} from "./PasskeyRow.ts"

const tidyChallenges = `
  DELETE FROM passkey_challenges WHERE challenge IN (
    SELECT challenge FROM passkey_challenges WHERE expires_at <= market_now() ORDER BY expires_at LIMIT 10 FOR UPDATE SKIP LOCKED
  )`

const addChallenge = `
  INSERT INTO passkey_challenges (${challengeColumns}) VALUES ($1::text, $2::text, $3::text, $4::timestamptz)`

/** One of two concurrent statements deletes the row. */
const takeChallenge = `
  WITH taken AS (DELETE FROM passkey_challenges WHERE challenge = $1::text RETURNING ${challengeColumns})
  SELECT ${challengeColumns} FROM taken WHERE expires_at > $2::timestamptz`

/** Registrations of one account are serialized, also with its recovery. */
const lockAccount = "SELECT id FROM accounts WHERE id = $1::text FOR NO KEY UPDATE"

const count = "SELECT count(*)::int AS passkeys FROM passkeys WHERE account_id = $1::text"

const find = `SELECT ${passkeyColumns} FROM passkeys WHERE credential_id = $1::text`

const list = pageQuery(passkeyColumns, "passkeys", "account_id = $3::text", "created_at DESC, id DESC")

const rename = `
  UPDATE passkeys SET name = $3::text WHERE id = $1::text AND account_id = $2::text RETURNING ${passkeyColumns}`

const remove = "DELETE FROM passkeys WHERE id = $1::text AND account_id = $2::text RETURNING id"

/** If two uses with one counter are concurrent, the second finds that its counter is not newer. */
const use = `
  UPDATE passkeys SET counter = $3::bigint, backed_up = $4::boolean, last_used_at = $5::timestamptz
  WHERE credential_id = $1::text AND account_id = $2::text AND (counter < $3::bigint OR (counter = 0 AND $3::bigint = 0))
  RETURNING id`

const accountOfSession = "SELECT account_id FROM sessions WHERE id = $1::text"

const elevate = "UPDATE sessions SET elevated_until = $2::timestamptz WHERE id = $1::text RETURNING id"

type Store = PasskeyStore["Service"]

const useParameters = ({ at, backedUp, counter, credentialId }: PasskeyUse, account: string) => [
  credentialId,
  account,
  BigInt(counter),
  backedUp,
  date(at)
]

const challenges = ({
  attempt,
  sql,
  transaction
}: Database["Service"]): Pick<Store, "addChallenge" | "takeChallenge"> => ({
  addChallenge: ({ challenge, expiresAt, purpose, sessionId }) =>
    transaction(
      Effect.gen(function* () {
        yield* sql.unsafe(tidyChallenges)
        yield* sql.unsafe(addChallenge, [challenge, purpose, sessionId, date(expiresAt)])
      })
    ),
  takeChallenge: (challenge, now) =>
    Effect.map(attempt(sql.unsafe<Row>(takeChallenge, [challenge, date(now)])), ([row]) =>
      Option.map(Option.fromUndefinedOr(row), challengeOf)
    )
})

const records = (
  { attempt, read, sql, transaction }: Database["Service"],
  { announcing }: IdentityChanges
): Pick<Store, "add" | "find" | "list" | "remove" | "rename"> => ({
  add: (passkey, by, limit) =>
    announcing((say) =>
      transaction(
        Effect.gen(function* () {
          yield* sql.unsafe(lockAccount, [passkey.accountId])
          yield* stillActive(sql, by)
          const [counted] = yield* sql.unsafe<{ readonly passkeys: number }>(count, [passkey.accountId])
          if ((counted?.passkeys ?? 0) >= limit) return yield* new Conflict({ state: "too_many_passkeys", limit })
          const added = yield* sql.unsafe(insertPasskey, [...passkeyParameters(passkey)])
          if (added.length === 0) return yield* new Conflict({ state: "registered" })
          yield* say(passkey.accountId)
        })
      )
    ),
  find: (credentialId) =>
    Effect.map(read<Row>(find, [credentialId]), ([row]) => Option.map(Option.fromUndefinedOr(row), passkeyOf)),
  list: (owner, page) =>
    Effect.map(read<Row & PageRow>(list, [...pageParameters(page), owner]), (rows) => pageOf(rows, passkeyOf)),
  rename: (id, owner, name) =>
    Effect.map(attempt(sql.unsafe<Row>(rename, [id, owner, name])), ([row]) =>
      Option.map(Option.fromUndefinedOr(row), passkeyOf)
    ),
  remove: (id, owner) =>
    announcing((say) =>
      transaction(
        Effect.gen(function* () {
          const rows = yield* sql.unsafe(remove, [id, owner])
          if (rows.length > 0) yield* say(owner)
          return rows.length > 0
        })
      )
    )
})

const uses = (
  { sql, transaction }: Database["Service"],
  { announcing }: IdentityChanges
): Pick<Store, "signIn" | "stepUp"> => ({
  signIn: (signed, session) =>
    transaction(
      Effect.gen(function* () {
        yield* sql.unsafe(shareAccount, [session.accountId])
        const used = yield* sql.unsafe(use, useParameters(signed, session.accountId))
        if (used.length === 0) return false
        yield* writeSession(sql, session)
        return true
      })
    ),
  stepUp: (signed, id, until) =>
    announcing((say) =>
      transaction(
        Effect.gen(function* () {
          const [session] = yield* sql.unsafe<{ readonly account_id: AccountId | null }>(accountOfSession, [id])
          const account = session?.account_id ?? null
          if (account === null) return false
          yield* sql.unsafe(shareAccount, [account])
          const elevated = yield* sql.unsafe(elevate, [id, date(until)])
          if (elevated.length === 0) return false
          const used = yield* sql.unsafe(use, useParameters(signed, account))
          if (used.length === 0) return yield* Effect.fail("refused" as const)
          yield* say(id)
          return true
        })
      )
    ).pipe(
      Effect.catchIf(
        (error) => error === "refused",
        () => Effect.succeed(false)
      )
    )
})

export const PostgresPasskeyStore: {
  readonly layer: Layer.Layer<PasskeyStore, never, Database | IdentityAnnouncements>
} = {
  layer: Layer.effect(
    PasskeyStore,
    Effect.gen(function* () {
      const database = yield* Database
      const announcements = yield* IdentityAnnouncements
      return { ...challenges(database), ...records(database, announcements), ...uses(database, announcements) }
    })
  )
}
