import type { Sample } from "./prometheus.ts"

/** What one process counted since its start. */
export interface Counters {
  /** Responses by the first digit of their status. */
  readonly responses: ReadonlyMap<string, number>
  /** Responses by the seconds that they took at most. */
  readonly latencies: ReadonlyMap<number, number>
}

/** What the charts need of one reading of the metrics. */
export interface Measurement {
  /** In milliseconds since 1970. */
  readonly at: number
  /** The current values by the name of their metric. With several processes, the sum if the name is in {@link ofEachProcess}, else the highest. */
  readonly gauges: ReadonlyMap<string, number>
  /** By the label `process` (SYSTEM-20); a process without that label is "". */
  readonly processes: ReadonlyMap<string, Counters>
}

/** Values that each process has of its own. The others describe the whole market, and every process reports the value that it read last. */
const ofEachProcess: ReadonlySet<string> = new Set([
  "http_requests_in_flight",
  "live_streams_open",
  "nodejs_heap_used_bytes",
  "process_resident_memory_bytes"
])

const add = <K>(sums: Map<K, number>, key: K, value: number): void => {
  sums.set(key, (sums.get(key) ?? 0) + value)
}

export const measurementOf = (at: number, samples: ReadonlyArray<Sample>): Measurement => {
  const gauges = new Map<string, number>()
  const processes = new Map<string, { responses: Map<string, number>; latencies: Map<number, number> }>()
  const countersOf = (process: string) => {
    const counters = processes.get(process) ?? { responses: new Map(), latencies: new Map() }
    processes.set(process, counters)
    return counters
  }
  for (const { labels, name, value } of samples) {
    const { process = "", ...others } = labels
    if (name === "http_requests_total") add(countersOf(process).responses, others["status"]?.[0] ?? "", value)
    else if (name === "http_request_duration_seconds_bucket") {
      const { le = "" } = others
      const seconds = le === "+Inf" ? Infinity : Number(le)
      if (le !== "" && !Number.isNaN(seconds)) add(countersOf(process).latencies, seconds, value)
    } else if (Object.keys(others).length === 0 && Number.isFinite(value)) {
      if (ofEachProcess.has(name)) add(gauges, name, value)
      else gauges.set(name, Math.max(value, gauges.get(name) ?? -Infinity))
    }
  }
  return { at, gauges, processes }
}

const isRestart = (before: Counters, after: Counters): boolean =>
  [...before.responses].some(([status, count]) => (after.responses.get(status) ?? 0) < count)

const none: Counters = { responses: new Map(), latencies: new Map() }

/**
 * The counters of the processes that ran throughout: one that started in between is included from its next measurement on. Before the first
 * response, no process has counters.
 */
const pairsOf = (before: Measurement | undefined, after: Measurement) =>
  [...after.processes].flatMap(([process, now]) => {
    const earlier = before?.processes.size === 0 ? none : before?.processes.get(process)
    return earlier === undefined || isRestart(earlier, now) ? [] : [{ earlier, now }]
  })

/** Responses in each second between two measurements, by the first digits of the status; null if no process ran throughout. */
export const rateOf = (before: Measurement | undefined, after: Measurement, digits: string): number | null => {
  const pairs = pairsOf(before, after)
  if (before === undefined || after.at <= before.at || pairs.length === 0) return null
  const count = pairs
    .flatMap(({ earlier, now }) =>
      [...digits].map((digit) => (now.responses.get(digit) ?? 0) - (earlier.responses.get(digit) ?? 0))
    )
    .reduce((sum, increase) => sum + increase, 0)
  return (1000 * count) / (after.at - before.at)
}

/**
 * The seconds within which this part of the responses between two measurements was sent, interpolated within its bucket. Beyond the largest
 * bound it is that bound. Null if there was no response.
 */
export const quantileOf = (before: Measurement | undefined, after: Measurement, part: number): number | null => {
  const sums = new Map<number, number>()
  for (const { earlier, now } of pairsOf(before, after)) {
    for (const [seconds, count] of now.latencies) add(sums, seconds, count - (earlier.latencies.get(seconds) ?? 0))
  }
  const counts = [...sums].toSorted(([a], [b]) => a - b)
  const rank = part * (counts.at(-1)?.[1] ?? 0)
  if (rank <= 0) return null
  const found = counts.findIndex(([, count]) => count >= rank)
  const [upper = Infinity, count = 0] = counts[found] ?? []
  const [lower, below] = counts[found - 1] ?? [0, 0]
  if (upper === Infinity) return lower
  return count === below ? upper : lower + ((upper - lower) * (rank - below)) / (count - below)
}
