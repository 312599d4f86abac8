import type { Catalogue } from "@agent-marketplace/core/catalogue/Catalogue"
import type { AccountId, ItemId } from "@agent-marketplace/core/ids/Ids"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import type { OwnRoutes } from "@agent-marketplace/http/mount/OwnRoutes"
import { AsyncLocalStorage } from "node:async_hooks"
import { toCreatorProfile } from "@agent-marketplace/api/catalogue/CatalogueGroup"
import DataLoader from "dataloader"
import type { Effect } from "effect"
import { getOperationAST, GraphQLError } from "graphql"
import type { ExecutionArgs, GraphQLSchema } from "graphql"
import { createYoga } from "graphql-yoga"
import type { Plugin } from "graphql-yoga"
import { acceptsResults, acceptsStreams } from "./accepted.ts"
import { makeCalls } from "./Calls.ts"
import { makeCatalogueTexts } from "./CatalogueTexts.ts"
import type { GraphQLContext } from "./GraphQLContext.ts"
import type { OpenApiDocument } from "./JsonSchema.ts"
import { optional } from "./JsonTypes.ts"
import { makeMarketSchema } from "./MarketSchema.ts"
import { makePlainQueries } from "./plainQueries.ts"
import { makeProjectedExecution } from "./projectedExecution.ts"
import { exceededLimit, queryLimits } from "./QueryLimits.ts"

/** The parts of one request. */
export interface GraphQLRequest {
  /** The body of the request, which is JSON. */
  readonly body: string
  readonly accept: string
  /** Calls the market's routes on behalf of the request. */
  readonly own: OwnRoutes
  /** The request's id, which reports of faults contain. */
  readonly requestId: string
  /** Aborted when the request ends, even without a response. Then its streams end. */
  readonly signal: AbortSignal
}

/** The result of a query without errors, as JSON. */
export interface PlainResult {
  readonly contentType: string
  readonly result: Uint8Array
}

/** The parts of the market that the GraphQL server uses. */
export interface GraphQLOptions {
  readonly document: OpenApiDocument
  readonly catalogue: Pick<Catalogue["Service"], "creators" | "itemFacts">
  /** Runs an effect of the market. */
  readonly run: <A>(effect: Effect.Effect<A, StoreUnavailable>) => Promise<A>
  /** Called with a fault that the caller gets as INTERNAL_ERROR. */
  readonly onFault: (error: unknown, requestId: string) => void
}

const exceeded = ({ document, operationName, variableValues }: ExecutionArgs): GraphQLError | undefined => {
  const operation = getOperationAST(document, operationName)
  return operation ? exceededLimit(document, operation, variableValues ?? {}) : undefined
}

/** Refuses a query that exceeds the limits before any part of it runs (GRAPHQL-4, GRAPHQL-5). */
const limits: Plugin = {
  onParse: ({ parseFn, setParseFn }) => {
    setParseFn((source, options) => parseFn(source, { ...options, maxTokens: queryLimits.tokens }))
  },
  onExecute: ({ args, setResultAndStopExecution }) => {
    const error = exceeded(args)
    if (error !== undefined) setResultAndStopExecution({ errors: [error] })
  },
  onSubscribe: ({ args, setResultAndStopExecution }) => {
    const error = exceeded(args)
    if (error !== undefined) setResultAndStopExecution({ errors: [error] })
  }
}

const notAcceptable = 406

/** Refuses a subscription of a client that does not read streams, before its stream is opened (GRAPHQL-14). */
const streams: Plugin<GraphQLContext> = {
  onSubscribe: ({ args: { contextValue }, setResultAndStopExecution }) => {
    if (contextValue.acceptsStreams) return
    const error = new GraphQLError("Not acceptable", { extensions: { http: { status: notAcceptable } } })
    setResultAndStopExecution({ errors: [error] })
  }
}

/** The response to a client that accepts no form of the result (GRAPHQL-14). */
const notAcceptableResponse = (rule: string): Response => {
  const path = "headers.accept"
  const extensions = { code: "VALIDATION_ERROR", details: { issues: [{ path, message: rule }] } }
  return Response.json({ errors: [{ message: `${path} ${rule}`, extensions }] }, { status: notAcceptable })
}

/** Copies the selected fields without the executor where possible. */
const makeProjections = (schema: GraphQLSchema, { remember }: ReturnType<typeof makePlainQueries>): Plugin => {
  const byProjections = makeProjectedExecution(schema, remember)
  return { onExecute: ({ executeFn, setExecuteFn }) => setExecuteFn(byProjections(executeFn)) }
}

