import type { DeliveryId, WebhookId } from "@agent-marketplace/core/ids/Ids"
import type { Delivery, LoggedDelivery } from "@agent-marketplace/core/webhooks/Delivery"
import type { Webhook } from "@agent-marketplace/core/webhooks/Webhook"
import { Index } from "../Index.ts"
import type { MarketTables } from "../MarketTables.ts"

/** Writes of deliveries and subscriptions that keep the indexes consistent. */
export const deliveryTable = (tables: MarketTables) => {
  const put = (delivery: Delivery): void => {
    tables.deliveries.set(delivery.id, delivery)
    if (delivery.nextAttemptAt !== null) Index.add(tables.waiting, delivery.webhookId, delivery.id)
    else tables.waiting.get(delivery.webhookId)?.delete(delivery.id)
  }
  const drop = ({ id, webhookId }: Pick<Delivery, "id" | "webhookId">): void => {
    tables.deliveries.delete(id)
    tables.deliveriesOf.get(webhookId)?.delete(id)
    tables.waiting.get(webhookId)?.delete(id)
    tables.attempts.delete(id)
    tables.claims.delete(id)
  }
  return {
    put,
    drop,
    /** False if it exists already. */
    insert: (delivery: Delivery): boolean => {
      if (tables.deliveries.has(delivery.id)) return false
      Index.add(tables.deliveriesOf, delivery.webhookId, delivery.id)
      put(delivery)
      return true
    },
    /** A subscription that becomes disabled keeps its deliveries for a recovery. */
    putWebhook: (webhook: Webhook): void => {
      const ends = webhook.status === "disabled" && tables.webhooks.get(webhook.id)?.status === "active"
      tables.webhooks.set(webhook.id, webhook)
      if (!ends) return
      for (const id of tables.waiting.get(webhook.id) ?? []) {
        const delivery = tables.deliveries.get(id)
        if (delivery !== undefined) put({ ...delivery, nextAttemptAt: null })
      }
    },
    dropWebhook: ({ accountId, id }: Webhook): void => {
      for (const delivery of tables.deliveriesOf.get(id) ?? []) drop({ id: delivery, webhookId: id })
      tables.deliveriesOf.delete(id)
      tables.waiting.delete(id)
      tables.webhooks.delete(id)
      tables.webhooksOf.get(accountId)?.delete(id)
      tables.webhookStarts.delete(id)
    },
    ofWebhook: (id: WebhookId): Array<Delivery> => Index.records(tables.deliveriesOf, id, tables.deliveries),
    logged: (delivery: Delivery): LoggedDelivery => ({
      ...delivery,
      attempts: tables.attempts.get(delivery.id) ?? []
    }),
    isHeld: (id: DeliveryId, realNow: number): boolean => (tables.claims.get(id)?.until ?? 0) > realNow
  }
}

export type DeliveryTable = ReturnType<typeof deliveryTable>
