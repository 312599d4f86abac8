import { MemoryStores } from "@agent-marketplace/memory/MemoryStores"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import * as TestClock from "effect/testing/TestClock"
import { MarketClock } from "../../src/clock/MarketClock.ts"
import { StoreUnavailable } from "../../src/errors/MarketError.ts"
import { Conditions } from "../../src/health/Conditions.ts"
import { LedgerWatch } from "../../src/wallets/LedgerWatch.ts"
import type { LedgerAudit } from "../../src/wallets/WalletStore.ts"
import { WalletStore } from "../../src/wallets/WalletStore.ts"

const stores = Layer.fresh(
  MemoryStores.layer.pipe(Layer.provide(Layer.merge(Digest.layerWebCrypto, SecureRandom.layerWebCrypto)))
)

const auditOf = (differences: ReadonlyArray<string>): LedgerAudit => ({
  balanced: differences.length === 0,
  wallets: 1,
  entries: 1,
  entriesRead: 1,
  since: null,
  differences,
  warnings: []
})

/** A watch over a ledger whose audit returns the last of `found`, and counts its runs. */
const watched = (state: { found: ReadonlyArray<string> | StoreUnavailable; audits: number }) =>
  LedgerWatch.layer.pipe(
    Layer.provideMerge(Conditions.layer),
    Layer.provideMerge(
      Layer.merge(
        stores,
        Layer.mock(WalletStore)({
          auditSinceCheckpoint: () =>
            Effect.suspend(() => {
              state.audits += 1
              return state.found instanceof StoreUnavailable
                ? Effect.fail(state.found)
                : Effect.succeed(auditOf(state.found))
            })
        })
      )
    )
  )

const open = Effect.flatMap(Conditions, (conditions) =>
  Effect.map(conditions.open, (all) => all.map(({ detail, kind }) => ({ detail, kind })))
)

/** Passes the time and runs the check, as the job does every minute. */
const checkAfter = Effect.fnUntraced(function* (minutes: number) {
  yield* (yield* MarketClock).advance(minutes * 60)
  yield* TestClock.adjust("2 seconds")
  yield* (yield* LedgerWatch).check
})

it.effect(
  "the ledger is audited every hour, and differences are a condition until an audit is balanced (OPERATOR-32)",
  () => {
    const state = { found: ["usr_1: available is 5.00, its lines say 4.00"], audits: 0 }
    return Effect.gen(function* () {
      yield* checkAfter(0)
      assert.strictEqual(state.audits, 0, "a process that has just started does not audit yet")
      yield* checkAfter(5)
      assert.strictEqual(state.audits, 1)
      assert.deepStrictEqual(yield* open, [{ kind: "ledger_unbalanced", detail: state.found[0] ?? "" }])
      yield* checkAfter(59)
      assert.strictEqual(state.audits, 1)
      state.found = []
      yield* checkAfter(1)
      assert.strictEqual(state.audits, 2)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* open, [])
    }).pipe(Effect.provide(watched(state)))
  }
)

it.effect("an audit that the database interrupts is repeated at the next check", () => {
  const state = {
    found: new StoreUnavailable({ cause: "restarted" }) as ReadonlyArray<string> | StoreUnavailable,
    audits: 0
  }
  return Effect.gen(function* () {
    yield* checkAfter(0)
    assert.strictEqual((yield* Effect.exit(checkAfter(5)))._tag, "Failure")
    state.found = []
    yield* checkAfter(1)
    assert.strictEqual(state.audits, 2)
    yield* checkAfter(1)
    assert.strictEqual(state.audits, 2)
  }).pipe(Effect.provide(watched(state)))
})
