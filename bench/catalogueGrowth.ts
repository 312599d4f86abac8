/**
 * `npm run bench -- --only catalogue`: what a listing takes on the disk, and what reads cost the database with 10,000 listings, ten times as many,
 * and so on up to `--listings`.
 */
import { Database } from "@agent-marketplace/postgres/Database"
import { migrate } from "@agent-marketplace/postgres/migrate"
import { Effect, Redacted } from "effect"
import { join } from "node:path"
import { Client } from "pg"
import { cpuSeconds } from "./cpu.ts"
import type { Sizes } from "./data.ts"
import { fillCatalogue } from "./fill.ts"
import { startDatabase, startLoad, startServer } from "./processes.ts"
import type { Line } from "./report.ts"
import { plain } from "./report.ts"
import type { Work } from "./requests.ts"

const sizesOf = (listings: number): Sizes => ({ buyers: 200, sellers: 1000, souls: 100, listings })

const first = 10_000

/** The tables that have a row for each listing. */
const tables = ["listings", "listing_facets", "item_stats", "slugs"]

interface Stored {
  readonly name: string
  readonly rows: number
  readonly indexes: number
  readonly words: number
}

const stored = `SELECT relname AS name, pg_table_size(oid)::float8 AS rows, pg_indexes_size(oid)::float8 AS indexes,
    (SELECT coalesce(sum(pg_relation_size(indexrelid)), 0)::float8 FROM pg_index JOIN pg_class AS index ON index.oid = indexrelid
      WHERE indrelid = pg_class.oid AND index.relname IN ('listing_facets_words', 'listings_name_keys')) AS words
  FROM pg_class WHERE relname = ANY($1::text[]) AND relkind = 'r'`

const storage = async (client: Client, listings: number): Promise<Line> => {
  const { rows } = await client.query<Stored>(stored, [tables])
  const each = (of: (table: Stored) => number) =>
    Math.round(rows.reduce((sum, table) => sum + of(table), 0) / listings).toLocaleString("en")
  return plain(
    `${listings.toLocaleString("en")} listings: bytes of each`,
    `${each(({ rows: bytes, indexes }) => bytes + indexes)}: rows ${each((table) => table.rows)}, full text and names ${each(({ words }) => words)}, other indexes ${each(({ indexes, words }) => indexes - words)}`,
    "",
    undefined
  )
}

const reads: ReadonlyArray<readonly [work: Work, title: string]> = [
  ["skill", "detail"],
  ["search", "search, a common word"],
  ["search2", "search, two words"]
]

const measureReads = async (folder: string, url: string, pid: number, listings: number, requests: number) => {
  const server = await startServer("market", folder, {
    NODE_ENV: "production",
    ADMIN_TOKEN: "benchmark-benchmark-benchmark-benchmark",
    DATABASE_URL: url,
    DATA_DIR: join(folder, "data"),
    RATE_LIMITS: "off",
    LOG_LEVEL: "warn"
  })
  const load = startLoad()
  const lines: Array<Line> = []
  for (const [work, title] of reads) {
    const task = {
      work,
      side: "market",
      sizes: sizesOf(listings),
      port: server.port,
      connections: 4,
      seconds: 60
    } as const
    const { next } = await load({ ...task, from: 0, requests: Math.ceil(requests / 4) })
    const before = cpuSeconds([pid]) ?? Number.NaN
    const found = await load({ ...task, from: next, requests })
    const cost = (((cpuSeconds([pid]) ?? Number.NaN) - before) * 1000) / found.requests
    lines.push(
      plain(
        `${listings.toLocaleString("en")} listings: ${title}`,
        `${cost.toFixed(2)} ms of the database's processor, p50 ${found.p50.toFixed(1)} ms`,
        "",
        undefined
      )
    )
  }
  await server.stop()
  return lines
}

export const catalogueGrowth = async (folder: string, most: number, requests: number): Promise<ReadonlyArray<Line>> => {
  const { pid, url } = await startDatabase(join(folder, "database"))
  const at = (name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href
  const lines: Array<Line> = []
  for (let listings = first; listings <= most; listings *= 10) {
    const name = `listings_${listings}`
    const admin = new Client({ connectionString: url })
    await admin.connect()
    await admin.query(`CREATE DATABASE ${name}`)
    await admin.end()
    await Effect.runPromise(Effect.provide(migrate, Database.layer({ url: Redacted.make(at(name)) })))
    const client = new Client({ connectionString: at(name) })
    await client.connect()
    const started = performance.now()
    await fillCatalogue(client, sizesOf(listings), Date.now())
    console.error(`${listings} listings filled in ${((performance.now() - started) / 1000).toFixed(0)} s`)
    await client.query("VACUUM ANALYZE")
    await client.query("CHECKPOINT")
    lines.push(await storage(client, listings), ...(await measureReads(folder, at(name), pid, listings, requests)))
    for (const { market, work } of lines.slice(-4)) console.error(`${work}: ${market}`)
    await client.end()
  }
  return lines
}
