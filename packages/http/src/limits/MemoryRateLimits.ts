import { Effect, Layer } from "effect"
import { makeFixedWindows } from "./FixedWindows.ts"
import { RateLimits } from "./RateLimits.ts"

/** Counts in this process alone: with several server processes each of them grants the whole limit. */
export const MemoryRateLimits = {
  layer: Layer.sync(RateLimits, () => {
    const take = makeFixedWindows()
    return RateLimits.of({ take: (uses, now) => Effect.succeed(take(uses, now)) })
  }),
  /** `RATE_LIMITS=off`: nothing is limited and no response carries limit headers. */
  layerOff: Layer.succeed(RateLimits, { take: () => Effect.succeed([]) })
}
