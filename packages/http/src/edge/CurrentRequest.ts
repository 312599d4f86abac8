import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { InvalidApiKey } from "@agent-marketplace/core/errors/MarketError"
import { Context, Effect } from "effect"

/** What is known of the request in hand; filled in on its way through the edge. */
export interface RequestRecord {
  /** The response's `X-Request-Id`. */
  readonly id: string
  readonly method: string
  /** Milliseconds of the process' monotonic clock. */
  readonly startedAt: number
  /** The route's template, never the path itself. */
  route: string
  caller: Caller | null
  /** The operator's token was sent, where it counts. */
  admin: boolean
  /** A soft limit was passed: the answer comes from the last snapshot. */
  pastSoftLimit: boolean
  /** Headers that the response gets whatever becomes of the request. */
  readonly headers: Record<string, string>
}

/** Without a default: what is reached around the edge has no caller. */
export class CurrentRequest extends Context.Service<CurrentRequest, RequestRecord>()(
  "@agent-marketplace/http/edge/CurrentRequest"
) {}

/** Dies where the edge was not passed. */
export const currentRequest: Effect.Effect<RequestRecord> = Effect.withFiber((fiber) =>
  Effect.succeed(Context.getUnsafe(fiber.context, CurrentRequest))
)

/** The caller whose key the edge accepted. */
export const currentCaller: Effect.Effect<Caller, InvalidApiKey> = Effect.flatMap(currentRequest, ({ caller }) =>
  caller === null ? Effect.fail(new InvalidApiKey({ reason: "missing" })) : Effect.succeed(caller)
)
