import { Timestamp } from "../clock/Timestamp.ts"
import type { EventData } from "../events/MarketEvent.ts"
import { eventPayloads } from "./EventPayloads.ts"
import type { WebhookEvent } from "./Webhook.ts"

/** The public form of an event. */
export interface ToldEvent {
  readonly type: WebhookEvent
  readonly at: Timestamp
  readonly data: EventData
}

const dataOf = ({ data, type }: ToldEvent): EventData => {
  const picked: Record<string, EventData[string]> = {}
  for (const name of Object.keys(eventPayloads[type].fields)) {
    const value = data[name]
    if (value === undefined) continue
    picked[name] = value
  }
  return picked
}

/** The body of a delivery (DELIVERY-1): the exact text. Pure. */
export const Envelope: {
  /** The `data` that webhooks get: the fields that `eventPayloads` names and no other. */
  readonly dataOf: (event: ToldEvent) => EventData
  /** `{"event":…,"timestamp":…,"data":…}`: what the body's `signature` signs. `timestamp` is when it happened. */
  readonly payload: (event: ToldEvent) => string
  /** The body: the payload's three fields, then `signature`. Parsed and serialised again, it is the same text. */
  readonly body: (payload: string, signature: string) => string
} = {
  dataOf,
  payload: (event) => JSON.stringify({ event: event.type, timestamp: Timestamp.toIso(event.at), data: dataOf(event) }),
  body: (payload, signature) => `${payload.slice(0, -1)},"signature":${JSON.stringify(signature)}}`
}
