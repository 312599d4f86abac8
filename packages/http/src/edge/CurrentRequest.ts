import type { Operator } from "@agent-marketplace/core/admin/OperatorAction"
import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { Forbidden, InvalidApiKey } from "@agent-marketplace/core/errors/MarketError"
import type { Replayable } from "@agent-marketplace/core/settlement/Idempotency"
import type { SignedIn } from "@agent-marketplace/core/sessions/SessionStore"
import type { AccessRule } from "@agent-marketplace/api/access/Access"
import type { HttpFault } from "@agent-marketplace/api/errors/HttpFault"
import type { MarketError } from "@agent-marketplace/core/errors/MarketError"
import { Context, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"

/** The present caller of the request, if the rule admits it. An open connection calls this repeatedly. */
export type Identify = (
  request: HttpServerRequest.HttpServerRequest,
  access: AccessRule
) => Effect.Effect<Caller, MarketError | HttpFault>

/** The record of the request in progress, which the steps of the endpoint guard fill in. */
export interface RequestRecord {
  /** The response's `X-Request-Id`. */
  readonly id: string
  readonly method: string
  /** The request's `X-Agent-Id`. */
  readonly trackingId: string | null
  /** Milliseconds of the process's monotonic clock. */
  readonly startedAt: number
  /** Whether load shedding has counted the request's arrival. */
  counted: boolean
  /** The route's template, never the path itself. */
  route: string
  caller: Caller | null
  /** The session of a person in a browser, if it makes the request. */
  session: SignedIn | null
  /** The operator's token was sent to an operation that accepts it, or the session of an operator makes the request. */
  admin: boolean
  /** The name of the operator, and the ids in the path. */
  operator: (Operator & { readonly target: string | null }) | null
  /** A soft limit was exceeded: the response comes from the last snapshot. */
  pastSoftLimit: boolean
  /** Set by the guard. */
  identify: Identify
  /** The request only makes calls of its own, which are recorded themselves (MCP and GraphQL). */
  delegated: boolean
  /** When the response started, if the request goes on after it; by the process's monotonic clock. */
  respondedAt: number | null
  /** Undoes the counts of the rate limits, for a request that was refused in an overload. */
  takeBack: Effect.Effect<void>
  /** Runs if the request fails. */
  onFailure: Effect.Effect<void>
  /** Headers of the response, whether the request succeeds or fails. */
  readonly headers: Record<string, string>
}

/** Has no default: a handler that is called without the endpoint guard has no caller. */
export class CurrentRequest extends Context.Service<CurrentRequest, RequestRecord>()(
  "@agent-marketplace/http/edge/CurrentRequest"
) {}

/** Dies if the request did not pass the endpoint guard. */
export const currentRequest: Effect.Effect<RequestRecord> = Effect.withFiber((fiber) =>
  Effect.succeed(Context.getUnsafe(fiber.context, CurrentRequest))
)

/** The operator, whose token the guard has accepted. */
export const currentOperator: Effect.Effect<Operator, Forbidden> = Effect.flatMap(currentRequest, ({ operator }) =>
  operator === null ? Effect.fail(new Forbidden({ required: ["admin"] })) : Effect.succeed(operator)
)

/** The caller that the endpoint guard identified. */
export const currentCaller: Effect.Effect<Caller, InvalidApiKey> = Effect.flatMap(currentRequest, ({ caller }) =>
  caller === null ? Effect.fail(new InvalidApiKey({ reason: "missing" })) : Effect.succeed(caller)
)

/** The value; sets `Idempotent-Replayed: true` on the response if it repeats an earlier result (IDEMPOTENCY-1). */
export const replayable = <A, E, R>(self: Effect.Effect<Replayable<A>, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(self, ({ replayed, value }) =>
    replayed
      ? Effect.map(currentRequest, (record) => {
          record.headers["idempotent-replayed"] = "true"
          return value
        })
      : Effect.succeed(value)
  )
