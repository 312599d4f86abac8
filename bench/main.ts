/**
 * `npm run bench`: compares the market's server with plain reference implementations, on one database, in one run. `docs/performance.md`
 * explains it and shows the results, which a run with full sizes writes.
 *
 * `--only <name>` (repeatable) measures only that; `--quick` measures for a short time with little data; `--listings`, `--buyers` and `--ledger`
 * set the number of listings, of buyers and of ledger lines of the large and the audited ledger. `--write` writes the results of a run with
 * `--only` or `--peers` too; `--data <folder>` keeps the filled databases in that folder and reuses those of an earlier run; `--json <file>` writes them to another file. `--profile <folder>` writes a CPU profile of each market server.
 * `--peers` compares the market with Medusa and Vendure. `--own-code` instead compares the project's own code with what its libraries offer.
 * `--replicas` measures what reads cost the primary with and without two replicas. `--only ceiling`, `--only extrapolation` and `--only catalogue`
 * are not part of a run without `--only`: `docs/scale.md` shows their results.
 */
import { freePort } from "@agent-marketplace/http/server/freePort"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { loadavg } from "node:os"
import { join, resolve } from "node:path"
import { audits } from "./audit.ts"
import { catalogueGrowth } from "./catalogueGrowth.ts"
import { ceiling } from "./ceiling.ts"
import { chartOf } from "./chart.ts"
import { compare, comparisons, graphql, twoWords, viralAgainstBuy } from "./comparisons.ts"
import type { Sizes } from "./data.ts"
import {
  addReferences,
  createDatabase,
  fill,
  fillLedgers,
  fillMarket,
  firstPurchases,
  migrated,
  settle,
  withClient
} from "./databases.ts"
import type { Ledgers } from "./databases.ts"
import { extrapolation } from "./extrapolation.ts"
import { fillCatalogue } from "./fill.ts"
import { fillLedger } from "./ledger.ts"
import { clientSize, harnessStart } from "./libraries.ts"
import type { Bench } from "./measures.ts"
import { againstPgbench, latency, skipPurchases, warmUp } from "./measures.ts"
import { ownCode } from "./ownCode.ts"
import { peers } from "./peers/peers.ts"
import { withResults } from "./performancePage.ts"
import { endEverything, startDatabase, startLoad, startServer, temporaryFolder } from "./processes.ts"
import { few, flags, ledgerLines, names, serverNames, sizes, wanted } from "./options.ts"
import { neighbours, overload } from "./overload.ts"
import { replicas } from "./replicas.ts"
import type { Line, Sided } from "./report.ts"
import { machineFacts, machineOf, table } from "./report.ts"
import { currentCommit, mergeResults, readResults, writeResults } from "./results.ts"
import { besideScans, scanSpeed } from "./scans.ts"
import { ledgerGrowth, memory, processes, readiness } from "./servers.ts"
import { streams } from "./streams.ts"
import { tronScan } from "./tronScan.ts"
import { webhooks } from "./webhooks.ts"

const docs = join(import.meta.dirname, "../docs")

/** The file of the results, if this run writes them. */
const resultFile =
  flags.json ?? (flags.write || (flags.only === undefined && !flags.quick) ? join(docs, "performance.json") : undefined)
const earlier = resultFile === undefined ? undefined : readResults(resultFile)

const [load = 0] = loadavg()
const run = {
  date: new Date().toISOString(),
  commit: currentCommit(),
  load: Math.round(load * 10) / 10,
  sizes: { ...sizes, ledgerLines }
}
let postgres: string | undefined

/** Writes what was measured so far, so that an interrupted run keeps it. */
const keep = (lines: ReadonlyArray<Line>): void => {
  if (resultFile === undefined || earlier === undefined) return
  const results = mergeResults(earlier, run, machineOf(load, postgres), lines)
  writeResults(resultFile, results)
  if (flags.json !== undefined) return
  writeFileSync(join(docs, "performance.svg"), chartOf(results.targets))
  const page = join(docs, "performance.md")
  writeFileSync(page, withResults(readFileSync(page, "utf8"), results))
}

const say = (text: string) => console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${text}`)

const environmentIn = (folder: string): Record<string, string> => ({
  NODE_ENV: "production",
  ADMIN_TOKEN: "benchmark-benchmark-benchmark-benchmark",
  DATA_DIR: join(folder, "data"),
  LISTING_REVIEW: "auto",
  LOG_LEVEL: "info",
  LOG_FORMAT: "json",
  TRUSTED_PROXIES: "127.0.0.1",
  ...(flags.profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${resolve(flags.profile)}` })
})

const measureLedger = async (bench: Bench, copies: Ledgers): Promise<Line> => {
  const start = (url: string) => startServer("market", bench.folder, { ...bench.environment, DATABASE_URL: url })
  const [small, large] = [await start(copies.small), await start(copies.large)]
  const counts = [sizes.buyers + 2 * firstPurchases, ledgerLines].map((count) => count.toLocaleString("en"))
  const line = await ledgerGrowth(bench, small, large, `${counts[1]} against ${counts[0]}`)
  await small.stop()
  await large.stop()
  return line
}

