import type { Json, JsonObject } from "./Json.ts"
import { isObject, mapValues, objectAt } from "./Json.ts"

const prefix = "#/components/schemas/"
const schemaName = "OperatorReason"

const reason: JsonObject = {
  type: "string",
  minLength: 1,
  maxLength: 1000,
  description: "1 to 1,000 characters, kept in the log of actions.",
  examples: ["Requested by the account's owner."]
}

const reasonAlone: JsonObject = {
  type: "object",
  properties: { reason },
  description: "Why; the body may be omitted."
}

const jsonSchemaOf = (operation: JsonObject): JsonObject =>
  objectAt(objectAt(objectAt(objectAt(operation, "requestBody"), "content"), "application/json"), "schema")

const isOperatorWrite = (operation: Json, path: string, method: string): operation is JsonObject =>
  isObject(operation) && path.startsWith("/api/v1/admin/") && method !== "get"

/** Adds `reason` to the bodies of the operator's writes that do not declare it, because each of them accepts it (OPERATOR-24). */
export const withOperatorReason = (
  paths: JsonObject,
  schemas: JsonObject
): { readonly paths: JsonObject; readonly schemas: JsonObject } => {
  const extended = new Set<Json | undefined>()
  const document = (operation: Json, path: string, method: string): Json => {
    if (!isOperatorWrite(operation, path, method)) return operation
    if ("requestBody" in operation) {
      extended.add(jsonSchemaOf(operation)["$ref"])
      return operation
    }
    const content = { "application/json": { schema: { $ref: `${prefix}${schemaName}` } } }
    return { ...operation, requestBody: { content, required: false } }
  }
  const documented = mapValues(paths, (item, path) =>
    isObject(item) ? mapValues(item, (operation, method) => document(operation, path, method)) : item
  )
  const complete = mapValues(schemas, (schema, name) => {
    if (!isObject(schema) || !extended.has(`${prefix}${name}`)) return schema
    return { ...schema, properties: { reason, ...objectAt(schema, "properties") } }
  })
  return { paths: documented, schemas: { ...complete, [schemaName]: reasonAlone } }
}
