import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { assert, describe, it } from "vitest"
import { dataOf } from "./fixtures/Client.ts"
import { onMarket } from "./fixtures/Market.ts"
import { noPgBouncer, startPgBouncer } from "./fixtures/startPgBouncer.ts"
import { spawnServer, startServer } from "./fixtures/startServer.ts"

if (noPgBouncer !== undefined) process.stdout.write(`Pooler.long.test.ts is skipped: ${noPgBouncer}\n`)

describe.skipIf(noPgBouncer !== undefined && process.env["CI"] === undefined)("PgBouncer before the database", () => {
  it("in session mode the market works, and its connections have their settings (DATABASE-4)", async () => {
    const pooler = await startPgBouncer(await createDatabase(), "session")
    try {
      const server = await startServer({ DATABASE_URL: pooler.url, LISTING_REVIEW: "auto" })
      const market = onMarket(server.baseUrl)
      const seller = await market.member({ seller: true })
      const skillId = await market.listing(seller, "Pooled", 2)
      const buyer = await market.fundedMember(10)
      const bought = dataOf<{ status: string }>(await buyer.post("/api/v1/purchases", { skillId }), 201)
      assert.strictEqual(bought.status, "completed")
      await market.assertBalanced()
      // A key that is deactivated must be refused by the next request: this needs the announcements of the database.
      assert.strictEqual((await buyer.delete(`/api/v1/keys/${buyer.keyId}`)).status, 200)
      assert.strictEqual((await buyer.get("/api/v1/wallet/balance")).status, 401)
      assert.strictEqual(await server.stop(), 0)
    } finally {
      await pooler.stop()
    }
  })

  for (const mode of ["transaction", "statement"] as const)
    it(`${mode} mode is refused at the start with the reason and the remedy (DATABASE-5)`, async () => {
      const pooler = await startPgBouncer(await createDatabase(), mode)
      try {
        const server = spawnServer({ DATABASE_URL: pooler.url })
        assert.strictEqual(await server.ended, 1)
        assert.include(server.output(), "set pool_mode=session")
      } finally {
        await pooler.stop()
      }
    })
})
