import { Result } from "effect"

/** Milliseconds since the epoch, UTC. */
export type Timestamp = number

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const instant =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/

const daysInMonth = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

const parse = (iso: string): Result.Result<Timestamp, string> => {
  const parts = instant.exec(iso)
  if (parts === null) return Result.fail("must be an ISO 8601 instant with a time zone")
  const [year, month, date] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  if (month < 1 || month > 12 || date < 1 || date > daysInMonth(year, month)) {
    return Result.fail("must be a valid calendar date")
  }
  const time = Date.parse(iso.replace(/([+-]\d{2})(\d{2})$/, "$1:$2"))
  return Number.isNaN(time) ? Result.fail("must be an ISO 8601 instant with a time zone") : Result.succeed(time)
}

export const Timestamp: {
  readonly second: number
  readonly minute: number
  readonly hour: number
  readonly day: number
  /** ISO 8601 with milliseconds, UTC (WIRE-16). The time lies within the range of a `Date`. */
  readonly toIso: (ts: Timestamp) => string
  /** An ISO 8601 date and time with `Z` or an offset, years 0000 to 9999. Digits finer than a millisecond are cut off. */
  readonly parse: (iso: string) => Result.Result<Timestamp, string>
} = {
  second,
  minute,
  hour,
  day,
  toIso: (ts) => new Date(ts).toISOString(),
  parse
}
