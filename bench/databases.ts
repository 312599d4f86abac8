/** Fills and copies the databases of the benchmark. */
import { Database } from "@agent-marketplace/postgres/Database"
import { migrate } from "@agent-marketplace/postgres/migrate"
import { Effect, Redacted } from "effect"
import { Client } from "pg"
import type { Sizes } from "./data.ts"
import { fillCatalogue } from "./fill.ts"
import { fillLedger, limitEverybody } from "./ledger.ts"
import { referenceTables } from "./references/buy.ts"

export const withClient = async <A>(url: string, use: (client: Client) => Promise<A>): Promise<A> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

export const settle = async (client: Client) => {
  await client.query("VACUUM ANALYZE")
  await client.query("CHECKPOINT")
}

/** The URL of another database of the same server. */
const databaseAt = (url: string, name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href

/** Creates a database: an empty one, or a copy of another one that nobody uses. */
export const createDatabase = async (url: string, name: string, template?: string): Promise<string> => {
  const copied = template === undefined ? "" : ` TEMPLATE ${template} STRATEGY file_copy`
  await withClient(databaseAt(url, "postgres"), (client) => client.query(`CREATE DATABASE ${name}${copied}`))
  return databaseAt(url, name)
}

export const migrated = (url: string): Promise<unknown> =>
  Effect.runPromise(Effect.provide(migrate, Database.layer({ url: Redacted.make(url) })))

/** The number of purchases before the benchmark. Each deposit is one posting, each purchase two. */
export const firstPurchases = 5000

export const fill = async (url: string, sizes: Sizes): Promise<void> => {
  await migrated(url)
  await withClient(url, async (client) => {
    await fillCatalogue(client, sizes, Date.now())
    await fillLedger(client, sizes, 0, firstPurchases, 1)
  })
}

/** Adds the tables of the references. Returns the version of PostgreSQL. */
export const addReferences = (url: string): Promise<string> =>
  withClient(url, async (client) => {
    for (const statement of referenceTables) await client.query(statement)
    await settle(client)
    const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version') AS version")
    return `PostgreSQL ${rows[0]?.version}`
  })

export interface Ledgers {
  readonly small: string
  readonly large: string
}

/** Two copies of the filled database `market`, one of them with a long history. */
export const fillLedgers = async (url: string, sizes: Sizes, lines: number): Promise<Ledgers> => {
  const small = await createDatabase(url, "ledger_small", "market")
  const large = await createDatabase(url, "ledger_large", "market")
  const most = Math.floor((lines - sizes.buyers) / 2)
  await withClient(large, (client) => fillLedger(client, sizes, firstPurchases, most, 30))
  for (const copy of [small, large]) {
    await withClient(copy, async (client) => {
      await limitEverybody(client)
      await settle(client)
    })
  }
  return { small, large }
}
