import { Context, Effect, Layer } from "effect"
import { BlobStore } from "../blobs/BlobStore.ts"
import { MarketClock } from "../clock/MarketClock.ts"
import type { StoreUnavailable } from "../errors/MarketError.ts"
import { makePlatformCheck } from "../wallets/platformCheck.ts"
import { Usdt } from "../money/Usdt.ts"
import type { ScreeningStanding } from "../screening/ScreeningStore.ts"
import { ScreeningStore } from "../screening/ScreeningStore.ts"
import type { OutgoingTransfer } from "../wallets/TreasuryStore.ts"
import { TreasuryStore } from "../wallets/TreasuryStore.ts"
import type { PayoutPause } from "../wallets/Withdrawal.ts"
import { unknownTransfersReason } from "../wallets/Withdrawal.ts"
import { WalletStore } from "../wallets/WalletStore.ts"
import { isUsedAfterRetirement } from "../signing/SigningKey.ts"
import { SigningKeyStore } from "../signing/SigningKeyStore.ts"
import { Conditions } from "./Conditions.ts"

/** How many refused withdrawals the condition names. */
const mostShown = 10

/** Whether the operator did not pause payouts too. */
const unknownOnly = ({ reason, unknownTransfers }: PayoutPause): boolean =>
  unknownTransfers === true && reason === unknownTransfersReason

const transfersText = (transfers: ReadonlyArray<OutgoingTransfer>): string =>
  transfers.map(({ amount, to, txid }) => `${Usdt.withCurrency(amount)} to ${to} in ${txid}`).join("; ")

const heldText = ({ held, oldestHeld }: ScreeningStanding): string =>
  held === 1 ? `deposit ${oldestHeld}` : `${held} deposits, the oldest is ${oldestHeld}`

const causeText = ({ cause }: StoreUnavailable): string =>
  typeof cause === "string" ? cause : "the storage did not answer"

/** Finds the conditions that the store alone shows (SYSTEM-9). Conditions of the chain are found by the jobs that use it. */
export class ConditionWatch extends Context.Service<
  ConditionWatch,
  { readonly check: Effect.Effect<void, StoreUnavailable> }
>()("@agent-marketplace/core/health/ConditionWatch") {
  static readonly layer = Layer.effect(
    ConditionWatch,
    Effect.gen(function* () {
      const conditions = yield* Conditions
      const store = yield* WalletStore
      const treasury = yield* TreasuryStore
      const screening = yield* ScreeningStore
      const blobs = yield* BlobStore
      const signing = yield* SigningKeyStore
      const clock = yield* MarketClock
      const platformNegative = makePlatformCheck(store, clock)
      const check = Effect.gen(function* () {
        const pause = yield* store.payoutPause
        const unknown = pause?.unknownTransfers === true ? yield* treasury.unknownTransfers : []
        yield* conditions.set("payouts_paused", pause !== null && !unknownOnly(pause), pause?.reason)
        const refused = yield* store.refusedPayouts(mostShown)
        const reasons = refused.map(({ id, reason }) => `${id}: ${reason}`).join("; ")
        yield* conditions.set("payouts_refused", refused.length > 0, reasons)
        yield* conditions.set("unknown_transfers", unknown.length > 0, transfersText(unknown))
        // BLOB-7
        const failure = yield* Effect.match(blobs.check, { onFailure: causeText, onSuccess: () => null })
        yield* conditions.set("blobs_unavailable", failure !== null, failure)
        // SCREENING-9
        const standing = yield* screening.standing
        yield* conditions.set("deposits_held", standing.held > 0, heldText(standing))
        yield* conditions.set("screening_unavailable", standing.unscreened > 0, standing.failure)
        // SIGN-7
        const now = yield* clock.now
        const replaced = (yield* signing.list).filter((key) => isUsedAfterRetirement(key, now))
        yield* conditions.set("signing_keys_differ", replaced.length > 0, replaced.map(({ keyId }) => keyId).join(", "))
        const inDebt = (yield* store.debts).length > 0
        yield* conditions.set("platform_negative", yield* platformNegative(inDebt))
      })
      return { check: Effect.withSpan(check, "ConditionWatch.check") }
    })
  )
}
