import type { Issue } from "@agent-marketplace/core/errors/MarketError"
import { Context, Effect, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { CurrentRequest } from "./CurrentRequest.ts"
import { partIssues } from "./Failure.ts"
import type { RequestPart } from "./Failure.ts"
import { jsonBody } from "./JsonBody.ts"
import { makeObjections } from "./Objections.ts"
import type { Target } from "./Objections.ts"

/** What its schema finds wrong with a part of the request. */
const reading = (part: RequestPart, schema: Schema.Constraint | undefined) => {
  if (schema === undefined) return () => Effect.succeed<ReadonlyArray<Issue>>([])
  const decode = Schema.decodeUnknownEffect(schema as Schema.Codec<unknown, unknown>, { errors: "all" })
  return (value: unknown): Effect.Effect<ReadonlyArray<Issue>> =>
    Effect.match(decode(value), { onSuccess: () => [], onFailure: (error) => partIssues(part, error) })
}

/** Everything that is wrong, beginning with what is `told` already, which stands for the whole of its path. */
export type EveryIssue = (told: ReadonlyArray<Issue>) => Effect.Effect<ReadonlyArray<Issue>>

/**
 * Everything that is wrong with a request that does not fit its endpoint: all issues at once (contract 1), where decoding stops at
 * the first part that is faulty, and the market's own rules come after all of them. Only refused requests pay for it.
 */
export const makeEveryIssue = Effect.map(
  makeObjections,
  (objectionsTo) =>
    ({ headers, method, params, payload, query }: HttpApiEndpoint.Top): EveryIssue => {
      const bodies = method === "GET" ? [] : [...payload.values()].flatMap(({ schemas }) => schemas)
      const readers = {
        params: reading("Params", params),
        headers: reading("Headers", headers),
        query: reading("Query", query && Schema.toCodecArrayFromSingle(query)),
        body: reading("Payload", bodies.length === 0 ? undefined : Schema.Union(bodies))
      }
      const objections = bodies.map(objectionsTo)
      const ofBody = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, target: Target) {
        const body = yield* jsonBody(request)
        const issues = yield* readers.body(body)
        const more = yield* Effect.forEach(objections, (against) =>
          Effect.orElseSucceed(against(body, target), () => [])
        )
        return [...issues, ...more.flat().filter(({ path }) => issues.every((issue) => issue.path !== path))]
      })
      return (told) =>
        Effect.withFiber(({ context }) => {
          const request = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
          const { params: named } = Context.getUnsafe(context, HttpRouter.RouteContext)
          const { caller } = Context.getUnsafe(context, CurrentRequest)
          const decoded = told.some(({ path }) => path === "path") ? undefined : named
          const parts = [
            decoded === undefined ? Effect.succeed([]) : readers.params(decoded),
            readers.headers(request.headers),
            readers.query(Context.getUnsafe(context, HttpServerRequest.ParsedSearchParams)),
            bodies.length === 0
              ? Effect.succeed([])
              : Effect.catch(ofBody(request, { caller, id: decoded?.["id"] }), ({ issues }) => Effect.succeed(issues))
          ]
          return Effect.map(Effect.all(parts), (all) => [
            ...told,
            ...all.flat().filter(({ path }) => told.every((issue) => issue.path !== path))
          ])
        })
    }
)
