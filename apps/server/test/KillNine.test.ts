import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { createDatabase } from "@agent-marketplace/testkit/postgres/TestPostgres"
import { onMarket } from "./fixtures/Market.ts"
import { startServer } from "./fixtures/startServer.ts"
import type { RunningServer } from "./fixtures/startServer.ts"
import { Traffic } from "./fixtures/Traffic.ts"
import { waitFor } from "./fixtures/waitFor.ts"

type Environment = Readonly<Record<string, string>>

/** Kills the server in the middle of its work as often as wanted; after each restart the books must be whole. */
const killAgainAndAgain = async (env: Environment, kills: number, wish: { customers: number; items: number }) => {
  let server = await startServer(env)
  const track = (started: RunningServer) => (server = started)
  try {
    const traffic = await Traffic.prepare(server.baseUrl, wish)
    let [interrupted, looked] = [0, 0]
    for (let kill = 0; kill < kills; kill++) {
      const before = traffic.moves.length
      let over = false
      const running = traffic.run({ baseUrl: server.baseUrl, isOver: () => over })
      await waitFor("some traffic", async () => traffic.moves.length >= before + 10 + 3 * kill)
      const killed = server.kill()
      over = true
      await Promise.all([running, killed])
      interrupted += traffic.moves.filter(({ answer }) => answer === undefined).length
      track(await startServer(env))
      await onMarket(server.baseUrl).assertBalanced()
      looked = await traffic.reconcile(server.baseUrl, looked)
      await traffic.assertNothingLost(server.baseUrl)
    }
    assert.isAbove(interrupted, 0, "no kill hit anything: the test proves nothing")
    await traffic.reconcile(server.baseUrl)
    // The lease of the one who was killed must run out before another looks at the chain.
    const credited = () => traffic.areDepositsCredited(server.baseUrl)
    await waitFor("every answered deposit is credited", credited, 40_000)
    await onMarket(server.baseUrl).assertBalanced()
    return await server.stop()
  } finally {
    if (!server.hasEnded()) await server.kill()
  }
}

describe("kill -9 in the middle of load", () => {
  const folders: Array<string> = []
  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })

  it("loses nothing that was answered and does nothing twice, ten times over", { timeout: 120_000 }, async () => {
    const env = { DATABASE_URL: await createDatabase(), LISTING_REVIEW: "auto" }
    assert.strictEqual(await killAgainAndAgain(env, 10, { customers: 6, items: 60 }), 0)
  })

  it("loses nothing on the embedded database either", { timeout: 120_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "agent-marketplace-kill-"))
    folders.push(folder)
    const env = { DATA_DIR: join(folder, "data"), LISTING_REVIEW: "auto" }
    assert.strictEqual(await killAgainAndAgain(env, 2, { customers: 3, items: 40 }), 0)
  })
})
