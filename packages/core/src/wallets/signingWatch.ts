import { Effect } from "effect"
import type { Broadcast } from "../chain/Chain.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import { Conditions } from "../health/Conditions.ts"
import type { Withdrawal } from "./Withdrawal.ts"

/** What the signers of payouts answered in one run, and the conditions that follow from it. */
export interface SigningWatch {
  /** Why a signer is unavailable; undefined while none was found to be. */
  readonly fault: string | undefined
  readonly forget: () => void
  readonly see: (sent: Broadcast) => void
  /** `paid`: the transactions that were in progress before the run. `isIdle`: nothing waits, so that an outage stops nothing. */
  readonly report: (paid: ReadonlyArray<Withdrawal>, isIdle: boolean) => Effect.Effect<void, StoreUnavailable>
}

/** Raises `signer_unavailable` and `signer_refused` (SYSTEM-9), and clears them once a signer signs, or nothing waits for one. */
export const signingWatch: Effect.Effect<SigningWatch, never, Conditions> = Effect.map(Conditions, (conditions) => {
  let fault: string | undefined
  let refusal: string | undefined
  let signs = false
  return {
    get fault() {
      return fault
    },
    forget: () => {
      fault = undefined
      refusal = undefined
      signs = false
    },
    see: (sent) => {
      if (sent._tag !== "Unsigned") signs = true
      else if (sent.because === "unavailable") fault ??= sent.reason
      else if (sent.because === "refused") refusal ??= sent.reason
    },
    report: Effect.fnUntraced(function* (paid, isIdle) {
      if (fault !== undefined) yield* conditions.raise("signer_unavailable", fault)
      else if (signs || refusal !== undefined || isIdle) yield* conditions.clear("signer_unavailable")
      const refused = refusal ?? paid.find(({ failure }) => failure !== null)?.failure
      yield* conditions.set("signer_refused", typeof refused === "string", refused ?? null)
    })
  }
})
