import type { DeliveryAttempt } from "@agent-marketplace/core/webhooks/Delivery"
import type { WebhookId } from "@agent-marketplace/core/ids/Ids"
import type { DeliveryFilter, WebhookStore } from "@agent-marketplace/core/webhooks/WebhookStore"
import { Effect, Option } from "effect"
import type { Database } from "../Database.ts"
import type { Notifications } from "../Notifications.ts"
import { Parameters } from "../catalogue/Parameters.ts"
import type { Time } from "../Row.ts"
import { date, nullableTime } from "../Row.ts"
import { arrayOf, rowset } from "../Rowset.ts"
import type { DeliveryCountRow } from "./countDeliveries.ts"
import { countDeliveries, countParameters, deliveryCountOf } from "./countDeliveries.ts"
import type { AttemptRow, DeliveryRow } from "./DeliveryRow.ts"
import { attemptOf, deliveryColumns, deliveryOf } from "./DeliveryRow.ts"
import { insertDeliveries } from "./insertDeliveries.ts"
import { pruneDeliveries } from "./pruneDeliveries.ts"
import type { WebhookRow } from "./WebhookRow.ts"
import { webhookColumns, webhookOf } from "./WebhookRow.ts"

const deliveries = "webhook_deliveries AS delivery LEFT JOIN webhook_queue AS queue ON queue.delivery_id = delivery.id"

const findDelivery = `SELECT ${deliveryColumns}, queue.next_attempt_at FROM ${deliveries} WHERE delivery.id = $1::text`

/**
 * A page of deliveries and one more, which shows whether another page follows. `next_attempt_at` is looked up only for deliveries on the
 * page.
 */
export const deliveriesQuery = (
  webhook: WebhookId,
  { after, event, limit, status }: DeliveryFilter
): { readonly text: string; readonly parameters: ReadonlyArray<unknown> } => {
  const parameters = new Parameters()
  const last = after === undefined ? "" : parameters.add(after, "text")
  const where = [
    `webhook_id = ${parameters.add(webhook, "text")}`,
    ...(status === undefined ? [] : [`status = ${parameters.add(status, "text")}`]),
    ...(event === undefined ? [] : [`event = ${parameters.add(event, "text")}`]),
    ...(after === undefined
      ? []
      : [`(event_at, id) < ((SELECT event_at FROM webhook_deliveries WHERE id = ${last}), ${last})`])
  ]
  return {
    text: `
  SELECT page.*, queue.next_attempt_at FROM (
    SELECT * FROM webhook_deliveries WHERE ${where.join(" AND ")}
    ORDER BY event_at DESC, id DESC LIMIT ${parameters.add(limit + 1, "int")}
  ) AS page
  LEFT JOIN webhook_queue AS queue ON queue.delivery_id = page.id ORDER BY event_at DESC, id DESC`,
    parameters: parameters.values
  }
}

export const attemptsOf = `
  SELECT delivery_id, at, status_code, duration_ms, error, response_body
  FROM unnest($1::text[]) AS given (id) JOIN webhook_attempts ON delivery_id = given.id ORDER BY delivery_id, seq`

const hold = `
  INSERT INTO webhook_queue (delivery_id, webhook_id, next_attempt_at, claim, claimed_until)
  VALUES ($1::text, $2::text, $3::timestamptz, gen_random_uuid()::text, clock_timestamp() + make_interval(secs => $4::float8))
  ON CONFLICT (delivery_id) DO UPDATE SET claim = EXCLUDED.claim, claimed_until = EXCLUDED.claimed_until
  RETURNING claim`

const claimSet = rowset({ delivery_id: "text", claim: "text" })

const given = `${claimSet.from(1, "given")} WHERE queue.delivery_id = given.delivery_id AND queue.claim = given.claim`

/** A delivery without a next attempt stayed in the queue only because of its claim. */
const release = [
  `DELETE FROM webhook_queue AS queue USING ${given} AND queue.next_attempt_at IS NULL`,
  `UPDATE webhook_queue AS queue SET claim = NULL, claimed_until = NULL FROM ${given}`
]

/** In the transaction: the status of the subscription cannot change before it ends. */
const lockActive = (id: string) => `SELECT id FROM webhooks WHERE id = ${id} AND status = 'active' FOR SHARE`

/** Starts new runs of the deliveries that meet a condition, due at $2. They are locked in the order of their ids, as everywhere. */
const startRuns = (condition: string) => `
  WITH locked AS MATERIALIZED (
    SELECT id FROM webhook_deliveries WHERE ${condition} ORDER BY id FOR NO KEY UPDATE
  ), started AS (
    UPDATE webhook_deliveries AS delivery SET status = 'pending', tries = 0 FROM locked WHERE delivery.id = locked.id
    RETURNING delivery.id, webhook_id
  )
  INSERT INTO webhook_queue (delivery_id, webhook_id, next_attempt_at)
  SELECT id, webhook_id, $2::timestamptz FROM started
  ON CONFLICT (delivery_id) DO UPDATE SET next_attempt_at = EXCLUDED.next_attempt_at
  RETURNING delivery_id`

