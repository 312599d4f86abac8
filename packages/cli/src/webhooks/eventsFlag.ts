import { webhookEvents } from "@agent-marketplace/core/webhooks/Webhook"
import type { WebhookEvent } from "@agent-marketplace/core/webhooks/Webhook"
import { Flag } from "effect/cli"

export type EventName = WebhookEvent | "*"

/** Which events; all where none is named. */
export const eventsFlag = Flag.Literals("event", ["*", ...webhookEvents]).pipe(
  Flag.withDescription("Which events are sent; may be repeated; all where absent"),
  Flag.atLeast(0),
  Flag.map((events): ReadonlyArray<EventName> => (events.length === 0 ? ["*"] : events))
)
