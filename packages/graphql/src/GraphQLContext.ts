import type { Operation } from "./JsonSchema.ts"

/** The parts of a call of an operation. */
export interface Call {
  /** Path and query parameters, by name. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly idempotencyKey?: string | undefined
  /** Whether the operation is a list of the catalogue, whose pages many requests read. */
  readonly isCatalogue?: boolean | undefined
}

/** The result of a list: its records, and how many there are in all. */
export interface CalledPage {
  readonly data: unknown
  readonly total: number
  /** Of a list that is paged by cursor: the cursor of the next page; null on the last one. */
  readonly nextCursor: string | null
}

/** The functions that the resolvers of one request use. */
export interface GraphQLContext {
  /** Calls an operation of the market with the credentials of the request. Fails with a `GraphQLError`. */
  readonly call: (operation: Operation, call: Call) => Promise<CalledPage>
  /** The events of a server-sent stream of the market that `isShown` selects, with the credentials of the request. */
  readonly stream: (path: string, isShown?: (event: StreamedEvent) => boolean) => Promise<AsyncIterable<StreamedEvent>>
  /** Whether the client reads the streams of subscriptions. */
  readonly acceptsStreams: boolean
  /** The profile of a creator; null where it is not public. Loads of one tick share a statement (GRAPHQL-9). */
  readonly creator: (id: string) => Promise<unknown>
  /** The creator and the statistics of an item. Loads of one tick share a statement. */
  readonly itemFacts: (id: string) => Promise<{ readonly creatorId: string; readonly stats: unknown } | null>
  readonly root: RootValues
}

/** The values of the request's root fields. */
export interface RootValues {
  /** By their names in the result. A field is resolved once, even if its value is completed twice. */
  readonly values: Map<string, Promise<unknown>>
  /** Whether a value does not have the type of its field. */
  hasMisfit: boolean
}

/** One event of a server-sent stream. */
export interface StreamedEvent {
  readonly id: string
  readonly event: string
  readonly data: unknown
}
