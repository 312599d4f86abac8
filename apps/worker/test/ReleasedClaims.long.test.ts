import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { assert, describe, it } from "vitest"
import { createSouls } from "./fixtures/createSouls.ts"
import { joinMarket } from "./fixtures/Market.ts"
import { startServer, startWorker } from "./fixtures/processes.ts"
import { startAudience } from "./fixtures/startAudience.ts"
import { waitFor } from "./fixtures/waitFor.ts"

const events = 40
const receivers = 5

describe("workers that are killed", () => {
  it(`${events} events reach ${receivers} receivers though both workers are killed midway (EVENT-14)`, async () => {
    const DATABASE_URL = await createDatabase()
    const [server, ...workers] = await Promise.all([
      startServer({ DATABASE_URL }),
      startWorker({ DATABASE_URL }),
      startWorker({ DATABASE_URL })
    ])
    const audience = await startAudience(DATABASE_URL, receivers)
    try {
      const author = await joinMarket(server.baseUrl, "Author")
      await audience.subscribe(author)
      const making = createSouls(author, events)
      await waitFor("a part of the deliveries", () => audience.received() >= 10)
      await Promise.all(workers.splice(0).map((worker) => worker.end("SIGKILL")))
      const souls = new Set(await making)
      assert.isBelow(audience.received(), events * receivers)
      // The next worker need not wait 30 seconds until the claims and leases of the killed ones have expired.
      await audience.database.query(
        "UPDATE webhook_queue SET claimed_until = clock_timestamp() WHERE claim IS NOT NULL"
      )
      await audience.database.query("DELETE FROM leases")
      workers.push(await startWorker({ DATABASE_URL }))
      await audience.assertEachDelivered(souls, 60_000)
      assert.strictEqual(await workers[0]?.end("SIGTERM"), 0)
    } finally {
      await Promise.all([server, ...workers].map((each) => each.hasEnded() || each.end("SIGKILL")))
      await audience.close()
    }
  })
})
