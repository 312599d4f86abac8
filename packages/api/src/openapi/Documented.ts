import { limitedKey, optionalBodyKey } from "../access/Operation.ts"
import { exampleOf, withExamples } from "./Examples.ts"
import { headers, headersOf } from "./Headers.ts"
import type { Json, JsonObject } from "./Json.ts"
import { isObject, mapValues, objectAt } from "./Json.ts"
import { normalised } from "./Normalised.ts"
import { withOperatorReason } from "./OperatorReason.ts"
import { documentedParameter } from "./Parameter.ts"
import { documentedResponses } from "./Responses.ts"
import { webhooks } from "./Webhooks.ts"

const securitySchemes: JsonObject = {
  apiKey: { type: "http", scheme: "bearer", description: "An API key: `Authorization: Bearer amk_…`." },
  apiKeyHeader: {
    type: "apiKey",
    in: "header",
    name: "x-api-key",
    description: "The same key in the header `x-api-key`."
  },
  adminToken: { type: "http", scheme: "bearer", description: "The operator's token." },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-session",
    description:
      "A session of a person in a browser; the cookie is `session` over plain HTTP on loopback. Requests need the service's own `Origin` and `X-Requested-With: console`."
  }
}

/** The first page of the guides and the API reference. */
const docs: JsonObject = {
  get: {
    tags: ["System"],
    operationId: "system.docs",
    summary: "Read the documentation",
    description: "The first page of the guides and of this reference.",
    parameters: [],
    security: [],
    responses: {
      "200": {
        description: "A page.",
        headers: headersOf("200", { limited: false, idempotent: false }),
        content: { "text/html": { schema: { type: "string" }, example: "<!doctype html>" } }
      }
    }
  }
}

const withExample =
  (components: JsonObject) =>
  (media: Json): Json =>
    isObject(media) ? { ...media, example: exampleOf(media.schema, components) } : media

const documentedOperation = (given: Json, schemas: JsonObject, shared: Map<string, JsonObject>): Json => {
  if (!isObject(given)) return given
  const { [limitedKey]: limited, [optionalBodyKey]: optionalBody, ...operation } = given
  const parameters = Array.isArray(operation.parameters) ? operation.parameters.map(documentedParameter) : []
  const idempotent = parameters.some((parameter) => isObject(parameter) && parameter.name === "Idempotency-Key")
  const requestBody = objectAt(operation, "requestBody")
  const content = mapValues(objectAt(requestBody, "content"), withExample(schemas))
  return {
    ...operation,
    parameters,
    ...("requestBody" in operation
      ? { requestBody: { ...requestBody, content, required: optionalBody !== true && requestBody.required !== false } }
      : {}),
    responses: documentedResponses(
      objectAt(operation, "responses"),
      schemas,
      { limited: limited === true, idempotent },
      shared
    )
  }
}

/** Completes the generated document with descriptions, examples, headers and security requirements. */
export const documented = (spec: Record<string, unknown>): Record<string, unknown> => {
  const plain = normalised(spec as JsonObject) as JsonObject
  const given = objectAt(objectAt(plain, "components"), "schemas")
  const { paths: operations, schemas } = withOperatorReason(objectAt(plain, "paths"), given)
  const shared = new Map<string, JsonObject>()
  const paths = mapValues(operations, (item) =>
    isObject(item) ? mapValues(item, (operation) => documentedOperation(operation, schemas, shared)) : item
  )
  return {
    ...plain,
    paths: { ...paths, "/docs": docs },
    webhooks,
    components: {
      schemas: mapValues(schemas, (schema) => withExamples(schema, schemas)),
      responses: Object.fromEntries(shared),
      securitySchemes,
      headers
    }
  }
}
