/** Generates the types of the client library from `openapi.json`. They depend on no other package. */

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly required?: ReadonlyArray<string>
  readonly pattern?: string
  readonly default?: unknown
  readonly description?: string
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>
}

interface Operation {
  readonly parameters?: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly description: string
    readonly schema: JsonSchema
  }>
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Content>>
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

const comment = (text: string | undefined): string => (text === undefined ? "" : `/** ${text} */\n`)

const name = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1)

/** Optional fields of requests may also be `undefined`; those of responses are present or absent. */
type Direction = "sent" | "answered"

const objectOf = (schema: JsonSchema, direction: Direction): string => {
  const { additionalProperties: values } = schema
  if (schema.properties === undefined)
    return `Readonly<Record<string, ${typeof values === "object" ? typeOf(values, direction) : "unknown"}>>`
  const fields = Object.entries(schema.properties ?? {}).map(([key, field]) => {
    const optional = schema.required?.includes(key) !== true
    const type = typeOf(field, direction) + (optional && direction === "sent" ? " | undefined" : "")
    return `${comment(field.description)}readonly ${key}${optional ? "?" : ""}: ${type}`
  })
  return `{\n${fields.join("\n")}\n}`
}

const typeOf = (schema: JsonSchema, direction: Direction): string => {
  if (schema.$ref !== undefined) return name(schema.$ref)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.map((choice) => typeOf(choice, direction)).join(" | ")
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
  if (schema.type === "array") return `ReadonlyArray<${typeOf(schema.items ?? {}, direction)}>`
  if (schema.type === "object" || schema.properties !== undefined) return objectOf(schema, direction)
  if (schema.type === "integer") return "number"
  return schema.type ?? "unknown"
}

/** Amounts and lists are strings in a URL; callers may pass numbers and arrays. */
const parameterType = (schema: JsonSchema, description: string): string => {
  if (schema.pattern?.includes("\\d") === true) return "number | string"
  return description.startsWith("Comma-separated") ? "string | ReadonlyArray<string>" : typeOf(schema, "sent")
}

const queryOf = ({ parameters = [] }: Operation): string | undefined => {
  // `format=csv` returns a file, which the library does not support.
  const own = parameters.filter((parameter) => parameter.in === "query" && parameter.name !== "format")
  if (own.length === 0) return undefined
  const fields = own.map(({ description, name, schema }) => {
    const fallback = schema.default === undefined ? "" : ` Default: ${String(schema.default)}.`
    return `${comment(description + fallback)}readonly ${name}?: ${parameterType(schema, description)} | undefined`
  })
  return `{\n${fields.join("\n")}\n}`
}

const jsonOf = ({ content }: Content): JsonSchema | undefined => content?.["application/json"]?.schema

/** The result of an operation: the `data` of the envelope, if there is one. */
const dataOf = (operation: Operation): JsonSchema | undefined => {
  const status = Object.keys(operation.responses).find((code) => code.startsWith("2"))
  const body = jsonOf(operation.responses[status ?? ""] ?? {})
  return body?.properties?.["success"] === undefined ? body : body.properties["data"]
}

const isForOperators = (path: string): boolean => path.startsWith("/api/v1/admin/")

const isForClients = (path: string): boolean =>
  /^\/(?:api\/|v1\/|\.well-known\/agent-marketplace)/.test(path) &&
  !isForOperators(path) &&
  !path.startsWith("/api/v1/listings")

