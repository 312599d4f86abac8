import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { ReceiverHealth } from "../../src/webhooks/ReceiverHealth.ts"

const { failed, healthy, hasFailedTooLong, isPaused, isProbing, succeeded } = ReceiverHealth
const day = 86_400_000

/** The receiver's results, each with the time since the previous one. */
const history = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 2 * day })), { minLength: 1, maxLength: 60 })

describe("ReceiverHealth: the circuit breaker and the 5 days (WEBHOOK-13)", () => {
  it("opens after 5 failures in a row, for 5 seconds at first and at most a minute, and closes after a success", () => {
    fc.assert(
      fc.property(history, (answers) => {
        let health = healthy
        let now = 0
        let failures = 0
        let since: number | null = null
        for (const [ok, later] of answers) {
          now += later
          failures = ok ? 0 : failures + 1
          since = ok ? null : (since ?? now)
          const before = health
          health = ok ? succeeded(health) : failed(health, now)
          assert.strictEqual(health.failures, failures)
          assert.strictEqual(health.failingSince, since)
          assert.strictEqual(isProbing(health), failures >= 5)
          assert.strictEqual(isPaused(health, now), failures >= 5)
          assert.isFalse(isPaused(health, now + 60_000))
          if (failures >= 5 && !isPaused(before, now)) assert.isTrue(isPaused(health, now + 4999))
          assert.strictEqual(hasFailedTooLong(health, now), since !== null && now - since >= 5 * day)
        }
      })
    )
  })

  it("requests in flight when the circuit opened do not keep it open longer", () => {
    let health = healthy
    for (let n = 0; n < 5; n++) health = failed(health, 1000)
    const until = health.pausedUntil
    for (let n = 0; n < 100; n++) health = failed(health, 2000)
    assert.strictEqual(health.pausedUntil, until)
  })

  it("a success of a healthy receiver returns the same record, so that nothing is written", () => {
    assert.strictEqual(succeeded(healthy), healthy)
  })
})
