import { LoadBounds } from "@agent-marketplace/http/overload/LoadBounds"
import { nextLimits } from "@agent-marketplace/http/overload/loadLimits"
import type { LoadWindow } from "@agent-marketplace/http/overload/loadLimits"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

const bounds = LoadBounds.defaultValue()
const { ceiling, floor, leastShare, overloadFloor, targetMillis, windowMillis } = bounds

const window: fc.Arbitrary<LoadWindow> = fc
  .record({
    elapsedMillis: fc.integer({ min: windowMillis, max: 100 * windowMillis }),
    finished: fc.integer({ min: 0, max: 2000 }),
    slowShare: fc.double({ min: 0, max: 1, noNaN: true }),
    inProgress: fc.integer({ min: 0, max: 2 * ceiling }),
    utilization: fc.double({ min: 0, max: 1, noNaN: true }),
    severalCallers: fc.boolean(),
    overloaded: fc.boolean()
  })
  .map(({ slowShare, ...rest }) => ({ ...rest, slow: Math.floor(rest.finished * slowShare) }))

const limits = fc.record({
  limit: fc.integer({ min: overloadFloor, max: ceiling }),
  share: fc.integer({ min: leastShare, max: ceiling })
})

const fast: LoadWindow = {
  elapsedMillis: windowMillis,
  finished: 100,
  slow: 0,
  inProgress: 20,
  utilization: 0.5,
  severalCallers: true,
  overloaded: false
}

const after = (windows: number, measured: LoadWindow, start = { limit: floor, share: leastShare }) => {
  let found = start
  for (let n = 0; n < windows; n++) found = nextLimits(found, measured, bounds)
  return found
}

describe("limits of a process", () => {
  it("the limit stays between floor and ceiling, the share between its least and the ceiling (LOAD-1, LOAD-3)", () => {
    fc.assert(
      fc.property(limits, window, (before, measured) => {
        const { limit, share } = nextLimits(before, measured, bounds)
        const least = measured.overloaded && measured.utilization > bounds.busy ? overloadFloor : floor
        assert.isTrue(limit >= least && limit <= ceiling, `limit ${limit}`)
        assert.isTrue(share >= leastShare && share <= ceiling, `share ${share}`)
      })
    )
  })

  it("a process that is late never gets a higher limit, one that keeps up never a lower one (LOAD-1)", () => {
    fc.assert(
      fc.property(limits, window, (before, measured) => {
        const late = { ...measured, elapsedMillis: windowMillis, finished: 100, slow: 11 }
        assert.isAtMost(nextLimits(before, late, bounds).limit, Math.max(floor, before.limit))
        const keepsUp = { ...late, slow: 10 }
        assert.isAtLeast(nextLimits(before, keepsUp, bounds).limit, before.limit)
      })
    )
  })

  it("a late process gets as many requests at once as it ends in the target time (LOAD-1)", () => {
    const late = { ...fast, finished: 400, slow: 400, inProgress: 1000 }
    assert.strictEqual(nextLimits({ limit: ceiling, share: ceiling }, late, bounds).limit, 4 * targetMillis)
  })

  it("the lowest limit of a late process is smaller in an overload (LOAD-1)", () => {
    const late = { ...fast, finished: 10, slow: 10, inProgress: 1000 }
    assert.strictEqual(nextLimits({ limit: ceiling, share: ceiling }, late, bounds).limit, floor)
    const overloaded = { ...late, overloaded: true, utilization: 1 }
    assert.strictEqual(nextLimits({ limit: ceiling, share: ceiling }, overloaded, bounds).limit, overloadFloor)
  })

  it("a process that ends nothing has the lowest limit, however long the window (LOAD-1)", () => {
    for (const elapsedMillis of [windowMillis, 100 * windowMillis]) {
      const stuck = { ...fast, elapsedMillis, finished: 0, inProgress: floor }
      assert.strictEqual(nextLimits({ limit: ceiling, share: ceiling }, stuck, bounds).limit, floor)
    }
  })

  it("the share grows back within five seconds, and so does the limit if half of it is used; a pause resets both (LOAD-1, LOAD-3)", () => {
    const grown = after(5000 / windowMillis, { ...fast, inProgress: ceiling })
    assert.deepStrictEqual(grown, { limit: ceiling, share: ceiling })
    const unused = { ...fast, inProgress: floor / 2 - 1 }
    assert.deepStrictEqual(after(5000 / windowMillis, unused), { limit: floor, share: ceiling })
    const paused = { ...fast, elapsedMillis: 60_000, finished: 0, inProgress: 0 }
    assert.deepStrictEqual(after(1, paused, { limit: ceiling, share: leastShare }), { limit: floor, share: ceiling })
  })

  it("the share of one caller shrinks only while the process is busy for several (LOAD-3)", () => {
    const busy = { ...fast, utilization: 0.95, inProgress: 130 }
    const full = { limit: ceiling, share: ceiling }
    assert.strictEqual(nextLimits(full, busy, bounds).share, 65)
    assert.strictEqual(after(10, busy, full).share, leastShare)
    assert.strictEqual(nextLimits(full, { ...busy, severalCallers: false }, bounds).share, ceiling)
    assert.strictEqual(nextLimits(full, { ...busy, utilization: bounds.busy }, bounds).share, ceiling)
  })
})
