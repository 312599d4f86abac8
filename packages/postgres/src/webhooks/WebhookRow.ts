import type { AccountId, AgentId, WebhookId } from "@agent-marketplace/core/ids/Ids"
import type { Webhook, WebhookStatus } from "@agent-marketplace/core/webhooks/Webhook"
import { hostOf } from "@agent-marketplace/core/webhooks/Webhook"
import type { Time } from "../Row.ts"
import { date, nullableDate, nullableTime, time } from "../Row.ts"

export interface WebhookRow {
  readonly id: string
  readonly account_id: string
  readonly agent_id: string | null
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly status: string
  readonly secret: string
  readonly previous_secret: string | null
  readonly previous_until: Time | null
  readonly failures: number
  readonly failing_since: Time | null
  readonly paused_until: Time | null
  readonly created_at: Time
}

const names = [
  "id",
  "account_id",
  "agent_id",
  "url",
  "events",
  "status",
  "secret",
  "previous_secret",
  "previous_until",
  "failures",
  "failing_since",
  "paused_until",
  "created_at"
] as const

export const webhookColumns = names.map((name) => `webhooks.${name}`).join(", ")

export const webhookOf = (row: WebhookRow): Webhook => ({
  id: row.id as WebhookId,
  accountId: row.account_id as AccountId,
  agentId: row.agent_id as AgentId | null,
  url: row.url,
  events: row.events as Webhook["events"],
  status: row.status as WebhookStatus,
  secret: row.secret,
  previous:
    row.previous_secret === null || row.previous_until === null
      ? null
      : { secret: row.previous_secret, until: time(row.previous_until) },
  health: {
    failures: row.failures,
    failingSince: nullableTime(row.failing_since),
    pausedUntil: nullableTime(row.paused_until)
  },
  createdAt: time(row.created_at)
})

/** Every field of a subscription that can change. */
export const webhookChanges = ({ events, health, previous, secret, status, url }: Webhook) => ({
  url,
  host: hostOf(url),
  events: [...events],
  status,
  secret,
  previous_secret: previous?.secret ?? null,
  previous_until: previous === null ? null : date(previous.until),
  failures: health.failures,
  failing_since: nullableDate(health.failingSince),
  paused_until: nullableDate(health.pausedUntil)
})
