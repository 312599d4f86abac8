import { Context } from "effect"
import type { Effect } from "effect"
import type { ActionDraft } from "../admin/OperatorAction.ts"
import type { Timestamp } from "./Timestamp.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"

/**
 * The market's time: the store's clock plus an offset that tests can advance (OPERATOR-20). Every process on one store sees the same
 * time. A jump of a machine's own clock has no effect.
 */
export class MarketClock extends Context.Service<
  MarketClock,
  {
    /**
     * Milliseconds since the epoch, within a few milliseconds of the store's clock. Usually needs no round trip. A process that was frozen or
     * has lost its connection reads the time again first, and fails if it cannot (DATABASE-6).
     */
    readonly now: StoreEffect<Timestamp>
    /**
     * The time as this process last knew it. Neither waits nor fails, but may be from before a move that the process has not noticed. Only for
     * what may be late, such as the windows of rate limits.
     */
    readonly lastKnown: Effect.Effect<Timestamp>
    /**
     * Advances the time for every process and returns the new time. Whole seconds, 1 second to 10 years. The operator's action is logged
     * in the same transaction (OPERATOR-14).
     */
    readonly advance: (seconds: number, action?: ActionDraft) => StoreEffect<Timestamp>
  }
>()("@agent-marketplace/core/clock/MarketClock") {}
