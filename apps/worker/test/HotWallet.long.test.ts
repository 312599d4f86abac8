import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { TronEncoding } from "@agent-marketplace/fixtures/tron/TronEncoding"
import { TronNode } from "@agent-marketplace/fixtures/tron/TronNode"
import { bare, TronNetwork } from "@agent-marketplace/fixtures/tron/TronNetwork"
import { Client } from "pg"
import { assert, it } from "vitest"
import { adminToken, startServer } from "./fixtures/processes.ts"
import { waitFor } from "./fixtures/waitFor.ts"

const xpub =
  "xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd"
const hotWallet = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"
const cold = TronEncoding.nobody("the cold wallet")

interface Ready {
  readonly status: string
  /** Absent while there is none. */
  readonly conditions?: ReadonlyArray<{ readonly kind: string }>
}

it("a hot wallet on TRON that is low and cannot pay fees degrades readiness; the operator sees balances, limits and costs (TREASURY-5, TREASURY-6)", async () => {
  const network = new TronNetwork()
  network.fund(hotWallet, 40_000_000n)
  network.fund(cold, 900_000_000n)
  network.sun.set(bare(hotWallet), 5_000_000)
  network.resources.set(bare(hotWallet), { EnergyLimit: 65_000, EnergyUsed: 1000 })
  const node = new TronNode(network)
  const TRON_FULL_NODE_URL = await node.listen()
  const DATABASE_URL = await createDatabase()
  const database = new Client({ connectionString: DATABASE_URL })
  await database.connect()
  await database.query(`UPDATE treasury SET hot = $1, cold = $2, top_up_below = 50000000, hot_ceiling = 100000000`, [
    hotWallet,
    cold
  ])
  const server = await startServer({
    DATABASE_URL,
    TRON_FULL_NODE_URL,
    CHAIN: "tron",
    TRON_DEPOSIT_XPUB: xpub,
    TRON_HOT_WALLET_KEY: `${"0".repeat(63)}1`,
    TRX_USDT_RATE: "0.3",
    WORKER: "embedded"
  })
  try {
    const get = async <A>(path: string): Promise<A> => {
      const response = await fetch(`${server.baseUrl}${path}`, { headers: { authorization: `Bearer ${adminToken}` } })
      return (await response.json()) as A
    }
    const ready = await waitFor("both conditions", async () => {
      const found = await get<Ready>("/readyz")
      return (found.conditions?.length ?? 0) >= 2 ? found : undefined
    })
    assert.strictEqual(ready.status, "degraded")
    assert.sameMembers(
      (ready.conditions ?? []).map(({ kind }) => kind),
      ["hot_wallet_low", "energy_low"]
    )
    const { data: treasury } = await get<{ data: object }>("/api/v1/admin/treasury")
    assert.deepInclude(treasury, {
      hot: hotWallet,
      cold,
      ceiling: "100.00",
      topUpBelow: "50.00",
      hotBalance: "40.00",
      coldBalance: "900.00",
      needed: "0.00"
    })
    const { data: energy } = await get<{ data: Readonly<Record<string, unknown>> }>("/api/v1/admin/treasury/energy")
    assert.deepInclude(energy, { simulated: false, wallet: hotWallet, trx: "5.00" })
    assert.deepInclude(energy["energy"] as object, { limit: 65_000, used: 1000, available: 64_000 })
    assert.deepInclude(energy["payment"] as object, {
      usual: { energy: 64_285, bandwidth: 400, trx: "0.0285", usdt: "0.00855" },
      most: { energy: 135_000, bandwidth: 400, trx: "7.10", usdt: "2.13" }
    })
    const { rows } = await database.query<{ readonly subject: string }>(
      `SELECT subject FROM events WHERE type = 'market.degraded' ORDER BY subject`
    )
    assert.deepStrictEqual(
      rows.map(({ subject }) => subject),
      ["energy_low", "hot_wallet_low"]
    )
    const metrics = await (await fetch(`${server.baseUrl}/metrics`)).text()
    for (const kind of ["hot_wallet_low", "energy_low"])
      assert.match(metrics, new RegExp(`^market_condition\\{kind="${kind}"\\} 1$`, "m"))
  } finally {
    await server.end("SIGTERM")
    await database.end()
    await node.close()
  }
})
