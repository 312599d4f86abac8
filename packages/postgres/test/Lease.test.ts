import { assert, afterEach, describe, it, vi } from "vitest"
import { isInterrupted, isLeased, lease, longAgo } from "../src/Lease.ts"

/** Whole milliseconds, so that differences are exact. */
const since = { monotonic: 60_000, system: 1_800_000_000_000 }

/** Sets both clocks to these numbers of milliseconds after `since`. */
const after = (monotonic: number, system: number) => {
  vi.spyOn(performance, "now").mockReturnValue(since.monotonic + monotonic)
  vi.spyOn(Date, "now").mockReturnValue(since.system + system)
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe("a lease (DATABASE-6)", () => {
  for (const [monotonic, system, leased, interrupted, what] of [
    [0, 0, true, false, "just started"],
    [lease - 1, lease - 1, true, false, "nearly over"],
    [lease, lease, false, false, "over"],
    [10, lease, false, true, "after a suspension as long as the lease"],
    [10, 61, true, true, "after a suspension of 51 ms"],
    [10, 60, true, false, "when the clocks differ by 50 ms"],
    [10, -lease, false, true, "after the system's clock was set back by as much as the lease"],
    [lease, 0, false, true, "over, after the system's clock was set back"]
  ] as const)
    it(`${what}: ${leased ? "runs" : "ended"}, ${interrupted ? "interrupted" : "not interrupted"}`, () => {
      after(monotonic, system)
      assert.strictEqual(isLeased(since), leased)
      assert.strictEqual(isInterrupted(since), interrupted)
    })

  it("a lease that never started counts as ended", () => {
    assert.isFalse(isLeased(longAgo))
  })
})
