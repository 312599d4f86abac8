import { Effect } from "effect"
import type { ScreenedTransfer } from "./Screening.ts"
import { Screening } from "./Screening.ts"
import type { ScreeningEvidence } from "./ScreeningEvidence.ts"
import { boundedEvidence } from "./ScreeningEvidence.ts"

/** The number of transfers that are screened concurrently. */
const concurrency = 8

/** The time limit of one decision, even if the adapter has none. */
const timeLimit = "6 seconds"

/** A transfer is `Skipped` if screening had failed for another one of the same call before its turn. */
export type Screened =
  | { readonly _tag: "Clear" }
  | { readonly _tag: "Flagged"; readonly evidence: ScreeningEvidence }
  | { readonly _tag: "Unavailable"; readonly reason: string }
  | { readonly _tag: "Skipped" }

const unavailable = (reason: string): Screened => ({ _tag: "Unavailable", reason })

/** Screens one transfer. Never fails: a defect or a delay of the adapter also leaves the transfer undecided (SCREENING-4). */
export const screenTransfer = Effect.map(
  Screening,
  ({ screen }) =>
    (transfer: ScreenedTransfer): Effect.Effect<Screened> =>
      Effect.suspend(() => screen(transfer)).pipe(
        Effect.map((evidence): Screened =>
          evidence === null ? { _tag: "Clear" } : { _tag: "Flagged", evidence: boundedEvidence(evidence) }
        ),
        Effect.timeoutOrElse({
          duration: timeLimit,
          orElse: () => Effect.succeed(unavailable("screening does not answer"))
        }),
        Effect.catchTag("ScreeningUnavailable", ({ reason }) => Effect.succeed(unavailable(reason))),
        Effect.catchDefect((defect) =>
          Effect.as(Effect.logWarning("screening failed", defect), unavailable("screening failed: see the log"))
        )
      )
)

/** Screens transfers, in the order of the result. After the first failure no further one is started, so that an outage costs one time limit. */
export const screenTransfers = Effect.map(screenTransfer, (one) =>
  Effect.fnUntraced(function* (transfers: ReadonlyArray<ScreenedTransfer>) {
    let failed = false
    return yield* Effect.forEach(
      transfers,
      (transfer): Effect.Effect<Screened> =>
        Effect.suspend(() =>
          failed
            ? Effect.succeed<Screened>({ _tag: "Skipped" })
            : Effect.tap(one(transfer), ({ _tag }) =>
                Effect.sync(() => {
                  failed ||= _tag === "Unavailable"
                })
              )
        ),
      { concurrency }
    )
  })
)
