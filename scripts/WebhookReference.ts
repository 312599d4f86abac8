import { deliveryBody, webhookEventFacts } from "../packages/api/src/webhooks/WebhookEvents.ts"

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

const typeOf = ({ anyOf, type }: Property): string =>
  anyOf === undefined ? (type ?? "") : anyOf.map((each) => each.type).join(" or ")

const fields = ({ properties, required }: DataSchema): string => {
  const rows = Object.entries(properties).map(([name, property]) => {
    const [example] = property.examples
    const shown = typeof example === "string" ? `\`"${example}"\`` : `\`${JSON.stringify(example)}\``
    const presence = required.includes(name) ? "" : ", may be absent"
    return `| \`${name}\` | ${typeOf(property)}${presence} | ${property.description} | ${shown} |`
  })
  return ["| Field | Type | | Example |", "| --- | --- | --- | --- |", ...rows].join("\n")
}

/** The event reference for `docs/webhooks.md` and `docs/webhooks.schema.json`, generated from the code. */
export const webhookReference = {
  /** A JSON Schema of every body. */
  schema: (): string =>
    JSON.stringify(
      {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        title: "Webhook bodies of the Agent Marketplace",
        oneOf: webhookEventFacts.map(deliveryBody)
      },
      null,
      2
    ),
  /** A section for every event. */
  markdown: (): string =>
    webhookEventFacts
      .map(({ data, description, event }) =>
        [`### \`${event}\``, description, fields(data as unknown as DataSchema)].join("\n\n")
      )
      .join("\n\n")
}
