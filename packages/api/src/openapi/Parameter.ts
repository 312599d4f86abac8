import type { Json } from "./Json.ts"
import { isObject } from "./Json.ts"

const typed = (example: Json | undefined, type: Json | undefined): Json | undefined =>
  typeof example === "string" && (type === "integer" || type === "number" || type === "boolean")
    ? (JSON.parse(example) as Json)
    : example

/** The usual spelling of the headers that requests take. */
const spelling: Readonly<Record<string, string>> = {
  "idempotency-key": "Idempotency-Key",
  "last-event-id": "Last-Event-ID",
  "x-agent-id": "X-Agent-Id"
}

/** Moves description and example from the schema of a parameter to the parameter, and hides that some parameters may be repeated. */
export const documentedParameter = (parameter: Json): Json => {
  if (!isObject(parameter) || !isObject(parameter.schema)) return parameter
  const alternatives = parameter.schema.anyOf
  const first = Array.isArray(alternatives) ? (alternatives[0] as Json) : parameter.schema
  const { description, examples, ...schema } = isObject(first) ? first : {}
  const example = typed(Array.isArray(examples) ? (examples[0] as Json) : undefined, schema.type)
  return {
    ...parameter,
    ...(parameter.in === "header" ? { name: spelling[String(parameter.name)] ?? parameter.name ?? null } : {}),
    ...(description === undefined ? {} : { description }),
    schema,
    ...(example === undefined ? {} : { example })
  }
}
