import { Effect } from "effect"
import { Chain } from "../chain/Chain.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import type { PayableWithdrawal } from "../wallets/WalletStore.ts"
import type { Withdrawal } from "../wallets/Withdrawal.ts"
import type { ScreenedTransfer } from "./Screening.ts"
import type { ScreeningEvidence } from "./ScreeningEvidence.ts"
import { ScreeningStore } from "./ScreeningStore.ts"
import { screenTransfers } from "./screenTransfers.ts"

/** How long a withdrawal waits after screening failed for it. */
const wait = 5 * Timestamp.second

/** The transfer that is screened for a withdrawal; its id is null until it is accepted. */
export const withdrawalTransfer = (
  { amount, destinationAddress }: Pick<Withdrawal, "amount" | "destinationAddress">,
  chain: string,
  id: string | null
): ScreenedTransfer => ({ kind: "withdrawal", address: destinationAddress, amount, chain, reference: id })

/** Withdrawals that may be paid, and those whose destinations are flagged. The rest waits until screening answers. */
export interface ScreenedPayouts {
  readonly payable: ReadonlyArray<PayableWithdrawal>
  readonly flagged: ReadonlyArray<{ readonly withdrawal: Withdrawal; readonly evidence: ScreeningEvidence }>
}

/**
 * Screens the destinations of withdrawals just before they are paid (SCREENING-8). One that the operator approved after it was flagged is not
 * screened again.
 */
export const payoutScreening = Effect.gen(function* () {
  const chain = yield* Chain
  const clock = yield* MarketClock
  const screen = yield* screenTransfers
  const store = yield* ScreeningStore
  return Effect.fnUntraced(function* (queued: ReadonlyArray<PayableWithdrawal>) {
    const unapproved = queued.filter(({ withdrawal }) => withdrawal.screening?.approved !== true)
    const results = yield* screen(
      unapproved.map(({ withdrawal }) => withdrawalTransfer(withdrawal, chain.name, withdrawal.id))
    )
    const waiting = new Set<string>()
    const flagged: Array<ScreenedPayouts["flagged"][number]> = []
    const decided: Array<Withdrawal["id"]> = []
    for (const [index, { unscreened, withdrawal }] of unapproved.entries()) {
      const result = results[index] ?? { _tag: "Skipped" }
      if (result._tag !== "Clear") waiting.add(withdrawal.id)
      if (result._tag === "Flagged") flagged.push({ withdrawal, evidence: result.evidence })
      if (result._tag === "Unavailable")
        yield* store.deferWithdrawal(withdrawal.id, (yield* clock.now) + wait, result.reason)
      else if (unscreened && result._tag !== "Skipped") decided.push(withdrawal.id)
    }
    if (decided.length > 0) yield* store.withdrawalsScreened(decided)
    return { payable: queued.filter(({ withdrawal }) => !waiting.has(withdrawal.id)), flagged }
  })
})