/** Runs one measurement. If it fails, the table shows the error, and the other measurements still run. */
const attempt = async <A extends ReadonlyArray<Line>>(
  lines: Array<Line>,
  work: string,
  measure: () => Promise<A>
): Promise<void> => {
  say(work)
  try {
    lines.push(...(await measure()))
    keep(lines)
  } catch (error) {
    console.error(error)
    lines.push({ work, market: "failed", reference: "", ratio: "", target: "", met: false })
    process.exitCode = 1
  }
}

const measure = async (bench: Bench, lines: Array<Line>): Promise<void> => {
  const rates = new Map<string, Sided>()
  for (const comparison of comparisons) {
    const needed = comparison.name === "buy" ? wanted("buy", "latency", "pgbench") : wanted(comparison.name)
    if (!needed) continue
    await attempt(lines, comparison.title, async () => {
      const compared = await compare(bench, comparison)
      rates.set(comparison.name, compared.market)
      return compared.lines
    })
  }
  const buy = rates.get("buy")
  const viral = rates.get("viral")
  if (buy !== undefined && viral !== undefined) lines.push(viralAgainstBuy(buy, viral))
  if (buy !== undefined && wanted("pgbench")) {
    await attempt(lines, "pgbench", async () => [await againstPgbench(bench, buy)].filter((line) => line !== undefined))
  }
  if (buy !== undefined && wanted("latency")) {
    await attempt(lines, "latency at half of the rate", async () => [await latency(bench, buy.perSecond)])
  }
  if (wanted("graphql")) await attempt(lines, "GraphQL", async () => [await graphql(bench)])
  if (wanted("beside-scans")) await attempt(lines, "requests beside scans", () => besideScans(bench))
  if (wanted("overload")) await attempt(lines, "overload", () => overload(bench))
  if (wanted("neighbours")) await attempt(lines, "one account at full speed", () => neighbours(bench))
}

/** The measurements without a database. */
const measureLibraries = async (folder: string, lines: Array<Line>): Promise<void> => {
  if (wanted("client")) await attempt(lines, "size of the client", clientSize)
  if (wanted("scan")) await attempt(lines, "scan of 1,000 files", () => scanSpeed(flags.quick ? 3 : 7))
  if (wanted("harness")) await attempt(lines, "start of the harness", () => harnessStart(folder, flags.quick ? 3 : 5))
  if (!wanted("tron")) return
  const blocks = flags.quick ? 1000 : 6000
  await attempt(lines, "catching up on TRON", () => tronScan(join(folder, "tron"), blocks, 1))
  await attempt(lines, "catching up on TRON with three nodes", () =>
    tronScan(join(folder, "tron-nodes"), blocks, 3, 10)
  )
  await attempt(lines, "the same, with deposits in each block", () => tronScan(join(folder, "tron-all"), blocks, 3))
}

/** The measurements of `docs/scale.md`, only where they are named. */
const measureScale = async (folder: string, lines: Array<Line>): Promise<void> => {
  const named = (name: string) => flags.only?.includes(name) === true
  const [rounds, seconds] = flags.quick ? [3, 1] : [5, 3]
  if (named("ceiling")) await attempt(lines, "the ceiling of purchases", () => ceiling(rounds, seconds))
  if (named("extrapolation")) lines.push(...extrapolation())
  if (named("catalogue")) {
    await attempt(lines, "the growth of the catalogue", () =>
      catalogueGrowth(join(folder, "catalogue"), sizes.listings, flags.quick ? 1000 : 4000)
    )
  }
}

/** The measurements that start servers of their own on the filled database, or need none of its rows. */
const measureAlone = async (bench: Bench, lines: Array<Line>): Promise<void> => {
  const { databasePid, databaseUrl, folder } = bench
  if (wanted("processes")) await attempt(lines, "two server processes", () => processes(bench))
  if (wanted("memory")) {
    await attempt(lines, "memory", async () => [await memory(bench, flags.quick ? 40_000 : 1_000_000)])
  }
  if (wanted("streams")) {
    await attempt(lines, "streams", async () => {
      const url = await createDatabase(databaseUrl, "streams")
      return streams(folder, url, flags.quick ? 500 : 5000, flags.quick ? 5 : 30)
    })
  }
  if (wanted("webhooks")) {
    await attempt(lines, "webhooks", async () => {
      const url = await createDatabase(databaseUrl, "webhooks")
      return webhooks(url, databasePid, flags.quick ? 10_000 : 50_000)
    })
  }
  if (wanted("ready")) await attempt(lines, "time to ready", () => readiness(bench))
}

type Started = Omit<Bench, "market" | "reference" | "load">

const common = (folder: string): Pick<Bench, "folder" | "rounds" | "seconds" | "environment"> => ({
  folder,
  rounds: flags.quick ? 3 : 5,
  seconds: flags.quick ? 1 : 2,
  environment: environmentIn(folder)
})

