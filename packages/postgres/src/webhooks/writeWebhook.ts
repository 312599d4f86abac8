import type { Webhook } from "@agent-marketplace/core/webhooks/Webhook"
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { webhookChanges } from "./WebhookRow.ts"

/** What a worker holds goes on; it has no next attempt of its own any more. In the order in which attempts are recorded. */
const stopWaiting = [
  `DELETE FROM webhook_queue WHERE webhook_id = $1::text AND claim IS NULL`,
  `UPDATE webhook_queue SET next_attempt_at = NULL WHERE delivery_id IN (
    SELECT delivery_id FROM webhook_queue WHERE webhook_id = $1::text ORDER BY delivery_id FOR UPDATE
  )`
]

/**
 * Writes a subscription that is locked in the transaction under way, and nothing where it is the same object. One that becomes disabled
 * leaves its deliveries waiting for a recovery.
 */
export const writeWebhook = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  before: Webhook,
  after: Webhook
): Effect.fn.Return<void, SqlError> {
  if (before === after) return
  yield* sql`UPDATE webhooks SET ${sql.update(webhookChanges(after))} WHERE id = ${after.id}`
  if (before.status === "disabled" || after.status === "active") return
  for (const statement of stopWaiting) yield* sql.unsafe(statement, [after.id])
})
