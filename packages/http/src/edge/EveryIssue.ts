import type { Issue } from "@agent-marketplace/core/errors/MarketError"
import { Context, Effect, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { CurrentRequest } from "./CurrentRequest.ts"
import { partIssues } from "./Failure.ts"
import type { RequestPart } from "./Failure.ts"
import { jsonBody } from "./JsonBody.ts"
import { makeBusinessRules } from "./BusinessRules.ts"
import type { BusinessRule, Target } from "./BusinessRules.ts"

const nothing = Effect.succeed<ReadonlyArray<Issue>>([])

/** Those that are about another path than any of the `told` ones. */
const besides = (told: ReadonlyArray<Issue>, issues: ReadonlyArray<Issue>): ReadonlyArray<Issue> =>
  issues.filter(({ path }) => told.every((issue) => issue.path !== path))

/** What its schema finds wrong with a part of the request. */
const reading = (part: RequestPart, schema: Schema.Constraint | undefined) => {
  if (schema === undefined) return () => nothing
  const decode = Schema.decodeUnknownEffect(schema as Schema.Codec<unknown, unknown>, { errors: "all" })
  return (value: unknown): Effect.Effect<ReadonlyArray<Issue>> =>
    Effect.match(decode(value), { onSuccess: () => [], onFailure: (error) => partIssues(part, error) })
}

/** What is wrong with a body: of a field its schema's word counts before the market's own rules. */
const readingBody = (schemas: ReadonlyArray<Schema.Top>, rulesOf: (schema: Schema.Top) => BusinessRule) => {
  if (schemas.length === 0) return () => nothing
  const read = reading("Payload", Schema.Union(schemas))
  const ruleViolations = schemas.map(rulesOf)
  const ofBody = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, target: Target) {
    const body = yield* jsonBody(request)
    const issues = yield* read(body)
    const more = yield* Effect.forEach(ruleViolations, (against) =>
      Effect.orElseSucceed(against(body, target), () => [])
    )
    return [...issues, ...besides(issues, more.flat())]
  })
  return (request: HttpServerRequest.HttpServerRequest, target: Target) =>
    Effect.catch(ofBody(request, target), ({ issues }) => Effect.succeed(issues))
}

/** Everything that is wrong, beginning with what is `told` already, which stands for the whole of its path. */
export type EveryIssue = (told: ReadonlyArray<Issue>) => Effect.Effect<ReadonlyArray<Issue>>

/**
 * Everything that is wrong with a request that does not fit its endpoint: all issues at once (ERROR-2), where decoding stops at
 * the first part that is faulty, and the market's own rules come after all of them. Only refused requests pay for it.
 */
export const makeEveryIssue = Effect.map(
  makeBusinessRules,
  (rulesOf) =>
    ({ headers, method, params, payload, query }: HttpApiEndpoint.Top): EveryIssue => {
      const bodies = method === "GET" ? [] : [...payload.values()].flatMap(({ schemas }) => schemas)
      const readers = {
        params: reading("Params", params),
        headers: reading("Headers", headers),
        query: reading("Query", query && Schema.toCodecArrayFromSingle(query)),
        body: readingBody(bodies, rulesOf)
      }
      return (told) =>
        Effect.withFiber(({ context }) => {
          const request = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
          const { params: named } = Context.getUnsafe(context, HttpRouter.RouteContext)
          const { caller } = Context.getUnsafe(context, CurrentRequest)
          const decoded = told.some(({ path }) => path === "path") ? undefined : named
          const parts = [
            decoded === undefined ? nothing : readers.params(decoded),
            readers.headers(request.headers),
            readers.query(Context.getUnsafe(context, HttpServerRequest.ParsedSearchParams)),
            readers.body(request, { caller, id: decoded?.["id"] })
          ]
          return Effect.map(Effect.all(parts), (all) => [...told, ...besides(told, all.flat())])
        })
    }
)