const endpointsOf = (document: OpenApiDocument, includes: (path: string) => boolean) =>
  Object.entries(document.paths)
    .filter(([path]) => includes(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => {
        const data = dataOf(operation)
        const key = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`
        return data === undefined ? [] : [{ key, operation, data }]
      })
    )

const endpointText = ({ data, key, operation }: ReturnType<typeof endpointsOf>[number]): string => {
  const query = queryOf(operation)
  const body = operation.requestBody && jsonOf(operation.requestBody)
  const once = operation.parameters?.some((parameter) => parameter.name === "Idempotency-Key") === true
  const fields = [
    ...(query === undefined ? [] : [`readonly input?: ${query}`]),
    ...(body ? [`readonly input${operation.requestBody?.required === true ? "" : "?"}: ${typeOf(body, "sent")}`] : []),
    ...(once ? ["readonly once: true"] : []),
    `readonly data: ${typeOf(data, "answered")}`
  ]
  return `readonly "${key}": {\n${fields.join("\n")}\n}`
}

/** The names of the schemas that a schema refers to, directly or indirectly. */
const reach = (document: OpenApiDocument, schema: JsonSchema, found: Set<string>): Set<string> => {
  for (const [, ref = ""] of JSON.stringify(schema).matchAll(/"\$ref":"[^"]*\/([^"/]+)"/g)) {
    const next = document.components.schemas[ref]
    if (found.has(ref) || next === undefined) continue
    found.add(ref)
    reach(document, next, found)
  }
  return found
}

type Endpoint = ReturnType<typeof endpointsOf>[number]

/** The names of the schemas in the requests and in the responses of the endpoints. */
const schemasOf = (document: OpenApiDocument, endpoints: ReadonlyArray<Endpoint>) => {
  const sent = new Set<string>()
  const answered = new Set<string>()
  for (const { data, operation } of endpoints) {
    const body = operation.requestBody && jsonOf(operation.requestBody)
    if (body) reach(document, body, sent)
    reach(document, data, answered)
  }
  return { sent, answered, all: new Set([...sent, ...answered]) }
}

const interfacesOf = (
  document: OpenApiDocument,
  names: ReadonlySet<string>,
  sent: ReadonlySet<string>
): ReadonlyArray<string> =>
  Object.entries(document.components.schemas)
    .filter(([each]) => names.has(each))
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(
      ([each, schema]) =>
        `${comment(schema.description)}export interface ${each} ${objectOf(schema, sent.has(each) ? "sent" : "answered")}`
    )

const generated = "// Made from the endpoint definitions by `npm run openapi`; what is changed here is lost."

/** The module of the client's endpoints. `events` are the schemas of the `data` of each webhook event. */
export const clientTypes = (document: OpenApiDocument, events: Readonly<Record<string, JsonSchema>>): string => {
  const endpoints = endpointsOf(document, isForClients)
  const { all, sent } = schemasOf(document, endpoints)
  const eventFields = Object.entries(events).map(
    ([event, schema]) => `readonly "${event}": ${typeOf(schema, "answered")}`
  )
  return [
    generated,
    ...interfacesOf(document, all, sent),
    `/** The \`data\` of every webhook event. */\nexport interface WebhookData {\n${eventFields.join("\n")}\n}`,
    `/** Every endpoint: what is passed (\`input\`), what comes back (\`data\`), whether an idempotency key makes it safe to repeat. */\nexport interface Endpoints {\n${endpoints.map(endpointText).join("\n")}\n}`
  ].join("\n\n")
}

/** The module of the operator's endpoints. Schemas that the client's endpoints have too are imported from their module. */
export const operatorTypes = (document: OpenApiDocument): string => {
  const endpoints = endpointsOf(document, isForOperators)
  const { all, sent } = schemasOf(document, endpoints)
  const shared = schemasOf(document, endpointsOf(document, isForClients)).all
  const body = [
    ...interfacesOf(document, new Set([...all].filter((each) => !shared.has(each))), sent),
    `/** Every endpoint of the operator, in the form of \`Endpoints\`. */\nexport interface OperatorEndpoints {\n${endpoints.map(endpointText).join("\n")}\n}`
  ].join("\n\n")
  const imported = [...all].filter((each) => shared.has(each) && new RegExp(`\\b${each}\\b`).test(body)).toSorted()
  return [generated, `import type { ${imported.join(", ")} } from "./Endpoints.ts"`, body].join("\n\n")
}
