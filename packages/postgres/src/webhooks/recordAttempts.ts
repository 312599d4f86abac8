import type { Delivery } from "@agent-marketplace/core/webhooks/Delivery"
import type { Webhook } from "@agent-marketplace/core/webhooks/Webhook"
import type { AttemptRule, MadeAttempt } from "@agent-marketplace/core/webhooks/WebhookStore"
import { Effect } from "effect"
import type { Database } from "../Database.ts"
import { date, nullableDate } from "../Row.ts"
import { arrayOf, rowset } from "../Rowset.ts"
import type { DeliveryRow } from "./DeliveryRow.ts"
import { deliveryColumns, deliveryOf } from "./DeliveryRow.ts"
import type { WebhookRow } from "./WebhookRow.ts"
import { webhookColumns, webhookOf } from "./WebhookRow.ts"
import { writeWebhook } from "./writeWebhook.ts"

/** Joined with their ids, not compared with an array, so that each is looked up in its partition only. */
export const readWebhooks = `
  SELECT ${webhookColumns} FROM webhooks WHERE id IN (
    SELECT webhook_id FROM unnest($1::text[]) AS given (id) JOIN webhook_deliveries AS delivery ON delivery.id = given.id
  ) ORDER BY id`

/** Subscriptions before deliveries, each in the order of their ids: all transactions lock in this order. */
const lockWebhooks = `${readWebhooks} FOR NO KEY UPDATE`

export const lockDeliveries = `
  SELECT ${deliveryColumns}, queue.next_attempt_at, queue.claim
  FROM unnest($1::text[]) AS given (id) JOIN webhook_deliveries AS delivery ON delivery.id = given.id
    LEFT JOIN webhook_queue AS queue ON queue.delivery_id = delivery.id
  ORDER BY delivery.id FOR NO KEY UPDATE OF delivery`

const attemptSet = rowset({
  delivery_id: "text",
  at: "timestamptz",
  status_code: "int4",
  duration_ms: "int4",
  error: "text",
  response_body: "text"
})

const insertAttempts = `
  INSERT INTO webhook_attempts (${attemptSet.names})
  SELECT ${attemptSet.names} FROM ${attemptSet.from(1, "made")} ORDER BY position`

const stateSet = rowset({
  id: "text",
  webhook_id: "text",
  status: "text",
  tries: "int4",
  next_attempt_at: "timestamptz",
  claim: "text"
})

/** Whether the delivery is no longer claimed: `after.claim` is the claim that ended, or null if another claim is still valid. */
const isFree = "(queue.claim IS NULL OR coalesce(queue.claim = after.claim, false))"

/** A row stays in the queue because of a next attempt or a claim. */
const writeStates = `
  WITH after AS MATERIALIZED (SELECT * FROM ${stateSet.from(1, "after")}), written AS (
    UPDATE webhook_deliveries AS delivery SET status = after.status, tries = after.tries
    FROM after WHERE delivery.id = after.id
      AND (delivery.status, delivery.tries) IS DISTINCT FROM (after.status, after.tries)
  ), ended AS (
    DELETE FROM webhook_queue AS queue USING after
    WHERE queue.delivery_id = after.id AND after.next_attempt_at IS NULL AND ${isFree}
  )
  UPDATE webhook_queue AS queue SET next_attempt_at = after.next_attempt_at,
    claim = CASE WHEN ${isFree} THEN NULL ELSE queue.claim END,
    claimed_until = CASE WHEN ${isFree} THEN NULL ELSE queue.claimed_until END
  FROM after WHERE queue.delivery_id = after.id AND NOT (after.next_attempt_at IS NULL AND ${isFree})`

interface State {
  delivery: Delivery
  /** The holder of the claim when the transaction started. */
  readonly claim: string | null
  ended: boolean
}

/** See `WebhookStore.record`. */
export const recordAttempts = ({ sql, transaction }: Database["Service"]) => {
  const load = Effect.fnUntraced(function* (attempts: ReadonlyArray<MadeAttempt>, locks: boolean) {
    const ids = arrayOf("text", [...new Set(attempts.map(({ deliveryId }) => deliveryId))])
    const locked = locks ? yield* sql.unsafe<WebhookRow>(lockWebhooks, [ids]) : []
    const rows = yield* sql.unsafe<DeliveryRow & { readonly claim: string | null }>(lockDeliveries, [ids])
    return {
      webhooks: (locks ? locked : yield* sql.unsafe<WebhookRow>(readWebhooks, [ids])).map(webhookOf),
      states: new Map<string, State>(
        rows.map((row) => [row.id, { delivery: deliveryOf(row), claim: row.claim, ended: false }])
      )
    }
  })

  const store = Effect.fnUntraced(function* (states: ReadonlyArray<State>, logged: ReadonlyArray<MadeAttempt>) {
    yield* sql.unsafe(
      insertAttempts,
      attemptSet.parameters(
        logged.map(({ attempt, deliveryId }) => ({
          delivery_id: deliveryId,
          at: date(attempt.at),
          status_code: attempt.statusCode,
          duration_ms: Math.round(attempt.durationMs),
          error: attempt.error,
          response_body: attempt.responseBody
        }))
      )
    )
    yield* sql.unsafe(
      writeStates,
      stateSet.parameters(
        states.map(({ claim, delivery, ended }) => ({
          id: delivery.id,
          webhook_id: delivery.webhookId,
          status: delivery.status,
          tries: delivery.tries,
          next_attempt_at: nullableDate(delivery.nextAttemptAt),
          claim: ended ? claim : null
        }))
      )
    )
  })

  /** False, and nothing is written, if a subscription changes that is not locked. */
  const record = Effect.fnUntraced(function* (attempts: ReadonlyArray<MadeAttempt>, rule: AttemptRule, locks: boolean) {
    const { states, webhooks } = yield* load(attempts, locks)
    const now = new Map<string, Webhook>(webhooks.map((webhook) => [webhook.id, webhook]))
    const logged = attempts.filter((made) => {
      const state = states.get(made.deliveryId)
      const webhook = now.get(state?.delivery.webhookId ?? "")
      if (state === undefined || webhook === undefined) return false
      const holds = !state.ended && state.claim === made.claim
      const after = rule({ delivery: state.delivery, webhook, holds }, made)
      state.delivery = after.delivery
      state.ended ||= holds
      now.set(webhook.id, after.webhook)
      return true
    })
    if (!locks && webhooks.some((before) => now.get(before.id) !== before)) return false
    if (logged.length > 0) yield* store([...states.values()], logged)
    for (const before of webhooks) yield* writeWebhook(sql, before, now.get(before.id) ?? before)
    return true
  })

  /** The row of a healthy receiver is not changed, so that workers can record its deliveries without waiting for one another. */
  return Effect.fnUntraced(function* (attempts: ReadonlyArray<MadeAttempt>, rule: AttemptRule) {
    if (attempts.length === 0) return
    if (yield* transaction(record(attempts, rule, false))) return
    yield* transaction(record(attempts, rule, true))
  })
}
