import { Database } from "@agent-marketplace/postgres/Database"
import { migrations } from "@agent-marketplace/postgres/migrations/migrations"
import { createEmptyDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { openSharedCluster } from "@agent-marketplace/embedded-postgres/SharedCluster"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
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
import { onMarket } from "../fixtures/Market.ts"
import type { Balance, Purchase } from "../fixtures/Market.ts"
import { removeData } from "../fixtures/removeData.ts"
import { adminToken, startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"

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
    const url = await createEmptyDatabase()
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

describe.each(releases)("old sales and renewals in the database of %s (SYSTEM-6)", (name) => {
  const file = join(import.meta.dirname, name)
  const release = JSON.parse(readFileSync(file, "utf8")) as Release
  const rows = readFileSync(file.replace(/json$/, "sql"), "utf8")
  const [, last = "", recordedAt = ""] = /migrations up to (\d+), recorded at (.+)/.exec(rows) ?? []
  const renewals = ["ren_1m81s4z0000000000000000001", "ren_1m81s4z0000000000000000002"] as const
  const subscription = "sub_1m81s4z0000000000000000001"

  /** Rows as the release wrote them: a subscription of 70 days that was renewed 40 and 10 days ago, and a sale of 8 days ago. */
  const history = `
    UPDATE listings SET pricing_model = 'subscription' WHERE id = '${release.items.monthly}';
    UPDATE purchases SET license_type = 'subscription', purchased_at = market_now() - interval '70 days'
      WHERE item_id = '${release.items.monthly}';
    UPDATE purchases SET purchased_at = market_now() - interval '8 days' WHERE item_id = '${release.items.soulId}' AND status = 'completed';
    UPDATE ledger_lines SET at = purchased_at FROM purchases WHERE reference = purchases.id AND type IN ('purchase', 'sale_fee');
    INSERT INTO subscriptions (id, purchase_id, buyer_id, seller_id, item_id, item_kind, item_name, item_slug, item_description,
        item_category, item_creator, price, status, current_period_start, current_period_end, cancel_at_period_end, next_attempt_at)
      SELECT '${subscription}', id, buyer_id, seller_id, item_id, item_kind, item_name, item_slug, item_description, item_category,
        item_creator, amount, 'active', market_now() - interval '10 days', market_now() + interval '20 days', false,
        market_now() + interval '20 days'
      FROM purchases WHERE item_id = '${release.items.monthly}';
    INSERT INTO renewals (id, subscription_id, buyer_id, amount, fee, at)
      SELECT renewal.id, '${subscription}', buyer_id, amount, fee, market_now() - renewal.age
      FROM purchases, (VALUES ('${renewals[0]}', interval '40 days'), ('${renewals[1]}', interval '10 days')) AS renewal (id, age)
      WHERE item_id = '${release.items.monthly}';
    INSERT INTO ledger_lines (type, debit, debit_account, credit, credit_account, amount, reference, at)
      SELECT line.type, 'wallet', line.debit, line.credit, line.credit_account, line.amount, renewals.id, renewals.at
      FROM renewals JOIN subscriptions ON subscriptions.id = renewals.subscription_id, LATERAL (VALUES
        (1, 'purchase', subscriptions.buyer_id, 'wallet', subscriptions.seller_id, renewals.amount),
        (2, 'sale_fee', subscriptions.seller_id, 'platform', NULL, renewals.fee)
      ) AS line (n, type, debit, credit, credit_account, amount) ORDER BY renewals.at, line.n;
    UPDATE wallets SET available = available - total.amount, total_spent = total_spent + total.amount
      FROM (SELECT buyer_id, sum(amount) AS amount FROM renewals GROUP BY 1) AS total WHERE account_id = buyer_id;
    UPDATE wallets SET available = available + total.net, total_earned = total_earned + total.net
      FROM (SELECT seller_id, sum(amount - fee) AS net FROM renewals JOIN subscriptions ON subscriptions.id = subscription_id GROUP BY 1)
      AS total WHERE account_id = seller_id`

  it("are not locked, can be refunded, and the next renewal is charged once (ESCROW-2, REFUND-1, REFUND-5, SUBSCRIPTION-2)", async () => {
    const url = await createEmptyDatabase()
    await migrateUpTo(url, Number(last))
    await fill(url, rows, recordedAt)
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query("SET session_replication_role = replica")
    await client.query(history)
    await client.end()

    const server = await startServer({ DATABASE_URL: url, TEST_CLOCK: "true" })
    try {
      const market = onMarket(server.baseUrl, { testClock: true })
      const [ada, bob] = [makeClient(server.baseUrl, release.keys.ada), makeClient(server.baseUrl, release.keys.bob)]
      await market.assertBalanced()
      const seller = await market.balanceOf(ada)
      assert.deepInclude(seller, { lockedBalance: 0, availableBalance: seller.balance, escrow: [] })
      // 4.275 of the soul, 2.85 of the subscription and of each renewal.
      assert.strictEqual(seller.balance, 12.825)

      // Balances also move by what was pending in the old database.
      const refunded = async () =>
        dataOf<ReadonlyArray<{ type: string; amount: string }>>(await bob.get("/api/v1/wallet/transactions?limit=100"))
          .filter(({ type }) => type === "refund")
          .reduce((sum, { amount }) => sum + Number(amount), 0)
      const before = await refunded()
      const sold = dataOf<{ purchases: ReadonlyArray<{ id: string; skill: { id: string } }> }>(
        await bob.get("/api/v1/purchases")
      )
      const sale = sold.purchases.find(({ skill }) => skill.id === release.items.soulId)!.id
      dataOf(await ada.post(`/api/v1/purchases/${sale}/refund`))
      assert.closeTo(await refunded(), before + 4.5, 1e-9)
      await market.assertBalanced()

      const renewalsOf = async () =>
        dataOf<ReadonlyArray<{ kind: string; status: string }>>(await ada.get("/api/v1/sales?limit=100")).filter(
          ({ kind }) => kind === "renewal"
        )
      assert.lengthOf(await renewalsOf(), 2)
      await market.advance(20 * 86_400 + 1)
      await waitFor("the subscription is renewed", async () => (await renewalsOf()).length > 2)
      await market.advance(3600)
      const { currentPeriodEnd, currentPeriodStart, status } = dataOf<Readonly<Record<string, string>>>(
        await bob.get(`/api/v1/subscriptions/${subscription}`)
      )
      assert.strictEqual(status, "active")
      assert.strictEqual(Date.parse(currentPeriodEnd!) - Date.parse(currentPeriodStart!), 30 * 86_400_000)
      assert.lengthOf(await renewalsOf(), 3)
      assert.strictEqual((await market.balanceOf(ada)).lockedBalance, 2.85)

      failureOf(await ada.post(`/api/v1/purchases/${renewals[0]}/refund`), 409, "CONFLICT")
      for (const renewal of renewals) dataOf(await market.operator.post(`/api/v1/purchases/${renewal}/refund`))
      assert.closeTo(await refunded(), before + 10.5, 1e-9)
      assert.deepInclude(dataOf<object>(await bob.get(`/api/v1/subscriptions/${subscription}`)), {
        status: "cancelled"
      })
      await market.assertBalanced()
    } finally {
      await server.stop()
    }
  })
})
