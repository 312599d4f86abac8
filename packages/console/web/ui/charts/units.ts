import { amountText } from "../amountText.ts"

/** How a chart writes its values. */
export interface Unit {
  /** Exact, for tables and sentences. */
  readonly text: (value: number) => string
  /** Short, for the axis. */
  readonly axis: (value: number) => string
  /** The distances between two labels of the axis from which the chart chooses; any, if absent. */
  readonly steps?: ReadonlyArray<number>
}

const compact = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 6 })

/** An amount with its currency; the axis omits the currency, which the title names. */
export const money = (currency = "USDT"): Unit => ({
  text: (value) => amountText(value, currency),
  axis: (value) => compact.format(value)
})

/** 1, 2, 5, 10, 20, 50 and so on. */
const wholeSteps = Array.from({ length: 15 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat()

/** A number of things. */
export const counted = (one: string, many: string): Unit => ({
  text: (value) => `${value.toLocaleString()} ${value === 1 ? one : many}`,
  axis: (value) => compact.format(value),
  steps: wholeSteps
})

const digits = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 })

const durationText = (seconds: number): string => {
  if (seconds === 0) return "0 s"
  if (seconds < 1) return `${digits.format(seconds * 1000)} ms`
  if (seconds < 120) return `${digits.format(seconds)} s`
  return seconds < 7200 ? `${digits.format(seconds / 60)} min` : `${digits.format(seconds / 3600)} h`
}

/** A time in seconds. */
export const duration: Unit = { text: durationText, axis: durationText }

const mebibytes = (value: number): string => `${digits.format(value / 2 ** 20)} MiB`

/** An amount of memory in bytes. */
export const bytes: Unit = { text: mebibytes, axis: mebibytes }

/** How often something happens. */
export const perSecond: Unit = {
  text: (value) => `${digits.format(value)} per second`,
  axis: (value) => digits.format(value)
}
