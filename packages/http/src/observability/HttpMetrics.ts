import { monitorEventLoopDelay } from "node:perf_hooks"
import { Context, Effect, Layer } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { makeHistogram } from "./Histogram.ts"
import type { Histogram } from "./Histogram.ts"

const latencyBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const batchBounds = [1, 2, 4, 8, 16, 32, 64]

interface Series {
  readonly labels: string
  readonly statuses: Map<number, number>
  readonly latency: Histogram
}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

const head = (name: string, type: string, help: string): string => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`

const single = (name: string, type: string, help: string, value: number): string =>
  `${head(name, type, help)}${name} ${value}\n`

const increment = <K>(counts: Map<K, number>, key: K): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** What the process counts of itself, as Prometheus text. Counting is a few map look-ups and never fails. */
export class HttpMetrics extends Context.Service<
  HttpMetrics,
  {
    readonly began: () => void
    /** `route` is the template, so that the number of series stays bounded. */
    readonly ended: (method: string, route: string, status: number, seconds: number) => void
    /** A limit of that name was passed. */
    readonly limited: (limit: string) => void
    /** That many orders were settled together. */
    readonly settled: (orders: number) => void
    readonly text: Effect.Effect<string>
  }
>()("@agent-marketplace/http/observability/HttpMetrics") {
  static readonly layer = Layer.effect(
    HttpMetrics,
    Effect.gen(function* () {
      const delay = yield* Effect.acquireRelease(
        Effect.sync(() => {
          const monitor = monitorEventLoopDelay({ resolution: 20 })
          monitor.enable()
          return monitor
        }),
        (monitor) => Effect.sync(() => monitor.disable())
      )
      const series = new Map<string, Series>()
      const hits = new Map<string, number>()
      const batches = makeHistogram(batchBounds)
      let inFlight = 0

      const seriesOf = (method: string, route: string): Series => {
        const verb = methods.has(method) ? method : "OTHER"
        const key = `${verb} ${route}`
        const known = series.get(key)
        if (known !== undefined) return known
        const labels = `method="${verb}",route="${route}"`
        const made = { labels, statuses: new Map<number, number>(), latency: makeHistogram(latencyBounds) }
        series.set(key, made)
        return made
      }

      const requests = (): string => {
        let counts = head("http_requests_total", "counter", "Requests answered.")
        let latencies = head("http_request_duration_seconds", "histogram", "Time to the response.")
        for (const { labels, latency, statuses } of series.values()) {
          for (const [status, count] of statuses)
            counts += `http_requests_total{${labels},status="${status}"} ${count}\n`
          latencies += latency.lines("http_request_duration_seconds", labels)
        }
        return counts + latencies
      }

      const limitHits = (): string => {
        let text = head("http_rate_limited_total", "counter", "Requests past a limit.")
        for (const [limit, count] of hits) text += `http_rate_limited_total{limit="${limit}"} ${count}\n`
        return text
      }

      const ofProcess = (): string => {
        const { heapUsed, rss } = process.memoryUsage()
        const { system, user } = process.cpuUsage()
        const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0)
        const text =
          single("http_requests_in_flight", "gauge", "Requests not answered yet.", inFlight) +
          single("process_resident_memory_bytes", "gauge", "Resident memory.", rss) +
          single("nodejs_heap_used_bytes", "gauge", "Heap in use.", heapUsed) +
          single("process_cpu_seconds_total", "counter", "Processor time.", (system + user) / 1e6) +
          single("nodejs_eventloop_lag_mean_seconds", "gauge", "Since the last scrape.", seconds(delay.mean)) +
          single("nodejs_eventloop_lag_p99_seconds", "gauge", "Since the last scrape.", seconds(delay.percentile(99)))
        delay.reset()
        return text
      }

      return HttpMetrics.of({
        began: () => {
          inFlight++
        },
        ended: (method, route, status, seconds) => {
          inFlight--
          const of = seriesOf(method, route)
          increment(of.statuses, status)
          of.latency.observe(seconds)
        },
        limited: (limit) => increment(hits, limit),
        settled: (orders) => batches.observe(orders),
        text: Effect.map(PrometheusMetrics.format(), (others) => {
          const sizes = head("settlement_batch_orders", "histogram", "Orders that were settled together.")
          return requests() + limitHits() + ofProcess() + sizes + batches.lines("settlement_batch_orders", "") + others
        })
      })
    })
  )
}
