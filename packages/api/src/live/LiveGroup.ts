import { eventTypes, isSent } from "@agent-marketplace/core/events/MarketEvent"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { endpoint } from "../access/Endpoint.ts"
import { LoadPriority } from "../access/LoadPriority.ts"
import { field } from "../wire/Field.ts"
import { Query } from "../wire/Query.ts"

/** The events that a stream can carry: those that webhooks send. */
export const streamedEvents = eventTypes.filter(isSent)

const eventStream = (description: string, example: string) =>
  field(Schema.String, description, example).pipe(HttpApiSchema.asText({ contentType: "text/event-stream" }))

const resume = {
  "last-event-id": Schema.optionalKey(
    field(
      Schema.String,
      "The id of the last message that was received; sent by browsers when they reconnect, and takes precedence over `after`.",
      "1042"
    )
  )
}

const events = endpoint.get("events", "/api/v1/events/stream", {
  summary: "Stream the account's events",
  description:
    "Server-sent events: the events that the account's webhooks would get; for an agent's key only the events that the agent caused. `id` is the " +
    "cursor, `event` the type and `data` the body of a webhook without its signature. With a cursor the stream continues after it without a " +
    "gap, otherwise it starts with the next event. A comment is sent every 15 seconds; an `id` without data moves the cursor forward. The stream ends when the " +
    "key does. At most 10 streams for each key.",
  access: access.any,
  query: {
    after: Query.eventCursor("The cursor after which to continue.", "1042"),
    types: Query.choices(
      streamedEvents,
      "Only these events, separated by commas.",
      "purchase.completed,purchase.refunded"
    )
  },
  headers: resume,
  success: eventStream(
    "Server-sent events.",
    'id: 1043\nevent: soul.downloaded\ndata: {"event":"soul.downloaded","timestamp":"2025-02-14T12:00:00.000Z","data":{"soulId":"soul_01j9zq5k2f8h3m6n7p0r4s"}}\n\n'
  )
})

const activity = endpoint.get("activity", "/api/activity/stream", {
  summary: "Stream the activity feed",
  description:
    "Server-sent events: the items of the activity feed as they happen (`activity`), and its statistics at the start and every 10 seconds " +
    "(`stats`). `Last-Event-ID` continues after one of the newest items. A comment is sent every 15 seconds.",
  access: access.public,
  headers: resume,
  success: eventStream(
    "Server-sent events.",
    'id: purchase-3f9c2d71a8b4\nevent: activity\ndata: {"id":"purchase-3f9c2d71a8b4","type":"purchase","icon":"🛍️","message":"🦀 traded CSV Cleaner","timestamp":"2025-02-14T12:00:00.000Z","amount":"12.50"}\n\n'
  )
})

const socket = endpoint.get("socket", "/api/v1/ws", {
  summary: "Open a WebSocket",
  description:
    'Messages are JSON. The client sends `{ "type": "auth", "key" }`, unless the handshake has an `Authorization` header, then ' +
    '`{ "type": "subscribe", "topic": "events" | "activity", "after"? }` and `{ "type": "unsubscribe", "topic" }`. The service sends ' +
    '`authenticated`, `{ "type": "subscribed", "topic" }`, `{ "type": "event", "topic", "id", "event", "data" }`, with the same id, event and ' +
    'data as the streams, and `{ "type": "error", "code", "message" }`. It closes with 4401 without authentication in 10 seconds and when the ' +
    "key ends, with 1009 after a message of more than 64 KiB, and with 4408 if more than 1,000 messages wait for the client, which may continue " +
    "after its last id.",
  access: access.public,
  unmetered: true,
  success: field(Schema.String, "Switching protocols.", "").pipe(HttpApiSchema.asText(), HttpApiSchema.status(101)),
  errors: [
    "VALIDATION_ERROR",
    "INVALID_API_KEY",
    "AGENT_NOT_CLAIMED",
    "INSUFFICIENT_PERMISSIONS",
    "RATE_LIMIT_EXCEEDED"
  ]
})

/** Routes for streams of events (LIVE-1, LIVE-10, LIVE-14). */
export const LiveGroup = HttpApiGroup.make("live")
  .add(events, activity, socket)
  .annotate(LoadPriority, "exempt")
  .annotateMerge(
    OpenApi.annotations({ title: "Live", description: "Streams of an account's events and of the activity feed." })
  )
