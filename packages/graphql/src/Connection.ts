import {
  GraphQLBoolean,
  GraphQLError,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString
} from "graphql"
import type { GraphQLOutputType } from "graphql"
import type { GraphQLContext } from "./GraphQLContext.ts"

/** The most records of a connection. */
export const maxFirst = 100

/** The number of records without `first`. */
export const defaultFirst = 20

const maxOffset = 1_000_000_000

const prefix = "after:"

const cursorOf = (index: number): string => Buffer.from(`${prefix}${index}`).toString("base64url")

const refusal = (path: string, message: string): GraphQLError =>
  new GraphQLError("The request is not valid", {
    extensions: { code: "VALIDATION_ERROR", details: { issues: [{ path, message }] } }
  })

/** The number of records that a connection requests. */
export const sizeOf = (first: number | null | undefined): number => {
  const size = first ?? defaultFirst
  if (size < 1 || size > maxFirst) throw refusal("first", `must be from 1 to ${maxFirst}`)
  return size
}

/** The number of records before the page that starts after the cursor. */
const offsetOf = (after: string): number => {
  const text = Buffer.from(after, "base64url").toString("utf8")
  const index = /^after:(\d{1,10})$/.exec(text)?.[1]
  if (index === undefined || Number(index) >= maxOffset) throw refusal("after", "must be a cursor of this list")
  return Number(index) + 1
}

/** The part of a list that a connection requests (GRAPHQL-7). */
export interface Slice {
  readonly offset: number
  readonly first: number
}

/** Fails if `first` is outside of 1 to 100 or `after` is not a cursor. */
export const sliceOf = ({
  after,
  first
}: {
  readonly after?: string | null
  readonly first?: number | null
}): Slice => {
  const size = sizeOf(first)
  return { offset: after === undefined || after === null ? 0 : offsetOf(after), first: size }
}

/**
 * The pages of a paged list that cover a slice, and the position of the slice in them: one page if the slice starts at the start of a
 * page, otherwise two.
 */
export const pagesOf = ({ first, offset }: Slice): { readonly pages: ReadonlyArray<number>; readonly skip: number } => {
  const page = Math.floor(offset / first) + 1
  const skip = offset % first
  return { pages: skip === 0 ? [page] : [page, page + 1], skip }
}

/** The value of a connection to a list that is paged by cursor: the cursor of a record is its id, and nothing is counted (GRAPHQL-12). */
export const feedConnectionOf = (
  nodes: ReadonlyArray<{ readonly id: string }>,
  { after, more }: { readonly after: string | null | undefined; readonly more: boolean }
) => ({
  edges: nodes.map((node) => ({ node, cursor: node.id })),
  nodes,
  pageInfo: {
    hasNextPage: more,
    hasPreviousPage: typeof after === "string",
    startCursor: nodes[0]?.id ?? null,
    endCursor: nodes.at(-1)?.id ?? null
  }
})

/** The value of a connection. */
export const connectionOf = (nodes: ReadonlyArray<unknown>, { offset }: Slice, total: number) => {
  const edges = nodes.map((node, index) => ({ node, cursor: cursorOf(offset + index) }))
  return {
    edges,
    nodes,
    totalCount: total,
    pageInfo: {
      hasNextPage: offset + nodes.length < total,
      hasPreviousPage: offset > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null
    }
  }
}

/**
 * Like `connectionOf`, but returns the same object for the same array, offset and total, so that an unchanged page is recognized by its
 * identity: `makeCatalogueTexts` returns the same array while a page does not change.
 */
export const rememberedConnection = (): typeof connectionOf => {
  type Known = Slice & { readonly total: number; readonly value: ReturnType<typeof connectionOf> }
  const connections = new WeakMap<ReadonlyArray<unknown>, Known>()
  return (nodes, slice, total) => {
    const known = connections.get(nodes)
    if (known?.offset === slice.offset && known.total === total) return known.value
    const value = connectionOf(nodes, slice, total)
    connections.set(nodes, { ...slice, total, value })
    return value
  }
}

const PageInfo = new GraphQLObjectType({
  name: "PageInfo",
  description: "Which part of a list a connection contains.",
  fields: {
    hasNextPage: { type: new GraphQLNonNull(GraphQLBoolean), description: "Whether records follow." },
    hasPreviousPage: { type: new GraphQLNonNull(GraphQLBoolean), description: "Whether records precede." },
    startCursor: { type: GraphQLString, description: "The cursor of the first record; null if there is none." },
    endCursor: { type: GraphQLString, description: "The cursor of the last record: the next page's `after`." }
  }
})

const required = (type: GraphQLOutputType) => new GraphQLNonNull(type)

/** Connection types by the name of their records. */
export const makeConnections = () => {
  const known = new Map<string, GraphQLObjectType<unknown, GraphQLContext>>()
  return (name: string, node: GraphQLOutputType, counted: boolean): GraphQLObjectType<unknown, GraphQLContext> => {
    const found = known.get(name)
    if (found !== undefined) return found
    const edge = new GraphQLObjectType<unknown, GraphQLContext>({
      name: `${name}Edge`,
      description: "A record with its cursor.",
      fields: {
        node: { type: node, description: "The record." },
        cursor: { type: required(GraphQLString), description: "The place of the record in the list." }
      }
    })
    const connection = new GraphQLObjectType<unknown, GraphQLContext>({
      name: `${name}Connection`,
      description: "A part of a list.",
      fields: {
        edges: { type: required(new GraphQLList(required(edge))), description: "The records with their cursors." },
        nodes: { type: required(new GraphQLList(node)), description: "The records." },
        pageInfo: { type: required(PageInfo), description: "Which part of the list this is." },
        ...(counted ? { totalCount: { type: required(GraphQLInt), description: "How many records match." } } : {})
      }
    })
    known.set(name, connection)
    return connection
  }
}
