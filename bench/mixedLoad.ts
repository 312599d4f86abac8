/** A load generator's process for several sources at once, whose requests may be refused. It runs one task after the other for its parent. */
import type { Priority } from "@agent-marketplace/api/access/LoadPriority"
import { constants, setPriority } from "node:os"
import { fileURLToPath } from "node:url"
import { tokenOf } from "./data.ts"
import type { Sizes } from "./data.ts"
import { Connection, percentile } from "./load.ts"
import { mixedCycle, requestsFor } from "./requests.ts"
import type { Requests, Work } from "./requests.ts"

export interface Source {
  /** `mix`: reads, purchases and changes of policies by all buyers. `noise`: reads by one account. */
  readonly kind: "mix" | "noise"
  readonly connections: number
  /** Requests per second, each sent at its scheduled time. If absent, each connection sends the next request after the response. */
  readonly rate?: number
  readonly startSeconds: number
  readonly seconds: number
}

export interface MixedTask {
  readonly port: number
  readonly sizes: Sizes
  /** The number of the first request. */
  readonly from: number
  readonly sources: ReadonlyArray<Source>
}

export interface PriorityResult {
  readonly priority: Priority
  readonly accepted: number
  readonly refused: number
  /** The latencies of accepted requests, in milliseconds. */
  readonly p50: number
  readonly p99: number
}

export interface SourceResult {
  /** Accepted requests per second. */
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly byPriority: ReadonlyArray<PriorityResult>
  /** When the last request was refused or took longer than 200 ms, in seconds after the source started; 0 if none was. */
  readonly lastLate: number
  /** Responses other than 2xx and 503, with the first of them. */
  readonly failures: number
  readonly firstFailure: string
}

export interface MixedResult {
  readonly next: number
  readonly sources: ReadonlyArray<SourceResult>
}

/** How long before its start a source opens its connections, a few at a time. */
const openingMillis = 4000

/** A response that takes longer is late, in milliseconds. */
const lateMillis = 200

interface Numbered {
  readonly priority: Priority
  readonly text: string
}

const reads: ReadonlyArray<Work> = ["soul", "skill", "souls", "search", "soul", "skill", "soul", "search2"]

