import type { Timeline } from "@agent-marketplace/client/wire/Endpoints"
import { Flag } from "effect/cli"
import { sparkline, withBars, withPicture } from "../terminal/bars.ts"
import type { Page } from "../terminal/CliContext.ts"
import { usdt } from "../terminal/format.ts"
import { list } from "../terminal/list.ts"
import { optionalText } from "../terminal/optionalText.ts"
import type { Column } from "../terminal/table.ts"

/** The flags of timelines, apart from `--by`. */
export const timelineFlags = {
  per: Flag.Literals("per", ["day", "month"]).pipe(
    Flag.withDescription("The periods, which begin at 00:00 UTC"),
    Flag.withDefault("month")
  ),
  from: optionalText("from", "From this date or instant on; 30 days or 12 months by default"),
  to: optionalText("to", "Before this date or instant")
}

type Series = Timeline["series"][number]

interface Period {
  readonly period: string
  readonly amount: number
}

const periodColumns: ReadonlyArray<Column<Period>> = [
  { title: "UTC", value: ({ period }) => period },
  { title: "AMOUNT", value: ({ amount }) => usdt(amount), right: true }
]

interface Cell extends Period {
  readonly series: Series
}

const nameOf = ({ key, name }: Series): string => (name === "" ? (key ?? "") : name)

const seriesColumns: ReadonlyArray<Column<Series>> = [
  { title: "NAME", value: nameOf, yields: true },
  { title: "AMOUNT", value: ({ amount }) => usdt(amount), right: true },
  { title: "PAYMENTS", value: ({ count }) => String(count), right: true }
]

const cellColumns: ReadonlyArray<Column<Cell>> = [
  { title: "NAME", value: ({ series }) => nameOf(series), yields: true },
  ...periodColumns
]

/** One line for each period with a bar, or each series with the course of its amounts; without pictures the same amounts as numbers. */
export const timelineText = (page: Page, { periods, series }: Timeline, by: string, empty: string): string => {
  const amountsOf = ({ amounts }: Series) => periods.map((period, at) => ({ period, amount: amounts[at] ?? 0 }))
  const [total] = series
  if (by === "total") {
    const rows = total === undefined ? [] : amountsOf(total)
    return list(page, { rows, columns: withBars(page, rows, periodColumns, ({ amount }) => amount), empty })
  }
  if (page.canDraw === true) {
    const columns = withPicture(page, series, seriesColumns, ({ amounts }, width) => sparkline(amounts, width))
    const footer = `Each picture shows ${periods[0] ?? ""} to ${periods.at(-1) ?? ""} (UTC), scaled to its own highest amount.`
    return list(page, { rows: series, columns, empty, footer })
  }
  const cells = series.flatMap((one) =>
    amountsOf(one).flatMap(({ amount, period }) => (amount === 0 ? [] : [{ series: one, period, amount }]))
  )
  return list(page, { rows: cells, columns: cellColumns, empty })
}
