import { deliveryStatuses } from "@agent-marketplace/core/webhooks/DeliveryTimeline"
import { Schema } from "effect"
import { field } from "../wire/Field.ts"
import { ResponseField } from "../wire/ResponseField.ts"

const id = ResponseField.text("Prefix `whk_`.", "whk_01j9zq5k2f8h3m6n7p0r4s")

const fields = {
  id,
  url: ResponseField.text("Where events are sent.", "https://example.com/hooks/market"),
  events: ResponseField.texts("Which events are sent; `*` means all.", ["purchase.completed", "purchase.refunded"]),
  status: ResponseField.choice(
    ["active", "disabled"],
    "`disabled`: by the owner, by a 410 response, or after 5 days in which every attempt failed.",
    "active"
  ),
  createdAt: ResponseField.time("When it was created.")
}

const secret = ResponseField.text("Shown only in this response.", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")

/** A subscription to events (WEBHOOK-1). */
export const Webhook = Schema.Struct(fields).annotate({
  identifier: "Webhook",
  description: "A subscription to events, without its secret."
})

export const NewWebhook = Schema.Struct({
  ...fields,
  secret: Schema.optionalKey(secret)
}).annotate({ identifier: "NewWebhook", description: "The subscription; with its secret if the service generated it." })

export const RotatedSecret = Schema.Struct({ id, secret }).annotate({
  identifier: "RotatedSecret",
  description: "The new secret; the old one also signs for 24 hours."
})

export const Recovered = Schema.Struct({
  id,
  recovered: ResponseField.count("How many deliveries are sent again.", 3)
}).annotate({ identifier: "Recovered", description: "The result of a recovery." })

const Attempt = Schema.Struct({
  at: ResponseField.time("When it was created."),
  statusCode: Schema.NullOr(Schema.Int).annotate({
    description: "The status of the receiver's response; null if there was none.",
    examples: [500]
  }),
  durationMs: ResponseField.count("How long it took, in milliseconds.", 182),
  error: ResponseField.textOrNull("Why the attempt failed; null if it succeeded.", "HTTP 500"),
  responseBody: ResponseField.textOrNull("The first 2,048 characters of the response.", "oops")
}).annotate({ identifier: "DeliveryAttempt", description: "One request to the receiver." })

export const Delivery = Schema.Struct({
  id: ResponseField.text("The `webhook-id` of every attempt.", "dlv_000000000000k01j9zq5k2f8h3m6n7p0r4s"),
  event: ResponseField.text("The name of the event.", "purchase.completed"),
  status: ResponseField.choice(
    ["pending", "delivered", "failed"],
    "`failed`: all attempts failed. `pending` without a next attempt: waits for a recovery.",
    "pending"
  ),
  attempts: Schema.Array(Attempt).annotate({ description: "Oldest first, including attempts before a replay." }),
  nextAttemptAt: ResponseField.timeOrNull(
    "The time of the next attempt; null if there is none.",
    "2025-01-15T12:00:05.123Z"
  )
}).annotate({ identifier: "Delivery", description: "The delivery of one event to one subscription." })

/** The deliveries with one status: in all, and of each day (DELIVERY-15). */
const DeliverySeries = Schema.Struct({
  status: ResponseField.choice(deliveryStatuses, "What has become of these deliveries until now.", "delivered"),
  count: ResponseField.count("Their number.", 3),
  counts: field(Schema.Array(Schema.Int), "The number of each day, in the order of `periods`.", [1, 2])
})

export const DeliveryTimeline = Schema.Struct({
  from: ResponseField.time("Events at or after this time are contained.", "2025-01-14T00:00:00.000Z"),
  to: ResponseField.time("Events before this time are contained.", "2025-01-16T00:00:00.000Z"),
  periods: ResponseField.texts("All UTC days, also those without events.", ["2025-01-14", "2025-01-15"]),
  series: field(Schema.Array(DeliverySeries), "One for each status.", [
    { status: "delivered", count: 3, counts: [1, 2] },
    { status: "pending", count: 1, counts: [0, 1] },
    { status: "failed", count: 0, counts: [0, 0] }
  ])
}).annotate({ identifier: "DeliveryTimeline", description: "Deliveries by the day of their event and by status." })
