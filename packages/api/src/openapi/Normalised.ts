import { shapeKey } from "../wire/Query.ts"
import type { Json, JsonObject } from "./Json.ts"
import { isObject } from "./Json.ts"

/** Merges what a check adds into its schema. The check is more specific, so it takes precedence. */
const merged = (schema: JsonObject): JsonObject => {
  const { allOf, ...rest } = schema
  if (!Array.isArray(allOf)) return schema
  const members = allOf.filter(isObject)
  const plain = members.filter((member) => !("$ref" in member))
  const refs = members.filter((member) => "$ref" in member)
  const together = Object.assign({}, rest, ...plain) as JsonObject
  return refs.length === 0 ? together : { ...together, allOf: refs }
}

/** Replaces a union of one schema by that schema. */
const single = (schema: JsonObject): JsonObject => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 1) return schema
  const only = anyOf[0] as Json
  return isObject(only) ? { ...only, ...rest } : schema
}

/** Replaces a string parameter by the schema of the value that it encodes. */
const shaped = (schema: JsonObject): JsonObject => {
  const { [shapeKey]: shape, description, examples } = schema
  if (!isObject(shape)) return schema
  return {
    ...shape,
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples })
  }
}

/**
 * Simplifies schemas for the document: checks are merged into what they check, string parameters show the schema of their value, and no object
 * is closed, because unknown fields are ignored (WIRE-20) and responses may gain fields.
 */
export const normalised = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(normalised)
  if (!isObject(value)) return value
  const entries = Object.entries(value)
    .filter(([key, child]) => !(key === "additionalProperties" && child === false))
    .map(([key, child]) => [key, normalised(child)] as const)
  return shaped(single(merged(Object.fromEntries(entries))))
}
