import type { DeliveryTimeline } from "@agent-marketplace/client/wire/Endpoints"
import { Option } from "effect"
import { Command } from "effect/cli"
import { withBars } from "../terminal/bars.ts"
import { callAndReport } from "../terminal/callAndReport.ts"
import type { Page } from "../terminal/CliContext.ts"
import { list } from "../terminal/list.ts"
import { optionalText } from "../terminal/optionalText.ts"
import type { Column } from "../terminal/table.ts"

interface Day {
  readonly period: string
  readonly counts: ReadonlyArray<number>
}

const sum = (counts: ReadonlyArray<number>): number => counts.reduce((all, count) => all + count, 0)

/** One line for each day, with its number of deliveries by status. */
const timelineText = (page: Page, { periods, series }: DeliveryTimeline): string => {
  const days = periods.map((period, at): Day => ({ period, counts: series.map(({ counts }) => counts[at] ?? 0) }))
  const columns: ReadonlyArray<Column<Day>> = [
    { title: "UTC", value: ({ period }) => period },
    ...series.map(({ status }, at) => ({
      title: status.toUpperCase(),
      value: ({ counts }: Day) => String(counts[at] ?? 0),
      right: true
    }))
  ]
  const rows = series.every(({ count }) => count === 0) ? [] : days
  return list(page, {
    rows,
    columns: withBars(page, rows, columns, ({ counts }) => sum(counts)),
    empty: "No deliveries."
  })
}

export const timelineCommand = Command.make(
  "timeline",
  {
    webhook: optionalText("webhook", "Only deliveries to this subscription, whk_…"),
    from: optionalText("from", "From this date or instant on; 30 days by default"),
    to: optionalText("to", "Before this date or instant")
  },
  ({ from, to, webhook }) => {
    const query = {
      webhookId: Option.getOrUndefined(webhook),
      from: Option.getOrUndefined(from),
      to: Option.getOrUndefined(to)
    }
    return callAndReport((market, options) => market.webhooks.timeline(query, options), timelineText)
  }
).pipe(Command.withDescription("Show how many deliveries each day had, by status"))
