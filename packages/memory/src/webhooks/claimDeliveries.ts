import type { DeliveryId } from "@agent-marketplace/core/ids/Ids"
import type { Delivery } from "@agent-marketplace/core/webhooks/Delivery"
import { ReceiverHealth } from "@agent-marketplace/core/webhooks/ReceiverHealth"
import type { Webhook } from "@agent-marketplace/core/webhooks/Webhook"
import { hostOf } from "@agent-marketplace/core/webhooks/Webhook"
import type { ClaimRequest } from "@agent-marketplace/core/webhooks/WebhookStore"
import { Index } from "../Index.ts"
import type { MarketTables } from "../MarketTables.ts"
import type { DeliveryTable } from "./deliveryTable.ts"

interface DueDelivery extends Delivery {
  readonly nextAttemptAt: number
}

/** The due deliveries of the subscription, claimed or not; none if it is disabled. */
export const dueOf = (tables: MarketTables, webhook: Webhook, now: number): Array<DueDelivery> =>
  webhook.status === "disabled"
    ? []
    : Index.records(tables.waiting, webhook.id, tables.deliveries).filter(
        (delivery): delivery is DueDelivery => delivery.nextAttemptAt !== null && delivery.nextAttemptAt <= now
      )

/** How many are claimed for each subscription and each host. */
const heldNow = (tables: MarketTables, realNow: number) => {
  const webhooks = new Map<string, number>()
  const hosts = new Map<string, number>()
  for (const [id, { until }] of tables.claims) {
    const webhookId = tables.deliveries.get(id)?.webhookId
    const webhook = webhookId === undefined ? undefined : tables.webhooks.get(webhookId)
    if (until <= realNow || webhook === undefined) continue
    const host = hostOf(webhook.url)
    webhooks.set(webhook.id, (webhooks.get(webhook.id) ?? 0) + 1)
    hosts.set(host, (hosts.get(host) ?? 0) + 1)
  }
  return { webhooks, hosts }
}

/** Selects the deliveries to claim: within the limits of each subscription and host, one of each subscription in turn. */
export const claimable = (
  tables: MarketTables,
  table: DeliveryTable,
  { limit, now, perHost, perWebhook }: ClaimRequest,
  realNow: number
): ReadonlyArray<DeliveryId> => {
  const held = heldNow(tables, realNow)
  const taken: Array<DeliveryId> = []
  const lanes = [...tables.webhooks.values()].flatMap((webhook) => {
    if (ReceiverHealth.isPaused(webhook.health, now)) return []
    const window = ReceiverHealth.isProbing(webhook.health) ? 1 : perWebhook
    const room = window - (held.webhooks.get(webhook.id) ?? 0)
    if (room <= 0) return []
    const due = dueOf(tables, webhook, now)
      .filter(({ id }) => !table.isHeld(id, realNow))
      .sort((a, b) => a.nextAttemptAt - b.nextAttemptAt)
      .slice(0, room)
    return due.length === 0 ? [] : [{ host: hostOf(webhook.url), due }]
  })
  for (let turn = 0; ; turn++) {
    const before = taken.length
    for (const { due, host } of lanes) {
      const next = due[turn]
      const atHost = held.hosts.get(host) ?? 0
      if (next === undefined || atHost >= perHost || taken.length >= limit) continue
      held.hosts.set(host, atHost + 1)
      taken.push(next.id)
    }
    if (taken.length === before) return taken
  }
}
