import type { UseQueryResult } from "@tanstack/react-query"
import type { ChartData } from "../../../ui/charts/ChartData.ts"
import { Chart } from "../../../ui/charts/Chart.tsx"
import type { Unit } from "../../../ui/charts/units.ts"
import { bytes, counted, duration, perSecond } from "../../../ui/charts/units.ts"
import { Loaded } from "../../../ui/Loaded.tsx"
import type { Measurement } from "../../metrics/measurement.ts"
import { quantileOf, rateOf } from "../../metrics/measurement.ts"
import { jobs } from "./health.ts"

/** One line: its value in a measurement, given the one before. */
interface Line {
  readonly label: string
  readonly tone?: "good" | "warn" | "bad"
  readonly valueOf: (now: Measurement, before: Measurement | undefined) => number | null
}

const responses = (label: string, digits: string, tone: "good" | "warn" | "bad"): Line => ({
  label,
  tone,
  valueOf: (now, before) => rateOf(before, now, digits)
})

const quantile = (label: string, part: number): Line => ({
  label,
  valueOf: (now, before) => quantileOf(before, now, part)
})

const gauge = (label: string, metric: string): Line => ({
  label,
  valueOf: ({ gauges }) => gauges.get(metric) ?? null
})

const charts: ReadonlyArray<{
  readonly title: string
  readonly lead: string
  readonly unit: Unit
  readonly lines: ReadonlyArray<Line>
}> = [
  {
    title: "Requests",
    lead: "Responses each second, by status.",
    unit: perSecond,
    lines: [
      responses("Answered (2xx, 3xx)", "123", "good"),
      responses("Refused (4xx)", "4", "warn"),
      responses("Failed (5xx)", "5", "bad")
    ]
  },
  {
    title: "Latency",
    lead: "Within which half, 95 % and 99 % of the responses were sent.",
    unit: duration,
    lines: [quantile("p50", 0.5), quantile("p95", 0.95), quantile("p99", 0.99)]
  },
  {
    title: "Queues",
    lead: "How long the oldest record of each job waits.",
    unit: duration,
    lines: Object.entries(jobs).map(([metric, name]) => gauge(name, metric))
  },
  {
    title: "Chain",
    lead: "Blocks behind the chain.",
    unit: counted("block", "blocks"),
    lines: [
      gauge("Final, not scanned", "deposit_scan_lag_blocks"),
      gauge("Not final yet", "deposit_scan_unconfirmed_blocks")
    ]
  },
  {
    title: "Open connections",
    lead: "Live streams, and requests without a response yet.",
    unit: counted("connection", "connections"),
    lines: [gauge("Live streams", "live_streams_open"), gauge("Requests", "http_requests_in_flight")]
  },
  {
    title: "Memory",
    lead: "Of all processes of this server together.",
    unit: bytes,
    lines: [gauge("Resident", "process_resident_memory_bytes"), gauge("Heap in use", "nodejs_heap_used_bytes")]
  }
]

const dataOf = (lines: ReadonlyArray<Line>, history: ReadonlyArray<Measurement>): ChartData => ({
  per: "instant",
  times: history.map(({ at }) => at),
  series: lines.map(({ label, tone, valueOf }) => ({
    id: label,
    label,
    ...(tone === undefined ? {} : { tone }),
    values: history.map((now, index) => valueOf(now, history[index - 1]))
  }))
})

/** The last minutes of the metrics, while the page is open (CONSOLE-39). */
export const Load = ({ query }: { readonly query: UseQueryResult<ReadonlyArray<Measurement> | null> }) => (
  <Loaded query={query}>
    {(history) =>
      history === null ? null : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[repeat(2,minmax(0,1fr))]">
          {charts.map(({ lead, lines, title, unit }) => (
            <Chart
              key={title}
              title={title}
              lead={lead}
              kind="lines"
              unit={unit}
              data={dataOf(lines, history)}
              empty="The first values appear after a few seconds. What the market does not measure stays empty."
            />
          ))}
        </div>
      )
    }
  </Loaded>
)
