import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { Client } from "pg"
import { assert, describe, it } from "vitest"
import { joinMarket } from "./fixtures/Market.ts"
import { startServer, startWorker } from "./fixtures/processes.ts"
import { waitFor } from "./fixtures/waitFor.ts"

const day = 86_400
const sales = 12
const price = 10
const net = 9.5

interface Balance {
  readonly balance: number
  readonly availableBalance: number
  readonly lockedBalance: number
}

/** How many statements of this database wait for a lock. */
const blocked = `
  SELECT count(*)::int AS blocked FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

describe("workers that are killed while they release escrow", () => {
  it(
    "the proceeds of each sale are released exactly once, and the books balance (ESCROW-2, SYSTEM-5)",
    { timeout: 180_000 },
    async () => {
      const DATABASE_URL = await createDatabase()
      const env = { DATABASE_URL, TEST_CLOCK: "true" }
      const server = await startServer(env)
      const started = [await startWorker(env), await startWorker(env)]
      const [database, holder] = [
        new Client({ connectionString: DATABASE_URL }),
        new Client({ connectionString: DATABASE_URL })
      ]
      await Promise.all([database.connect(), holder.connect()])
      try {
        const [seller, buyer] = await Promise.all([
          joinMarket(server.baseUrl, "Seller"),
          joinMarket(server.baseUrl, "Buyer")
        ])
        await buyer.fund(sales * price)
        const draft = (n: number) => ({ name: `Sold before a kill ${n}`, description: "Does one thing well.", price })
        for (let n = 0; n < sales; n++) {
          const { id: skillId } = await seller.request<{ id: string }>("POST", "/api/v1/skills", draft(n))
          await buyer.request("POST", "/api/v1/purchases", { skillId })
        }
        const balance = () => seller.request<Balance>("GET", "/api/v1/wallet/balance")
        assert.deepInclude(await balance(), { lockedBalance: sales * net, availableBalance: 0 })

        // Twice the workers are killed in the middle of the release, when they have read what is due and wait for the seller's wallet.
        for (const round of [1, 2]) {
          await holder.query("BEGIN")
          await holder.query("SELECT FROM wallets WHERE account_id = $1 FOR UPDATE", [seller.id])
          if (round === 1) await seller.asOperator("POST", "/api/v1/admin/clock", { advanceSeconds: 7 * day + 1 })
          else started.push(await startWorker(env))
          const waits = async () => (await database.query<{ blocked: number }>(blocked)).rows[0]?.blocked ?? 0
          await waitFor("a release waits for the wallet", async () => (await waits()) > 0, 30_000)
          await Promise.all(started.splice(0).map((worker) => worker.end("SIGKILL")))
          await holder.query("ROLLBACK")
          // The next worker need not wait until the lease of the killed one has expired.
          await database.query("DELETE FROM leases")
        }
        started.push(await startWorker(env))

        await waitFor("everything is released", async () => (await balance()).lockedBalance === 0)
        assert.deepInclude(await balance(), { balance: sales * net, availableBalance: sales * net })
        const lines = await seller.request<ReadonlyArray<{ type: string; amount: string; reference: string }>>(
          "GET",
          "/api/v1/wallet/transactions?limit=100"
        )
        const released = lines.filter(({ type }) => type === "release")
        assert.deepStrictEqual(new Set(released.map(({ amount }) => amount)), new Set(["9.50"]))
        assert.strictEqual(new Set(released.map(({ reference }) => reference)).size, sales)
        assert.strictEqual(released.length, sales, "each sale's proceeds are released once")
        const audit = await seller.asOperator<{ balanced: boolean; differences: ReadonlyArray<unknown> }>(
          "GET",
          "/api/v1/admin/ledger/audit"
        )
        assert.deepInclude(audit, { balanced: true, differences: [] })
      } finally {
        await Promise.all([database.end(), holder.end()])
        await Promise.all([server, ...started].map((each) => each.hasEnded() || each.end("SIGKILL")))
      }
    }
  )
})
