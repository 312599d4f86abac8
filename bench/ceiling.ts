/**
 * `npm run bench -- --only ceiling`: purchases per second against the primary's processors, the latency of commits and the size of batches, each
 * beside the simulation. The cluster is in memory, and `commit_delay` adds the latency: PostgreSQL sleeps for it before each flush of the WAL
 * while it holds the lock of the WAL, as if fsync took so long. One thing differs from a slow disk: commits that arrive meanwhile are
 * part of the same flush. The simulation models either.
 */
import { Database } from "@agent-marketplace/postgres/Database"
import { migrate } from "@agent-marketplace/postgres/migrate"
import type { Cost, Setup, Simulated } from "@agent-marketplace/fixtures/scale/simulatePrimary"
import { simulatePrimary } from "@agent-marketplace/fixtures/scale/simulatePrimary"
import { Effect, Redacted } from "effect"
import { availableParallelism, loadavg } from "node:os"
import { join } from "node:path"
import { Client } from "pg"
import type { Confinement } from "./confine.ts"
import { confine } from "./confine.ts"
import { cpuSeconds } from "./cpu.ts"
import type { Sizes } from "./data.ts"
import { fillCatalogue } from "./fill.ts"
import { fillLedger } from "./ledger.ts"
import { atEnd, memoryFolder, startDatabase, startLoad, startServer } from "./processes.ts"
import type { Line } from "./report.ts"
import { median, times } from "./report.ts"
import type { Settled, SettleRun, SettleTask } from "./settle.ts"
import { withSettlement } from "./settle.ts"

const sizes: Sizes = { buyers: 10_000, sellers: 1000, souls: 10, listings: 20_000 }
const filled = 200_000

const batchSizes = [1, 8, 64, 200] as const
const latencies = [1, 5, 20] as const
const processors = [0.5, 1, 2] as const
const usual = { batch: 64, inFlight: 8 } as const
const mostInFlight = 16

/** A message to the primary and back over the loopback, in milliseconds. */
const roundTrip = 0.1
/** Bytes in a millisecond: more than the cluster in memory ever gets. */
const noLimit = 1e9

interface Place {
  readonly url: string
  readonly pid: number
  readonly client: Client
  readonly confinement: Confinement | undefined
  readonly rounds: number
  readonly seconds: number
}

const number = (value: number, digits = 0): string =>
  value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })

const setSetting = async (client: Client, name: string, value: string | number): Promise<void> => {
  await client.query(`ALTER SYSTEM SET ${name} = '${value}'`)
  await client.query("SELECT pg_reload_conf()")
}

const setLatency = (client: Client, milliseconds: number): Promise<void> =>
  setSetting(client, "commit_delay", milliseconds * 1000)

const middle = (runs: ReadonlyArray<Settled>): Settled => {
  const of = (name: Exclude<keyof Settled, "waits">) => median(runs.map((run) => run[name]))
  return {
    purchases: of("purchases"),
    perSecond: of("perSecond"),
    p50: of("p50"),
    p99: of("p99"),
    database: of("database"),
    driver: of("driver"),
    thread: of("thread"),
    walBytes: of("walBytes"),
    waits: runs[Math.floor(runs.length / 2)]?.waits ?? new Map()
  }
}

const repeated = async ({ rounds, seconds }: Place, run: SettleRun, task: Omit<SettleTask, "seconds">) => {
  const runs: Array<Settled> = []
  for (let round = 0; round < rounds; round++) runs.push(await run({ ...task, seconds }))
  return middle(runs)
}

/** The line through costs of batches that has the least relative error. */
const fitted = (points: ReadonlyArray<{ readonly batch: number; readonly cost: number }>): Cost => {
  let [w, wx, wxx, wy, wxy] = [0, 0, 0, 0, 0]
  for (const { batch, cost } of points) {
    const weight = 1 / cost ** 2
    w += weight
    wx += weight * batch
    wxx += weight * batch ** 2
    wy += weight * cost
    wxy += weight * batch * cost
  }
  const perPurchase = (w * wxy - wx * wy) / (w * wxx - wx ** 2)
  return { perBatch: (wy - perPurchase * wx) / w, perPurchase }
}

interface Costs {
  readonly database: Cost
  readonly driver: Cost
  readonly walBytes: Cost
}

const milliseconds = (name: "database" | "driver", found: ReadonlyMap<number, Settled>): Cost =>
  fitted([...found].map(([batch, settled]) => ({ batch, cost: (settled[name] * batch) / 1000 })))

const costsOf = (found: ReadonlyMap<number, Settled>): Costs => ({
  database: milliseconds("database", found),
  driver: milliseconds("driver", found),
  walBytes: fitted([...found].map(([batch, { walBytes }]) => ({ batch, cost: walBytes * batch })))
})

