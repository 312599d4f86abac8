/**
 * `npm run bench`: compares the market's server with plain reference implementations, on one database, in one run.
 *
 * `--only <name>` (repeatable) measures only that; `--quick` measures for a short time with little data; `--listings` and `--ledger` set the
 * number of listings and of ledger lines of the large and the audited ledger; `--profile <folder>` writes a CPU profile of each market server.
 * `--own-code` instead compares the project's own code with what its libraries offer. `--replicas` measures what reads cost the primary with and
 * without two replicas.
 */
import { Database } from "@agent-marketplace/postgres/Database"
import { migrate } from "@agent-marketplace/postgres/migrate"
import { Effect, Redacted } from "effect"
import { loadavg } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { Client } from "pg"
import { audits } from "./audit.ts"
import type { Sizes } from "./data.ts"
import { fillCatalogue } from "./fill.ts"
import { fillLedger, limitEverybody } from "./ledger.ts"
import { clientSize, harnessStart } from "./libraries.ts"
import type { Bench } from "./measures.ts"
import {
  againstPgbench,
  compare,
  comparisons,
  latency,
  ledgerGrowth,
  memory,
  readiness,
  viralAgainstBuy,
  warmUp
} from "./measures.ts"
import { ownCode } from "./ownCode.ts"
import { endEverything, startDatabase, startLoad, startServer, temporaryFolder } from "./processes.ts"
import { referenceTables } from "./references/buy.ts"
import type { Line, Sided } from "./report.ts"
import { replicas } from "./replicas.ts"
import { machineFacts, table } from "./report.ts"
import { besideScans, scanSpeed } from "./scans.ts"
import { streams } from "./streams.ts"
import { tronScan } from "./tronScan.ts"
import { webhooks } from "./webhooks.ts"

const { values: flags } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    quick: { type: "boolean", default: false },
    "own-code": { type: "boolean", default: false },
    replicas: { type: "boolean", default: false },
    listings: { type: "string" },
    ledger: { type: "string" },
    profile: { type: "string" }
  }
})

const serverNames = [
  "ready",
  ...comparisons.map(({ name }) => name),
  "pgbench",
  "latency",
  "memory",
  "ledger",
  "audit",
  "webhooks",
  "streams",
  "beside-scans"
]
const names = ["client", "harness", "scan", "tron", ...serverNames]
const wanted = (...some: ReadonlyArray<string>) =>
  flags.only === undefined || some.some((name) => flags.only?.includes(name))

const sizes: Sizes = {
  buyers: flags.quick ? 2000 : 10_000,
  sellers: flags.quick ? 200 : 1000,
  souls: flags.quick ? 2000 : 10_000,
  listings: Number(flags.listings ?? (flags.quick ? 10_000 : 100_000))
}
const ledgerLines = Number(flags.ledger ?? (flags.quick ? 100_000 : 1_000_000))

/** Each deposit is one posting, each purchase two. */
const firstPurchases = 5000

