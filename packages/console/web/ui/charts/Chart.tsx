import type { ComponentType, ReactNode } from "react"
import { useEffect, useId, useState } from "react"
import type { ChartData } from "./ChartData.ts"
import { isEmpty, timeText } from "./ChartData.ts"
import { ChartTable } from "./ChartTable.tsx"
import { markerOf } from "./palette.ts"
import type { PlotRequest } from "./plotOptions.ts"
import { ensureSafeLanguage } from "./safeLanguage.ts"
import { summaryOf } from "./summaryOf.ts"
import type { Unit } from "./units.ts"

type Plot = ComponentType<PlotRequest & { readonly label: string }>

/** The component that draws, once it is loaded; "unavailable" if it could not be loaded. */
const usePlot = (): Plot | "loading" | "unavailable" => {
  const [plot, setPlot] = useState<{ readonly is: Plot | "loading" | "unavailable" }>({ is: "loading" })
  useEffect(() => {
    let open = true
    const set = (is: Plot | "unavailable") => {
      if (open) setPlot({ is })
    }
    ensureSafeLanguage(navigator)
    import("./Plot.tsx").then(
      ({ default: found }) => set(found),
      () => set("unavailable")
    )
    return () => {
      open = false
    }
  }, [])
  return plot.is
}

/** The names of the series with their colors, and their values at the time below the pointer. */
const Legend = ({ at, data, unit }: { readonly at: number | null; readonly data: ChartData; readonly unit: Unit }) => {
  const time = at === null ? undefined : data.times[at]
  return (
    // The table and the description have the same for those who do not use a pointer.
    <div aria-hidden className="number flex min-h-6 flex-wrap gap-x-4 text-sm text-muted">
      {time === undefined ? null : <span className="font-medium text-ink">{timeText(time, data.per, "long")}</span>}
      {data.series.map((series, index) => {
        const value = at === null ? null : (series.values[at] ?? null)
        if (data.series.length === 1 && value === null) return null
        return (
          <span key={series.id} className="flex max-w-full min-w-0 items-center gap-1.5">
            <span className={`size-2.5 shrink-0 rounded-sm ${markerOf(series, index)}`} />
            <span className="truncate" dir="auto">
              {series.label}
            </span>
            {value === null ? null : <span className="text-ink">{unit.text(value)}</span>}
          </span>
        )
      })}
    </div>
  )
}

/** Bars or lines over time, and the same numbers as a table behind a switch (CONSOLE-36). */
export const Chart = ({
  actions,
  data,
  empty,
  kind,
  lead,
  title,
  unit
}: {
  readonly title: string
  /** A sentence below the title, for example what the amounts contain. */
  readonly lead?: ReactNode
  /** Buttons that change what is shown. */
  readonly actions?: ReactNode
  /** Bars for sums of a period, of which only those above zero are worth a picture; lines for measurements. */
  readonly kind: "bars" | "lines"
  readonly data: ChartData
  readonly unit: Unit
  /** Shown instead of a picture without values: what belongs here. */
  readonly empty: ReactNode
}) => {
  const id = useId()
  const Plot = usePlot()
  const [asTable, setAsTable] = useState(false)
  const [at, setAt] = useState<number | null>(null)
  const nothing = isEmpty(data, kind === "bars")
  const table = asTable || Plot === "unavailable"
  return (
    <section aria-labelledby={id} className="card grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 p-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 id={id}>{title}</h2>
          {lead === undefined ? null : <p className="text-sm text-muted">{lead}</p>}
        </div>
        {nothing || Plot === "unavailable" ? null : (
          <button
            type="button"
            className="button"
            aria-label={`Show as table: ${title}`}
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
          >
            Show as table
          </button>
        )}
      </div>
      {actions}
      {nothing ? (
        <p className="text-muted">{empty}</p>
      ) : table ? (
        <ChartTable title={title} data={data} unit={unit} />
      ) : (
        <div>
          <Legend at={at} data={data} unit={unit} />
          {Plot === "loading" ? (
            <div aria-busy className="h-[220px]" />
          ) : (
            <Plot label={summaryOf(data, kind, unit)} data={data} kind={kind} unit={unit} onPoint={setAt} />
          )}
        </div>
      )}
    </section>
  )
}
