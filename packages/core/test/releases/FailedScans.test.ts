import { assert, describe, it } from "vitest"
import type { ReleaseId } from "../../src/ids/Ids.ts"
import { FailedScans } from "../../src/releases/FailedScans.ts"

const [one, other] = ["rel_1", "rel_2"] as [ReleaseId, ReleaseId]

describe("failed scans", () => {
  it("are retried after one second, then after twice as long each time, at most ten minutes (RELEASE-33)", () => {
    const failed = new FailedScans()
    let now = 0
    for (const delay of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]) {
      failed.failed(one, false, now)
      assert.deepStrictEqual(failed.waiting(now + delay * 1000 - 1), [one])
      assert.deepStrictEqual(failed.waiting(now + delay * 1000), [])
      now += delay * 1000
    }
    failed.failed(other, false, now)
    failed.succeeded(one)
    assert.deepStrictEqual(failed.waiting(now), [other])
  })

  it("are given up after three defects, however often a store was unavailable (RELEASE-9)", () => {
    const failed = new FailedScans()
    for (let n = 0; n < 10; n++) assert.isFalse(failed.failed(one, false, n))
    assert.deepStrictEqual(
      [true, true, true].map((defect) => failed.failed(one, defect, 20)),
      [false, false, true]
    )
    assert.isTrue(failed.isGivenUp(one))
    assert.isFalse(failed.isGivenUp(other))
    failed.succeeded(one)
    assert.isFalse(failed.isGivenUp(one))
  })

  it("do not wait for long if the clock goes back, and are forgotten if they are no longer retried (RELEASE-33)", () => {
    const failed = new FailedScans()
    failed.failed(one, true, 10_000_000)
    assert.deepStrictEqual(failed.waiting(0), [])
    for (const now of [10_000_000, 10_000_000]) failed.failed(one, true, now)
    assert.isTrue(failed.isGivenUp(one))
    assert.deepStrictEqual(failed.waiting(20_000_000), [])
    assert.isFalse(failed.isGivenUp(one))
  })
})
