import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { OauthToken } from "@agent-marketplace/core/oauth/OauthToken"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { date } from "../Row.ts"
import { insertInto, tokenRecord } from "./OauthRow.ts"

const insert = insertInto("oauth_tokens", tokenRecord.columns)

const dropExpired = "DELETE FROM oauth_tokens WHERE grant_id = $1::text AND expires_at < $2::timestamptz"

/** Stores the tokens of one grant, and deletes those that have expired: a used refresh token is kept until then. */
export const insertTokens = Effect.fnUntraced(function* (
  sql: SqlClient,
  tokens: ReadonlyArray<OauthToken>,
  at: Timestamp
): Effect.fn.Return<void, SqlError> {
  const [first] = tokens
  if (first === undefined) return
  yield* sql.unsafe(dropExpired, [first.grantId, date(at)])
  for (const token of tokens) yield* sql.unsafe(insert, [JSON.stringify(tokenRecord.write(token))])
})
