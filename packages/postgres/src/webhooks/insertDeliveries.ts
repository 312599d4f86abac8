import type { Delivery } from "@agent-marketplace/core/webhooks/Delivery"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { date } from "../Row.ts"
import { rowset } from "../Rowset.ts"

const deliverySet = rowset({
  id: "text",
  webhook_id: "text",
  event: "text",
  event_at: "timestamptz",
  payload: "text",
  status: "text",
  tries: "int4",
  traceparent: "text"
})

const insert = `
  INSERT INTO webhook_deliveries (${deliverySet.names})
  SELECT ${deliverySet.names} FROM ${deliverySet.from(1, "given")} ORDER BY position
  ON CONFLICT (id) DO NOTHING RETURNING id`

const queueSet = rowset({ delivery_id: "text", webhook_id: "text", next_attempt_at: "timestamptz" })

const enqueue = `INSERT INTO webhook_queue (${queueSet.names}) SELECT ${queueSet.names} FROM ${queueSet.from(1, "given")}`

/**
 * Inserts deliveries in their order, and adds those that wait for an attempt to the queue. Existing rows are left unchanged. The
 * transaction has locked their subscriptions.
 */
export const insertDeliveries = Effect.fnUntraced(function* (
  sql: SqlClient,
  deliveries: ReadonlyArray<Delivery>
): Effect.fn.Return<void, SqlError> {
  if (deliveries.length === 0) return
  const rows = deliveries.map(({ event, eventAt, id, payload, status, traceparent = null, tries, webhookId }) => ({
    id,
    webhook_id: webhookId,
    event,
    event_at: date(eventAt),
    payload,
    status,
    tries,
    traceparent
  }))
  const made = new Set<string>(
    (yield* sql.unsafe<{ readonly id: string }>(insert, deliverySet.parameters(rows))).map(({ id }) => id)
  )
  const waiting = deliveries.flatMap(({ id, nextAttemptAt, webhookId }) =>
    nextAttemptAt === null || !made.has(id)
      ? []
      : [{ delivery_id: id, webhook_id: webhookId, next_attempt_at: date(nextAttemptAt) }]
  )
  if (waiting.length > 0) yield* sql.unsafe(enqueue, queueSet.parameters(waiting))
})
