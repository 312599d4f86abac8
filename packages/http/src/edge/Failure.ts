import { InternalFault } from "@agent-marketplace/api/errors/HttpFault"
import type { HttpFault } from "@agent-marketplace/api/errors/HttpFault"
import { issuesOf } from "@agent-marketplace/api/errors/Issues"
import { ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import type { Issue, MarketError } from "@agent-marketplace/core/errors/MarketError"
import { Cause, Effect, Option } from "effect"
import { HttpApiError } from "effect/http-api"

const known: Readonly<Record<(MarketError | HttpFault)["_tag"], true>> = {
  ValidationFailed: true,
  InvalidApiKey: true,
  Forbidden: true,
  AgentNotClaimed: true,
  NotFound: true,
  OwnListing: true,
  AlreadyPurchased: true,
  Conflict: true,
  InsufficientBalance: true,
  SpendingLimitExceeded: true,
  IdempotencyKeyReused: true,
  StoreUnavailable: true,
  RouteNotFound: true,
  MethodNotAllowed: true,
  PayloadTooLarge: true,
  UnsupportedMediaType: true,
  RateLimited: true,
  InternalFault: true
}

const isKnown = (error: unknown): error is MarketError | HttpFault =>
  typeof error === "object" && error !== null && "_tag" in error && Object.hasOwn(known, String(error._tag))

/** Stands for a whole part of the request. */
const wholes = { Params: "path", Query: "query", Headers: "headers", Payload: "body", Body: "", ResponseHeaders: "" }

const schemaIssues = ({ cause, kind }: HttpApiError.HttpApiSchemaError): ReadonlyArray<Issue> =>
  issuesOf(cause.issue).map(({ message, path }) => ({ path: path === "" ? wholes[kind] : path, message }))

const expected = (error: unknown): MarketError | HttpFault | undefined => {
  if (HttpApiError.HttpApiSchemaError.is(error)) {
    // A response that its own schema refuses is our fault, not the caller's.
    const ours = error.kind === "Body" || error.kind === "ResponseHeaders"
    return ours ? undefined : new ValidationFailed({ issues: schemaIssues(error) })
  }
  return isKnown(error) ? error : undefined
}

/** Between two lines about a store that is away. */
const outagePause = 1000

let outageNoted = Number.NEGATIVE_INFINITY

/** While the store is away every request fails alike: one of them a second is told with its cause. */
const noteOutage = (cause: Cause.Cause<unknown>, requestId: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    const now = performance.now()
    if (now - outageNoted < outagePause) return Effect.void
    outageNoted = now
    return Effect.annotateLogs(Effect.logWarning("The store cannot be reached", cause), { requestId })
  })

/**
 * What a failed request is told. What was not expected is logged with its cause under the request's id and told as an
 * {@link InternalFault}; an interruption stays one.
 */
export const failureOf = (cause: Cause.Cause<unknown>, requestId: string): Effect.Effect<MarketError | HttpFault> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause as Cause.Cause<never>)
  const failure = Option.getOrUndefined(Option.map(Cause.findErrorOption(cause), expected))
  if (failure?._tag === "StoreUnavailable") return Effect.as(noteOutage(cause, requestId), failure)
  if (failure !== undefined) return Effect.succeed(failure)
  return Effect.as(Effect.logError("A request failed", cause), new InternalFault()).pipe(
    Effect.annotateLogs({ requestId })
  )
}
