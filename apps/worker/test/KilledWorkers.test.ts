import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { startReceiver } from "@agent-marketplace/fixtures/webhooks/startReceiver"
import type { Received, Receiver } from "@agent-marketplace/fixtures/webhooks/startReceiver"
import { Client } from "pg"
import { assert, describe, it } from "vitest"
import { createSouls } from "./fixtures/createSouls.ts"
import { joinMarket } from "./fixtures/Market.ts"
import { startServer, startWorker } from "./fixtures/processes.ts"
import { waitFor } from "./fixtures/waitFor.ts"

/** `WEBHOOK_EVENTS=10000` for the long run. */
const events = Number(process.env["WEBHOOK_EVENTS"] ?? 100)
const receivers = 10
const patience = 180_000 + events * 20

interface Counted {
  readonly deliveries: number
  readonly delivered: number
  readonly without: number
  readonly attempts: number
  readonly failed: number
}

const counted = `
  SELECT count(*)::int AS deliveries, (count(*) FILTER (WHERE status = 'delivered'))::int AS delivered,
    (count(*) FILTER (WHERE NOT EXISTS (SELECT FROM webhook_attempts WHERE delivery_id = id)))::int AS without,
    (SELECT count(*)::int FROM webhook_attempts) AS attempts,
    (SELECT count(*)::int FROM webhook_attempts WHERE error IS NOT NULL) AS failed
  FROM webhook_deliveries`

const idOf = ({ headers }: Received) => String(headers["webhook-id"])
const soulOf = ({ body }: Received) => (JSON.parse(body) as { data: { soulId: string } }).data.soulId

/** The deliveries of one receiver: every event with its id, and the number of repeated deliveries. */
const assertComplete = (receiver: Receiver, souls: ReadonlySet<string>): number => {
  const ids = new Map<string, string>()
  for (const each of receiver.received) {
    const before = ids.get(soulOf(each))
    assert.isTrue(before === undefined || before === idOf(each), "webhook-id is the same on every attempt")
    ids.set(soulOf(each), idOf(each))
  }
  assert.deepStrictEqual(new Set(ids.keys()), souls)
  assert.strictEqual(new Set(ids.values()).size, souls.size)
  return receiver.received.length - ids.size
}

describe("workers that are killed", () => {
  it(
    `${events} events reach ${receivers} receivers though two of four workers are killed midway (EVENT-14)`,
    { timeout: patience + 60_000 },
    async () => {
      const DATABASE_URL = await createDatabase()
      const server = await startServer({ DATABASE_URL })
      const workers = await Promise.all(Array.from({ length: 4 }, () => startWorker({ DATABASE_URL })))
      const all = await Promise.all(Array.from({ length: receivers }, () => startReceiver()))
      const database = new Client({ connectionString: DATABASE_URL })
      await database.connect()
      const received = () => all.reduce((sum, each) => sum + each.received.length, 0)
      try {
        const author = await joinMarket(server.baseUrl, "Author")
        for (const { url } of all) await author.subscribe(url, ["soul.created"])

        const began = performance.now()
        const making = createSouls(author, events)
        const half = (events * receivers) / 2
        await waitFor("half of the deliveries", () => received() >= half * 0.5, patience)
        await workers[0]?.end("SIGKILL")
        await waitFor("half of the deliveries", () => received() >= half, patience)
        await workers[1]?.end("SIGKILL")
        const souls = new Set(await making)
        assert.strictEqual(souls.size, events)

        const counts = await waitFor(
          "everything is delivered and recorded",
          async () => {
            const { rows } = await database.query<Counted>(counted)
            const [now] = rows
            return now?.deliveries === events * receivers && now.delivered === now.deliveries ? now : undefined
          },
          patience
        )
        const seconds = (performance.now() - began) / 1000

        const duplicates = all.reduce((sum, receiver) => sum + assertComplete(receiver, souls), 0)
        assert.strictEqual(counts.without, 0, "every delivery has its attempts in the log")
        assert.strictEqual(counts.failed, 0)
        // Only deliveries that were acknowledged but not recorded when their worker was killed are sent again.
        assert.strictEqual(duplicates, received() - counts.attempts)
        console.log(
          `${events} events, ${counts.deliveries} deliveries in ${seconds.toFixed(1)} s (killed workers' claims run 30 s); ` +
            `${counts.attempts} attempts recorded, ${duplicates} duplicates: answered, but not recorded before kill -9`
        )
        for (const worker of workers.slice(2)) assert.strictEqual(await worker.end("SIGTERM"), 0)
      } finally {
        await database.end()
        await Promise.all([server, ...workers].map((each) => each.hasEnded() || each.end("SIGKILL")))
        await Promise.all(all.map(({ close }) => close()))
      }
    }
  )
})
