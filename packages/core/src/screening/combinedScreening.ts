import { Effect } from "effect"
import type { Screening } from "./Screening.ts"
import { ScreeningUnavailable } from "./Screening.ts"

/**
 * Combines several screenings. The first that flags an address decides, even if another one is unavailable. An address is cleared only after all have
 * answered (SCREENING-4).
 */
export const combinedScreening = (all: ReadonlyArray<Screening["Service"]>): Screening["Service"] => ({
  screen: Effect.fnUntraced(function* (transfer) {
    let fault: ScreeningUnavailable | undefined
    for (const { screen } of all) {
      const result = yield* Effect.catchTag(screen(transfer), "ScreeningUnavailable", Effect.succeed)
      if (result instanceof ScreeningUnavailable) fault ??= result
      else if (result !== null) return result
    }
    return fault === undefined ? null : yield* fault
  })
})