/** Both servers on a filled database. */
const startServers = async (started: Started, databaseUrl: string): Promise<Pick<Bench, "market" | "reference">> => {
  const { environment, folder } = started
  const reference = await startServer("reference", folder, { DATABASE_URL: databaseUrl })
  const market = await startServer("market", folder, { ...environment, DATABASE_URL: databaseUrl })
  return { reference, market }
}

const stopServers = async ({ market, reference }: Pick<Bench, "market" | "reference">): Promise<void> => {
  await market.stop()
  await reference.stop()
}

/** Searches of two words among few listings, if the other database has many. */
const measureFew = async (bench: Bench, lines: Array<Line>): Promise<void> => {
  if (!wanted("search2") || sizes.listings <= few.listings) return
  await attempt(lines, "search, two words, few listings", async () => {
    const url = await createDatabase(bench.databaseUrl, "few")
    await fill(url, few)
    await addReferences(url)
    const small: Bench = { ...bench, ...(await startServers(bench, url)), databaseUrl: url, sizes: few }
    await warmUp(small)
    const { lines: found } = await compare(small, { ...twoWords, title: "search, two words, 10,000 listings" })
    await stopServers(small)
    return found
  })
}

/** The measurements with a database. */
const measureServers = async (folder: string, lines: Array<Line>): Promise<void> => {
  const isKept = flags.data !== undefined
  const cluster = flags.data === undefined ? join(folder, "database") : resolve(flags.data)
  const { pid: databasePid, url: databaseUrl } = await startDatabase(cluster)
  say(`filling: ${sizes.listings} listings, ${sizes.souls} souls, ${sizes.buyers} buyers, ${sizes.sellers} sellers`)
  await fillMarket(databaseUrl, sizes, isKept)
  const copies = wanted("ledger", "audit")
    ? (say(`filling a ledger of ${ledgerLines} lines`), await fillLedgers(databaseUrl, sizes, ledgerLines, isKept))
    : undefined
  if (isKept) skipPurchases(sizes)
  if (copies !== undefined && wanted("audit")) {
    await attempt(lines, "audits of a long ledger", () =>
      withClient(copies.large, (client) => audits(copies.large, client, sizes))
    )
  }
  postgres = await addReferences(databaseUrl)
  say("starting")
  const started: Started = { ...common(folder), sizes, databaseUrl, databasePid }
  const bench: Bench = { ...started, ...(await startServers(started, databaseUrl)), load: startLoad() }
  await warmUp(bench)
  await measure(bench, lines)
  await stopServers(bench)
  await measureFew(bench, lines)
  if (copies !== undefined && wanted("ledger"))
    await attempt(lines, "the large ledger", async () => [await measureLedger(bench, copies)])
  await measureAlone(bench, lines)
}

const measurePeers = async (folder: string, lines: Array<Line>): Promise<void> => {
  const { pid: databasePid, url: databaseUrl } = await startDatabase(join(folder, "database"))
  await fill(databaseUrl, sizes)
  postgres = await addReferences(databaseUrl)
  const started: Started = { ...common(folder), sizes, databaseUrl, databasePid }
  const bench: Bench = { ...started, ...(await startServers(started, databaseUrl)), load: startLoad() }
  await warmUp(bench)
  for (const peer of peers) {
    await attempt(lines, peer.name, async () => {
      const port = await Effect.runPromise(freePort("127.0.0.1"))
      return peer.measure(bench, sizes.listings, port)
    })
  }
}

const measureOwnCode = async (folder: string): Promise<void> => {
  const { url } = await startDatabase(join(folder, "database"))
  const some: Sizes = { buyers: 2000, sellers: 200, souls: 100, listings: 10_000 }
  await migrated(url)
  await withClient(url, async (client) => {
    await fillCatalogue(client, some, Date.now())
    await fillLedger(client, some, 0, 20_000, 30)
    await settle(client)
    await ownCode(url, client, some)
  })
  console.log(`${machineFacts(machineOf(load, undefined))}`)
}

const main = async (): Promise<void> => {
  const unknown = (flags.only ?? []).filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`--only takes ${names.join(", ")}; not ${unknown.join(", ")}`)
  const folder = await temporaryFolder()
  if (flags["own-code"]) return measureOwnCode(folder)
  if (flags.replicas) return replicas(folder, flags.quick ? 1000 : 5000)
  const lines: Array<Line> = []
  if (flags.peers) await measurePeers(folder, lines)
  else {
    await measureLibraries(folder, lines)
    await measureScale(folder, lines)
    if (wanted(...serverNames)) await attempt(lines, "servers", () => measureServers(folder, lines).then(() => []))
  }
  console.log(`\n${table(lines)}\n\n${machineFacts(machineOf(load, postgres))}\n`)
}

let isInterrupted = false

const interrupted = (signal: NodeJS.Signals) => {
  isInterrupted = true
  void endEverything().finally(() => process.exit(signal === "SIGINT" ? 130 : 143))
}
process.once("SIGINT", interrupted)
process.once("SIGTERM", interrupted)

await main()
  .catch((error: unknown) => {
    // An interrupted measurement always fails, so the error is not printed.
    if (!isInterrupted) console.error(error)
    process.exitCode = 1
  })
  .finally(endEverything)
