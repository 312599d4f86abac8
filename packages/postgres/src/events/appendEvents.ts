import type { MarketEvent } from "@agent-marketplace/core/events/MarketEvent"
import { Traceparent } from "@agent-marketplace/core/events/Traceparent"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/** Inserts the events of a JSON array, {@link eventsJson}, in its order. */
export const insertEvents = (parameter: string): string => `
  INSERT INTO events (type, at, subject, accounts, audience, agent_id, data, traceparent)
  SELECT type, at, subject, ARRAY(SELECT json_array_elements_text(accounts)), audience, agent_id, data, traceparent
  FROM ROWS FROM (json_to_recordset(${parameter}::json)
    AS (type text, at timestamptz, subject text, accounts json, audience text, agent_id text, data json, traceparent text)) WITH ORDINALITY
    AS event (type, at, subject, accounts, audience, agent_id, data, traceparent, position)
  ORDER BY position`

/** Events as {@link insertEvents} takes them, with the trace context of the running fiber. */
export const eventsJson = (events: ReadonlyArray<MarketEvent>): string => {
  const traceparent = Traceparent.current()
  return JSON.stringify(
    events.map(({ accounts, agentId, at, audience, data, subject, type }) => ({
      type,
      at: new Date(at),
      subject,
      accounts,
      audience,
      agent_id: agentId,
      data,
      traceparent
    }))
  )
}

/**
 * Appends to the log, in the current transaction. The caller calls `Notifications.hint("events")` once it has
 * committed.
 */
export const appendEvents = (sql: SqlClient, events: ReadonlyArray<MarketEvent>): Effect.Effect<void, SqlError> =>
  events.length === 0
    ? Effect.void
    : Effect.suspend(() => Effect.asVoid(sql.unsafe(insertEvents("$1"), [eventsJson(events)])))
