import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { Timestamp } from "./Timestamp.ts"

/**
 * The market's time: the store's clock plus an offset that tests move forward (OPERATOR-20). Every process on one store
 * sees the same time; a jump of a machine's own clock changes nothing.
 */
export class MarketClock extends Context.Service<
  MarketClock,
  {
    /** Milliseconds since the epoch. Cheap: no round trip; within a few milliseconds of the store's own reading. */
    readonly now: Effect.Effect<Timestamp>
    /** Moves the time forward for every process; answers with the new time. Whole seconds, 1 to 10 years. */
    readonly advance: (seconds: number) => Effect.Effect<Timestamp, StoreUnavailable>
  }
>()("@agent-marketplace/core/clock/MarketClock") {}
