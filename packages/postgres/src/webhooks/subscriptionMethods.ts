import type { AccountId, WebhookId } from "@agent-marketplace/core/ids/Ids"
import type { Webhook } from "@agent-marketplace/core/webhooks/Webhook"
import type { WebhookStore } from "@agent-marketplace/core/webhooks/WebhookStore"
import { Effect, Option, Result } from "effect"
import type { Database } from "../Database.ts"
import type { Notifications } from "../Notifications.ts"
import { admitRecord, lockOwner } from "../identity/admitRecord.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { date } from "../Row.ts"
import type { WebhookRow } from "./WebhookRow.ts"
import { webhookChanges, webhookColumns, webhookOf } from "./WebhookRow.ts"
import { writeWebhook } from "./writeWebhook.ts"

const order = "created_at DESC, seq DESC"

const pages = {
  ofAccount: pageQuery("*", "webhooks", "account_id = $3::text", order),
  ofAgent: pageQuery("*", "webhooks", "account_id = $3::text AND agent_id = $4::text", order)
}

const lock = `SELECT ${webhookColumns} FROM webhooks WHERE id = $1::text AND account_id = $2::text FOR NO KEY UPDATE`

/** Once all are locked, no attempts or queue rows can be added to them. */
const dropDeliveries = [
  `SELECT count(*) FROM (SELECT FROM webhook_deliveries WHERE webhook_id = $1::text ORDER BY id FOR UPDATE) AS locked`,
  `DELETE FROM webhook_attempts USING webhook_deliveries AS delivery
    WHERE delivery_id = delivery.id AND delivery.webhook_id = $1::text`,
  `DELETE FROM webhook_queue WHERE webhook_id = $1::text`,
  `DELETE FROM webhook_deliveries WHERE webhook_id = $1::text`
]

type Methods = Pick<WebhookStore["Service"], "create" | "find" | "list" | "update" | "remove">

export const subscriptionMethods = (
  { longTransaction, read, sql, transaction }: Database["Service"],
  { hint }: Notifications["Service"]
): Methods => {
  const modify = Effect.fnUntraced(function* <E>(
    id: WebhookId,
    account: AccountId,
    rule: (webhook: Webhook) => Result.Result<Webhook, E>
  ) {
    const [row] = yield* sql.unsafe<WebhookRow>(lock, [id, account])
    if (row === undefined) return undefined
    const before = webhookOf(row)
    const ruled = rule(before)
    if (Result.isFailure(ruled)) return yield* Effect.fail(ruled.failure)
    yield* writeWebhook(sql, before, ruled.success)
    return { before, after: ruled.success }
  })

  const drop = Effect.fnUntraced(function* (id: WebhookId, account: AccountId) {
    const gone = yield* sql`DELETE FROM webhooks WHERE id = ${id} AND account_id = ${account} RETURNING id`
    if (gone.length === 0) return false
    for (const statement of dropDeliveries) yield* sql.unsafe(statement, [id])
    return true
  })

  return {
    create: Effect.fn("WebhookStore.create")(function* (webhook) {
      const created = Effect.gen(function* () {
        yield* admitRecord(sql, yield* lockOwner(sql, webhook.accountId), "webhooks")
        yield* sql`
          INSERT INTO webhooks ${sql.insert({
            id: webhook.id,
            account_id: webhook.accountId,
            agent_id: webhook.agentId,
            created_at: date(webhook.createdAt),
            ...webhookChanges(webhook)
          })}`
      })
      yield* transaction(created)
    }),
    find: (id) =>
      Effect.map(read<WebhookRow>(`SELECT ${webhookColumns} FROM webhooks WHERE id = $1::text`, [id]), ([row]) =>
        Option.map(Option.fromUndefinedOr(row), webhookOf)
      ),
    list: (account, agent, request) =>
      Effect.map(
        agent === null
          ? read<WebhookRow & PageRow>(pages.ofAccount, [...pageParameters(request), account])
          : read<WebhookRow & PageRow>(pages.ofAgent, [...pageParameters(request), account, agent]),
        (rows) => pageOf(rows, webhookOf)
      ),
    update: (id, account, rule) =>
      Effect.map(transaction(modify(id, account, rule)), (changed) => {
        if (changed?.before.status === "disabled" && changed.after.status === "active") hint("webhooks")
        return Option.map(Option.fromUndefinedOr(changed), ({ after }) => after)
      }),
    remove: (id, account) => longTransaction(drop(id, account))
  }
}
