import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import type { DeliveryId } from "../../src/ids/Ids.ts"
import { RetrySchedule } from "../../src/webhooks/RetrySchedule.ts"

const second = 1000
const hour = 3_600_000
const day = 24 * hour
const id = fc.string({ minLength: 1, maxLength: 60 }).map((text) => `dlv_${text}` as DeliveryId)
const tries = fc.integer({ min: 1, max: 7 })
const now = fc.integer({ min: 0, max: 4e12 })

describe("RetrySchedule (DELIVERY-7)", () => {
  it("waits 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, then ends", () => {
    assert.deepStrictEqual(
      RetrySchedule.delays.map((delay) => delay / second),
      [5, 300, 1800, 7200, 18_000, 36_000, 50_400]
    )
    assert.strictEqual(RetrySchedule.attempts, 8)
    assert.isUndefined(RetrySchedule.delay("dlv_1" as DeliveryId, 8, null, 0))
    assert.isUndefined(RetrySchedule.delay("dlv_1" as DeliveryId, 8, "60", 0))
  })

  it("jitter only lengthens a delay, by at most a tenth, and is the same for the same delivery", () => {
    fc.assert(
      fc.property(id, tries, now, (delivery, n, at) => {
        const planned = RetrySchedule.delays[n - 1] ?? 0
        const delay = RetrySchedule.delay(delivery, n, null, at) ?? 0
        assert.isAtLeast(delay, planned)
        assert.isAtMost(delay, planned * 1.1 + 1)
        assert.strictEqual(RetrySchedule.delay(delivery, n, null, at), delay)
      })
    )
  })

  it("simultaneous deliveries spread over the whole range of the jitter", () => {
    const shares = Array.from({ length: 1000 }, (_, n) => {
      const delay = RetrySchedule.delay(`dlv_${n.toString(32).padStart(13, "0")}whk` as DeliveryId, 3, null, 0) ?? 0
      return Math.min(Math.floor(((delay / 1_800_000 - 1) / 0.1) * 10), 9)
    })
    const buckets = Array.from({ length: 10 }, (_, n) => shares.filter((share) => share === n).length)
    for (const count of buckets) assert.isAbove(count, 50)
  })

  it("honours Retry-After in seconds and as a date, up to a day; it never shortens a delay (DELIVERY-8)", () => {
    fc.assert(
      fc.property(id, tries, now, fc.integer({ min: 0, max: 1e9 }), (delivery, n, at, seconds) => {
        const plain = RetrySchedule.delay(delivery, n, null, at) ?? 0
        const whole = Math.floor(at / second) * second
        const wanted = Math.min(seconds * second, day)
        assert.strictEqual(RetrySchedule.delay(delivery, n, String(seconds), at), Math.max(plain, wanted))
        const date = new Date(whole + Math.min(seconds, 1e8) * second).toUTCString()
        const byDate = RetrySchedule.delay(delivery, n, date, whole) ?? 0
        assert.strictEqual(byDate, Math.max(plain, Math.min(Math.min(seconds, 1e8) * second, day)))
      })
    )
  })

  it("an invalid or past Retry-After changes nothing", () => {
    const plain = RetrySchedule.delay("dlv_1" as DeliveryId, 1, null, hour)
    for (const header of [
      "",
      "soon",
      "-5",
      "1.5",
      "1e9",
      "Thu, 01 Jan 1970 00:00:00 GMT",
      "Mon, 99 Foo 2025 GMT",
      "5 s"
    ]) {
      assert.strictEqual(RetrySchedule.delay("dlv_1" as DeliveryId, 1, header, hour), plain, header)
    }
  })
})
