import type { Webhook } from "@agent-marketplace/core/webhooks/Webhook"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { webhookChanges } from "./WebhookRow.ts"

/** Deliveries that a worker has claimed are finished, without a next attempt. Locked in the order in which attempts are recorded. */
const stopWaiting = [
  `DELETE FROM webhook_queue WHERE webhook_id = $1::text AND claim IS NULL`,
  `UPDATE webhook_queue SET next_attempt_at = NULL WHERE delivery_id IN (
    SELECT delivery_id FROM webhook_queue WHERE webhook_id = $1::text ORDER BY delivery_id FOR UPDATE
  )`
]

/**
 * Writes a subscription that is locked in the current transaction; nothing if it is the same object. A subscription that becomes
 * disabled keeps its deliveries for a recovery.
 */
export const writeWebhook = Effect.fnUntraced(function* (
  sql: SqlClient,
  before: Webhook,
  after: Webhook
): Effect.fn.Return<void, SqlError> {
  if (before === after) return
  yield* sql`UPDATE webhooks SET ${sql.update(webhookChanges(after))} WHERE id = ${after.id}`
  if (before.status === "disabled" || after.status === "active") return
  for (const statement of stopWaiting) yield* sql.unsafe(statement, [after.id])
})
