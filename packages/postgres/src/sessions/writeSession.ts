import type { Session } from "@agent-marketplace/core/sessions/Session"
import { idleTime } from "@agent-marketplace/core/sessions/Session"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import { date, interval } from "../Row.ts"
import { insertSession, sessionParameters } from "./SessionRow.ts"

/** A recovery waits for transactions that hold this lock. A transaction that waits for a recovery sees its effect. */
export const shareAccount = "SELECT id FROM accounts WHERE id = $1::text FOR SHARE"

/** Sessions that have expired are deleted when their account starts another one. */
const tidySessions = `
  DELETE FROM sessions WHERE account_id IS NOT DISTINCT FROM $1::text
    AND least(expires_at, last_used_at + ${interval(idleTime)}) <= $2::timestamptz`

/** Stores a session, in the current transaction. */
export const writeSession = Effect.fnUntraced(function* (sql: SqlClient, session: Session) {
  yield* sql.unsafe(tidySessions, [session.accountId, date(session.createdAt)])
  yield* sql.unsafe(insertSession, [...sessionParameters(session)])
})
