import type { ChartData } from "./ChartData.ts"
import { timeText } from "./ChartData.ts"
import type { Unit } from "./units.ts"

const periods = { day: "Day (UTC)", month: "Month (UTC)", instant: "Time" } as const

/** The numbers of a chart as a table. */
export const ChartTable = ({
  data: { per, series, times },
  title,
  unit
}: {
  readonly title: string
  readonly data: ChartData
  readonly unit: Unit
}) => (
  <div
    role="region"
    aria-label={`Table: ${title}`}
    // Keyboards can scroll it.
    tabIndex={0}
    className="max-h-80 overflow-auto rounded-lg border border-line"
  >
    <table className="number w-full text-sm">
      <caption className="sr-only">{title}</caption>
      <thead className="sticky top-0 bg-card">
        <tr className="border-b border-line">
          <th scope="col" className="px-3 py-2 text-start font-medium">
            {periods[per]}
          </th>
          {series.map(({ id, label }) => (
            <th key={id} scope="col" className="px-3 py-2 text-end font-medium" dir="auto">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {times.map((at, row) => (
          <tr key={at} className="border-b border-line last:border-0">
            <th scope="row" className="px-3 py-1.5 text-start font-normal whitespace-nowrap text-muted">
              {timeText(at, per, "long")}
            </th>
            {series.map(({ id, values }) => {
              const value = values[row] ?? null
              return (
                <td key={id} className="px-3 py-1.5 text-end whitespace-nowrap">
                  {value === null ? "Not measured" : unit.text(value)}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
