import { MarketClock } from "@agent-marketplace/core/clock/MarketClock"
import { Conditions } from "@agent-marketplace/core/health/Conditions"
import { ConditionWatch } from "@agent-marketplace/core/health/ConditionWatch"
import { SigningKeyStore } from "@agent-marketplace/core/signing/SigningKeyStore"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { webhookMarket } from "../webhooks/fixtures/webhookMarket.ts"

/** The kinds of the open conditions after a check. */
const found = Effect.gen(function* () {
  yield* (yield* ConditionWatch).check
  const { items } = yield* (yield* Conditions).list({ open: true }, { page: 1, limit: 100 })
  return items.filter(({ kind }) => kind === "signing_keys_differ").map(({ detail }) => detail)
})

describe("a key that was replaced", () => {
  it.live("is a condition while a process still uses it, and no longer once the process has ended (SIGN-7)", () =>
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const { list, register, seen } = yield* SigningKeyStore
      const [own] = yield* list
      const keyId = own?.keyId ?? assert.fail("the market has no key")
      const at = yield* clock.now
      yield* register({ keyId: "another", publicKey: "another", at, retireAt: at + 60_000 })
      assert.deepStrictEqual(yield* found, [], "until its retirement both may sign")
      yield* clock.advance(61)
      assert.deepStrictEqual(yield* found, [], "no process has reported since")
      yield* seen(keyId, yield* clock.now)
      assert.deepStrictEqual(yield* found, [keyId])
      yield* clock.advance(120)
      assert.deepStrictEqual(yield* found, [])
    }).pipe(Effect.provide(webhookMarket))
  )
})
