import type { Json, JsonObject } from "./Json.ts"
import { isObject, mapValues, objectAt } from "./Json.ts"

const prefix = "#/components/schemas/"

/** The example of a schema: its own, or one composed of the examples of its parts. */
export const exampleOf = (schema: Json | undefined, components: JsonObject): Json => {
  if (!isObject(schema)) return null
  const { $ref, anyOf, enum: values, examples, items, oneOf, type } = schema
  if (Array.isArray(examples) && examples.length > 0) return examples[0] as Json
  if (typeof $ref === "string") return exampleOf(components[$ref.slice(prefix.length)], components)
  if (Array.isArray(values)) return values[0] as Json
  const alternatives = anyOf ?? oneOf
  if (Array.isArray(alternatives)) return exampleOf(alternatives[0] as Json, components)
  if (type === "array") return [exampleOf(items, components)]
  if (type === "object") return mapValues(objectAt(schema, "properties"), (child) => exampleOf(child, components))
  return null
}

/** Gives objects and lists examples that are composed of the examples of their fields. */
export const withExamples = (schema: Json, components: JsonObject): Json => {
  if (!isObject(schema)) return schema
  const properties = mapValues(objectAt(schema, "properties"), (child) => withExamples(child, components))
  const items = schema.items === undefined ? {} : { items: withExamples(schema.items, components) }
  const inside = { ...schema, ...("properties" in schema ? { properties } : {}), ...items }
  const bare = !("examples" in schema) && !("$ref" in schema)
  return bare && (schema.type === "object" || schema.type === "array")
    ? { ...inside, examples: [exampleOf(schema, components)] }
    : inside
}
