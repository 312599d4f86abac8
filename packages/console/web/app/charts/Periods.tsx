import type { Timeline } from "@agent-marketplace/client/wire/Endpoints"
import type { ChartData, Per } from "../../ui/charts/ChartData.ts"
import { Choices } from "./Choices.tsx"

/** A time up to now, in UTC days or months. */
export interface Period {
  readonly label: string
  readonly per: Exclude<Per, "instant">
  /** How many days or months, including the current one. */
  readonly length: number
}

export const periods: readonly [Period, Period, Period, Period] = [
  { label: "7 days", per: "day", length: 7 },
  { label: "30 days", per: "day", length: 30 },
  { label: "90 days", per: "day", length: 90 },
  { label: "12 months", per: "month", length: 12 }
]

/** When the first day or month of the period starts in UTC; the current one is the last. */
const startOf = ({ length, per }: Period, now: number): string => {
  const date = new Date(now)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const start = per === "day" ? Date.UTC(year, month, day - length + 1) : Date.UTC(year, month - length + 1, 1)
  return new Date(start).toISOString()
}

/** The bounds of the period, as queries take them. */
export const queryOf = (period: Period, now: number) => ({ per: period.per, from: startOf(period, now) })

/** A series that charts name: a seller without a name is shown by its id. */
export const nameOf = ({ key, name }: { readonly key: string | null; readonly name: string }): string =>
  name === "" ? (key ?? "") : name

/** The amounts of each day or month as the data of a chart. */
export const chartDataOf = ({ per, periods: starts, series }: Timeline): ChartData => ({
  per,
  times: starts.map((start) => Date.parse(start)),
  series: series.map(({ amounts, key, name }) => ({
    id: key ?? "others",
    label: nameOf({ key, name }),
    values: amounts
  }))
})

/** Chooses the period of the charts of a page. */
export const Periods = ({
  chosen,
  onChoose
}: {
  readonly chosen: Period
  readonly onChoose: (period: Period) => void
}) => (
  <Choices
    label="Period"
    choices={periods.map(({ label }) => [label, label] as const)}
    chosen={chosen.label}
    onChoose={(label) => onChoose(periods.find((period) => period.label === label) ?? chosen)}
  />
)
