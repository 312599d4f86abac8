import { Effect } from "effect"
import type { Screening } from "./Screening.ts"
import { ScreeningUnavailable } from "./Screening.ts"

/**
 * Several screenings as one. The first that flags an address decides, also while another one is unavailable; nothing is cleared before all have
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
