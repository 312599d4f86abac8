import { ChainUnavailable } from "@agent-marketplace/core/chain/Chain"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Effect } from "effect"

/** An unavailable chain is SERVICE_UNAVAILABLE, as an unavailable store is. */
export const overTheChain = <A, E, R>(effect: Effect.Effect<A, E | ChainUnavailable, R>) =>
  Effect.mapError(effect, (error) =>
    error instanceof ChainUnavailable ? new StoreUnavailable({ cause: error }) : (error as Exclude<E, ChainUnavailable>)
  )