/** The content type of a result without errors; undefined where the GraphQL server has to choose it. */
const plainTypeOf = (accept: string): string | undefined => {
  const [first = ""] = accept.split(",", 1)
  if (first === "application/graphql-response+json") return `${first}; charset=utf-8`
  return accept === "application/json" || accept === "*/*" ? "application/json; charset=utf-8" : undefined
}

const withCode = (error: GraphQLError, code: string, message: string, details: object): GraphQLError =>
  new GraphQLError(message, {
    ...optional("nodes", error.nodes),
    ...optional("source", error.source),
    ...optional("positions", error.positions),
    ...optional("path", error.path),
    // The status of the response, which the server removes from the error.
    extensions: { ...optional("http", error.extensions["http"]), code, details }
  })

const isCoded = ({ extensions }: GraphQLError): boolean => extensions["details"] !== undefined

const invalid = (error: GraphQLError): GraphQLError =>
  withCode(error, "VALIDATION_ERROR", error.message, { issues: [{ path: "query", message: error.message }] })

/** Gives a code to the errors that GraphQL itself finds in a request (GRAPHQL-3). */
const codes: Plugin = {
  onResultProcess: ({ result, setResult }) => {
    if (Array.isArray(result) || !("errors" in result) || result.errors === undefined) return
    setResult({ ...result, errors: result.errors.map((error) => (isCoded(error) ? error : invalid(error))) })
  }
}

/** The error of a resolver. Errors of operations are shown; any other error is hidden. */
const shown = (error: unknown, requestId: string, onFault: GraphQLOptions["onFault"]): Error => {
  if (error instanceof GraphQLError && isCoded(error)) return error
  // Values that do not have the type of their argument or variable.
  if (error instanceof GraphQLError && (error.originalError ?? error) instanceof GraphQLError) return invalid(error)
  onFault(error, requestId)
  const hidden = error instanceof GraphQLError ? error : new GraphQLError("")
  return withCode(hidden, "INTERNAL_ERROR", "Something went wrong on our side", { requestId })
}

/** The GraphQL server as a function of one request (GRAPHQL-1). */
export const makeGraphql = ({ catalogue, document, onFault, run }: GraphQLOptions) => {
  const requestIds = new AsyncLocalStorage<string>()
  const parseCatalogue = makeCatalogueTexts()
  const schema = makeMarketSchema(document)
  const plain = makePlainQueries(schema)
  const yoga = createYoga<GraphQLContext>({
    schema,
    graphqlEndpoint: "*",
    batching: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    multipart: false,
    plugins: [limits, streams, makeProjections(schema, plain), codes],
    maskedErrors: { maskError: (error) => shown(error, requestIds.getStore() ?? "", onFault) }
  })

  const creators = () =>
    new DataLoader<string, unknown>(async (ids) => {
      const found = await run(catalogue.creators(ids as ReadonlyArray<AccountId>))
      return ids.map((id) => {
        const creator = found.get(id as AccountId)
        return creator === undefined ? null : toCreatorProfile(creator)
      })
    })

  const itemFacts = () =>
    new DataLoader<string, Awaited<ReturnType<GraphQLContext["itemFacts"]>>>(async (ids) => {
      const found = await run(catalogue.itemFacts(ids as ReadonlyArray<ItemId>))
      return ids.map((id) => found.get(id as ItemId) ?? null)
    })

  return async ({ accept, body, own, requestId, signal }: GraphQLRequest): Promise<Response | PlainResult> => {
    const [creator, facts] = [creators(), itemFacts()]
    const context: GraphQLContext = {
      ...makeCalls(own, parseCatalogue, signal),
      acceptsStreams: acceptsStreams(accept),
      creator: (id) => creator.load(id),
      itemFacts: (id) => facts.load(id),
      root: { values: new Map(), hasMisfit: false }
    }
    const contentType = plainTypeOf(accept)
    const result = contentType === undefined ? undefined : await plain.answer(body, context)
    if (contentType !== undefined && result !== undefined) return { contentType, result }
    if (!acceptsResults(accept)) return notAcceptableResponse("must include application/json")
    const headers = { accept, "content-type": "application/json" }
    const request = new Request("http://market/graphql", { method: "POST", headers, body })
    const response = await requestIds.run(requestId, async () => yoga.fetch(request, context))
    // Its body is empty where the client accepts no JSON.
    return response.status === notAcceptable
      ? notAcceptableResponse("must include text/event-stream for a subscription")
      : response
  }
}
