import type { AccountId, KeyId, SessionId } from "@agent-marketplace/core/ids/Ids"
import type { Session } from "@agent-marketplace/core/sessions/Session"
import { sessionMethods } from "@agent-marketplace/core/sessions/Session"
import type { SignedIn } from "@agent-marketplace/core/sessions/SessionStore"
import type { Row } from "../Columns.ts"
import type { AccountRow } from "../identity/IdentityRow.ts"
import { accountOf } from "../identity/IdentityRow.ts"
import { column, recordColumns } from "../RecordColumns.ts"
import { date, nullableDate } from "../Row.ts"

const sessionRecord = recordColumns<Session>({
  id: column.id<SessionId>(),
  hash: column.text,
  accountId: column.orNull(column.id<AccountId>()),
  keyId: column.orNull(column.id<KeyId>()),
  method: column.literals(sessionMethods),
  tokenHash: column.orNull(column.text),
  userAgent: column.orNull(column.text),
  elevatedUntil: column.orNull(column.time),
  createdAt: column.time,
  lastUsedAt: column.time,
  expiresAt: column.time
})

export const sessionOf: (row: Row) => Session = sessionRecord.read

const columns = Object.keys(sessionRecord.columns)

/** Active sessions, with the columns of a session. A session ends with the key that started it, at the latest when that key expires. */
export const liveSessions = `(
  SELECT ${columns
    .map((name) => (name === "expires_at" ? "least(s.expires_at, k.expires_at) AS expires_at" : `s.${name}`))
    .join(", ")}
  FROM sessions s LEFT JOIN api_keys k ON k.id = s.key_id
  WHERE s.key_id IS NULL OR k.status = 'active'
) AS live`

export const sessionColumns = columns.join(", ")

const types = "text, text, text, text, text, text, text, timestamptz, timestamptz, timestamptz, timestamptz".split(", ")

export const insertSession = `INSERT INTO sessions (${sessionColumns})
  VALUES (${types.map((type, index) => `$${index + 1}::${type}`).join(", ")})`

export const sessionParameters = (session: Session): ReadonlyArray<unknown> => [
  session.id,
  session.hash,
  session.accountId,
  session.keyId,
  session.method,
  session.tokenHash,
  session.userAgent,
  nullableDate(session.elevatedUntil),
  date(session.createdAt),
  date(session.lastUsedAt),
  date(session.expiresAt)
]

export interface SignedInRow extends Row {
  /** The row of the account as JSON. */
  readonly account: AccountRow | null
  readonly has_passkey: boolean
}

export const signedInOf = (row: SignedInRow): SignedIn => ({
  session: sessionOf(row),
  account: row.account === null ? null : accountOf(row.account),
  hasPasskey: row.has_passkey
})