interface Point extends Omit<SettleTask, "seconds"> {
  readonly processors: number
  readonly latency: number
}

/**
 * What the driver does, simulated: each of its loops submits the next batch when the last one is settled. Other programs slow down the
 * driver's one thread, by an amount that is measured in the same run.
 */
const simulated = (
  { batch, hot, inFlight, latency, processors: count }: Point,
  costs: Costs,
  slowdown: number
): Simulated => {
  const cost = { perBatch: costs.driver.perBatch * slowdown, perPurchase: costs.driver.perPurchase * slowdown }
  const setup: Setup = {
    seed: 1,
    milliseconds: 5000,
    database: {
      processors: count,
      cost: costs.database,
      contention: 0,
      walBytes: costs.walBytes,
      walBandwidth: noLimit
    },
    commit: { flush: "joins", milliseconds: latency },
    servers: { count: 1, cost, batchSize: batch, inFlight, roundTrip },
    sharedProcessors: availableParallelism(),
    load: { closed: batch * inFlight },
    hotPayer: hot === "payer" ? 1 : 0,
    hotItem: hot === "item" ? 1 : 0
  }
  return simulatePrimary(setup)
}

const waitsOf = ({ waits }: Settled): string =>
  [...waits]
    .slice(0, 3)
    .map(([name, share]) => `${name} ${Math.round(share * 100)} %`)
    .join(", ")

const pointLine = (point: Point, found: Settled, costs: Costs): Line => {
  const { perSecond } = simulated(point, costs, found.thread / found.driver)
  const hot = point.hot === undefined ? "" : `, one ${point.hot}`
  return {
    work: `${point.processors} processors, commit ${point.latency} ms, ${point.inFlight} × ${point.batch}${hot}`,
    market: `${number(found.perSecond)}/s  p50 ${number(found.p50)} ms  database ${number(found.database)} µs (${number((found.database * found.perSecond) / 1e6, 2)} processors)  driver ${number(found.driver)} µs (slowed ${number(found.thread / found.driver, 1)} ×)  ${waitsOf(found)}`,
    reference: `simulated ${number(perSecond)}/s`,
    ratio: times(perSecond / found.perSecond),
    target: "",
    met: undefined
  }
}

const text = (work: string, market: string): Line => ({
  work,
  market,
  reference: "",
  ratio: "",
  target: "",
  met: undefined
})

const costText = ({ perBatch, perPurchase }: Cost): string =>
  `${number(perBatch * 1000)} µs a batch + ${number(perPurchase * 1000)} µs a purchase`

/** With one processor: the driver has the other one. */
const measureBatches = async (place: Place, run: SettleRun): Promise<ReadonlyMap<number, Settled>> => {
  const found = new Map<number, Settled>()
  place.confinement?.limit(1)
  for (const batch of batchSizes) found.set(batch, await repeated(place, run, { batch, inFlight: usual.inFlight }))
  return found
}

const pointsOf = (confined: boolean): ReadonlyArray<Point> => [
  ...(confined ? processors : [availableParallelism()]).map((count) => ({ ...usual, processors: count, latency: 0 })),
  ...latencies.flatMap((latency) =>
    [2, usual.inFlight, mostInFlight].map((inFlight) => ({ batch: usual.batch, inFlight, processors: 1, latency }))
  ),
  { batch: 8, inFlight: 2, processors: 1, latency: 5 },
  { batch: 8, inFlight: 2, processors: 1, latency: 20 },
  { ...usual, processors: 1, latency: 0, hot: "item" },
  { ...usual, processors: 1, latency: 5, hot: "item" },
  { ...usual, processors: 1, latency: 20, hot: "item" },
  // One payer can buy each listing once.
  { ...usual, processors: 1, latency: 5, hot: "payer", purchases: 600 },
  { ...usual, processors: 1, latency: 20, hot: "payer", purchases: 600 }
]

/** Purchases right after a checkpoint, when the first change of each page writes the page: few, so that most of their pages are changed once. */
const measureWal = async (place: Place, run: SettleRun): Promise<ReadonlyArray<Line>> => {
  const { walBytes } = await repeated(place, run, usual)
  const lines = [text("WAL long after a checkpoint", `${number(walBytes)} bytes a purchase`)]
  for (const compression of ["off", "pglz"]) {
    await setSetting(place.client, "wal_compression", compression)
    await place.client.query("CHECKPOINT")
    const { walBytes: bytes } = await run({ ...usual, seconds: 60, purchases: 1024 })
    lines.push(text(`WAL right after a checkpoint, compression ${compression}`, `${number(bytes)} bytes a purchase`))
  }
  await setSetting(place.client, "wal_compression", "off")
  return lines
}

