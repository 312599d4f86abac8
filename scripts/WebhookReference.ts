import { Schema } from "effect"
import { eventPayloads } from "../packages/core/src/webhooks/EventPayloads.ts"

interface Property {
  readonly type?: string
  readonly anyOf?: ReadonlyArray<{ readonly type: string }>
  readonly description: string
  readonly examples: ReadonlyArray<unknown>
}

interface DataSchema {
  readonly properties: Readonly<Record<string, Property>>
  readonly required: ReadonlyArray<string>
}

const events = Object.entries(eventPayloads)

const dataSchema = (payload: Schema.Top): DataSchema =>
  Schema.toJsonSchemaDocument(payload).schema as unknown as DataSchema

const envelope = ([event, payload]: readonly [string, Schema.Top]) => ({
  title: event,
  type: "object",
  properties: {
    event: { const: event },
    timestamp: { type: "string", format: "date-time", description: "When it happened." },
    data: dataSchema(payload),
    signature: {
      type: "string",
      pattern: "^[0-9a-f]{64}$",
      description: "HMAC-SHA256 of the JSON of the other three fields, in this order, keyed with the secret."
    }
  },
  required: ["event", "timestamp", "data", "signature"]
})

const typeOf = ({ anyOf, type }: Property): string =>
  anyOf === undefined ? (type ?? "") : anyOf.map((each) => each.type).join(" or ")

const fields = (payload: Schema.Top): string => {
  const { properties, required } = dataSchema(payload)
  const rows = Object.entries(properties).map(([name, property]) => {
    const [example] = property.examples
    const shown = typeof example === "string" ? `\`"${example}"\`` : `\`${JSON.stringify(example)}\``
    const presence = required.includes(name) ? "" : ", may be absent"
    return `| \`${name}\` | ${typeOf(property)}${presence} | ${property.description} | ${shown} |`
  })
  return ["| Field | Type | | Example |", "| --- | --- | --- | --- |", ...rows].join("\n")
}

/** Whose accounts are told (EVENT-2 to EVENT-10). */
const told = (event: string): string => {
  if (event.startsWith("purchase.") || event.startsWith("subscription.")) return "To the buyer and the seller."
  if (event.startsWith("soul.")) return "To the author."
  if (event.startsWith("listing.")) return "To the creator."
  return event === "webhook.test" ? "To the subscription that is tested." : "To the wallet's owner."
}

const meanings: Readonly<Record<string, string>> = {
  "purchase.completed": "A purchase finished: at once, or when its owner approved it.",
  "purchase.pending_approval": "A purchase waits for its owner; the price is held.",
  "purchase.refunded": "A purchase was refunded; its license is not valid any more.",
  "subscription.renewed": "A subscription was paid for another 30 days.",
  "subscription.cancelled": "A subscription was cancelled, by its owner or for lack of money or budget.",
  "soul.created": "A SOUL was published.",
  "soul.updated": "The content of a SOUL was modified.",
  "soul.downloaded": "Somebody installed a SOUL, for the first time.",
  "listing.approved": "A listing is for sale.",
  "listing.rejected": "A listing was rejected.",
  "deposit.confirmed": "A deposit was credited.",
  "withdrawal.completed": "A withdrawal is final on the chain.",
  "withdrawal.failed": "A withdrawal failed; the money is back.",
  "webhook.test": "Sent by `POST /api/v1/webhooks/:id/test`."
}

/** What the code says of the events, for `docs/webhooks.md` and beside it. */
export const webhookReference = {
  /** A JSON Schema of every body. */
  schema: (): string =>
    JSON.stringify(
      {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        title: "Webhook bodies of the Agent Marketplace",
        oneOf: events.map(envelope)
      },
      null,
      2
    ),
  /** A section for every event. */
  markdown: (): string =>
    events
      .map(([event, payload]) =>
        [`### \`${event}\``, `${meanings[event]} ${told(event)}`, fields(payload)].join("\n\n")
      )
      .join("\n\n")
}
