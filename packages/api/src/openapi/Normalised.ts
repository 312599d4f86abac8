import { shapeKey } from "../wire/Query.ts"
import type { Json, JsonObject } from "./Json.ts"
import { isObject } from "./Json.ts"

/** What a check adds to its schema says more than the schema alone: it wins. */
const merged = (schema: JsonObject): JsonObject => {
  const { allOf, ...rest } = schema
  if (!Array.isArray(allOf)) return schema
  const members = allOf.filter(isObject)
  const plain = members.filter((member) => !("$ref" in member))
  const refs = members.filter((member) => "$ref" in member)
  const together = Object.assign({}, rest, ...plain) as JsonObject
  return refs.length === 0 ? together : { ...together, allOf: refs }
}

/** A choice of one is no choice. */
const single = (schema: JsonObject): JsonObject => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 1) return schema
  const only = anyOf[0] as Json
  return isObject(only) ? { ...only, ...rest } : schema
}

/** A text of the URL shows as what it stands for. */
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
 * Schemas as people read them: checks folded into what they check, texts of the URL shown as what they stand for, and no object
 * closed, for unknown fields are ignored (WIRE-20) and answers may grow.
 */
export const normalised = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(normalised)
  if (!isObject(value)) return value
  const entries = Object.entries(value)
    .filter(([key, child]) => !(key === "additionalProperties" && child === false))
    .map(([key, child]) => [key, normalised(child)] as const)
  return shaped(single(merged(Object.fromEntries(entries))))
}
