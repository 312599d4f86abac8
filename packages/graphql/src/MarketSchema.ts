import {
  GraphQLError,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  getNullableType
} from "graphql"
import type { GraphQLFieldConfig, GraphQLFieldConfigArgumentMap, GraphQLObjectType as ObjectType } from "graphql"
import {
  connectionOf,
  feedConnectionOf,
  makeConnections,
  maxFirst,
  pagesOf,
  rememberedConnection,
  sizeOf,
  sliceOf
} from "./Connection.ts"
import type { Slice } from "./Connection.ts"
import type { CalledPage, GraphQLContext, StreamedEvent } from "./GraphQLContext.ts"
import { bodyOf, dataOf, operationsOf } from "./JsonSchema.ts"
import type { JsonSchema, OpenApiDocument, Operation } from "./JsonSchema.ts"
import { makeJsonTypes, optional } from "./JsonTypes.ts"
import type { AddedFields, JsonTypes } from "./JsonTypes.ts"
import { mutations, queries } from "./rootFields.ts"
import type { ListField, OneField, RootField } from "./rootFields.ts"

type Arguments = Readonly<Record<string, unknown>>

type Field = GraphQLFieldConfig<unknown, GraphQLContext, Arguments>

/** Any JSON value, as it is. */
const Json = new GraphQLScalarType({ name: "JSON", description: "Any JSON value." })

/** The parameters of pages, which `first` and `after` replace. */
const pageParameters = new Set(["page", "limit", "offset", "after"])

const isParameter = (of: "path" | "query") => (parameter: { readonly in: string }) => parameter.in === of

const argumentsOf = (types: JsonTypes, operation: Operation, isList: boolean): GraphQLFieldConfigArgumentMap => {
  const parameters = operation.parameters ?? []
  const body = bodyOf(operation)
  return {
    ...Object.fromEntries(
      parameters.filter(isParameter("path")).map(({ description, name, schema }) => [
        name,
        {
          type: schema.type === "string" ? new GraphQLNonNull(GraphQLID) : types.input(schema, name, true),
          ...optional("description", description)
        }
      ])
    ),
    ...Object.fromEntries(
      parameters
        .filter(isParameter("query"))
        .filter(({ name }) => !isList || !pageParameters.has(name))
        .map(({ description, name, required, schema }) => [
          name,
          { type: types.input(schema, name, required), ...optional("description", description) }
        ])
    ),
    ...(isList
      ? {
          first: { type: GraphQLInt, description: `How many records, 1 to ${maxFirst}.` },
          after: { type: GraphQLString, description: "The cursor of the record before the first." }
        }
      : {}),
    ...(body === undefined
      ? {}
      : {
          input: {
            type: types.input(body, "Input", operation.requestBody?.required === true),
            description: "The body of the request."
          }
        }),
    ...(parameters.some(({ in: place, name }) => place === "header" && name === "Idempotency-Key")
      ? {
          idempotencyKey: {
            type: GraphQLString,
            description:
              "1 to 255 characters: a repeated request with the same key gets the first result again, for 24 hours."
          }
        }
      : {})
  }
}

const called = (context: GraphQLContext, operation: Operation, args: Arguments, isCatalogue = false) => {
  const { idempotencyKey, input, ...parameters } = args
  return context.call(operation, {
    parameters,
    isCatalogue,
    ...optional("body", input),
    ...(typeof idempotencyKey === "string" ? { idempotencyKey } : {})
  })
}

const picked = (data: unknown, name: string | undefined): unknown =>
  name === undefined ? data : (data as Readonly<Record<string, unknown>>)[name]

const recordsOf = ({ data }: CalledPage, { items }: ListField): ReadonlyArray<unknown> =>
  picked(data, items) as ReadonlyArray<unknown>

/** Reads the slice of a list: of lists with an offset directly, of paged lists by the pages that cover it. */
const readSlice = async (
  context: GraphQLContext,
  field: ListField,
  operation: Operation,
  args: Readonly<Record<string, unknown>>,
  slice: Slice
) => {
  const { after: _after, first: _first, ...rest } = args
  const read = (place: object) =>
    called(context, operation, { ...rest, ...place, limit: slice.first }, field.isCatalogue)
  if (operation.parameters?.some(({ name }) => name === "offset") === true) {
    const page = await read({ offset: slice.offset })
    return { nodes: recordsOf(page, field), total: page.total }
  }
  const { pages, skip } = pagesOf(slice)
  const found = await Promise.all(pages.map((page) => read({ page })))
  const total = found[0]?.total ?? 0
  const [records = [], ...others] = found.map((page) => recordsOf(page, field))
  // The array itself, by which an unchanged page is recognized.
  if (others.length === 0 && skip === 0 && records.length <= slice.first) return { nodes: records, total }
  return { nodes: [records, ...others].flat().slice(skip, skip + slice.first), total }
}

