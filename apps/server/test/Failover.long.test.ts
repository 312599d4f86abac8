import { assert, describe, it } from "vitest"
import { makeClient } from "./fixtures/Client.ts"
import { startFaultyProxy } from "./fixtures/FaultyProxy.ts"
import type { FaultyProxy } from "./fixtures/FaultyProxy.ts"
import { onMarket } from "./fixtures/Market.ts"
import { startReplicatedPostgres } from "./fixtures/startReplicatedPostgres.ts"
import type { ReplicatedPostgres } from "./fixtures/startReplicatedPostgres.ts"
import { adminToken, spawnServer, startServer } from "./fixtures/startServer.ts"
import { Traffic } from "./fixtures/Traffic.ts"
import { waitFor } from "./fixtures/waitFor.ts"

/** The number of promotions under load. */
const promotions = Number(process.env["PROMOTIONS"] ?? 2)

/** The longest time, in milliseconds, from the end of the promotion until a purchase succeeds again. */
const bound = 5000

/** Waits until the server can write again. Returns the milliseconds since `since`. */
const backAfter = async (baseUrl: string, since: number): Promise<number> => {
  const operator = makeClient(baseUrl, adminToken)
  await waitFor("the server writes again", async () => {
    const reply = await operator.post("/api/v1/accounts", { name: "After the promotion" }).catch(() => undefined)
    return reply?.status === 201
  })
  return performance.now() - since
}

interface Options {
  /** Whether the former primary wakes at the end. */
  readonly wakes?: boolean
  /** One address in front of both hosts that moves to the new primary. */
  readonly address?: FaultyProxy
}

const failOver = async (lose: (database: ReplicatedPostgres) => Promise<void>, { address, wakes }: Options = {}) => {
  const database = await startReplicatedPostgres()
  try {
    const [primaryPort = 0, standbyPort = 0] = [...database.url.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) =>
      Number(port)
    )
    if (address !== undefined) address.target = primaryPort
    const DATABASE_URL =
      address === undefined ? database.url : database.url.replace(/127.*(?=\/)/, `127.0.0.1:${address.port}`)
    const server = await startServer({ DATABASE_URL, LISTING_REVIEW: "auto" })
    const traffic = await Traffic.prepare(server.baseUrl, { customers: 6, items: 60 }, { patient: true })
    let over = false
    const running = traffic.run({ baseUrl: server.baseUrl, isOver: () => over })
    await waitFor("some traffic", async () => traffic.moves.length >= 40)
    await lose(database)
    await database.promote()
    if (address !== undefined) address.target = standbyPort
    const away = await backAfter(server.baseUrl, performance.now())
    if (wakes === true) await database.thawPrimary()
    const until = traffic.moves.length + 20
    await waitFor("traffic on the new primary", async () => traffic.moves.length >= until)
    over = true
    await running
    const answered = traffic.moves.filter(({ answer }) => answer !== undefined).length
    await traffic.reconcile(server.baseUrl)
    await traffic.assertNothingLost(server.baseUrl)
    await waitFor("deposits are credited", () => traffic.areDepositsCredited(server.baseUrl))
    await onMarket(server.baseUrl).assertBalanced()
    assert.strictEqual(await server.stop(), 0)
    return { answered, unknown: traffic.moves.length - answered, failures: traffic.failures.length, away }
  } finally {
    await database.stop()
  }
}

describe("a primary that is lost under load (DATABASE-3)", () => {
  for (let run = 1; run <= promotions; run++)
    it(`by kill -9: no answered request is lost or executed twice, and writes return within 5 s, run ${run}`, async () => {
      const { answered, away, failures, unknown } = await failOver((database) => database.killPrimary())
      process.stdout.write(
        `promotion ${run}: writes after ${Math.round(away)} ms; ${answered} answered, ${unknown} without an answer, ${failures} refused\n`
      )
      assert.isBelow(away, bound)
    })

  it("by a freeze: connections to the frozen primary are cut, and it is not used again when it wakes", async () => {
    const { away } = await failOver((database) => database.freezePrimary(), { wakes: true })
    assert.isBelow(away, bound)
  })

  it("by a freeze behind one address that moves: connections to the frozen primary are cut (DATABASE-2)", async () => {
    const address = await startFaultyProxy()
    try {
      const { away } = await failOver((database) => database.freezePrimary(), { address, wakes: true })
      assert.isBelow(away, bound)
    } finally {
      await address.close()
    }
  })

  it("a start without a host that accepts writes names the hosts", async () => {
    const server = spawnServer({ DATABASE_URL: "postgres://127.0.0.1:1,127.0.0.1:2/none" })
    assert.strictEqual(await server.ended, 1)
    assert.include(server.output(), "No host of DATABASE_URL accepts writes: 127.0.0.1:1, 127.0.0.1:2")
  })
})
