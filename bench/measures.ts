/** What is measured, and what of it is told. */
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
import { median, rate, times } from "./report.ts"
import type { Side, Work } from "./requests.ts"

export interface Bench {
  readonly sizes: Sizes
  readonly load: (task: Task) => Promise<Measured>
  readonly market: Server
  readonly reference: Server
  readonly folder: string
  readonly databaseUrl: string
  readonly rounds: number
  /** Of one side in one round. */
  readonly seconds: number
  /** The environment in which every market server runs. */
  readonly environment: Readonly<Record<string, string>>
}

const connections = 64

/** Where the next request of a kind of work to a server goes on: no purchase is asked for twice. */
const positions = new Map<string, number>()

const run = async (
  bench: Bench,
  work: Work,
  side: Side,
  more: Partial<Task> & { readonly server?: Server } = {}
): Promise<Measured> => {
  const { server = bench[side], ...task } = more
  const place = `${work} ${server.port}`
  const from = positions.get(place) ?? 0
  const measured = await bench.load({
    work,
    side,
    sizes: bench.sizes,
    port: server.port,
    from,
    connections,
    seconds: bench.seconds,
    ...task
  })
  positions.set(place, measured.next)
  return measured
}

export interface Sided {
  readonly perSecond: number
  readonly p99: number
}

const middle = (measured: ReadonlyArray<Measured>): Sided => ({
  perSecond: median(measured.map(({ perSecond }) => perSecond)),
  p99: median(measured.map(({ p99 }) => p99))
})

/** Medians of rounds in which the sides take turns, after a short round of each that does not count. */
const alternate = async (
  bench: Bench,
  sides: ReadonlyArray<() => Promise<Measured>>
): Promise<ReadonlyArray<Sided>> => {
  const results = sides.map((): Array<Measured> => [])
  for (let round = 0; round < bench.rounds; round++) {
    for (const [i, side] of sides.entries()) results[i]?.push(await side())
  }
  return results.map(middle)
}

interface Comparison {
  readonly name: string
  readonly work: Work
  readonly title: string
  /** The reference's variants, each with the ratio that is wanted. */
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
  await run(bench, work, "market", { seconds: bench.seconds / 2 })
  await run(bench, work, "reference", { seconds: bench.seconds / 2 })
  const [market = { perSecond: 0, p99: 0 }, ...others] = await alternate(bench, sides)
  const lines = references.map((reference, i): Line => {
    const other = others[i] ?? market
    const ratio = market.perSecond / other.perSecond
    return {
      work: reference.title ?? title,
      market: i === 0 ? rate(market.perSecond, market.p99) : "",
      reference: rate(other.perSecond, other.p99),
      ratio: times(ratio),
      target: reference.least === undefined ? "" : `≥ ${reference.least} ×`,
      met: reference.least === undefined ? undefined : ratio >= reference.least
    }
  })
  return { lines, market }
}

const plain = (work: string, market: string, target: string, met: boolean): Line => ({
  work,
  market,
  reference: "",
  ratio: "",
  target,
  met
})

/** Beside rows 3 and 4: the viral item against the usual day. */
export const viralAgainstBuy = (buy: Sided, viral: Sided): Line => {
  const ratio = viral.perSecond / buy.perSecond
  return { ...plain("viral item against buy", "", "≥ 0.8 ×", ratio >= 0.8), ratio: times(ratio) }
}

/** At half of the highest rate, sent when due: what a buyer waits for. */
export const latency = async (bench: Bench, highest: number): Promise<Line> => {
  const half = Math.floor(highest / 2)
  const results = []
  for (let round = 0; round < bench.rounds; round++) {
    results.push(await run(bench, "buy", "market", { rate: half, connections: 4 * connections }))
  }
  const { p99, perSecond } = middle(results)
  return plain("p99 of a buy at half of its rate", rate(perSecond, p99), "< 50 ms", p99 < 50)
}

/** PostgreSQL alone, one statement for each purchase; undefined where there is no pgbench on the path. */
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
    String(Math.ceil(bench.seconds)),
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

/** From the start of the process to ready: with a database that runs, and with the embedded one on its second start. */
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

/** The cost of a purchase on a large ledger against that on a small one; every buyer has limits in every window. */
export const ledgerGrowth = async (bench: Bench, small: Server, large: Server, sizes: string): Promise<Line> => {
  const purchases = { requests: Math.ceil(4000 * bench.seconds), seconds: 120 }
  const side = (server: Server) => () => run(bench, "buy", "market", { server, ...purchases })
  await side(small)()
  await side(large)()
  const [onSmall, onLarge] = await alternate(bench, [side(small), side(large)])
  const ratio = (onSmall?.perSecond ?? 0) / (onLarge?.perSecond ?? 1)
  return {
    work: `cost of a buy, ledger of ${sizes} lines`,
    market: rate(onLarge?.perSecond ?? 0, onLarge?.p99 ?? 0),
    reference: rate(onSmall?.perSecond ?? 0, onSmall?.p99 ?? 0),
    ratio: times(ratio),
    target: "< 1.3 ×",
    met: ratio < 1.3
  }
}