const backlog = `
  SELECT count(*) AS due, min(next_attempt_at) AS oldest FROM webhook_queue AS queue
  WHERE next_attempt_at <= $1::timestamptz AND (claimed_until IS NULL OR claimed_until <= clock_timestamp())`

type Methods = Pick<
  WebhookStore["Service"],
  "add" | "release" | "findDelivery" | "listDeliveries" | "countDeliveries" | "replay" | "recover" | "prune" | "backlog"
>

export const deliveryMethods = (
  { attempt, longTransaction, read, sql, transaction }: Database["Service"],
  { hint }: Notifications["Service"]
): Methods => {
  const logsOf = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    const logs = new Map<string, Array<DeliveryAttempt>>(ids.map((id) => [id, []]))
    if (ids.length === 0) return logs
    for (const row of yield* read<AttemptRow>(attemptsOf, [arrayOf("text", ids)])) {
      logs.get(row.delivery_id)?.push(attemptOf(row))
    }
    return logs
  })
  const findWebhook = (id: string) =>
    Effect.map(
      sql.unsafe<WebhookRow>(`SELECT ${webhookColumns} FROM webhooks WHERE id = $1::text FOR SHARE`, [id]),
      (rows) => rows.map(webhookOf)
    )
  const announced = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.tap(effect, () => Effect.sync(() => hint("webhooks")))

  return {
    add: Effect.fnUntraced(function* (delivery, leaseSeconds) {
      const at = delivery.nextAttemptAt === null ? null : date(delivery.nextAttemptAt)
      return yield* transaction(
        Effect.gen(function* () {
          const [webhook] = yield* findWebhook(delivery.webhookId)
          if (webhook === undefined) return Option.none()
          yield* insertDeliveries(sql, [delivery])
          const [held] = yield* sql.unsafe<{ readonly claim: string }>(hold, [
            delivery.id,
            delivery.webhookId,
            at,
            leaseSeconds
          ])
          return Option.some({ delivery, webhook, claim: held?.claim ?? "" })
        })
      )
    }),
    release: (claims) =>
      announced(
        transaction(
          Effect.forEach(
            release,
            (statement) =>
              sql.unsafe(
                statement,
                claimSet.parameters(claims.map(({ claim, deliveryId }) => ({ delivery_id: deliveryId, claim })))
              ),
            { discard: true }
          )
        )
      ),
    findDelivery: Effect.fnUntraced(function* (id) {
      const [row] = yield* read<DeliveryRow>(findDelivery, [id])
      if (row === undefined) return Option.none()
      const [webhook] = yield* read<WebhookRow>(`SELECT ${webhookColumns} FROM webhooks WHERE id = $1::text`, [
        row.webhook_id
      ])
      if (webhook === undefined) return Option.none()
      const logs = yield* logsOf([id])
      return Option.some({
        delivery: { ...deliveryOf(row), attempts: logs.get(id) ?? [] },
        webhook: webhookOf(webhook)
      })
    }),
    listDeliveries: Effect.fnUntraced(function* (webhook, filter) {
      const { parameters, text } = deliveriesQuery(webhook, filter)
      const found = (yield* read<DeliveryRow>(text, parameters)).map(deliveryOf)
      const page = found.slice(0, filter.limit)
      const logs = yield* logsOf(page.map(({ id }) => id))
      return {
        items: page.map((each) => ({ ...each, attempts: logs.get(each.id) ?? [] })),
        next: found.length > page.length ? (page.at(-1)?.id ?? null) : null
      }
    }),
    countDeliveries: (account, filter) =>
      Effect.map(read<DeliveryCountRow>(countDeliveries, countParameters(account, filter)), (rows) =>
        rows.map(deliveryCountOf)
      ),
    replay: Effect.fnUntraced(function* (id, now) {
      const started = yield* transaction(
        Effect.gen(function* () {
          const active = yield* sql.unsafe(
            lockActive("(SELECT webhook_id FROM webhook_deliveries WHERE id = $1::text)"),
            [id]
          )
          return active.length === 0 ? [] : yield* sql.unsafe(startRuns("id = $1::text"), [id, date(now)])
        })
      )
      if (started.length > 0) hint("webhooks")
      return started.length > 0
    }),
    recover: Effect.fnUntraced(function* (webhook, since, now) {
      const started = yield* longTransaction(
        Effect.gen(function* () {
          const active = yield* sql.unsafe(lockActive("$1::text"), [webhook])
          const missed = startRuns("webhook_id = $1::text AND status <> 'delivered' AND event_at >= $3::timestamptz")
          return active.length === 0 ? [] : yield* sql.unsafe(missed, [webhook, date(now), date(since)])
        })
      )
      if (started.length > 0) hint("webhooks")
      return started.length
    }),
    prune: pruneDeliveries({ attempt, sql }),
    backlog: (now) =>
      Effect.map(read<{ readonly due: bigint; readonly oldest: Time | null }>(backlog, [date(now)]), ([row]) => ({
        due: Number(row?.due ?? 0n),
        oldestDueAt: nullableTime(row?.oldest ?? null)
      }))
  }
}
