import type { ChartData, Series } from "./ChartData.ts"
import { sumOf, timeText } from "./ChartData.ts"
import type { Unit } from "./units.ts"

/** The position of the highest value; -1 if there is no value. */
const highest = (values: Series["values"]): number =>
  values.reduce<number>((best, value, at) => (value !== null && value > (values[best] ?? -Infinity) ? at : best), -1)

const ofBars = ({ per, times }: ChartData, { label, values }: Series, { text }: Unit): string => {
  const top = highest(values)
  const total = sumOf(values)
  if (total === 0) return `${label}: ${text(0)}.`
  return `${label}: ${text(total)} in all, at most ${text(values[top] ?? 0)} (${timeText(times[top] ?? 0, per, "long")}).`
}

const ofLine = ({ label, values }: Series, { text }: Unit): string => {
  const known = values.filter((value) => value !== null)
  const last = known.at(-1)
  if (last === undefined) return `${label}: not measured.`
  return `${label}: now ${text(last)}, from ${text(Math.min(...known))} to ${text(Math.max(...known))}.`
}

/** What the picture shows, in sentences for those who cannot see it (CONSOLE-36). */
export const summaryOf = (data: ChartData, kind: "bars" | "lines", unit: Unit): string => {
  const { per, series, times } = data
  const [first = 0] = times
  const period = `${timeText(first, per, "long")} to ${timeText(times.at(-1) ?? 0, per, "long")}${per === "instant" ? "" : ", UTC"}.`
  const shown = series.map((each) => (kind === "bars" ? ofBars(data, each, unit) : ofLine(each, unit)))
  return [kind === "bars" ? "Bar chart." : "Line chart.", period, ...shown].join(" ")
}