interface Parts {
  readonly operations: ReadonlyMap<string, Operation>
  readonly types: JsonTypes
  readonly connections: ReturnType<typeof makeConnections>
}

const operationOf = ({ operations }: Parts, id: string): Operation => {
  const operation = operations.get(id)
  if (operation === undefined) throw new Error(`The OpenAPI document has no operation ${id}`)
  return operation
}

/** The schema of what a field shows of the response's data. */
const shownOf = ({ types }: Parts, operation: Operation, name: string | undefined): JsonSchema => {
  const { schema } = types.resolved(dataOf(operation), "")
  if (name === undefined) return dataOf(operation)
  const shown = schema.properties?.[name]
  if (shown === undefined) throw new Error(`${operation.operationId} has no ${name}`)
  return shown
}

/** Whether a list is paged by the id of a record, not by numbers. */
const isFeed = ({ parameters = [] }: Operation): boolean => parameters.some(({ name }) => name === "after")

/** Reads the records after a cursor. */
const readFeed = async (
  context: GraphQLContext,
  field: ListField,
  operation: Operation,
  { after, first, ...rest }: { readonly after?: string | null; readonly first?: number | null }
) => {
  const page = await called(context, operation, { ...rest, after, limit: sizeOf(first) })
  const nodes = recordsOf(page, field) as ReadonlyArray<{ readonly id: string }>
  return feedConnectionOf(nodes, { after, more: page.nextCursor !== null })
}

/** Resolves a field of the root once for each of its names in the result. */
const once =
  (resolve: (args: Arguments, context: GraphQLContext) => Promise<unknown>): NonNullable<Field["resolve"]> =>
  (_source, args, context, { path: { key } }) => {
    const { values } = context.root
    const known = values.get(String(key)) ?? resolve(args, context)
    values.set(String(key), known)
    return known
  }

const listField = (parts: Parts, name: string, field: ListField): Field => {
  const operation = operationOf(parts, field.operation)
  const record = shownOf(parts, operation, field.items).items ?? {}
  const typeName = parts.types.resolved(record, name).name
  const connect = field.isCatalogue === true ? rememberedConnection() : connectionOf
  return {
    type: parts.connections(typeName, parts.types.output(record, typeName), !isFeed(operation)),
    description: operation.description,
    args: argumentsOf(parts.types, operation, true),
    resolve: once(async (args, context) => {
      if (isFeed(operation)) return readFeed(context, field, operation, args)
      const slice = sliceOf(args)
      const { nodes, total } = await readSlice(context, field, operation, args, slice)
      return connect(nodes, slice, total)
    })
  }
}

const oneField = (parts: Parts, name: string, field: OneField): Field => {
  const operation = operationOf(parts, field.operation)
  return {
    // Nullable, so that a field that fails does not hide the result of the others.
    type: getNullableType(parts.types.output(shownOf(parts, operation, field.pick), name)),
    description: operation.description,
    args: { ...argumentsOf(parts.types, operation, false), ...field.args },
    resolve: once(async (args, context) => {
      const { operation: id, ...call } = field.chosen?.(args) ?? { operation: field.operation, ...args }
      const { data } = await called(context, operationOf(parts, id), call)
      return picked(data, field.pick)
    })
  }
}

const fieldsOf = (parts: Parts, fields: Readonly<Record<string, RootField>>): Record<string, Field> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field.kind === "list" ? listField(parts, name, field) : oneField(parts, name, field)
    ])
  )

