import { Random } from "@agent-marketplace/fixtures/fuzzing/Random"
import { setTimeout } from "node:timers/promises"
import { Client } from "pg"
import { assert, describe, it } from "vitest"
import { dataOf, makeClient } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Purchase } from "../fixtures/Market.ts"
import { adminToken } from "../fixtures/startServer.ts"
import { Traffic } from "../fixtures/Traffic.ts"
import { waitFor } from "../fixtures/waitFor.ts"
import { ChaosDatabase } from "./ChaosDatabase.ts"
import { restartingServer, restartingWorker } from "./ChaosProcesses.ts"
import { ChaosReceiver } from "./ChaosReceiver.ts"

/** How long faults happen. `npm run chaos -- 30` sets it to 30 minutes. */
const minutes = Number(process.env["CHAOS_MINUTES"] ?? 0.5)
const seed = Number(process.env["CHAOS_SEED"] ?? Date.now() % 1_000_000)

type Fault = readonly [name: string, run: () => Promise<unknown>]

/** One fault after the other until the time is over. Returns how often each happened. */
const lane = async (faults: ReadonlyArray<Fault>, random: Random, until: number, pause: number) => {
  const counts = new Map<string, number>()
  while (Date.now() < until) {
    await setTimeout(random.below(pause))
    const [name, run] = random.pick(faults)
    await run()
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

describe("chaos", () => {
  it("loses no answered request, executes none twice and balances, whatever is killed, frozen or cut (DATABASE-3, SYSTEM-7)", async () => {
    process.stdout.write(`chaos: seed ${seed}, ${minutes} minutes (CHAOS_SEED, CHAOS_MINUTES)\n`)
    const database = await ChaosDatabase.start()
    const receiver = await ChaosReceiver.start()
    const common = { DATABASE_URL: database.url, LOG_LEVEL: "error", TEST_CLOCK: "true", WEBHOOK_ALLOW_PRIVATE: "true" }
    const env = { ...common, LISTING_REVIEW: "auto", WORKER: "external" }
    const urls = new Map<number, string>()
    const servers = [0, 1].map((number) => restartingServer(env, urls, number))
    const workers = [0, 1].map(() => restartingWorker(common))
    try {
      await waitFor("both servers", async () => urls.size === 2)
      const [first = ""] = urls.values()
      const traffic = await Traffic.prepare(first, { customers: 8, items: Math.max(200, 80 * minutes) })
      const subscription = { url: receiver.url, events: ["purchase.completed"] }
      dataOf(await makeClient(first, traffic.seller.key).post("/api/v1/webhooks", subscription), 201)
      const random = new Random(seed, 0)
      let turn = 0
      const shift = {
        get baseUrl() {
          return urls.get(turn++ % 2) ?? first
        },
        isOver: () => over
      }
      let over = false
      const running = traffic.run(shift)
      const until = Date.now() + minutes * 60_000
      const freezing = () => 200 + random.below(2800)
      const one = <A>(values: ReadonlyArray<A>) => random.pick(values)
      const onProcesses: ReadonlyArray<Fault> = [
        ["kill a server", async () => one(servers).kill()],
        ["freeze a server", () => one(servers).freeze(freezing())],
        ["kill a worker", async () => one(workers).kill()],
        ["freeze a worker", () => one(workers).freeze(freezing())]
      ]
      const slow = async () => {
        database.delay(20 + random.below(200))
        await setTimeout(freezing())
        database.delay(0)
      }
      const onDatabase: ReadonlyArray<Fault> = [
        ["cut connections", async () => database.cut()],
        ["slow connections", slow],
        ["kill the primary", () => database.restart()],
        ["promote", () => database.promote()]
      ]
      const advance = (seconds: number) =>
        makeClient(shift.baseUrl, adminToken).post("/api/v1/admin/clock", { advanceSeconds: seconds })
      const unavailable = async () => {
        receiver.fail()
        await setTimeout(freezing())
        receiver.recover()
      }
      const around: ReadonlyArray<Fault> = [
        ["fail the receiver", unavailable],
        // A server that is down does not move the clock.
        ["move the clock", () => advance(1 + random.below(60)).catch(() => undefined)]
      ]
      const lanes = await Promise.all([
        lane(onProcesses, random, until, 5000),
        lane(onDatabase, new Random(seed, 1), until, 4000),
        lane(around, new Random(seed, 2), until, 6000)
      ])
      over = true
      await running
      const counts = Object.fromEntries(lanes.flatMap((each) => [...each]))
      const total = Object.values(counts).reduce((sum, each) => sum + each, 0)
      process.stdout.write(
        `chaos: ${total} faults (${(total / minutes).toFixed(0)} a minute) ${JSON.stringify(counts)}; ${traffic.moves.length} requests, ` +
          `${traffic.moves.filter(({ answer }) => answer === undefined).length} without an answer, ${traffic.failures.length} refused\n`
      )
      assert.isAbove(database.promotions, 0, "nothing was promoted: repeat with another seed")

      const calm = await waitFor("a server answers", async () => {
        const url = urls.get(0) ?? ""
        return (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200 ? url : undefined
      })
      await traffic.reconcile(calm)
      await traffic.assertNothingLost(calm)
      await waitFor("every answered deposit is credited", () => traffic.areDepositsCredited(calm), 120_000)
      await onMarket(calm).assertBalanced()
      await waitFor(
        "every answered purchase is delivered",
        async () => {
          await onMarket(calm).advance(3600)
          return isDelivered(traffic, receiver)
        },
        120_000
      )
      await assertUnique(database.url)
    } finally {
      await Promise.all([...servers, ...workers].map((each) => each.close()))
      await receiver.close()
      await database.close()
    }
  })
})

/** Whether each answered purchase was delivered. Repetitions of a delivery have its id. */
const isDelivered = (traffic: Traffic, receiver: ChaosReceiver): boolean => {
  const deliveries = receiver.deliveries()
  const ids = new Map(deliveries.map(({ id, purchaseId }) => [purchaseId, id]))
  for (const { id, purchaseId } of deliveries)
    assert.strictEqual(id, ids.get(purchaseId), `two events for ${purchaseId}`)
  return traffic.moves
    .filter(({ answer, kind }) => kind === "buy" && answer?.status === 201)
    .every(({ answer }) => answer !== undefined && ids.has(dataOf<Purchase>(answer, 201).purchaseId))
}

/** No license twice, no item sold twice to a buyer, and no event lost between the log and its deliveries. */
const assertUnique = async (url: string): Promise<void> => {
  const [, login = "", hosts = "", name = ""] = /^(postgres:\/\/[^@]*@)([^/]*)(\/.*)$/.exec(url) ?? []
  for (const host of hosts.split(",")) {
    const client = new Client({ connectionString: `${login}${host}${name}` })
    await client.connect()
    try {
      const { rows } = await client.query<Record<string, number>>(
        `SELECT (SELECT count(*) - count(DISTINCT license_key) FROM purchases WHERE license_key IS NOT NULL)::int AS licenses,
          (SELECT count(*) FROM (SELECT 1 FROM purchases WHERE status = 'completed' GROUP BY buyer_id, item_id HAVING count(*) > 1) AS twice)::int AS sold`
      )
      assert.deepStrictEqual(rows, [{ licenses: 0, sold: 0 }])
    } finally {
      await client.end()
    }
  }
}
