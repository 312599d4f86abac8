import { isLeafType, isListType, isNonNullType, isObjectType, Kind } from "graphql"
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLLeafType,
  GraphQLNullableType,
  GraphQLObjectType,
  GraphQLOutputType,
  OperationDefinitionNode,
  SelectionSetNode
} from "graphql"

/** Converts the value of a field to its result. Throws `misfit` for a value that does not simply have the field's type. */
export type Projector = (value: unknown) => unknown

/** Thrown for a value that needs the executor: it may be an error, which the executor reports with its path. */
export const misfit = new Error("The value does not have the type of its field")

/** The projectors of an operation's root fields, by their names in the result. */
export type Projections = ReadonlyMap<string, Projector>

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

type Fields = Map<string, Array<FieldNode>>

/** Thrown while a selection is compiled that the executor has to execute. */
const notPlain = new Error("The selection is not plain")

/** Adds the fields of a selection by their names in the result, in the order of their first use. */
const collect = (
  type: GraphQLObjectType,
  { selections }: SelectionSetNode,
  fragments: Fragments,
  fields: Fields,
  visited: Set<string>
): Fields => {
  for (const selection of selections) {
    if (selection.directives !== undefined && selection.directives.length > 0) throw notPlain
    if (selection.kind === Kind.FIELD) {
      const key = (selection.alias ?? selection.name).value
      const known = fields.get(key)
      if (known === undefined) fields.set(key, [selection])
      else known.push(selection)
      continue
    }
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      if (visited.has(selection.name.value)) continue
      visited.add(selection.name.value)
    }
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
    if (fragment === undefined) throw notPlain
    if (fragment.typeCondition === undefined || fragment.typeCondition.name.value === type.name)
      collect(type, fragment.selectionSet, fragments, fields, visited)
  }
  return fields
}

const leaf =
  (type: GraphQLLeafType): Projector =>
  (value) => {
    let result: unknown
    try {
      result = type.serialize(value)
    } catch {
      throw misfit
    }
    if (result === undefined || result === null) throw misfit
    return result
  }

const list =
  (item: Projector): Projector =>
  (values) => {
    if (!Array.isArray(values)) throw misfit
    return values.map(item)
  }

const orNull =
  (projector: Projector): Projector =>
  (value) =>
    value === undefined || value === null ? null : projector(value)

const required =
  (projector: Projector): Projector =>
  (value) => {
    if (value === undefined || value === null) throw misfit
    return projector(value)
  }

const object =
  (fields: ReadonlyArray<{ readonly key: string; readonly name: string; readonly projector: Projector }>): Projector =>
  (value) => {
    if (typeof value !== "object" || value === null || value instanceof Error) throw misfit
    const result: Record<string, unknown> = {}
    for (const { key, name, projector } of fields) {
      const own = (value as Readonly<Record<string, unknown>>)[name]
      // The executor calls it.
      if (typeof own === "function") throw misfit
      result[key] = projector(own)
    }
    return result
  }

/** The projector of a field's type; `nodes` are the field's occurrences in the document. */
const projectorOf = (type: GraphQLOutputType, nodes: ReadonlyArray<FieldNode>, fragments: Fragments): Projector =>
  isNonNullType(type) ? required(present(type.ofType, nodes, fragments)) : orNull(present(type, nodes, fragments))

/** The projector for values other than null. */
const present = (type: GraphQLNullableType, nodes: ReadonlyArray<FieldNode>, fragments: Fragments): Projector => {
  if (isListType(type)) return list(projectorOf(type.ofType as GraphQLOutputType, nodes, fragments))
  if (isLeafType(type)) return leaf(type)
  if (!isObjectType(type)) throw notPlain
  const fields: Fields = new Map()
  const visited = new Set<string>()
  for (const { selectionSet } of nodes)
    if (selectionSet !== undefined) collect(type, selectionSet, fragments, fields, visited)
  return object([...fields].map(([key, same]) => fieldOf(type, key, same, fragments)))
}

const typeName = "__typename"

const fieldOf = (type: GraphQLObjectType, key: string, nodes: ReadonlyArray<FieldNode>, fragments: Fragments) => {
  const name = nodes[0]?.name.value ?? ""
  // Assigning to this key would set the prototype.
  if (key === "__proto__") throw notPlain
  if (name === typeName) return { key, name, projector: () => type.name }
  const field = type.getFields()[name]
  if (field === undefined || field.resolve !== undefined || field.args.length > 0) throw notPlain
  return { key, name, projector: projectorOf(field.type, nodes, fragments) }
}

/**
 * Compiles the selections of an operation's root fields. Undefined if the executor has to execute one: because of a directive, a field with a
 * resolver or arguments below the root, or introspection.
 */
export const projectionsOf = (
  root: GraphQLObjectType,
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode
): Projections | undefined => {
  const fragments: Fragments = new Map(
    document.definitions.flatMap((definition): ReadonlyArray<[string, FragmentDefinitionNode]> =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : []
    )
  )
  try {
    const fields = [...collect(root, selectionSet, fragments, new Map(), new Set())]
    return new Map(
      fields.flatMap(([key, nodes]): ReadonlyArray<[string, Projector]> => {
        const name = nodes[0]?.name.value ?? ""
        if (name === typeName) return []
        const field = root.getFields()[name]
        if (field === undefined) throw notPlain
        return [[key, projectorOf(field.type, nodes, fragments)]]
      })
    )
  } catch (error) {
    if (error === notPlain) return undefined
    throw error
  }
}
