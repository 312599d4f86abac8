import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { GrantId } from "@agent-marketplace/core/ids/Ids"
import type { OauthGrant } from "@agent-marketplace/core/oauth/OauthGrant"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Row } from "../Columns.ts"
import type { Say } from "../identity/IdentityChanges.ts"
import { date } from "../Row.ts"
import { grantRecord } from "./OauthRow.ts"

const columnsOf = (table: string, columns: object): string =>
  Object.keys(columns)
    .map((name) => `${table}.${name}`)
    .join(", ")

export const grantColumns = columnsOf("g", grantRecord.columns)

/** Locks the agent before its keys, as every other transaction does. This serializes the transactions that end or use the grant. */
const lockAgent = `
  SELECT ${grantColumns} FROM oauth_grants g JOIN agents a ON a.id = g.agent_id WHERE g.id = $1::text FOR NO KEY UPDATE OF a`

const isLive = "SELECT id FROM api_keys WHERE id = $1::text AND status = 'active'"

/** Locks the grant; undefined if there is none or it has ended. A second statement checks that, because it sees the changes committed before the lock. */
export const lockGrant = Effect.fnUntraced(function* (
  sql: SqlClient,
  id: GrantId | null
): Effect.fn.Return<OauthGrant | undefined, SqlError> {
  if (id === null) return undefined
  const [row] = yield* sql.unsafe<Row>(lockAgent, [id])
  if (row === undefined) return undefined
  const grant = grantRecord.read(row)
  return (yield* sql.unsafe(isLive, [grant.keyId])).length > 0 ? grant : undefined
})

const retire = "UPDATE agents SET retired_at = coalesce(retired_at, $2::timestamptz) WHERE id = $1::text"

const endKeys = `
  WITH locked AS MATERIALIZED (
    SELECT id FROM api_keys WHERE agent_id = $1::text AND status = 'active' ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE api_keys SET status = 'deactivated' FROM locked WHERE api_keys.id = locked.id`

/** Ends a grant that {@link lockGrant} has locked, as retiring its agent would. */
export const endGrant = Effect.fnUntraced(function* (
  sql: SqlClient,
  { agentId }: OauthGrant,
  at: Timestamp,
  say: Say
): Effect.fn.Return<void, SqlError> {
  yield* sql.unsafe(retire, [agentId, date(at)])
  yield* sql.unsafe(endKeys, [agentId])
  yield* say(agentId)
})
