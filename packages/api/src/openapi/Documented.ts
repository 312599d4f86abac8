import { exampleOf, withExamples } from "./Examples.ts"
import { headers, headersOf } from "./Headers.ts"
import type { Json, JsonObject } from "./Json.ts"
import { isObject, mapValues, objectAt } from "./Json.ts"
import { normalised } from "./Normalised.ts"
import { documentedParameter } from "./Parameter.ts"

const securitySchemes: JsonObject = {
  apiKey: { type: "http", scheme: "bearer", description: "An API key: `Authorization: Bearer amk_…`." },
  apiKeyHeader: {
    type: "apiKey",
    in: "header",
    name: "x-api-key",
    description: "The same key in a header of its own."
  },
  adminToken: { type: "http", scheme: "bearer", description: "The operator's token." }
}

/** Served beside the operations: this document for people. */
const docs: JsonObject = {
  get: {
    tags: ["System"],
    operationId: "system.docs",
    summary: "This document for people",
    description: "An interactive page.",
    parameters: [],
    security: [],
    responses: {
      "200": {
        description: "A page.",
        content: { "text/html": { schema: { type: "string" }, example: "<!doctype html>" } }
      }
    }
  }
}

const withExample =
  (components: JsonObject) =>
  (media: Json): Json =>
    isObject(media) ? { ...media, example: exampleOf(media.schema, components) } : media

const documentedResponse = (
  response: Json,
  status: string,
  components: JsonObject,
  facts: { readonly limited: boolean; readonly idempotent: boolean }
): Json => {
  if (!isObject(response)) return response
  const content = objectAt(response, "content")
  const success = status.startsWith("2")
  return {
    ...response,
    headers: headersOf(status, facts),
    ...("content" in response ? { content: success ? mapValues(content, withExample(components)) : content } : {})
  }
}

const documentedOperation =
  (components: JsonObject) =>
  (operation: Json): Json => {
    if (!isObject(operation)) return operation
    const parameters = Array.isArray(operation.parameters) ? operation.parameters.map(documentedParameter) : []
    const responses = objectAt(operation, "responses")
    const facts = {
      limited: "429" in responses,
      idempotent: parameters.some((parameter) => isObject(parameter) && parameter.name === "Idempotency-Key")
    }
    const requestBody = objectAt(operation, "requestBody")
    return {
      ...operation,
      parameters,
      ...("requestBody" in operation
        ? {
            requestBody: {
              ...requestBody,
              content: mapValues(objectAt(requestBody, "content"), withExample(components))
            }
          }
        : {}),
      responses: mapValues(responses, (response, status) => documentedResponse(response, status, components, facts))
    }
  }

/** The generated document made readable: descriptions, examples, headers and security of everything. */
export const documented = (spec: Record<string, unknown>): Record<string, unknown> => {
  const plain = normalised(spec as JsonObject) as JsonObject
  const schemas = objectAt(objectAt(plain, "components"), "schemas")
  const components = mapValues(schemas, (schema) => withExamples(schema, schemas))
  const paths = mapValues(objectAt(plain, "paths"), (item) =>
    isObject(item) ? mapValues(item, documentedOperation(schemas)) : item
  )
  return {
    ...plain,
    paths: { ...paths, "/docs": docs },
    components: { schemas: components, securitySchemes, headers }
  }
}