/** The fields that need further reads; loads of one tick share a statement. */
const makeAdded = (
  profile: () => ObjectType<unknown, GraphQLContext>,
  stats: () => ObjectType<unknown, GraphQLContext>
): AddedFields => {
  const creatorOf = (
    description: string,
    id: (source: Readonly<Record<string, unknown>>, context: GraphQLContext) => Promise<string | null>
  ) => ({
    type: profile(),
    description,
    resolve: async (source: unknown, _args: unknown, context: GraphQLContext) => {
      const found = await id(source as Readonly<Record<string, unknown>>, context)
      return found === null ? null : context.creator(found)
    }
  })
  const ofItem = () => ({
    creator: creatorOf(
      "The creator; null if the profile is not public.",
      async ({ id }, context) => (await context.itemFacts(String(id)))?.creatorId ?? null
    ),
    stats: {
      type: stats(),
      description: "Sales and reviews.",
      resolve: async (source: unknown, _args: unknown, context: GraphQLContext) =>
        (await context.itemFacts(String((source as { readonly id: unknown }).id)))?.stats ?? null
    }
  })
  return {
    SkillItem: ofItem,
    SoulItem: ofItem,
    SoulDetail: () => ({
      creator: creatorOf("The creator; null if the profile is not public.", ({ authorId }) =>
        Promise.resolve(String(authorId))
      )
    }),
    Creator: () => ({
      profile: creatorOf("The public profile; null if it is not public.", ({ id }) => Promise.resolve(String(id)))
    })
  }
}

const isItem = ({ event }: StreamedEvent): boolean => event !== "stats"

/** The streams of the market as subscriptions (GRAPHQL-11). */
const subscriptionFields = (types: JsonTypes): Record<string, GraphQLFieldConfig<unknown, GraphQLContext>> => {
  const Event = new GraphQLObjectType({
    name: "Event",
    description: "Something that happened to the account.",
    fields: {
      id: { type: new GraphQLNonNull(GraphQLID), description: "The cursor of the event: `after` continues from it." },
      event: { type: new GraphQLNonNull(GraphQLString), description: "The name of the event." },
      timestamp: { type: new GraphQLNonNull(GraphQLString), description: "When it happened." },
      data: { type: new GraphQLNonNull(Json), description: "The data of the event, as a webhook would get it." }
    }
  })
  return {
    events: {
      type: new GraphQLNonNull(Event),
      description:
        "The events that the account's webhooks would get, as they happen; with `after` also those since that cursor.",
      args: {
        after: { type: GraphQLString, description: "The id of the last event that was received." },
        types: { type: new GraphQLList(new GraphQLNonNull(GraphQLString)), description: "Only events of these names." }
      },
      subscribe: (
        _source,
        { after, types: names }: { after?: string | null; types?: ReadonlyArray<string> | null },
        context
      ) => {
        const query = new URLSearchParams()
        if (typeof after === "string") query.set("after", after)
        if (names !== undefined && names !== null) query.set("types", names.join(","))
        return context.stream(`/api/v1/events/stream?${query}`)
      },
      resolve: (source) => {
        const { data, id } = source as StreamedEvent
        return { ...(data as object), id }
      }
    },
    activity: {
      type: types.output({ $ref: "#/components/schemas/ActivityItem" }, "ActivityItem"),
      description: "The items of the public feed as they happen.",
      // The stream is open before the response starts, so that nothing that happens afterwards is missed.
      subscribe: (_source, _args, context) => context.stream("/api/activity/stream", isItem),
      resolve: (source) => (source as StreamedEvent).data
    }
  }
}

/** The GraphQL schema of the market, derived from its OpenAPI document (GRAPHQL-1). */
export const makeMarketSchema = (document: OpenApiDocument): GraphQLSchema => {
  const objectOf = (name: string) => {
    const type = types.output({ $ref: `#/components/schemas/${name}` }, name)
    if (type instanceof GraphQLNonNull && type.ofType instanceof GraphQLObjectType) {
      return type.ofType as ObjectType<unknown, GraphQLContext>
    }
    throw new GraphQLError(`${name} is not an object`)
  }
  const types: JsonTypes = makeJsonTypes(
    document,
    makeAdded(
      () => objectOf("CreatorProfile"),
      () => objectOf("ListingStats")
    )
  )
  const parts: Parts = { operations: operationsOf(document), types, connections: makeConnections() }
  return new GraphQLSchema({
    query: new GraphQLObjectType({ name: "Query", fields: fieldsOf(parts, queries) }),
    mutation: new GraphQLObjectType({ name: "Mutation", fields: fieldsOf(parts, mutations) }),
    // Not the usual name "Subscription", which is a record of the market.
    subscription: new GraphQLObjectType({ name: "LiveUpdates", fields: subscriptionFields(types) })
  })
}
