import { Effect } from "effect"
import type { MarketClock } from "../clock/MarketClock.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import type { WalletStore } from "./WalletStore.ts"

/** The interval between sums of the whole ledger, which are computed only while there are debts. */
const sumInterval = Timestamp.hour

/** Checks whether the platform has paid more for refunds than it has earned. Only debts can cause that, so without debts the ledger is not summed. */
export const makePlatformCheck = (
  store: WalletStore["Service"],
  clock: MarketClock["Service"]
): ((inDebt: boolean) => Effect.Effect<boolean, StoreUnavailable>) => {
  let last = { at: Number.NEGATIVE_INFINITY, negative: false }
  return Effect.fnUntraced(function* (inDebt: boolean) {
    const now = yield* clock.now
    if (!inDebt) last = { at: Number.NEGATIVE_INFINITY, negative: false }
    else if (now - last.at >= sumInterval) last = { at: now, negative: (yield* store.totals).platform < 0n }
    return last.negative
  })
}
