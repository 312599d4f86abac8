import { monitorEventLoopDelay } from "node:perf_hooks"
import { Context, Effect, Layer, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const residentMemory = gauge("process_resident_memory_bytes", "Resident memory.")
const heapUsed = gauge("nodejs_heap_used_bytes", "Heap in use.")
const processorTime = Metric.counter("process_cpu_seconds_total", { description: "Processor time." })
const lagMean = gauge("nodejs_eventloop_lag_mean_seconds", "Mean event loop delay since the last scrape or export.")
const lagP99 = gauge(
  "nodejs_eventloop_lag_p99_seconds",
  "99th percentile of the event loop delay since the last scrape or export."
)

const toSeconds = (nanoseconds: number): number => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0)

/** One registry for each market, so that two markets in one process do not add up. */
const registry = Layer.sync(Metric.MetricRegistry, () => new Map())

const eventLoopDelay = Effect.acquireRelease(
  Effect.sync(() => {
    const monitor = monitorEventLoopDelay({ resolution: 20 })
    monitor.enable()
    return monitor
  }),
  (monitor) => Effect.sync(() => monitor.disable())
)

const make = Effect.gen(function* () {
  const context = yield* Effect.context<never>()
  const delay = yield* eventLoopDelay
  let reported = 0
  const sample = () => {
    const memory = process.memoryUsage()
    const { system, user } = process.cpuUsage()
    residentMemory.updateUnsafe(memory.rss, context)
    heapUsed.updateUnsafe(memory.heapUsed, context)
    lagMean.updateUnsafe(toSeconds(delay.mean), context)
    lagP99.updateUnsafe(toSeconds(delay.percentile(99)), context)
    delay.reset()
    const total = (system + user) / 1e6
    processorTime.updateUnsafe(total - reported, context)
    reported = total
  }
  return ProcessMetrics.of({
    sample: Effect.sync(sample),
    text: Effect.sync(() => {
      sample()
      return PrometheusMetrics.formatUnsafe(context)
    })
  })
})

/** Every metric of one market and of the process that runs it. The alerts and the dashboard of `ops` depend on their names (SYSTEM-24). */
export class ProcessMetrics extends Context.Service<
  ProcessMetrics,
  {
    /** In Prometheus text format, sampled now. */
    readonly text: Effect.Effect<string>
    /** Updates the metrics of the process itself, for an export without a scrape. */
    readonly sample: Effect.Effect<void>
  }
>()("@agent-marketplace/telemetry/ProcessMetrics") {
  /** Also provides the market's own `MetricRegistry`: build the market's services over this layer. */
  static readonly layer = Layer.effect(ProcessMetrics, make).pipe(Layer.provideMerge(registry))
}

const batchSizes = Metric.histogram("settlement_batch_orders", {
  description: "Commands that were settled in one transaction.",
  boundaries: [1, 2, 4, 8, 16, 32, 64]
})

/** Counts the size of every batch that is passed to the store. */
export const SettlementMetrics = {
  layer: Layer.effect(
    SettlementStore,
    Effect.map(SettlementStore, (store) =>
      SettlementStore.of({
        ...store,
        settle: (commands) => Effect.andThen(Metric.update(batchSizes, commands.length), store.settle(commands))
      })
    )
  )
}
