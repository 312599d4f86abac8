import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { bodyOf, dataOf, failureOf, makeClient } from "./fixtures/Client.ts"
import type { Reply } from "./fixtures/Client.ts"
import { openLocks } from "./fixtures/DatabaseLocks.ts"
import type { DatabaseLocks } from "./fixtures/DatabaseLocks.ts"
import { onMarket } from "./fixtures/Market.ts"
import type { Market, Member } from "./fixtures/Market.ts"
import { startServer } from "./fixtures/startServer.ts"
import type { RunningServer } from "./fixtures/startServer.ts"
import { waitFor } from "./fixtures/waitFor.ts"

const overloadedMessage = "The service is overloaded; try again soon"

describe("a server whose reads do not end", () => {
  let server: RunningServer
  let locks: DatabaseLocks
  let market: Market
  let owner: Member
  let readers: ReadonlyArray<Member>

  beforeAll(async () => {
    const url = await createDatabase()
    locks = await openLocks(url)
    server = await startServer({ DATABASE_URL: url, LISTING_REVIEW: "auto" })
    market = onMarket(server.baseUrl)
    owner = await market.member()
    readers = await Promise.all([market.member(), market.member(), market.member()])
  })
  afterAll(async () => {
    await locks?.close()
    await server?.stop()
  })

  it("refuses reads at once, still lets an owner set limits, and answers everybody afterwards (LOAD-1, LOAD-2, LOAD-5)", async () => {
    const own = makeClient(server.baseUrl, owner.key)
    bodyOf(await own.get("/v1/listings"))

    await locks.hold("LOCK TABLE listing_facets IN ACCESS EXCLUSIVE MODE")
    const replies: Array<Promise<Reply>> = []
    const read = () => {
      for (const { key } of readers) {
        const client = makeClient(server.baseUrl, key)
        for (let n = 0; n < 50; n++) replies.push(client.get("/v1/listings"))
      }
    }
    const ended: Array<Reply> = []
    const refused = await waitFor("a read is refused", async () => {
      const first = replies.length
      read()
      for (const reply of replies.slice(first)) void reply.then((found) => ended.push(found))
      await new Promise((resolve) => setTimeout(resolve, 50))
      return ended.find(({ text }) => text.includes(overloadedMessage))
    })
    failureOf(refused, 503, "SERVICE_UNAVAILABLE")
    assert.strictEqual(refused.headers.get("retry-after"), "1")

    const changed = await own.patch("/api/v1/wallet/policy", { perTransactionLimit: 5 })
    assert.strictEqual(changed.status, 200, changed.text)
    const { id } = dataOf<{ readonly id: string }>(await own.post("/api/v1/agents", { name: "Shopper" }), 201)
    assert.isString(id)
    assert.strictEqual((await own.get("/api/v1/wallet/withdrawals")).status, 200)
    const metrics = await (await fetch(`${server.baseUrl}/metrics`)).text()
    assert.match(metrics, /^market_shed_requests_total\{priority="read"\} [1-9]/m)
    assert.match(metrics, /^market_shed_requests_total\{priority="control"\} 0$/m)
    assert.match(metrics, /^market_shed_requests_total\{priority="money"\} 0$/m)

    await locks.release()
    for (const { headers, status, text } of await Promise.all(replies)) {
      assert.include([200, 503], status, text)
      if (status === 503) assert.strictEqual(headers.get("retry-after"), "1")
    }
    const after = await Promise.all(Array.from({ length: 100 }, () => own.get("/v1/listings")))
    for (const { status, text } of after) assert.strictEqual(status, 200, text)
  })
})
