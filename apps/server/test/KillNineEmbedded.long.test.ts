import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { findPostmaster } from "@agent-marketplace/embedded-postgres/Postmaster"
import { killAgainAndAgain } from "./fixtures/killAgainAndAgain.ts"
import { onMarket } from "./fixtures/Market.ts"
import { removeData } from "./fixtures/removeData.ts"
import { startServer } from "./fixtures/startServer.ts"
import { Traffic } from "./fixtures/Traffic.ts"
import { waitFor } from "./fixtures/waitFor.ts"

describe("kill -9 with the embedded database", () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "agent-marketplace-kill-"))
  })
  afterAll(() => removeData(folder))

  it("loses no acknowledged request and executes none twice", async () => {
    const env = { DATA_DIR: folder, LISTING_REVIEW: "auto" }
    assert.strictEqual(await killAgainAndAgain(env, 1, { customers: 3, items: 20 }), 0)
  })

  it("of PostgreSQL alone: the server answers 503, serves again automatically and has executed nothing twice (CONFIG-21)", async () => {
    const server = await startServer({ DATA_DIR: folder, LISTING_REVIEW: "auto" })
    try {
      const market = onMarket(server.baseUrl)
      const traffic = await Traffic.prepare(server.baseUrl, { customers: 2, items: 20 })
      for (let kill = 0; kill < 2; kill++) {
        const before = traffic.moves.length
        let over = false
        const running = traffic.run({ baseUrl: server.baseUrl, isOver: () => over })
        await waitFor("some traffic", async () => traffic.moves.length >= before + 10)
        const { pid } = await waitFor("the postmaster", () => findPostmaster(join(folder, "postgres")))
        const failed = traffic.failures.length
        process.kill(pid, "SIGKILL")
        await waitFor("a refused request", async () => traffic.failures.length > failed)
        over = true
        await running
        await waitFor("service of the restarted PostgreSQL", async () => {
          const now = await findPostmaster(join(folder, "postgres"))
          return now?.status === "ready" && now.pid !== pid && (await market.guest.get("/readyz")).status === 200
        })
        await traffic.reconcile(server.baseUrl)
        await market.assertBalanced()
        await traffic.assertNothingLost(server.baseUrl)
      }
      for (const failure of traffic.failures) {
        assert.strictEqual(failure.status, 503, failure.text)
        assert.match(failure.headers.get("retry-after") ?? "", /^\d+$/)
      }
      assert.include(server.output(), "The embedded PostgreSQL runs again")
      assert.strictEqual(await server.stop(), 0)
      assert.isUndefined(await findPostmaster(join(folder, "postgres")))
    } finally {
      if (!server.hasEnded()) await server.kill()
    }
  })
})
