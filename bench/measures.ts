/** The measurements and the lines that they report. */
import { execFile } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { viralListings } from "./data.ts"
import type { Sizes } from "./data.ts"
import type { Measured, Task } from "./load.ts"
import type { Server } from "./processes.ts"
import { pgbenchScript } from "./references/statement.ts"
import type { Line } from "./report.ts"
import { judged, median, rate, times } from "./report.ts"
import type { Sided } from "./report.ts"
import { cpuSeconds } from "./cpu.ts"
import type { Side, Work } from "./requests.ts"

export interface Bench {
  readonly sizes: Sizes
  readonly load: (task: Task) => Promise<Measured>
  readonly market: Server
  readonly reference: Server
  readonly folder: string
  readonly databaseUrl: string
  readonly databasePid: number
  readonly rounds: number
  /** The measurement of one side in one round. */
  readonly seconds: number
  /** The environment variables of every market server. */
  readonly environment: Readonly<Record<string, string>>
}

/** Enough connections to fill batches and to make the pool of 16 the limit. Searches use fewer, because their latency is measured. */
const connectionsFor = (work: Work): number => (work === "search" || work === "search2" ? 16 : 128)

/** The number of the next request for each kind of work and side, so that no purchase is requested twice. */
const positions = new Map<string, number>()

/** The number of the market's next purchase. */
export const nextPurchase = (): number => positions.get("buy market") ?? 0

/** The purchases before this number have been requested elsewhere. */
export const continuePurchases = (next: number): void => {
  positions.set("buy market", Math.max(next, nextPurchase()))
}

/** Starts the market's purchases at a random round, if a database has those of earlier runs. */
export const skipPurchases = ({ buyers, listings }: Sizes): void => {
  const rounds = Math.floor((listings - viralListings) / 4)
  positions.set("buy market", buyers * Math.floor(Math.random() * rounds))
}

export interface Costed extends Measured {
  readonly cpu: number | undefined
}

export const run = async (
  bench: Bench,
  work: Work,
  side: Side,
  more: Partial<Task> & { readonly server?: Server } = {}
): Promise<Costed> => {
  const { server = bench[side], ...task } = more
  const place = `${work} ${side}`
  const from = positions.get(place) ?? 0
  const used = () => cpuSeconds([server.pid, bench.databasePid]) ?? Number.NaN
  const before = used()
  const measured = await bench.load({
    work,
    side,
    sizes: bench.sizes,
    port: server.port,
    from,
    connections: connectionsFor(work),
    seconds: bench.seconds,
    ...task
  })
  // Also after failures: a request that failed may have made its purchase.
  positions.set(place, measured.next)
  if (measured.failures > 0)
    throw new Error(`${work} of ${side}: ${measured.failures} failed, first ${measured.firstFailure}`)
  const cpu = ((used() - before) / measured.requests) * 1e6
  return { ...measured, cpu: Number.isNaN(cpu) ? undefined : cpu }
}

const middle = (measured: ReadonlyArray<Costed>): Sided => ({
  perSecond: median(measured.map(({ perSecond }) => perSecond)),
  p99: median(measured.map(({ p99 }) => p99)),
  cpu: measured[0]?.cpu === undefined ? undefined : median(measured.map(({ cpu }) => cpu ?? 0))
})

export const none: Sided = { perSecond: 0, p99: 0, cpu: undefined }

interface Alternated {
  readonly sides: ReadonlyArray<Sided>
  /** The ratio of the first side to side `i`: the median over the rounds. Both halves of a round ran under the same load of the machine. */
  readonly ratio: (of: "perSecond" | "cpu", i: number) => number | undefined
}

/** Measures in rounds, in which the sides take turns. */
export const alternate = async (bench: Bench, sides: ReadonlyArray<() => Promise<Costed>>): Promise<Alternated> => {
  const results = sides.map((): Array<Costed> => [])
  for (let round = 0; round < bench.rounds; round++) {
    for (const [i, side] of sides.entries()) results[i]?.push(await side())
  }
  return {
    sides: results.map(middle),
    ratio: (of, i) => {
      const ratios = (results[0] ?? []).map(
        (first, round) => (first[of] ?? Number.NaN) / (results[i]?.[round]?.[of] ?? Number.NaN)
      )
      return ratios.some(Number.isNaN) ? undefined : median(ratios)
    }
  }
}

/** Warms up both servers: compiles hot code, opens the connections and authenticates every caller once. */
export const warmUp = async (bench: Bench): Promise<void> => {
  const requests = bench.sizes.buyers + bench.sizes.sellers
  for (const side of ["market", "reference"] as const) await run(bench, "skill", side, { requests, seconds: 60 })
}

/** The latency of a purchase at half of the highest rate, with requests sent at scheduled times. */
export const latency = async (bench: Bench, highest: number): Promise<Line> => {
  const half = Math.floor(highest / 2)
  const results = []
  for (let round = 0; round < bench.rounds; round++) {
    results.push(await run(bench, "buy", "market", { rate: half, connections: 2 * connectionsFor("buy") }))
  }
  const found = middle(results)
  const goal = { row: 8, value: found.p99, unit: "ms", below: 50 } as const
  return judged("p99 of a buy at half of its rate", { market: rate(found) }, goal)
}

/** PostgreSQL alone with one statement for each purchase; undefined if pgbench is not on the path. */
export const againstPgbench = async (bench: Bench, buy: Sided): Promise<Line | undefined> => {
  const script = join(bench.folder, "purchase.sql")
  await writeFile(script, pgbenchScript(bench.sizes))
  const jobs = String(Math.min(2, availableParallelism()))
  const args = [
    "-n",
    "-M",
    "prepared",
    "-c",
    "16",
    "-j",
    jobs,
    "-T",
    String(Math.max(3, Math.ceil(bench.seconds))),
    "-f",
    script,
    bench.databaseUrl
  ]
  const rates: Array<number> = []
  for (let round = 0; round < bench.rounds; round++) {
    const output = await promisify(execFile)("pgbench", args).catch(() => undefined)
    if (output === undefined) return undefined
    rates.push(Number(/^tps = ([\d.]+)/m.exec(output.stdout)?.[1]))
  }
  const ratio = buy.perSecond / median(rates)
  const reference = `${Math.round(median(rates)).toLocaleString("en")}/s`
  const goal = { row: 5, value: ratio, unit: "×", atLeast: 1 } as const
  return judged("buy, against pgbench's one statement", { reference, ratio: times(ratio) }, goal)
}
