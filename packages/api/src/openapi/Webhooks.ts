import { deliveryBody, webhookEventFacts } from "../webhooks/WebhookEvents.ts"
import { exampleOf } from "./Examples.ts"
import type { Json, JsonObject } from "./Json.ts"
import { normalised } from "./Normalised.ts"

const header = (name: string, description: string, required: boolean, example: string): JsonObject => ({
  name,
  in: "header",
  required,
  description,
  schema: { type: "string" },
  example
})

const signature = "d2d7c2a3f1e0b9a8d2d7c2a3f1e0b9a8d2d7c2a3f1e0b9a8d2d7c2a3f1e0b9a8"

/** The headers of every delivery (DELIVERY-2, DELIVERY-3, DELIVERY-4, WEBHOOK-7). */
const parameters: ReadonlyArray<JsonObject> = [
  header("x-service-signature", "Lowercase hex HMAC-SHA256 of the exact bytes of the body.", true, signature),
  header("x-service-timestamp", "The time of this attempt in epoch milliseconds.", true, "1736942400000"),
  header(
    "x-service-signature-previous",
    "For 24 hours after a rotation: the same signature made with the old secret.",
    false,
    signature
  ),
  header("webhook-id", "The same on every attempt.", true, "dlv_000000000000k01j9zq5k2f8h3m6n7p0r4s"),
  header("webhook-timestamp", "The time of this attempt in epoch seconds.", true, "1736942400"),
  header(
    "webhook-signature",
    "Signatures of Standard Webhooks, separated by blanks: the new secret's first.",
    true,
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="
  )
]

const responses: JsonObject = {
  "2XX": { description: "Delivered." },
  "410": { description: "The subscription is disabled." },
  default: { description: "The delivery is retried on the retry schedule." }
}

type EventFacts = (typeof webhookEventFacts)[number]

const bodyOf = (facts: EventFacts): JsonObject => ({
  schema: normalised(deliveryBody(facts) as unknown as Json),
  example: {
    event: facts.event,
    timestamp: "2025-01-15T12:00:00.000Z",
    data: exampleOf(facts.data as unknown as Json, {}),
    signature
  }
})

/** The `webhooks` section: the request that is sent for each event (EVENT-12). */
export const webhooks: JsonObject = Object.fromEntries(
  webhookEventFacts.map((facts) => [
    facts.event,
    {
      post: {
        tags: ["Webhooks"],
        operationId: `webhook.${facts.event}`,
        summary: facts.event,
        description: facts.description,
        parameters,
        requestBody: {
          required: true,
          content: { "application/json": bodyOf(facts) }
        },
        responses
      }
    }
  ])
)