/** One server process with all of its work for a purchase: the request, the key, the limits, the response. */
const measureHttp = async (place: Place, folder: string): Promise<ReadonlyArray<Line>> => {
  const server = await startServer("market", folder, {
    NODE_ENV: "production",
    ADMIN_TOKEN: "benchmark-benchmark-benchmark-benchmark",
    DATABASE_URL: place.url,
    DATA_DIR: join(folder, "data"),
    LISTING_REVIEW: "auto",
    LOG_LEVEL: "info",
    LOG_FORMAT: "json"
  })
  const load = startLoad()
  const task = { side: "market", sizes, port: server.port, connections: 256 } as const
  await load({ ...task, work: "skill", from: 0, seconds: 60, requests: sizes.buyers + sizes.sellers })
  // The rounds before are those that the driver and the filled ledger have used.
  let from = sizes.buyers * 8000
  const lines: Array<Line> = []
  for (const latency of [0, 5, 20]) {
    await setLatency(place.client, latency)
    const found: Array<{
      readonly perSecond: number
      readonly p99: number
      readonly server: number
      readonly database: number
    }> = []
    for (let round = 0; round < place.rounds; round++) {
      const before = [cpuSeconds([server.pid]) ?? 0, cpuSeconds([place.pid]) ?? 0] as const
      const measured = await load({ ...task, work: "buy", from, seconds: place.seconds })
      from = measured.next
      const each = (pid: number, used: number) => (((cpuSeconds([pid]) ?? 0) - used) * 1e6) / measured.requests
      found.push({ ...measured, server: each(server.pid, before[0]), database: each(place.pid, before[1]) })
    }
    const of = (name: keyof (typeof found)[number]) => number(median(found.map((each) => each[name])))
    lines.push(
      text(
        `over HTTP, one server, commit ${latency} ms`,
        `${of("perSecond")}/s  p99 ${of("p99")} ms  server ${of("server")} µs  database ${of("database")} µs`
      )
    )
  }
  await setLatency(place.client, 0)
  await server.stop()
  return lines
}

const prepare = async (folder: string): Promise<Omit<Place, "rounds" | "seconds">> => {
  const data = join(folder, "database")
  const { pid, url } = await startDatabase(data)
  await Effect.runPromise(Effect.provide(migrate, Database.layer({ url: Redacted.make(url) })))
  const client = new Client({ connectionString: url })
  await client.connect()
  await fillCatalogue(client, sizes, Date.now())
  await fillLedger(client, sizes, 0, filled, 30)
  await client.query("VACUUM ANALYZE")
  await setSetting(client, "commit_siblings", 0)
  // A checkpoint in the middle of a measurement would write page images that the next measurement does not.
  await setSetting(client, "checkpoint_timeout", "1h")
  await setSetting(client, "max_wal_size", "8GB")
  await client.query("CHECKPOINT")
  // The primary may be a child of this process: it moves to its own group last.
  const own = confine(process.pid)
  if (own !== undefined) atEnd(async () => own.release())
  const confinement = confine(pid)
  if (confinement !== undefined) atEnd(async () => confinement.release())
  return { pid, url, client, confinement }
}

export const ceiling = async (rounds: number, seconds: number): Promise<ReadonlyArray<Line>> => {
  const folder = await memoryFolder()
  const place: Place = { ...(await prepare(folder)), rounds, seconds }
  const lines: Array<Line> = []
  const report = (...more: ReadonlyArray<Line>) => {
    for (const { market, reference, work } of more) console.error(`${work}: ${market} ${reference}`)
    lines.push(...more)
  }
  const confined = place.confinement !== undefined
  if (!confined) console.error("no control group can be made: the primary has all processors of this machine")
  try {
    await withSettlement(place.url, place.pid, place.client, sizes, mostInFlight, async (run) => {
      await run({ ...usual, seconds: 2 * seconds })
      const batches = await measureBatches(place, run)
      const costs = costsOf(batches)
      report(text("database", costText(costs.database)), text("driver", costText(costs.driver)))
      for (const [batch, found] of batches)
        report(pointLine({ batch, inFlight: usual.inFlight, processors: 1, latency: 0 }, found, costs))
      for (const point of pointsOf(confined)) {
        place.confinement?.limit(point.processors)
        await setLatency(place.client, point.latency)
        report(pointLine(point, await repeated(place, run, point), costs))
      }
      await setLatency(place.client, 0)
      place.confinement?.limit(undefined)
      report(...(await measureWal(place, run)))
    })
    report(...(await measureHttp(place, folder)))
  } finally {
    await place.client.end()
  }
  report(text("load of the machine at the end", number(loadavg()[0] ?? 0, 1)))
  return lines
}
