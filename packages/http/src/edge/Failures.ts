import { InternalFault } from "@agent-marketplace/api/errors/HttpFault"
import type { Failure } from "@agent-marketplace/api/errors/WireError"
import { issuesOf } from "@agent-marketplace/api/errors/Issues"
import type { Issue } from "@agent-marketplace/core/errors/MarketError"
import { makeLogOnce } from "@agent-marketplace/core/logging/LogOnce"
import { Cause, Context, Effect, Layer, Option } from "effect"
import type { Schema } from "effect"
import { HttpApiError } from "effect/http-api"

const known: Readonly<Record<Failure["_tag"], true>> = {
  ValidationFailed: true,
  InvalidApiKey: true,
  Forbidden: true,
  StepUpRequired: true,
  AccountFrozen: true,
  AgentFrozen: true,
  QuotaExceeded: true,
  NameTooSimilar: true,
  WithdrawalRefused: true,
  PriceChanged: true,
  AgentNotClaimed: true,
  NotFound: true,
  OwnListing: true,
  AlreadyPurchased: true,
  LicenseRequired: true,
  Conflict: true,
  InsufficientBalance: true,
  SpendingLimitExceeded: true,
  IdempotencyKeyReused: true,
  StoreUnavailable: true,
  ChainUnavailable: true,
  RouteNotFound: true,
  MethodNotAllowed: true,
  Misdirected: true,
  PayloadTooLarge: true,
  UnsupportedMediaType: true,
  RateLimited: true,
  Overloaded: true,
  ServiceOverloaded: true,
  InternalFault: true
}

const isKnown = (error: unknown): error is Failure =>
  typeof error === "object" && error !== null && "_tag" in error && Object.hasOwn(known, String(error._tag))

/** The path of an issue that concerns a whole part of the request. */
const partPaths = { Params: "path", Query: "query", Headers: "headers", Payload: "body" } as const

export type RequestPart = keyof typeof partPaths

/** The issues that a schema found in a part of the request. */
export const partIssues = (part: RequestPart, { issue }: Schema.SchemaError): ReadonlyArray<Issue> =>
  issuesOf(issue).map(({ message, path }) => ({ path: path === "" ? partPaths[part] : path, message }))

/** Whether the request does not match the schemas of its endpoint. A response that does not match its schema is a fault of the server. */
export const isUndecodable = (cause: Cause.Cause<unknown>): boolean =>
  Option.exists(
    Cause.findErrorOption(cause),
    (error) => HttpApiError.HttpApiSchemaError.is(error) && Object.hasOwn(partPaths, error.kind)
  )

/** Milliseconds between two log lines about an unavailable store or chain, because every request fails for the same reason. */
const outageLogMillis = 1000

/** Turns the cause of a failed request into the failure that is sent. */
export class Failures extends Context.Service<
  Failures,
  {
    /**
     * Unexpected causes are logged under the request's id and sent as an {@link InternalFault}. An outage is logged once a second. An
     * interruption remains an interruption.
     */
    readonly of: (cause: Cause.Cause<unknown>, requestId: string) => Effect.Effect<Failure>
  }
>()("@agent-marketplace/http/edge/Failures") {
  static readonly layer = Layer.sync(Failures, () => {
    const logOnce = makeLogOnce(outageLogMillis)
    const logged = (cause: Cause.Cause<unknown>, failure: Failure | undefined): Effect.Effect<Failure> => {
      if (failure?._tag === "StoreUnavailable" || failure?._tag === "ChainUnavailable") {
        const log = Effect.logWarning("The store or the chain cannot be reached", cause)
        return Effect.as(logOnce(failure._tag, log), failure)
      }
      return failure === undefined
        ? Effect.as(Effect.logError("A request failed", cause), new InternalFault())
        : Effect.succeed(failure)
    }
    return {
      of: (cause, requestId) => {
        if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause as Cause.Cause<never>)
        const failure = Option.getOrUndefined(Option.filter(Cause.findErrorOption(cause), isKnown))
        return Effect.annotateLogs(logged(cause, failure), { requestId })
      }
    }
  })
}
