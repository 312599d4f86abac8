import { Context, Effect, Layer } from "effect"
import { Chain } from "../chain/Chain.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { DepositDecision } from "../settlement/Command.ts"
import type { Refusal } from "../settlement/Outcome.ts"
import { Settlement } from "../settlement/Settlement.ts"
import { depositTransfer } from "./depositScreening.ts"
import type { HeldDeposit } from "./HeldDeposit.ts"
import type { UnscreenedDeposit } from "./ScreeningStore.ts"
import { ScreeningStore } from "./ScreeningStore.ts"
import type { Screened } from "./screenTransfers.ts"
import { screenTransfers } from "./screenTransfers.ts"

/** The number of deposits that one run screens. */
const batch = 64

const longestWait = 30 * Timestamp.second

/** How long a deposit waits after screening failed so many times: one second first, twice as long each time, at most 30 seconds. */
export const screeningBackoff = (failures: number): number =>
  Math.min(longestWait, Timestamp.second * 2 ** Math.min(failures - 1, 10))

/** Deposits that screening did not decide when they were found (SCREENING-4). */
export class UnscreenedDeposits extends Context.Service<
  UnscreenedDeposits,
  {
    /** Screens those that are due again. True if more may be due. */
    readonly screenDue: Effect.Effect<boolean, StoreUnavailable>
  }
>()("@agent-marketplace/core/screening/UnscreenedDeposits") {
  static readonly layer = Layer.effect(
    UnscreenedDeposits,
    Effect.gen(function* () {
      const chain = yield* Chain
      const clock = yield* MarketClock
      const screen = yield* screenTransfers
      const settlement = yield* Settlement
      const store = yield* ScreeningStore

      /** The operator may have decided meanwhile; that is not an error. */
      const decide = ({ accountId, id }: HeldDeposit, decision: DepositDecision) =>
        Effect.catchIf(
          Effect.asVoid(settlement.submit({ _tag: "DecideDeposit", depositId: id, accountId, decision })),
          (refused): refused is Refusal => refused._tag !== "StoreUnavailable",
          () => Effect.void
        )

      const apply = Effect.fnUntraced(function* ({ deposit, failures }: UnscreenedDeposit, result: Screened) {
        switch (result._tag) {
          case "Clear":
            return yield* decide(deposit, { to: "cleared" })
          case "Flagged":
            return yield* decide(deposit, { to: "held", evidence: result.evidence })
          case "Unavailable": {
            const until = (yield* clock.now) + screeningBackoff(failures + 1)
            return yield* store.deferDeposit(deposit.id, until, result.reason)
          }
          case "Skipped":
            return
        }
      })

      const screenDue = Effect.gen(function* () {
        const due = yield* store.unscreened(yield* clock.now, batch)
        if (due.length === 0) return false
        const results = yield* screen(due.map(({ deposit }) => depositTransfer(deposit, chain.name)))
        for (const [index, each] of due.entries()) yield* apply(each, results[index] ?? { _tag: "Skipped" })
        return due.length === batch && results.every(({ _tag }) => _tag === "Clear" || _tag === "Flagged")
      })
      return { screenDue: Effect.withSpan(screenDue, "UnscreenedDeposits.screenDue") }
    })
  )
}
