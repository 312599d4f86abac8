import { getArgumentValues, getOperationAST, getVariableValues, Kind, OperationTypeNode } from "graphql"
import type {
  DocumentNode,
  FieldNode,
  GraphQLField,
  GraphQLResolveInfo,
  GraphQLSchema,
  OperationDefinitionNode
} from "graphql"
import type { GraphQLContext } from "./GraphQLContext.ts"
import type { Projections, Projector } from "./Projection.ts"
import { exceededLimit } from "./QueryLimits.ts"

/** A field of the root: its key in the result, how its value is read, and what is shown of it. */
interface PlainField {
  readonly key: string
  readonly field: GraphQLField<unknown, GraphQLContext>
  readonly node: FieldNode
  readonly project: Projector
}

interface PlainQuery {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly fields: ReadonlyArray<PlainField>
  /**
   * The last values, and their result once they were the same twice. Only an unchanged page of the catalogue is the same object twice, so no
   * result that belongs to an account is kept.
   */
  last?: { readonly values: ReadonlyArray<WeakRef<object>>; readonly result?: Uint8Array }
}

/** Longer documents are not remembered. */
const maxCharacters = 4000

/** How many documents are remembered. */
const maxDocuments = 200

/** Longer results, in bytes, are not remembered. */
const maxResult = 100_000

const encoder = new TextEncoder()

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** The result with these values of the fields, as JSON. */
const shown = (query: PlainQuery, values: ReadonlyArray<unknown>): Uint8Array => {
  const isSame = query.last?.values.every((last, i) => isObject(values[i]) && last.deref() === values[i]) === true
  if (isSame && query.last?.result !== undefined) return query.last.result
  const data = Object.fromEntries(query.fields.map(({ key, project }, i) => [key, project(values[i])]))
  const result = encoder.encode(JSON.stringify({ data }))
  if (values.every(isObject)) {
    const isKept = isSame && result.length <= maxResult
    query.last = { values: values.map((value) => new WeakRef(value)), ...(isKept ? { result } : {}) }
  }
  return result
}

interface Body {
  readonly query: string
  readonly operationName: string | null
  readonly variables: Readonly<Record<string, unknown>>
}

/** Parses the body of a request; undefined if it has other properties. */
const bodyOf = (text: string): Body | undefined => {
  const body: unknown = JSON.parse(text)
  if (typeof body !== "object" || body === null) return undefined
  const { operationName, query, variables, ...rest } = body as Readonly<Record<string, unknown>>
  const [name, values] = [operationName ?? null, variables ?? {}]
  if (typeof query !== "string" || (typeof name !== "string" && name !== null)) return undefined
  if (typeof values !== "object" || Array.isArray(values) || Object.keys(rest).length > 0) return undefined
  return { query, operationName: name, variables: values as Body["variables"] }
}

/** The fields of the root; undefined if one of them is in a fragment or is selected twice. */
const fieldsOf = (
  schema: GraphQLSchema,
  { selectionSet: { selections } }: OperationDefinitionNode,
  projections: Projections
): ReadonlyArray<PlainField> | undefined => {
  const known = schema.getQueryType()?.getFields() ?? {}
  const fields = selections.flatMap((node): ReadonlyArray<PlainField> => {
    if (node.kind !== Kind.FIELD) return []
    const key = (node.alias ?? node.name).value
    const [field, project] = [known[node.name.value], projections.get(key)]
    return field === undefined || project === undefined ? [] : [{ key, field, node, project }]
  })
  const keys = new Set(fields.map(({ key }) => key))
  return keys.size === selections.length ? fields : undefined
}

/**
 * Answers repeated queries without the GraphQL server, which costs more than the reads. It remembers the documents that the server has executed
 * by projections, so they are valid. The server answers all other requests, and those that have an error; with the same context it reads
 * nothing twice.
 */
export const makePlainQueries = (schema: GraphQLSchema) => {
  const known = new Map<string, PlainQuery>()

  const resultOf = async (query: PlainQuery, variables: object, context: GraphQLContext) => {
    const { document, fields, operation } = query
    const { variableDefinitions = [] } = operation
    const { coerced } = getVariableValues(schema, variableDefinitions, variables as Body["variables"])
    if (coerced === undefined) return undefined
    // The cost of a document without variables was within the limits when the server executed it.
    const isBounded = variableDefinitions.length === 0 || exceededLimit(document, operation, coerced) === undefined
    if (!isBounded) return undefined
    const values = await Promise.all(
      fields.map(async ({ field, key, node }): Promise<unknown> => {
        const info = { path: { key } } as unknown as GraphQLResolveInfo
        const args = getArgumentValues(field as GraphQLField<unknown, unknown>, node, coerced)
        return field.resolve?.(undefined, args, context, info)
      })
    )
    return shown(query, values)
  }

  return {
    /** Remembers a document that the server executes by projections. */
    remember: (document: DocumentNode, projections: Projections): void => {
      const text = document.loc?.source.body
      const operation = getOperationAST(document)
      if (text === undefined || text.length > maxCharacters || known.has(text)) return
      if (operation?.operation !== OperationTypeNode.QUERY) return
      const fields = fieldsOf(schema, operation, projections)
      if (fields === undefined) return
      known.set(text, { document, operation, fields })
      const [oldest] = known.keys()
      if (known.size > maxDocuments && oldest !== undefined) known.delete(oldest)
    },
    /** The result as JSON in UTF-8; undefined if the GraphQL server must answer the request. `text` is its body. */
    answer: async (text: string, context: GraphQLContext): Promise<Uint8Array | undefined> => {
      try {
        const body = bodyOf(text)
        const query = body === undefined ? undefined : known.get(body.query)
        if (body === undefined || query === undefined) return undefined
        const isNamed = body.operationName === null || body.operationName === query.operation.name?.value
        return isNamed ? await resultOf(query, body.variables, context) : undefined
      } catch {
        // The server finds the error again and reports it.
        return undefined
      }
    }
  }
}
