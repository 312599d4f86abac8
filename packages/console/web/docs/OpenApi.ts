/** A JSON Schema of the OpenAPI document. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: Schema
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly default?: unknown
  readonly additionalProperties?: boolean | Schema
  readonly [name: string]: unknown
}

export interface Media {
  readonly schema?: Schema
  readonly example?: unknown
}

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header" | "cookie"
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: unknown
}

export interface Reply {
  readonly $ref?: string
  readonly description?: string
  readonly content?: Readonly<Record<string, Media>>
}

export interface OperationObject {
  readonly tags: ReadonlyArray<string>
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: {
    readonly required?: boolean
    readonly description?: string
    readonly content: Readonly<Record<string, Media>>
  }
  readonly responses: Readonly<Record<string, Reply>>
}

/** The parts of the OpenAPI document that the pages show. */
export interface OpenApiDocument {
  readonly info: { readonly version: string; readonly description: string }
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: OperationObject }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Reply>>
  }
}

/** An operation with its place. */
export interface Operation extends OperationObject {
  readonly method: string
  readonly path: string
}

export const operationsOf = ({ paths }: OpenApiDocument): ReadonlyArray<Operation> =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path }))
  )

/** The name of a page or an anchor: lower case words joined by hyphens. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")

const nameIn = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1)

/** The schema, or the component to which it refers. */
export const resolved = ({ components }: OpenApiDocument, schema: Schema): Schema => {
  if (schema.$ref === undefined) return schema
  const { $ref: _, ...rest } = schema
  return { ...components.schemas[nameIn(schema.$ref)], ...rest }
}

/** The response, or the component to which it refers. */
export const replyOf = ({ components }: OpenApiDocument, reply: Reply): Reply =>
  reply.$ref === undefined ? reply : (components.responses[nameIn(reply.$ref)] ?? reply)
