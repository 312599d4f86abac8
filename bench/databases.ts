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

/** Creates a database, empty or as a copy of a database without connections. Replaces a database of that name. */
export const createDatabase = async (url: string, name: string, template?: string): Promise<string> => {
  const copied = template === undefined ? "" : ` TEMPLATE ${template} STRATEGY file_copy`
  await withClient(databaseAt(url, "postgres"), async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name}`)
    await client.query(`CREATE DATABASE ${name}${copied}`)
  })
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

const exists = (url: string, name: string): Promise<boolean> =>
  withClient(databaseAt(url, "postgres"), async (client) => {
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [name])
    return rowCount === 1
  })

/** Fails if a kept database was filled with other sizes. */
const checkSizes = (url: string, name: string, sizes: object): Promise<void> =>
  withClient(url, async (client) => {
    await client.query("CREATE TABLE IF NOT EXISTS bench.sizes (name text NOT NULL, sizes text NOT NULL)")
    const { rows } = await client.query<{ sizes: string }>("SELECT sizes FROM bench.sizes WHERE name = $1", [name])
    const wanted = JSON.stringify(sizes)
    if (rows[0] === undefined) await client.query("INSERT INTO bench.sizes VALUES ($1, $2)", [name, wanted])
    else if (rows[0].sizes !== wanted)
      throw new Error(
        `The folder of --data has a database with the sizes ${rows[0].sizes}, but this run needs ${wanted}: use another folder.`
      )
  })

/** Returns the database that an earlier run filled. If there is none, fills it and keeps it. */
const keptDatabase = async (url: string, name: string, sizes: object, make: () => Promise<string>): Promise<string> => {
  const kept = `kept_${name}`
  const keptUrl = databaseAt(url, kept)
  if (!(await exists(url, kept))) {
    const made = await make()
    await withClient(databaseAt(url, "postgres"), (client) =>
      client.query(`ALTER DATABASE ${new URL(made).pathname.slice(1)} RENAME TO ${kept}`)
    )
  }
  await migrated(keptUrl)
  await checkSizes(keptUrl, name, sizes)
  return keptUrl
}

/** Fills the database `market`. With `isKept`, it is a copy of a database that later runs in the same folder use, too. */
export const fillMarket = async (url: string, sizes: Sizes, isKept: boolean): Promise<void> => {
  if (!isKept) return fill(url, sizes)
  await keptDatabase(url, "market", sizes, async () => {
    const filling = await createDatabase(url, "filling")
    await fill(filling, sizes)
    await withClient(filling, settle)
    return filling
  })
  await createDatabase(url, "market", "kept_market")
}

/** Adds the tables of the references. Returns the version of PostgreSQL. */
export const addReferences = (url: string): Promise<string> =>
  withClient(url, async (client) => {
    for (const statement of referenceTables) await client.query(statement)
    await settle(client)
    const { rows } = await client.query<{ version: string; pages: string | null }>(
      "SELECT current_setting('server_version') AS version, current_setting('huge_pages_status', true) AS pages"
    )
    return `PostgreSQL ${rows[0]?.version}${rows[0]?.pages === "on" ? " with huge pages" : ""}`
  })

export interface Ledgers {
  readonly small: string
  readonly large: string
}

/** Two copies of the filled database `market`, one of them with a long history. With `isKept`, later runs use that one again, with the purchases that were measured. */
export const fillLedgers = async (url: string, sizes: Sizes, lines: number, isKept: boolean): Promise<Ledgers> => {
  const limited = async (database: string): Promise<string> => {
    await withClient(database, async (client) => {
      await limitEverybody(client)
      await settle(client)
    })
    return database
  }
  const fillLarge = async (name: string) => {
    const large = await createDatabase(url, name, "market")
    const most = Math.floor((lines - sizes.buyers) / 2)
    await withClient(large, (client) => fillLedger(client, sizes, firstPurchases, most, 30))
    return limited(large)
  }
  const large = isKept
    ? await keptDatabase(url, "ledger_large", { ...sizes, lines }, () => fillLarge("filling"))
    : await fillLarge("ledger_large")
  return { small: await limited(await createDatabase(url, "ledger_small", "market")), large }
}
