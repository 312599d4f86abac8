import { Schema } from "effect"
import { ResponseField } from "../wire/ResponseField.ts"

const id = ResponseField.text("Prefix `whk_`.", "whk_01j9zq5k2f8h3m6n7p0r4s")

const fields = {
  id,
  url: ResponseField.text("Where events are sent.", "https://example.com/hooks/market"),
  events: ResponseField.texts("Which events are sent; `*` stands for all.", [
    "purchase.completed",
    "purchase.refunded"
  ]),
  status: ResponseField.choice(
    ["active", "disabled"],
    "`disabled` by the owner, by an answer of 410, or after 5 days of nothing but failures.",
    "active"
  ),
  createdAt: ResponseField.time("When it was made.")
}

const secret = ResponseField.text("Shown in this answer and in no other.", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")

/** A subscription to events (WEBHOOK-1). */
export const Webhook = Schema.Struct(fields).annotate({
  identifier: "Webhook",
  description: "A subscription to events. Its secret never comes back."
})

export const NewWebhook = Schema.Struct({
  ...fields,
  secret: Schema.optionalKey(secret)
}).annotate({ identifier: "NewWebhook", description: "The subscription; with its secret where the service made it." })

export const RotatedSecret = Schema.Struct({ id, secret }).annotate({
  identifier: "RotatedSecret",
  description: "The new secret; the old one also signs for 24 hours."
})

export const Recovered = Schema.Struct({
  id,
  recovered: ResponseField.count("How many deliveries are sent again.", 3)
}).annotate({ identifier: "Recovered", description: "What a recovery set going." })

const Attempt = Schema.Struct({
  at: ResponseField.time("When it was made."),
  statusCode: Schema.NullOr(Schema.Int).annotate({
    description: "What the receiver answered; null where it did not.",
    examples: [500]
  }),
  durationMs: ResponseField.count("How long it took, in milliseconds.", 182),
  error: ResponseField.textOrNull("Why it does not count as delivered; null where it does.", "HTTP 500"),
  responseBody: ResponseField.textOrNull("The first 2,048 characters of the answer.", "oops")
}).annotate({ identifier: "DeliveryAttempt", description: "One request to the receiver." })

export const Delivery = Schema.Struct({
  id: ResponseField.text("The `webhook-id` of every attempt.", "dlv_000000000000k01j9zq5k2f8h3m6n7p0r4s"),
  event: ResponseField.text("What it tells.", "purchase.completed"),
  status: ResponseField.choice(
    ["pending", "delivered", "failed"],
    "`failed` has used up its attempts; `pending` without a next attempt waits for a recovery.",
    "pending"
  ),
  attempts: Schema.Array(Attempt).annotate({ description: "The oldest first, those before a replay too." }),
  nextAttemptAt: ResponseField.timeOrNull("When it is tried next; null where it is not.", "2025-01-15T12:00:05.123Z")
}).annotate({ identifier: "Delivery", description: "One event on its way to one subscription." })
