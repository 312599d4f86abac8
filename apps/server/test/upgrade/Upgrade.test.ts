import { Database } from "@agent-marketplace/postgres/Database"
import { migrations } from "@agent-marketplace/postgres/migrations/migrations"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { openSharedCluster } from "@agent-marketplace/embedded-postgres/SharedCluster"
import { NodeCrypto } from "@effect/platform-node"
import { Effect, Layer, Redacted } from "effect"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import { globSync, readFileSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf, failureOf, makeClient } from "../fixtures/Client.ts"
import type { Client as HttpClient } from "../fixtures/Client.ts"
import type { Balance, Purchase } from "../fixtures/Market.ts"
import { removeData } from "../fixtures/removeData.ts"
import { adminToken, startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

/** The record of a release by `scripts/recordRelease.ts`. */
interface Release {
  readonly keys: Readonly<Record<"ada" | "bob" | "shopper", string>>
  readonly waiting: string
  readonly waitingPurchase: string
  readonly licenseKey: string
  readonly items: Readonly<Record<"soul" | "soulId" | "skill" | "monthly" | "free", string>>
  readonly answers: ReadonlyArray<{
    readonly caller: "ada" | "bob" | "shopper"
    readonly path: string
    readonly data: unknown
  }>
}

/** Applies the first migrations as that release did. */
const migrateUpTo = (url: string, last: number): Promise<unknown> => {
  const first = Object.entries(migrations).slice(0, last)
  const run = (statements: ReadonlyArray<string>) =>
    Effect.flatMap(SqlClient, (sql) =>
      Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
    )
  const loader = Migrator.fromRecord(
    Object.fromEntries(first.map(([name, statements]) => [name, Effect.orDie(run(statements))]))
  )
  const apply = Effect.flatMap(Database, ({ sql }) =>
    Migrator.make({})({ loader, table: "migrations" }).pipe(Effect.provideService(SqlClient, sql))
  )
  const database = Database.layer({ url: Redacted.make(url) }).pipe(Layer.provide(NodeCrypto.layer))
  return Effect.runPromise(Effect.provide(apply, database))
}

/** Inserts the recorded rows of the release, with the same age as when they were recorded. */
const fill = async (url: string, rows: string, recordedAt: string): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    // Triggers are disabled, because the rows that they wrote are part of the record.
    await client.query("SET session_replication_role = replica")
    await client.query("TRUNCATE market_clock, webhook_cursor")
    await client.query(rows)
    const { rows: columns } = await client.query<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name <> 'migrations' AND data_type = 'timestamp with time zone'`
    )
    const { rows: shifts } = await client.query("SELECT (market_now() - $1::timestamptz)::text AS shift", [recordedAt])
    for (const { column, table } of columns)
      await client.query(`UPDATE "${table}" SET "${column}" = "${column}" + $1::interval`, [shifts[0].shift])
  } finally {
    await client.end()
  }
}

/** Whether `now` contains all values of `before`; new fields are allowed. */
const assertKept = (now: unknown, before: unknown, where: string): void => {
  if (typeof before !== "object" || before === null) return assert.strictEqual(now, before, where)
  if (Array.isArray(before)) assert.lengthOf(now as ReadonlyArray<unknown>, before.length, where)
  for (const [field, value] of Object.entries(before))
    assertKept((now as Record<string, unknown> | undefined)?.[field], value, `${where}.${field}`)
}

const releases = globSync("release-*.json", { cwd: import.meta.dirname }).toSorted()

/** Where the database of a release is: beside the server, or in its data folder, where everything belongs to the superuser. */
const places = {
  database: async (prepare: (url: string) => Promise<void>) => {
    const url = await createDatabase()
    await prepare(url)
    return { env: { DATABASE_URL: url }, remove: async () => {} }
  },
  "data folder": async (prepare: (url: string) => Promise<void>) => {
    const folder = await mkdtemp(join(tmpdir(), "agent-marketplace-upgrade-"))
    const { release, url } = await openSharedCluster(folder)
    await prepare(url)
    await release()
    // That release did not sign the folder (CONFIG-24).
    return { env: { DATA_DIR: folder, DATA_DIR_ADOPT: "true" }, remove: () => removeData(folder) }
  }
}

const cases = releases.flatMap((name) => [["database", name] as const, ["data folder", name] as const])

describe.each(cases)("a %s of %s", (place, name) => {
  const file = join(import.meta.dirname, name)
  const release = JSON.parse(readFileSync(file, "utf8")) as Release
  const rows = readFileSync(file.replace(/json$/, "sql"), "utf8")
  const [, last = "", recordedAt = ""] = /migrations up to (\d+), recorded at (.+)/.exec(rows) ?? []

  let server: RunningServer
  let as: Readonly<Record<"ada" | "bob" | "shopper", HttpClient>>
  let remove: () => Promise<void>
  beforeAll(async () => {
    const made = await places[place](async (url) => {
      await migrateUpTo(url, Number(last))
      await fill(url, rows, recordedAt)
    })
    remove = made.remove
    server = await startServer({ ...made.env, WORKER: "external" })
    const client = (key: string) => makeClient(server.baseUrl, key)
    as = { ada: client(release.keys.ada), bob: client(release.keys.bob), shopper: client(release.keys.shopper) }
  })
  afterAll(async () => {
    await server.stop()
    await remove()
  })

  it("is older than the newest migration, so that there is something to upgrade", () => {
    assert.isBelow(Number(last), Object.keys(migrations).length)
  })

  it.each(release.answers.map(({ caller, path }, index) => [caller, path, index] as const))(
    "keeps the data that %s reads at %s",
    async (caller, path, index) => {
      const reply = await as[caller].get(path)
      assert.strictEqual(reply.status, 200, reply.text)
      const now = reply.body as { readonly success?: boolean; readonly data?: unknown }
      assertKept(now.success === undefined ? now : now.data, release.answers[index]?.data, path)
    }
  )

  it("keeps licenses, the ledger and decisions, and money can be moved afterwards (SYSTEM-6)", async () => {
    const { valid } = dataOf<{ valid: boolean }>(
      await as.ada.post("/api/v1/licenses/validate", { licenseKey: release.licenseKey })
    )
    assert.isTrue(valid)
    const audit = () => makeClient(server.baseUrl, adminToken).get("/api/v1/admin/ledger/audit")
    assert.deepInclude(dataOf<object>(await audit()), { balanced: true, differences: [] })
    failureOf(await as.bob.post("/api/v1/purchases", { skillId: release.items.soulId }), 409, "ALREADY_PURCHASED")

    const before = dataOf<Balance>(await as.bob.get("/api/v1/wallet/balance"))
    const approved = await as.bob.post(`/api/v1/approvals/${release.waiting}/approve`)
    assert.strictEqual(approved.status, 200, approved.text)
    const bought = dataOf<Purchase & { amount: number }>(
      await as.bob.get(`/api/v1/purchases/${release.waitingPurchase}`)
    )
    assert.strictEqual(bought.status, "completed")
    const after = dataOf<Balance>(await as.bob.get("/api/v1/wallet/balance"))
    assert.strictEqual(after.lockedBalance, before.lockedBalance - bought.amount)
    assert.deepInclude(dataOf<object>(await audit()), { balanced: true, differences: [] })
  })
})