const say = (text: string) => console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${text}`)

const withClient = async <A>(url: string, use: (client: Client) => Promise<A>): Promise<A> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

const settle = async (client: Client) => {
  await client.query("VACUUM ANALYZE")
  await client.query("CHECKPOINT")
}

const fill = async (url: string): Promise<void> => {
  await Effect.runPromise(Effect.provide(migrate, Database.layer({ url: Redacted.make(url) })))
  await withClient(url, async (client) => {
    await fillCatalogue(client, sizes, Date.now())
    await fillLedger(client, sizes, 0, firstPurchases, 1)
  })
}

/** Two copies of the filled database, one of them with a long history. */
const ledgers = async (url: string): Promise<{ readonly small: string; readonly large: string }> => {
  const of = (name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href
  await withClient(of("postgres"), async (client) => {
    for (const name of ["ledger_small", "ledger_large"]) await client.query(`CREATE DATABASE ${name} TEMPLATE market`)
  })
  const most = Math.floor((ledgerLines - sizes.buyers) / 2)
  const copies = { small: of("ledger_small"), large: of("ledger_large") }
  await withClient(copies.large, (client) => fillLedger(client, sizes, firstPurchases, most, 30))
  for (const copy of [copies.small, copies.large]) {
    await withClient(copy, async (client) => {
      await limitEverybody(client)
      await settle(client)
    })
  }
  return copies
}

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

const measureLedger = async (
  bench: Bench,
  copies: { readonly small: string; readonly large: string }
): Promise<Line> => {
  const start = (url: string) => startServer("market", bench.folder, { ...bench.environment, DATABASE_URL: url })
  const [small, large] = [await start(copies.small), await start(copies.large)]
  const counts = [sizes.buyers + 2 * firstPurchases, ledgerLines].map((count) => count.toLocaleString("en"))
  const line = await ledgerGrowth(bench, small, large, `${counts[1]} against ${counts[0]}`)
  await small.stop()
  await large.stop()
  return line
}

const measureAudits = async (databaseUrl: string): Promise<ReadonlyArray<Line>> => {
  const at = (name: string) => Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href
  await withClient(at("postgres"), (client) => client.query("CREATE DATABASE audits TEMPLATE market"))
  return withClient(at("audits"), (client) => audits(at("audits"), client, sizes, ledgerLines, settle))
}

/** Runs one measurement. If it fails, the table shows the error, and the other measurements still run. */
const attempt = async (lines: Array<Line>, work: string, run: () => Promise<ReadonlyArray<Line>>): Promise<void> => {
  say(work)
  try {
    lines.push(...(await run()))
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
  if (wanted("beside-scans")) await attempt(lines, "requests beside scans", () => besideScans(bench))
  if (wanted("memory")) {
    await attempt(lines, "memory", async () => [await memory(bench, flags.quick ? 20_000 : 200_000)])
  }
}

/** The measurements without a database. */
const measureLibraries = async (folder: string, lines: Array<Line>): Promise<void> => {
  if (wanted("client")) await attempt(lines, "size of the client", clientSize)
  if (wanted("scan")) await attempt(lines, "scan of 1,000 files", () => scanSpeed(flags.quick ? 3 : 7))
  if (wanted("harness")) await attempt(lines, "start of the harness", () => harnessStart(folder, flags.quick ? 3 : 5))
}

/** The measurements with a database. Returns its version. */
const measureServers = async (folder: string, lines: Array<Line>): Promise<string> => {
  const { pid: databasePid, url: databaseUrl } = await startDatabase(join(folder, "database"))
  say(`filling: ${sizes.listings} listings, ${sizes.souls} souls, ${sizes.buyers} buyers, ${sizes.sellers} sellers`)
  await fill(databaseUrl)
  const copies = wanted("ledger")
    ? (say(`filling a ledger of ${ledgerLines} lines`), await ledgers(databaseUrl))
    : undefined
  if (wanted("audit")) await attempt(lines, "audits of a long ledger", () => measureAudits(databaseUrl))
  const version = await withClient(databaseUrl, async (client) => {
    for (const statement of referenceTables) await client.query(statement)
    await settle(client)
    return (
      await client.query<{ version: string }>("SELECT 'PostgreSQL ' || current_setting('server_version') AS version")
    ).rows[0]?.version
  })
  const environment = environmentIn(folder)
  say("starting")
  const reference = await startServer("reference", folder, { DATABASE_URL: databaseUrl })
  const market = await startServer("market", folder, { ...environment, DATABASE_URL: databaseUrl })
  const bench: Bench = {
    sizes,
    load: startLoad(),
    market,
    reference,
    folder,
    databaseUrl,
    databasePid,
    rounds: flags.quick ? 3 : 5,
    seconds: flags.quick ? 1 : 2,
    environment
  }
  await warmUp(bench)
  await measure(bench, lines)
  await market.stop()
  await reference.stop()
  if (copies !== undefined) await attempt(lines, "the large ledger", async () => [await measureLedger(bench, copies)])
  if (wanted("streams")) {
    await attempt(lines, "streams", async () => {
      const url = Object.assign(new URL(databaseUrl), { pathname: "/streams" }).href
      await withClient(databaseUrl, (client) => client.query("CREATE DATABASE streams"))
      return await streams(folder, url, flags.quick ? 500 : 5000, flags.quick ? 5 : 30)
    })
  }
  if (wanted("webhooks")) {
    await attempt(lines, "webhooks", async () => {
      const url = Object.assign(new URL(databaseUrl), { pathname: "/webhooks" }).href
      await withClient(databaseUrl, (client) => client.query("CREATE DATABASE webhooks"))
      return await webhooks(url, databasePid, flags.quick ? 10_000 : 50_000)
    })
  }
  if (wanted("ready")) await attempt(lines, "time to ready", () => readiness(bench))
  return version ?? ""
}

const measureOwnCode = async (folder: string): Promise<void> => {
  const { url } = await startDatabase(join(folder, "database"))
  const few: Sizes = { buyers: 2000, sellers: 200, souls: 100, listings: 10_000 }
  await Effect.runPromise(Effect.provide(migrate, Database.layer({ url: Redacted.make(url) })))
  await withClient(url, async (client) => {
    await fillCatalogue(client, few, Date.now())
    await fillLedger(client, few, 0, 20_000, 30)
    await settle(client)
    await ownCode(url, client, few)
  })
  console.log(`${machineFacts(loadavg()[0] ?? 0, undefined)}`)
}

const main = async (): Promise<void> => {
  const unknown = (flags.only ?? []).filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`--only takes ${names.join(", ")}; not ${unknown.join(", ")}`)
  const folder = await temporaryFolder()
  if (flags["own-code"]) return measureOwnCode(folder)
  if (flags.replicas) return replicas(folder, flags.quick ? 1000 : 5000)
  const lines: Array<Line> = []
  const [load = 0] = loadavg()
  await measureLibraries(folder, lines)
  if (wanted("tron")) {
    const blocks = flags.quick ? 1000 : 6000
    await attempt(lines, "catching up on TRON", () => tronScan(join(folder, "tron"), blocks, 1))
    await attempt(lines, "catching up on TRON with three nodes", () =>
      tronScan(join(folder, "tron-nodes"), blocks, 3, 10)
    )
    await attempt(lines, "the same, with deposits in each block", () => tronScan(join(folder, "tron-all"), blocks, 3))
  }
  const database = wanted(...serverNames) ? await measureServers(folder, lines) : undefined
  console.log(`\n${table(lines)}\n\n${machineFacts(load, database)}\n`)
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
