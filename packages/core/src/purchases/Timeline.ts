import { Result } from "effect"
import { Timestamp } from "../clock/Timestamp.ts"
import { ValidationFailed } from "../errors/MarketError.ts"
import { Usdt } from "../money/Usdt.ts"

/** The periods of a timeline, in UTC. */
export const timelineSteps = ["day", "month"] as const

export type TimelineStep = (typeof timelineSteps)[number]

/** The kinds of series of a buyer's spending. */
export const spendingSeries = ["total", "agent", "category", "seller"] as const

/** The kinds of series of a seller's earnings. */
export const earningsSeries = ["total", "item"] as const

export type SpendingSeries = (typeof spendingSeries)[number]

export type EarningsSeries = (typeof earningsSeries)[number]

/** Payments at or after `from` and before `to`. */
export interface TimelineFilter<By> {
  readonly by: By
  readonly per: TimelineStep
  readonly from: Timestamp
  readonly to: Timestamp
}

/** A filter without the bounds that the caller left out. */
export interface TimelineQuery<By> extends Omit<TimelineFilter<By>, "from" | "to"> {
  readonly from: Timestamp | null
  readonly to: Timestamp | null
}

/** The sum of a group in one period. The groups after the largest ones have no key and are added up (BUDGET-5). */
export interface TimelineSum {
  readonly key: string | null
  readonly name: string
  /** A UTC day such as `2025-01-15`, or a UTC month such as `2025-01`. */
  readonly period: string
  readonly amount: Usdt
  readonly count: number
}

/** The sums of a group: in all, and in each period. */
export interface TimelineSeries {
  readonly key: string | null
  readonly name: string
  readonly amount: Usdt
  readonly count: number
  readonly amounts: ReadonlyArray<Usdt>
}

export interface Timeline {
  readonly per: TimelineStep
  readonly from: Timestamp
  readonly to: Timestamp
  readonly periods: ReadonlyArray<string>
  /** The largest first; the remaining groups together are the last one. */
  readonly series: ReadonlyArray<TimelineSeries>
}

/** How many groups have a series of their own. */
export const largestGroups = 5

/** The series of everything. */
export const totalSeries = { key: "total", name: "Total" } as const

/** The name of the series of all groups after the largest ones. */
export const otherGroups = "Others"

const mostPeriods = 366

const defaultPeriods = { day: 30, month: 12 } as const

/** The UTC day or month of the time, as text. */
export const periodAt = (at: Timestamp, per: TimelineStep): string =>
  Timestamp.toIso(at).slice(0, per === "day" ? 10 : 7)

/** The start of the period that is `steps` after the one of `at`, or before it. */
const startOf = (at: Timestamp, per: TimelineStep, steps: number): Timestamp => {
  const date = new Date(at)
  if (per === "day") date.setUTCDate(date.getUTCDate() + steps)
  else date.setUTCMonth(date.getUTCMonth() + steps, 1)
  return date.setUTCHours(0, 0, 0, 0)
}

/** The periods that contain the times from `from` on and before `to`, and at most one more than is allowed. */
export const periodsOf = ({
  from,
  per,
  to
}: Pick<TimelineFilter<unknown>, "from" | "per" | "to">): ReadonlyArray<string> => {
  const periods: Array<string> = []
  for (let at = startOf(from, per, 0); at < to && periods.length <= mostPeriods; at = startOf(at, per, 1)) {
    periods.push(periodAt(at, per))
  }
  return periods
}

const invalid = (path: string, message: string) => Result.fail(new ValidationFailed({ issues: [{ path, message }] }))

/** The filter with its default bounds: up to now, and from the start of 30 days or 12 months before. Fails above 366 periods (BUDGET-5). */
export const timelineFilter = <By>(
  query: TimelineQuery<By>,
  now: Timestamp
): Result.Result<TimelineFilter<By>, ValidationFailed> => {
  const { by, per } = query
  const to = query.to ?? now + 1
  const from = query.from ?? startOf(to - 1, per, 1 - defaultPeriods[per])
  if (from >= to) return invalid("from", "must be before `to`")
  const filter = { by, per, from, to }
  return periodsOf(filter).length > mostPeriods
    ? invalid("from", `must be at most ${mostPeriods} ${per}s before \`to\``)
    : Result.succeed(filter)
}

/** Every period with every series, so that charts need no gaps filled. The sums are in the order of their series. */
export const timelineOf = (filter: TimelineFilter<unknown>, sums: ReadonlyArray<TimelineSum>): Timeline => {
  const { from, per, to } = filter
  const periods = periodsOf(filter)
  const keys = [...new Set(sums.map(({ key }) => key))]
  const series = keys.map((key): TimelineSeries => {
    const own = sums.filter((sum) => sum.key === key)
    const amounts = new Map(own.map(({ amount, period }) => [period, amount]))
    return {
      key,
      name: own[0]?.name ?? "",
      amount: Usdt.of(own.reduce((sum, { amount }) => sum + amount, 0n)),
      count: own.reduce((sum, { count }) => sum + count, 0),
      amounts: periods.map((period) => amounts.get(period) ?? Usdt.zero)
    }
  })
  return { per, from, to, periods, series }
}
