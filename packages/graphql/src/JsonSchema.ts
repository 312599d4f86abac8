/** The part of JSON Schema that the market's OpenAPI document uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly enum?: ReadonlyArray<unknown>
}

/** An operation of the OpenAPI document. */
export interface OpenApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters?: ReadonlyArray<{
    readonly name: string
    readonly in: "path" | "query" | "header"
    readonly required: boolean
    readonly schema: JsonSchema
    readonly description?: string
  }>
  readonly requestBody?: {
    readonly required?: boolean
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>
  }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>> }>
  >
}

/** The parts of the OpenAPI document from which the GraphQL schema is derived. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/** An operation with its place. */
export interface Operation extends OpenApiOperation {
  readonly method: string
  readonly path: string
}

/** The operations of the document by id. */
export const operationsOf = ({ paths }: OpenApiDocument): ReadonlyMap<string, Operation> =>
  new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Operation] => [
        operation.operationId,
        { ...operation, method: method.toUpperCase(), path }
      ])
    )
  )

/** The schema of a successful response's `data`, or of the whole body where there is no envelope. */
export const dataOf = ({ operationId, responses }: Operation): JsonSchema => {
  const schema = (responses["200"] ?? responses["201"])?.content?.["application/json"]?.schema
  if (schema === undefined) throw new Error(`${operationId} has no JSON response`)
  const { data, success } = schema.properties ?? {}
  return success === undefined || data === undefined ? schema : data
}

/** The schema of the body; undefined where there is none. */
export const bodyOf = ({ requestBody }: Operation): JsonSchema | undefined =>
  requestBody?.content["application/json"]?.schema
