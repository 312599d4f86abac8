import {
  getOperationAST,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  isNonNullType,
  OperationTypeNode
} from "graphql"
import type { DocumentNode, ExecutionArgs, GraphQLFieldResolver, OperationDefinitionNode } from "graphql"
import type { GraphQLContext } from "./GraphQLContext.ts"
import { misfit, projectionsOf } from "./Projection.ts"
import type { Projections } from "./Projection.ts"

type Resolver = GraphQLFieldResolver<unknown, GraphQLContext>

/** The projections of each operation; undefined if the executor executes it. */
type Compiled = WeakMap<OperationDefinitionNode, Projections | undefined>

/** The executor takes a projected value as it is. */
const Projected = new GraphQLScalarType({ name: "Projected", serialize: (value) => value })

const projected =
  (resolve: Resolver, compiled: Compiled): Resolver =>
  async (source, args, context, info) => {
    const value: unknown = await resolve(source, args, context, info)
    try {
      return compiled.get(info.operation)?.get(String(info.path.key))?.(value)
    } catch (error) {
      if (error === misfit) context.root.hasMisfit = true
      throw error
    }
  }

/** A root type with the same fields, whose values are complete results instead of objects with fields. */
const projectedType = (type: GraphQLObjectType, compiled: Compiled): GraphQLObjectType => {
  const { fields, ...config } = type.toConfig()
  return new GraphQLObjectType({
    ...config,
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, { resolve, ...field }]) => [
        name,
        {
          ...field,
          type: isNonNullType(field.type) ? new GraphQLNonNull(Projected) : Projected,
          ...(resolve ? { resolve: projected(resolve, compiled) } : {})
        }
      ])
    )
  })
}

type Execute = (args: ExecutionArgs) => unknown

/**
 * Executes an operation by its compiled projections where it has some. The executor still resolves the fields of the root: it reads arguments,
 * runs mutations one after the other, and reports errors. The projectors copy the selected fields of their values, without the executor's work for each field of each record. If a value
 * does not have the type of its field, the executor completes all values without reading them again, and reports the error.
 */
export const makeProjectedExecution = (
  schema: GraphQLSchema,
  /** Called after a document was executed by projections. */
  onProjected: (document: DocumentNode, projections: Projections) => void = () => undefined
) => {
  const compiled: Compiled = new WeakMap()
  const roots = { query: schema.getQueryType(), mutation: schema.getMutationType() }
  const outline = new GraphQLSchema({
    query: roots.query ? projectedType(roots.query, compiled) : null,
    mutation: roots.mutation ? projectedType(roots.mutation, compiled) : null
  })

  /** Parsed documents are kept by their text, so each is compiled once. */
  const compiledOf = (args: ExecutionArgs): Projections | undefined => {
    const operation = getOperationAST(args.document, args.operationName)
    if (!operation || operation.operation === OperationTypeNode.SUBSCRIPTION) return undefined
    if (!compiled.has(operation)) {
      const root = roots[operation.operation]
      compiled.set(operation, root ? projectionsOf(root, args.document, operation) : undefined)
    }
    return compiled.get(operation)
  }

  return (execute: Execute): Execute =>
    async (args) => {
      const projections = compiledOf(args)
      if (projections === undefined) return execute(args)
      const result = await execute({ ...args, schema: outline })
      if ((args.contextValue as GraphQLContext).root.hasMisfit) return execute(args)
      onProjected(args.document, projections)
      return result
    }
}
