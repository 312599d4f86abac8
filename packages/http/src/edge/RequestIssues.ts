import type { Issue } from "@agent-marketplace/core/errors/MarketError"
import { Context, Effect, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { CurrentRequest } from "./CurrentRequest.ts"
import { makeBusinessRules } from "./BusinessRules.ts"
import type { BusinessRules, Target } from "./BusinessRules.ts"
import { partIssues } from "./Failures.ts"
import type { RequestPart } from "./Failures.ts"
import { jsonBody } from "./RequestBody.ts"

const nothing = Effect.succeed<ReadonlyArray<Issue>>([])

/** The issues about other paths than those of the `reported` ones. */
const besides = (reported: ReadonlyArray<Issue>, issues: ReadonlyArray<Issue>): ReadonlyArray<Issue> =>
  issues.filter(({ path }) => reported.every((issue) => issue.path !== path))

/** The issues that a schema finds in a part of the request. */
const reading = (part: RequestPart, schema: Schema.Constraint | undefined) => {
  if (schema === undefined) return () => nothing
  const decode = Schema.decodeUnknownEffect(schema as Schema.Codec<unknown, unknown>, { errors: "all" })
  return (value: unknown): Effect.Effect<ReadonlyArray<Issue>> =>
    Effect.match(decode(value), { onSuccess: () => [], onFailure: (error) => partIssues(part, error) })
}

/** The issues of a body. Where a field fails both its schema and a rule of the market, only the schema's issue is reported. */
const readingBody = (schemas: ReadonlyArray<Schema.Top>, rulesOf: (schema: Schema.Top) => BusinessRules) => {
  if (schemas.length === 0) return () => nothing
  const read = reading("Payload", Schema.Union(schemas))
  const ruleViolations = schemas.map(rulesOf)
  const bodyIssues = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, target: Target) {
    const body = yield* jsonBody(request)
    const issues = yield* read(body)
    const more = yield* Effect.forEach(ruleViolations, (violations) =>
      Effect.orElseSucceed(violations(body, target), () => [])
    )
    return [...issues, ...besides(issues, more.flat())]
  })
  return (request: HttpServerRequest.HttpServerRequest, target: Target) =>
    Effect.catch(bodyIssues(request, target), ({ issues }) => Effect.succeed(issues))
}

/** Every issue of a request, starting with those `reported` already, each of which stands for its whole path. */
export type EveryIssue = (reported: ReadonlyArray<Issue>) => Effect.Effect<ReadonlyArray<Issue>>

/**
 * Collects all issues of a request that does not match its endpoint (ERROR-2). Decoding stops at the first part that does not match, and the
 * market's own rules come after all of them. Only refused requests pay for it.
 */
export const makeRequestIssues = Effect.map(
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
      return (reported) =>
        Effect.withFiber(({ context }) => {
          const request = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
          const { params: named } = Context.getUnsafe(context, HttpRouter.RouteContext)
          const { caller } = Context.getUnsafe(context, CurrentRequest)
          const decoded = reported.some(({ path }) => path === "path") ? undefined : named
          const parts = [
            decoded === undefined ? nothing : readers.params(decoded),
            readers.headers(request.headers),
            readers.query(Context.getUnsafe(context, HttpServerRequest.ParsedSearchParams)),
            readers.body(request, { caller, id: decoded?.["id"] })
          ]
          return Effect.map(Effect.all(parts), (all) => [...reported, ...besides(reported, all.flat())])
        })
    }
)
