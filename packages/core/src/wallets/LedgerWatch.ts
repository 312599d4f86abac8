import { Context, Effect, Layer } from "effect"
import { MarketClock } from "../clock/MarketClock.ts"
import { Timestamp } from "../clock/Timestamp.ts"
import type { StoreEffect } from "../errors/StoreEffect.ts"
import { Conditions } from "../health/Conditions.ts"
import { WalletStore } from "./WalletStore.ts"

const interval = Timestamp.hour

/** How long after its start a process waits, so that the first audit does not compete with what a start has to read. */
const firstAfter = 5 * Timestamp.minute

/** How many differences the condition names; the audit on demand names all. */
const mostShown = 5

/** Continues the audit of the ledger from its last checkpoint every hour, and reports differences as a condition (OPERATOR-32). */
export class LedgerWatch extends Context.Service<LedgerWatch, { readonly check: StoreEffect<void> }>()(
  "@agent-marketplace/core/wallets/LedgerWatch"
) {
  static readonly layer = Layer.effect(
    LedgerWatch,
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const conditions = yield* Conditions
      const store = yield* WalletStore
      let due: Timestamp | undefined
      const audit = Effect.fnUntraced(function* (now: Timestamp) {
        const { balanced, differences } = yield* store.auditSinceCheckpoint(now)
        yield* conditions.set("ledger_unbalanced", !balanced, differences.slice(0, mostShown).join("; "))
      })
      const check = Effect.gen(function* () {
        const now = yield* clock.now
        due ??= now + firstAfter
        if (now < due) return
        yield* audit(now)
        due = now + interval
      })
      return { check: Effect.withSpan(check, "LedgerWatch.check") }
    })
  )
}
