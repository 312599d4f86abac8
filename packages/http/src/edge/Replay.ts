import type { Replayable } from "@agent-marketplace/core/wallets/Wallets"
import { Effect } from "effect"
import { currentRequest } from "./CurrentRequest.ts"

/** The answer, marked with `Idempotent-Replayed: true` where it was given before (IDEMPOTENCY-1). */
export const replayable = <A, E, R>(self: Effect.Effect<Replayable<A>, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(self, ({ replayed, value }) =>
    replayed
      ? Effect.map(currentRequest, (record) => {
          record.headers["idempotent-replayed"] = "true"
          return value
        })
      : Effect.succeed(value)
  )
