import { RateLimited } from "@agent-marketplace/api/errors/HttpFault"
import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Sessions, signInLimit } from "@agent-marketplace/core/sessions/Sessions"
import { Context, Effect, Layer, Semaphore } from "effect"
import type { HttpServerRequest } from "effect/http"
import { clientAddress, PeerAddress } from "../edge/ClientAddress.ts"
import { currentRequest } from "../edge/CurrentRequest.ts"
import { HttpOptions } from "../options/HttpOptions.ts"

/** Attempts that are made at the same time. Each counts as failed until it succeeds, so that concurrent guesses cannot exceed the limit. */
const attemptsAtOnce = 4

/** Counts failed attempts to sign in for each client address, independently of `RATE_LIMITS` (SESSION-18). */
export class SignInLimit extends Context.Service<
  SignInLimit,
  <A, E extends { readonly _tag: string }>(
    request: HttpServerRequest.HttpServerRequest,
    signIn: Effect.Effect<A, E>
  ) => Effect.Effect<A, E | RateLimited | StoreUnavailable>
>()("@agent-marketplace/http/sessions/SignInLimit") {
  static readonly layer = Layer.effect(
    SignInLimit,
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const clock = yield* MarketClock
      const { trustedProxies } = yield* HttpOptions
      const trusted = new Set(trustedProxies)
      const attempts = yield* Semaphore.make(attemptsAtOnce)

      return (request, signIn) =>
        Effect.gen(function* () {
          const address = clientAddress(request, trusted, yield* PeerAddress)
          const { admitted, resetAt, settled } = yield* sessions.countAttempt(address)
          if (!admitted) {
            const { headers } = yield* currentRequest
            headers["retry-after"] = String(Math.max(1, Math.ceil((resetAt - (yield* clock.now)) / Timestamp.second)))
            return yield* new RateLimited({ resetAt, limit: signInLimit, window: "1m" })
          }
          const result = yield* Effect.tapError(signIn, ({ _tag }) =>
            _tag === "StoreUnavailable" ? Effect.ignore(settled) : Effect.void
          )
          yield* settled
          return result
        }).pipe(attempts.withPermit)
    })
  )
}