const mixOf = (sizes: Sizes): ((n: number) => Numbered) => {
  const read = reads.map((work): Requests => requestsFor(work, "market", sizes))
  const buy = requestsFor("buy", "market", sizes)
  const body = JSON.stringify({ perTransactionLimit: 100_000 })
  const control: Requests = (n) =>
    `PATCH /api/v1/wallet/policy HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${tokenOf(sizes.sellers + (n % sizes.buyers))}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const { purchases, requests } = mixedCycle
  const firstPurchase = requests - 1 - purchases
  return (n) => {
    const [cycle, place] = [Math.floor(n / requests), n % requests]
    if (place === requests - 1) return { priority: "control", text: control(cycle) }
    // Purchases are numbered without gaps, so that all buyers and listings take turns.
    if (place >= firstPurchase) return { priority: "money", text: buy(cycle * purchases + place - firstPurchase) }
    return { priority: "read", text: read[n % reads.length]?.(n) ?? "" }
  }
}

/** Operations without a limit of their own, which an account without an hourly limit may call as fast as it can. */
const unlimited: ReadonlyArray<Work> = ["skill", "search", "skill", "search2"]

/** All by the same account. */
const noiseOf = (sizes: Sizes): ((n: number) => Numbered) => {
  const read = unlimited.map((work): Requests => requestsFor(work, "market", sizes))
  const key = `Bearer ${tokenOf(sizes.sellers)}`
  return (n) => ({
    priority: "read",
    text: (read[n % unlimited.length]?.(n) ?? "").replace(/Bearer \S+/, key)
  })
}

interface Sample {
  readonly priority: Priority
  readonly accepted: boolean
  readonly at: number
  readonly millis: number
}

const summary = (samples: ReadonlyArray<Sample>) => {
  const sorted = Float64Array.from(samples.filter(({ accepted }) => accepted).map(({ millis }) => millis)).sort()
  return { accepted: sorted.length, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
}

const resultOf = (
  samples: ReadonlyArray<Sample>,
  { seconds }: Source,
  begun: number,
  failures: ReadonlyArray<string>
): SourceResult => {
  const { accepted, p50, p99 } = summary(samples)
  const late = samples.filter((sample) => !sample.accepted || sample.millis > lateMillis)
  return {
    perSecond: accepted / seconds,
    p50,
    p99,
    byPriority: (["control", "money", "read"] as const).map((priority) => {
      const own = samples.filter((sample) => sample.priority === priority)
      return { priority, refused: own.filter((sample) => !sample.accepted).length, ...summary(own) }
    }),
    lastLate: Math.max(0, ...late.slice(-1).map(({ at }) => (at - begun) / 1000)),
    failures: failures.length,
    firstFailure: failures[0] ?? ""
  }
}

/** Runs one source. Resolves after the response to its last request. */
const runSource = (
  port: number,
  source: Source,
  requestOf: (n: number) => Numbered,
  next: () => number
): Promise<SourceResult> =>
  new Promise((resolve) => {
    const samples: Array<Sample> = []
    const failures: Array<string> = []
    const pending = new Map<Connection, Priority>()
    const idle: Array<Connection> = []
    const begun = performance.now() + source.startSeconds * 1000
    const until = begun + source.seconds * 1000
    let sent = 0

    const dueAt = (now: number) => (source.rate === undefined ? now : begun + (sent * 1000) / source.rate)
    const give = (connection: Connection, now: number): boolean => {
      const due = dueAt(now)
      if (now < begun || due > now || due >= until) return false
      const { priority, text } = requestOf(next())
      sent++
      pending.set(connection, priority)
      connection.send(text, due)
      return true
    }
    const finish = () => {
      clearInterval(timer)
      for (const connection of connections) connection.close()
      resolve(resultOf(samples, source, begun, failures))
    }
    const answered = (connection: Connection, status: number, text: string) => {
      const now = performance.now()
      const priority = pending.get(connection) ?? "read"
      pending.delete(connection)
      const accepted = status >= 200 && status < 300
      if (accepted || status === 503) samples.push({ priority, accepted, at: now, millis: now - connection.sentAt })
      else failures.push(text)
      if (status === 0) return finish()
      if (!give(connection, now)) idle.push(connection)
    }
    const connections: Array<Connection> = []
    const open = (some: number) => {
      for (let n = 0; n < some && connections.length < source.connections; n++) {
        const opened = new Connection(port, answered)
        connections.push(opened)
        idle.push(opened)
      }
    }
    const pump = () => {
      const now = performance.now()
      if (now < begun - openingMillis) return
      open(now < begun ? 2 : source.connections)
      // The longest idle connection first: the server closes connections that send nothing.
      for (let next = idle.shift(); next !== undefined; next = idle.shift()) {
        if (give(next, now)) continue
        idle.unshift(next)
        break
      }
      if (pending.size === 0 && now >= begun && dueAt(now) >= until) finish()
    }
    const timer = setInterval(pump, 1)
  })

/** Real clients have processors of their own: this one does not wait for the server's, where that is permitted. */
const goFirst = (): void => {
  try {
    setPriority(constants.priority.PRIORITY_HIGHEST)
  } catch {
    console.warn("the load generator has no precedence: its own delays count as the server's")
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  goFirst()
  process.on("message", ({ from, port, sizes, sources }: MixedTask) => {
    const kinds = { mix: mixOf(sizes), noise: noiseOf(sizes) }
    let number = from
    const next = () => number++
    void Promise.all(sources.map((source) => runSource(port, source, kinds[source.kind], next))).then((results) =>
      process.send?.({ next: number, sources: results } satisfies MixedResult)
    )
  })
  process.on("disconnect", () => process.exit())
}
