import { exampleOf } from "./Examples.ts"
import { headersOf } from "./Headers.ts"
import type { Json, JsonObject } from "./Json.ts"
import { isObject, mapValues, objectAt } from "./Json.ts"

const schemaPrefix = "#/components/schemas/"

interface OperationFacts {
  readonly limited: boolean
  readonly idempotent: boolean
}

/** The description of a body; of its `data` if it is in the envelope. */
const descriptionOf = (schema: Json | undefined, schemas: JsonObject): string | undefined => {
  if (!isObject(schema)) return undefined
  const { $ref, description } = schema
  if (typeof $ref === "string") return descriptionOf(schemas[$ref.slice(schemaPrefix.length)], schemas)
  return typeof description === "string" ? description : descriptionOf(objectAt(schema, "properties").data, schemas)
}

const firstSchema = (response: JsonObject): Json | undefined => {
  const media = Object.values(objectAt(response, "content"))[0]
  return isObject(media) ? media.schema : undefined
}

const succeeded = (response: JsonObject, status: string, schemas: JsonObject, facts: OperationFacts): JsonObject => ({
  ...response,
  description: descriptionOf(firstSchema(response), schemas) ?? "The requested data.",
  headers: headersOf(status, facts),
  content: mapValues(objectAt(response, "content"), (media) =>
    isObject(media) && objectAt(media, "schema").format !== "binary"
      ? { ...media, example: exampleOf(media.schema, schemas) }
      : media
  )
})

/** The names of the failures that a response can contain. */
const namesOf = (schema: Json | undefined): ReadonlyArray<string> => {
  if (!isObject(schema)) return []
  if (typeof schema.$ref === "string") return [schema.$ref.slice(schemaPrefix.length)]
  return Array.isArray(schema.anyOf) ? schema.anyOf.flatMap((one) => namesOf(one as Json)) : []
}

/**
 * The responses of one operation. Failure responses that several operations share are written once, into `shared`, under the names of
 * their failures.
 */
export const documentedResponses = (
  responses: JsonObject,
  schemas: JsonObject,
  facts: OperationFacts,
  shared: Map<string, JsonObject>
): JsonObject => {
  return mapValues(responses, (response, status) => {
    if (!isObject(response)) return response
    const names = namesOf(firstSchema(response))
    if (!/^[45]/.test(status) || names.length === 0) return succeeded(response, status, schemas, facts)
    const description = String(response.description).replaceAll(" | ", " ")
    const failed = { ...response, description, headers: headersOf(status, facts) }
    if (!facts.limited) return failed
    const name = names.join(".")
    shared.set(name, failed)
    return { $ref: `#/components/responses/${name}` }
  })
}
