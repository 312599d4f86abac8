import { InternalFault } from "@agent-marketplace/api/errors/HttpFault"
import type { Failure } from "@agent-marketplace/api/errors/WireError"
import { issuesOf } from "@agent-marketplace/api/errors/Issues"
import type { Issue } from "@agent-marketplace/core/errors/MarketError"
import { Cause, Effect, Option } from "effect"
import type { Schema } from "effect"
import { HttpApiError } from "effect/http-api"

const known: Readonly<Record<Failure["_tag"], true>> = {
  ValidationFailed: true,
  InvalidApiKey: true,
  Forbidden: true,
  AccountFrozen: true,
  AgentFrozen: true,
  AgentNotClaimed: true,
  NotFound: true,
  OwnListing: true,
  AlreadyPurchased: true,
  Conflict: true,
  InsufficientBalance: true,
  SpendingLimitExceeded: true,
  IdempotencyKeyReused: true,
  StoreUnavailable: true,
  ChainUnavailable: true,
  RouteNotFound: true,
  MethodNotAllowed: true,
  PayloadTooLarge: true,
  UnsupportedMediaType: true,
  RateLimited: true,
  InternalFault: true
}

const isKnown = (error: unknown): error is Failure =>
  typeof error === "object" && error !== null && "_tag" in error && Object.hasOwn(known, String(error._tag))

/** Stands for a whole part of the request. */
const wholes = { Params: "path", Query: "query", Headers: "headers", Payload: "body" } as const

export type RequestPart = keyof typeof wholes

/** What is wrong with that part. */
export const partIssues = (part: RequestPart, { issue }: Schema.SchemaError): ReadonlyArray<Issue> =>
  issuesOf(issue).map(({ message, path }) => ({ path: path === "" ? wholes[part] : path, message }))

/** Whether a request does not fit its endpoint. A response that its own schema refuses is our fault, not the caller's. */
export const isUnfit = (cause: Cause.Cause<unknown>): boolean =>
  Option.exists(
    Cause.findErrorOption(cause),
    (error) => HttpApiError.HttpApiSchemaError.is(error) && Object.hasOwn(wholes, error.kind)
  )

/** Between two lines about a store that is away. */
const outagePause = 1000

let outageNoted = Number.NEGATIVE_INFINITY

/** While the store or the chain is away every request fails alike: one of them a second is told with its cause. */
const noteOutage = (cause: Cause.Cause<unknown>, requestId: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    const now = performance.now()
    if (now - outageNoted < outagePause) return Effect.void
    outageNoted = now
    return Effect.annotateLogs(Effect.logWarning("The store or the chain cannot be reached", cause), { requestId })
  })

/**
 * What a failed request is told. What was not expected is logged with its cause under the request's id and told as an
 * {@link InternalFault}; an interruption stays one.
 */
export const failureOf = (cause: Cause.Cause<unknown>, requestId: string): Effect.Effect<Failure> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause as Cause.Cause<never>)
  const failure = Option.getOrUndefined(Option.filter(Cause.findErrorOption(cause), isKnown))
  if (failure?._tag === "StoreUnavailable" || failure?._tag === "ChainUnavailable")
    return Effect.as(noteOutage(cause, requestId), failure)
  if (failure !== undefined) return Effect.succeed(failure)
  return Effect.as(Effect.logError("A request failed", cause), new InternalFault()).pipe(
    Effect.annotateLogs({ requestId })
  )
}
