import { assert, afterEach, describe, it, vi } from "vitest"
import { isInterrupted, isLeased, lease, longAgo } from "../src/Lease.ts"

/** Whole milliseconds, so that differences are exact. */
const since = { monotonic: 60_000, system: 1_800_000_000_000 }

/** Sets both clocks to these milliseconds after that moment. */
const after = (monotonic: number, system: number) => {
  vi.spyOn(performance, "now").mockReturnValue(since.monotonic + monotonic)
  vi.spyOn(Date, "now").mockReturnValue(since.system + system)
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe("a lease (DATABASE-6)", () => {
  for (const [monotonic, system, leased, interrupted, what] of [
    [0, 0, true, false, "has begun"],
    [lease - 1, lease - 1, true, false, "nearly over"],
    [lease, lease, false, false, "over"],
    [10, lease, false, true, "the machine was suspended for all of it"],
    [10, 61, true, true, "the machine was suspended for 51 ms"],
    [10, 60, true, false, "the clocks differ by 50 ms"],
    [10, -lease, false, true, "the system's clock was set back"],
    [lease, 0, false, true, "the system's clock was set back by all of it"]
  ] as const)
    it(`${what}: ${leased ? "runs" : "has ended"}, ${interrupted ? "interrupted" : "not interrupted"}`, () => {
      after(monotonic, system)
      assert.strictEqual(isLeased(since), leased)
      assert.strictEqual(isInterrupted(since), interrupted)
    })

  it("a lease that never began has ended", () => {
    assert.isFalse(isLeased(longAgo))
  })
})
