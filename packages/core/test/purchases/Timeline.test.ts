import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { Usdt } from "../../src/money/Usdt.ts"
import type { TimelineQuery } from "../../src/purchases/Timeline.ts"
import { timelineFilter, timelineOf } from "../../src/purchases/Timeline.ts"

const now = Date.UTC(2026, 2, 31, 12)
const total = { by: "total", per: "day", from: null, to: null } as const
const filterOf = (query: Partial<TimelineQuery<string>>) => timelineFilter({ ...total, ...query }, now)
const periodsOf = (query: Partial<TimelineQuery<string>>) => timelineOf(Result.getOrThrow(filterOf(query)), []).periods

describe("timelines (BUDGET-5)", () => {
  it("have 30 days or 12 months up to now, unless bounds are given", () => {
    const days = periodsOf({})
    assert.deepStrictEqual([days.length, days[0], days.at(-1)], [30, "2026-03-02", "2026-03-31"])
    const months = periodsOf({ per: "month" })
    assert.deepStrictEqual([months.length, months[0], months.at(-1)], [12, "2025-04", "2026-03"])
    assert.deepStrictEqual(periodsOf({ from: Date.UTC(2026, 2, 30, 23), to: Date.UTC(2026, 2, 31) }), ["2026-03-30"])
  })

  it("have every month once, however long", () => {
    const months = periodsOf({ per: "month", from: Date.UTC(2024, 0, 31), to: Date.UTC(2024, 3, 1) })
    assert.deepStrictEqual(months, ["2024-01", "2024-02", "2024-03"])
  })

  it("are refused with more than 366 periods, or bounds in the wrong order", () => {
    const day = 86_400_000
    assert.isTrue(Result.isSuccess(filterOf({ from: now - 365 * day, to: now })))
    assert.isTrue(Result.isFailure(filterOf({ from: now - 366 * day, to: now })))
    assert.isTrue(Result.isFailure(filterOf({ from: Date.UTC(0, 0, 1), to: Date.UTC(9999, 0, 1) })))
    assert.isTrue(Result.isFailure(filterOf({ from: now, to: now })))
    assert.isTrue(Result.isFailure(filterOf({ from: now + day })))
  })

  it("have an amount for each period, and the sum of a series", () => {
    const filter = Result.getOrThrow(filterOf({ from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 4) }))
    const sum = (key: string | null, period: string, amount: bigint) => ({
      key,
      name: key ?? "Others",
      period,
      amount: Usdt.of(amount),
      count: 1
    })
    const { series } = timelineOf(filter, [
      sum("a", "2026-01-01", 2n),
      sum("a", "2026-01-03", 3n),
      sum(null, "2026-01-02", 1n)
    ])
    assert.deepStrictEqual(series, [
      { key: "a", name: "a", amount: Usdt.of(5n), count: 2, amounts: [2n, 0n, 3n].map(Usdt.of) },
      { key: null, name: "Others", amount: Usdt.of(1n), count: 1, amounts: [0n, 1n, 0n].map(Usdt.of) }
    ])
  })
})
