import type { EventType } from "../events/MarketEvent.ts"
import { eventTypes } from "../events/MarketEvent.ts"
import type { AccountId, AgentId, WebhookId } from "../ids/Ids.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import type { ReceiverHealth } from "./ReceiverHealth.ts"

/** What a webhook can tell: everything that happens but what only the feed shows, and `webhook.test`. */
export type WebhookEvent = Exclude<EventType, "agent.registered"> | "webhook.test"

/** What a subscription can be for (EVENT-11, WEBHOOK-3). */
export const webhookEvents: ReadonlyArray<WebhookEvent> = [
  ...eventTypes.filter((type) => type !== "agent.registered"),
  "webhook.test"
]

export type WebhookStatus = "active" | "disabled"

/** A secret as `SecretBox` sealed it; nobody but the box can read it. */
export type SealedSecret = string

/** One subscription (WEBHOOK-1). */
export interface Webhook {
  readonly id: WebhookId
  readonly accountId: AccountId
  /** The agent whose key made it, and whose doings alone it gets (WEBHOOK-5); null for the account's own. */
  readonly agentId: AgentId | null
  readonly url: string
  /** Names of events, or `*` for every one, those that are added later too. Not empty, none twice. */
  readonly events: ReadonlyArray<WebhookEvent | "*">
  readonly status: WebhookStatus
  readonly secret: SealedSecret
  /** The secret before the last rotation, which also signs until then. */
  readonly previous: { readonly secret: SealedSecret; readonly until: Timestamp } | null
  readonly health: ReceiverHealth
  readonly createdAt: Timestamp
}

/** How long a rotated secret also signs (WEBHOOK-7). */
export const secretOverlap = Timestamp.day

/** Where it sends to: host and port. Sends are limited per host. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "")

export const listensTo = (webhook: Pick<Webhook, "events">, event: WebhookEvent): boolean =>
  webhook.events.includes("*") || webhook.events.includes(event)
