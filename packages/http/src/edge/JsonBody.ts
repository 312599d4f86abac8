import { ValidationFailed } from "@agent-marketplace/core/errors/MarketError"
import { Effect, Result } from "effect"
import type { HttpServerRequest } from "effect/http"

const invalid = new ValidationFailed({ issues: [{ path: "body", message: "must be valid JSON" }] })

/** The parsed body of a request that the edge has admitted; an empty one is undefined. */
export const jsonBody = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<unknown, ValidationFailed> =>
  Effect.flatMap(Effect.orDie(request.text), (text) =>
    Effect.fromResult(
      Result.try({ try: (): unknown => (text === "" ? undefined : JSON.parse(text)), catch: () => invalid })
    )
  )
