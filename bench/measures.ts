/** The measurements and the lines that they report. */
import { execFile } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Sizes } from "./data.ts"
import type { Measured, Task } from "./load.ts"
import type { Server } from "./processes.ts"
import { startServer } from "./processes.ts"
import { pgbenchScript } from "./references/statement.ts"
import type { Line } from "./report.ts"
import { median, plain, rate, times } from "./report.ts"
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

/** The number of the next request for each kind of work and server, so that no purchase is requested twice. */
const positions = new Map<string, number>()

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
  const place = `${work} ${server.port}`
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
  positions.set(place, measured.next)
  const cpu = ((used() - before) / measured.requests) * 1e6
  return { ...measured, cpu: Number.isNaN(cpu) ? undefined : cpu }
}

const middle = (measured: ReadonlyArray<Costed>): Sided => ({
  perSecond: median(measured.map(({ perSecond }) => perSecond)),
  p99: median(measured.map(({ p99 }) => p99)),
  cpu: measured[0]?.cpu === undefined ? undefined : median(measured.map(({ cpu }) => cpu ?? 0))
})

const none: Sided = { perSecond: 0, p99: 0, cpu: undefined }

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

interface Comparison {
  readonly name: string
  readonly work: Work
  readonly title: string
  /** The variants of the reference, each with the required ratio. */
  readonly references: ReadonlyArray<{ readonly variant?: string; readonly title?: string; readonly least?: number }>
}

export const comparisons: ReadonlyArray<Comparison> = [
  { name: "soul", work: "soul", title: "soul detail", references: [{ least: 1.2 }] },
  { name: "souls", work: "souls", title: "souls, list of 50", references: [{ least: 2 }] },
  { name: "skill", work: "skill", title: "skill detail", references: [{ least: 1.2 }] },
  { name: "search", work: "search", title: "search, a common word", references: [{}] },
  { name: "search2", work: "search2", title: "search, two words", references: [{}] },
  { name: "feed", work: "feed", title: "activity feed", references: [{ least: 3 }] },
  {
    name: "buy",
    work: "buy",
    title: "buy",
    references: [{ least: 2 }, { variant: "/fee", title: "buy, one fee row credited", least: 2 }]
  },
  {
    name: "viral",
    work: "viral",
    title: "buy, one viral item",
    references: [{ least: 5 }, { variant: "/fee", title: "buy, one viral item, one fee row credited" }]
  }
]

export const compare = async (
  bench: Bench,
  { references, title, work }: Comparison
): Promise<{ readonly lines: ReadonlyArray<Line>; readonly market: Sided }> => {
  const sides = [
    () => run(bench, work, "market"),
    ...references.map(
      ({ variant = "" }) =>
        () =>
          run(bench, work, "reference", { variant })
    )
  ]
  await run(bench, work, "market")
  await run(bench, work, "reference", { seconds: bench.seconds / 2 })
  const { ratio, sides: found } = await alternate(bench, sides)
  const market = found[0] ?? none
  const lines = references.map((reference, i): Line => {
    const rates = ratio("perSecond", i + 1) ?? 0
    const costs = ratio("cpu", i + 1)
    return {
      work: reference.title ?? title,
      market: i === 0 ? rate(market) : "",
      reference: rate(found[i + 1] ?? none),
      ratio: times(rates) + (costs === undefined ? "" : `  cpu ${times(1 / costs)}`),
      target: reference.least === undefined ? "" : `≥ ${reference.least} ×`,
      met: reference.least === undefined ? undefined : rates >= reference.least
    }
  })
  return { lines, market }
}

/** Compares purchases of one viral item with purchases of many items. */
export const viralAgainstBuy = (buy: Sided, viral: Sided): Line => {
  const ratio = viral.perSecond / buy.perSecond
  return { ...plain("viral item against buy", "", "≥ 0.8 ×", ratio >= 0.8), ratio: times(ratio) }
}

/** The latency of a purchase at half of the highest rate, with requests sent at scheduled times. */
export const latency = async (bench: Bench, highest: number): Promise<Line> => {
  const half = Math.floor(highest / 2)
  const results = []
  for (let round = 0; round < bench.rounds; round++) {
    results.push(await run(bench, "buy", "market", { rate: half, connections: 2 * connectionsFor("buy") }))
  }
  const found = middle(results)
  return plain("p99 of a buy at half of its rate", rate(found), "< 50 ms", found.p99 < 50)
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
  return {
    work: "buy, against pgbench's one statement",
    market: "",
    reference: `${Math.round(median(rates)).toLocaleString("en")}/s`,
    ratio: times(ratio),
    target: "≥ 1 ×",
    met: ratio >= 1
  }
}

/** Resident memory after many requests, and whether it still grows. */
export const memory = async (bench: Bench, requests: number): Promise<Line> => {
  const half = { requests: Math.ceil(requests / 2), seconds: 600 }
  await run(bench, "soul", "market", half)
  const first = bench.market.memory()
  await run(bench, "souls", "market", { ...half, requests: Math.ceil(requests / 10) })
  await run(bench, "soul", "market", half)
  const last = bench.market.memory()
  const told = `${first.toFixed(0)} MB, then ${last.toFixed(0)} MB`
  return plain(`memory after ${requests.toLocaleString("en")} more requests`, told, "< 300 MB", last < 300)
}

/** The time from process start to ready: with a running database, and with the embedded one on its second start. */
export const readiness = async (bench: Bench): Promise<ReadonlyArray<Line>> => {
  const startTimes = async (environment: Readonly<Record<string, string>>) => {
    const found: Array<number> = []
    for (let start = 0; start <= bench.rounds; start++) {
      const server = await startServer("market", bench.folder, { ...bench.environment, ...environment })
      if (start > 0) found.push(server.readyMillis)
      await server.stop()
    }
    return median(found) / 1000
  }
  const external = await startTimes({ DATABASE_URL: bench.databaseUrl })
  const embedded = await startTimes({ DATABASE_URL: "", DATA_DIR: join(bench.folder, "embedded") })
  return [
    plain("ready, external database", `${external.toFixed(2)} s`, "< 1.5 s", external < 1.5),
    plain("ready, embedded database, second start", `${embedded.toFixed(2)} s`, "< 4 s", embedded < 4)
  ]
}

/** Compares the cost of a purchase on a large ledger with that on a small one. Every buyer has limits in every window. */
export const ledgerGrowth = async (bench: Bench, small: Server, large: Server, sizes: string): Promise<Line> => {
  const purchases = { requests: Math.ceil(4000 * bench.seconds), seconds: 120 }
  for (const server of [small, large]) {
    await run(bench, "skill", "market", { server, requests: bench.sizes.sellers + bench.sizes.buyers, seconds: 60 })
  }
  const side = (server: Server) => () => run(bench, "buy", "market", { server, ...purchases })
  await side(small)()
  await side(large)()
  const { ratio: ratioOf, sides } = await alternate(bench, [side(small), side(large)])
  const [onSmall = none, onLarge = none] = sides
  const ratio = ratioOf("perSecond", 1) ?? 0
  return {
    work: `cost of a buy, ledger of ${sizes} lines`,
    market: rate(onLarge),
    reference: rate(onSmall),
    ratio: times(ratio),
    target: "< 1.3 ×",
    met: ratio < 1.3
  }
}
