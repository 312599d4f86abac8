import type { EventType, UnsentEventType } from "../events/MarketEvent.ts"
import { eventTypes, isSent } from "../events/MarketEvent.ts"
import type { AccountId, AgentId, WebhookId } from "../ids/Ids.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import type { ReceiverHealth } from "./ReceiverHealth.ts"

/** The events of webhooks: every event that webhooks send, and `webhook.test`. */
export type WebhookEvent = Exclude<EventType, UnsentEventType> | "webhook.test"

/** The events that a subscription can select (EVENT-11, WEBHOOK-3). */
export const webhookEvents: ReadonlyArray<WebhookEvent> = [...eventTypes.filter(isSent), "webhook.test"]

export type WebhookStatus = "active" | "disabled"

/** A secret encrypted by `SecretBox`, which alone can decrypt it. */
export type SealedSecret = string

/** One subscription (WEBHOOK-1). */
export interface Webhook {
  readonly id: WebhookId
  readonly accountId: AccountId
  /** The agent whose key created it; the subscription then receives only that agent's events (WEBHOOK-5). Null for the account's own. */
  readonly agentId: AgentId | null
  readonly url: string
  /** Names of events, or `*` for all events, including future ones. Not empty, no duplicates. */
  readonly events: ReadonlyArray<WebhookEvent | "*">
  readonly status: WebhookStatus
  readonly secret: SealedSecret
  /** The secret before the last rotation, which is also used for signatures until then. */
  readonly previous: { readonly secret: SealedSecret; readonly until: Timestamp } | null
  readonly health: ReceiverHealth
  readonly createdAt: Timestamp
}

/** How long the old secret is also used for signatures after a rotation (WEBHOOK-7). */
export const secretOverlap = Timestamp.day

/** The host and port of a URL. Sends are limited per host. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "")

export const listensTo = (webhook: Pick<Webhook, "events">, event: WebhookEvent): boolean =>
  webhook.events.includes("*") || webhook.events.includes(event)
