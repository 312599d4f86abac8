import { GraphQLError, Kind } from "graphql"
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionSetNode
} from "graphql"
import { defaultFirst, maxFirst } from "./Connection.ts"
import { queries } from "./rootFields.ts"

/** The bounds of one request (GRAPHQL-4, GRAPHQL-5). */
export const queryLimits = {
  /** Levels of nested fields. */
  depth: 10,
  /** The same for introspection, whose own query has 13 levels. */
  introspectionDepth: 15,
  /** The sum over all fields with sub-fields, those of a list once for each record; a field of the root costs 10. */
  cost: 1000,
  /** Fields with an alias. */
  aliases: 30,
  /** Tokens of the document. */
  tokens: 2000
} as const

const rootCost = 10

interface Measure {
  readonly depth: number
  readonly cost: number
  readonly aliases: number
}

const nothing: Measure = { depth: 0, cost: 0, aliases: 0 }

const beside = (a: Measure, b: Measure): Measure => ({
  depth: Math.max(a.depth, b.depth),
  cost: a.cost + b.cost,
  aliases: a.aliases + b.aliases
})

type Variables = Readonly<Record<string, unknown>>

/** The fields that are connections; all of them are fields of the root. The selection does not show it, because a fragment may contain it. */
const connections = new Set(Object.entries(queries).flatMap(([name, { kind }]) => (kind === "list" ? [name] : [])))

/** The number of times that the fields below a field are resolved: `first` for a connection, otherwise 1. */
const recordsOf = (field: FieldNode, variables: Variables): number => {
  const first = field.arguments?.find(({ name }) => name.value === "first")?.value
  if (!connections.has(field.name.value)) return 1
  if (first === undefined) return defaultFirst
  const value =
    first.kind === Kind.VARIABLE ? variables[first.name.value] : first.kind === Kind.INT ? first.value : undefined
  const size = Number(value ?? defaultFirst)
  return Number.isFinite(size) ? Math.min(Math.max(size, 1), maxFirst) : maxFirst
}

/** The default values of the variables that are numbers. A request that omits such a variable gets its default. */
const defaultsOf = ({ variableDefinitions = [] }: OperationDefinitionNode): Variables =>
  Object.fromEntries(
    variableDefinitions.flatMap(({ defaultValue, variable }) =>
      defaultValue?.kind === Kind.INT ? [[variable.name.value, Number(defaultValue.value)]] : []
    )
  )

const isIntrospection = ({ name }: FieldNode): boolean => name.value === "__schema" || name.value === "__type"

/** Measures each fragment once, so that the time is linear even if fragments contain each other many times. */
const makeMeasure = (fragments: ReadonlyMap<string, FragmentDefinitionNode>, variables: Variables) => {
  const known = new Map<string, Measure>()

  const ofFragment = (name: string): Measure => {
    const found = known.get(name)
    if (found !== undefined) return found
    // Validation refuses a fragment that contains itself; this only prevents an endless loop.
    known.set(name, nothing)
    const fragment = fragments.get(name)
    const measured = fragment === undefined ? nothing : ofSelections(fragment.selectionSet)
    known.set(name, measured)
    return measured
  }

  const ofField = (field: FieldNode): Measure => {
    const aliases = field.alias === undefined ? 0 : 1
    if (field.selectionSet === undefined) return { depth: 1, cost: 0, aliases }
    const below = ofSelections(field.selectionSet)
    return {
      depth: below.depth + 1,
      cost: 1 + recordsOf(field, variables) * below.cost,
      aliases: aliases + below.aliases
    }
  }

  const ofSelections = ({ selections }: SelectionSetNode): Measure =>
    selections
      .map((selection) => {
        if (selection.kind === Kind.FIELD) return ofField(selection)
        return selection.kind === Kind.FRAGMENT_SPREAD
          ? ofFragment(selection.name.value)
          : ofSelections(selection.selectionSet)
      })
      .reduce(beside, nothing)

  /** The fields of the root, those of fragments included. */
  const rootFields = ({ selections }: SelectionSetNode, within: ReadonlySet<string>): ReadonlyArray<FieldNode> =>
    selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection]
      if (selection.kind === Kind.INLINE_FRAGMENT) return rootFields(selection.selectionSet, within)
      const { value } = selection.name
      const fragment = within.has(value) ? undefined : fragments.get(value)
      return fragment === undefined ? [] : rootFields(fragment.selectionSet, new Set([...within, value]))
    })

  return { ofField, rootFields }
}

const refusal = (limit: string, allowed: number, requested: number): GraphQLError =>
  new GraphQLError("The request is not valid", {
    extensions: {
      code: "VALIDATION_ERROR",
      details: {
        issues: [{ path: "query", message: `has a ${limit} of ${requested}, and at most ${allowed} is allowed` }]
      }
    }
  })

/** The maximum number of fields of the root whose fragments are followed. A document with more exceeds the limit of the cost in any case. */
const maxRootFields = queryLimits.cost / rootCost

/** Refuses a request that exceeds the limits of depth, cost or aliases, before any part of it runs (GRAPHQL-10). */
export const exceededLimit = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables
): GraphQLError | undefined => {
  const fragments = new Map(
    document.definitions.flatMap((definition): ReadonlyArray<[string, FragmentDefinitionNode]> =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : []
    )
  )
  const { ofField, rootFields } = makeMeasure(fragments, { ...defaultsOf(operation), ...variables })
  const roots = rootFields(operation.selectionSet, new Set()).slice(0, maxRootFields + 1)
  const measured = roots.map((field) => ({ field, measure: ofField(field) }))
  const own = measured.filter(({ field }) => !isIntrospection(field)).map(({ measure }) => measure)
  const all = measured.map(({ measure }) => measure).reduce(beside, nothing)
  const { depth } = own.reduce(beside, nothing)
  const cost = own.reduce((sum, measure) => sum + measure.cost + rootCost - 1, 0)
  if (depth > queryLimits.depth) return refusal("depth", queryLimits.depth, depth)
  if (all.depth > queryLimits.introspectionDepth) return refusal("depth", queryLimits.introspectionDepth, all.depth)
  if (all.aliases > queryLimits.aliases) return refusal("number of aliases", queryLimits.aliases, all.aliases)
  return cost > queryLimits.cost ? refusal("cost", queryLimits.cost, cost) : undefined
}
