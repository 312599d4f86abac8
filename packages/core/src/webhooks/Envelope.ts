import { Timestamp } from "../clock/Timestamp.ts"
import type { EventData } from "../events/MarketEvent.ts"
import { eventPayloads } from "./EventPayloads.ts"
import type { WebhookEvent } from "./Webhook.ts"

/** The public form of an event. */
export interface PublicEvent {
  readonly type: WebhookEvent
  readonly at: Timestamp
  readonly data: EventData
}

const dataOf = ({ data, type }: PublicEvent): EventData => {
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
  /** The `data` of a delivery: exactly the fields that `eventPayloads` defines. */
  readonly dataOf: (event: PublicEvent) => EventData
  /** `{"event":…,"timestamp":…,"data":…}`: the text that the body's `signature` signs. `timestamp` is the time of the event. */
  readonly payload: (event: PublicEvent) => string
  /** The payload's three fields and `signature`. Parsing and serialising the body again gives the same text. */
  readonly body: (payload: string, signature: string) => string
} = {
  dataOf,
  payload: (event) => JSON.stringify({ event: event.type, timestamp: Timestamp.toIso(event.at), data: dataOf(event) }),
  body: (payload, signature) => `${payload.slice(0, -1)},"signature":${JSON.stringify(signature)}}`
}
