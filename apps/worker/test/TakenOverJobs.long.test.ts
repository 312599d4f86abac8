import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { joinMarket } from "./fixtures/Market.ts"
import { startServer, startWorker } from "./fixtures/processes.ts"
import type { RunningProcess } from "./fixtures/processes.ts"

describe("workers with a server (SYSTEM-5)", () => {
  const processes: Array<RunningProcess> = []
  let env = { DATABASE_URL: "" }
  let baseUrl = ""

  const worker = async () => {
    const started = await startWorker(env)
    processes.push(started)
    return started
  }

  beforeAll(async () => {
    env = { DATABASE_URL: await createDatabase() }
    const server = await startServer(env)
    processes.push(server)
    baseUrl = server.baseUrl
  })
  afterAll(() => Promise.all(processes.map((each) => each.hasEnded() || each.end("SIGKILL"))))

  it("the jobs of a killed worker are taken over within 30 seconds, those of a stopped one immediately", async () => {
    const payer = await joinMarket(baseUrl, "Payer")
    const first = await worker()
    await payer.fund(1)
    const second = await worker()
    await first.end("SIGKILL")
    const killed = performance.now()
    await payer.fundWithin(2, 30_000)
    console.log(`jobs of a killed worker taken over after ${((performance.now() - killed) / 1000).toFixed(1)} s`)

    const third = await worker()
    assert.strictEqual(await second.end("SIGTERM"), 0)
    // One block each second, final after two more.
    await payer.fundWithin(3, 12_000)
    assert.isFalse(third.hasEnded())
  })
})
