import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { assert, describe, it } from "vitest"
import { createSouls } from "./fixtures/createSouls.ts"
import { joinMarket } from "./fixtures/Market.ts"
import { startServer, startWorker } from "./fixtures/processes.ts"
import { startAudience } from "./fixtures/startAudience.ts"
import { waitFor } from "./fixtures/waitFor.ts"

/** `WEBHOOK_EVENTS` overrides it. */
const events = Number(process.env["WEBHOOK_EVENTS"] ?? 1000)
const receivers = 10
const patience = 180_000 + events * 20

describe("workers that are killed", () => {
  it(
    `${events} events reach ${receivers} receivers though two of four workers are killed midway (EVENT-14)`,
    { timeout: patience + 60_000 },
    async () => {
      const DATABASE_URL = await createDatabase()
      const server = await startServer({ DATABASE_URL })
      const workers = await Promise.all(Array.from({ length: 4 }, () => startWorker({ DATABASE_URL })))
      const audience = await startAudience(DATABASE_URL, receivers)
      try {
        const author = await joinMarket(server.baseUrl, "Author")
        await audience.subscribe(author)

        const began = performance.now()
        const making = createSouls(author, events)
        const half = (events * receivers) / 2
        await waitFor("a quarter of the deliveries", () => audience.received() >= half * 0.5, patience)
        await workers[0]?.end("SIGKILL")
        await waitFor("half of the deliveries", () => audience.received() >= half, patience)
        await workers[1]?.end("SIGKILL")
        const souls = new Set(await making)
        assert.strictEqual(souls.size, events)

        const { attempts, duplicates } = await audience.assertEachDelivered(souls, patience)
        const seconds = (performance.now() - began) / 1000
        console.log(
          `${events} events, ${events * receivers} deliveries in ${seconds.toFixed(1)} s (killed workers' claims run 30 s); ` +
            `${attempts} attempts recorded, ${duplicates} duplicates: answered, but not recorded before kill -9`
        )
        for (const worker of workers.slice(2)) assert.strictEqual(await worker.end("SIGTERM"), 0)
      } finally {
        await Promise.all([server, ...workers].map((each) => each.hasEnded() || each.end("SIGKILL")))
        await audience.close()
      }
    }
  )
})
