import type { OperatorAction } from "@agent-marketplace/core/admin/OperatorAction"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { date } from "../Row.ts"

/** Inserts the actions of a JSON array, {@link actionsJson}, in its order. */
const insertActions = (parameter: string): string => `
  INSERT INTO operator_actions (id, at, actor, action, subject, before, after, reason, request_id)
  SELECT id, at, actor, action, subject, before, after, reason, request_id
  FROM ROWS FROM (json_to_recordset(${parameter}::json)
    AS (id text, at timestamptz, actor text, action text, subject text, before json, after json, reason text, request_id text))
    WITH ORDINALITY AS given (id, at, actor, action, subject, before, after, reason, request_id, position)
  ORDER BY position`

/** Actions as {@link insertActions} takes them. */
const actionsJson = (actions: ReadonlyArray<OperatorAction>): string =>
  JSON.stringify(actions.map(({ at, requestId, ...action }) => ({ ...action, at: date(at), request_id: requestId })))

/** Appends to the operator's log, in the current transaction. */
export const appendActions = (sql: SqlClient, actions: ReadonlyArray<OperatorAction>): Effect.Effect<void, SqlError> =>
  actions.length === 0 ? Effect.void : Effect.asVoid(sql.unsafe(insertActions("$1"), [actionsJson(actions)]))
