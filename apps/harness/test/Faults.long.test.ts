import { Marketplace } from "@agent-marketplace/client"
import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { toWire } from "@agent-marketplace/api/errors/WireError"
import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import type { Harness, RequestFault } from "../src/startHarness.ts"
import { startHarness } from "../src/startHarness.ts"

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterEach(() => harness.reset())
afterAll(() => harness.stop())

const client = (maxRetries = 0) => new Marketplace({ apiKey: harness.keys.buyer, baseUrl: harness.baseUrl, maxRetries })

const failure = async (attempt: Promise<unknown>): Promise<MarketplaceError> => {
  const error = await attempt.then(
    () => assert.fail("it did not fail"),
    (thrown: unknown) => thrown
  )
  assert.instanceOf(error, MarketplaceError)
  return error
}

describe("requests that the harness makes fail", () => {
  it("get a 503 with Retry-After as often as configured, and are then executed once", async () => {
    harness.faults.failRequests({ status: 503, times: 2, method: "POST", path: "/api/v1/purchases", retryAfter: 0 })
    const { paid } = harness.items.skills
    const { code, statusCode } = await failure(client().skills.buy({ skillId: paid }))
    assert.deepStrictEqual([statusCode, code], [503, toWire(new StoreUnavailable({}), "").body.error.code])
    assert.strictEqual((await client().wallet.balance()).availableBalance, 1000)
    assert.strictEqual((await client(2).skills.buy({ skillId: paid })).status, "completed")
    assert.strictEqual((await client().wallet.balance()).availableBalance, 990)
  })

  it("get a 429 with the limit's headers and details", async () => {
    harness.faults.failRequests({ status: 429, retryAfter: 30 })
    const response = await fetch(`${harness.baseUrl}/api/v1/account`, {
      headers: { authorization: `Bearer ${harness.keys.buyer}` }
    })
    assert.deepStrictEqual(
      [response.status, response.headers.get("retry-after"), response.headers.get("x-ratelimit-remaining")],
      [429, "30", "0"]
    )
    const { error } = (await response.json()) as { error: { code: string; details: Record<string, unknown> } }
    assert.strictEqual(error.code, "RATE_LIMIT_EXCEEDED")
    assert.hasAllKeys(error.details, ["resetAt", "limit", "window"])
  })

  it.each([
    [429, "/api/souls", { error: "Rate limit exceeded" }],
    [503, "/api/souls", { error: "Service unavailable" }],
    [500, "/api/souls", { error: "Failed to fetch souls" }]
  ] as const)("get %i in the envelope of %s (WIRE-3)", async (status, path, body) => {
    harness.faults.failRequests({ status })
    const response = await fetch(harness.baseUrl + path, { headers: { authorization: `Bearer ${harness.keys.buyer}` } })
    assert.deepStrictEqual([response.status, await response.json()], [status, body])
  })

  it("are only those of the method and path; the feed never fails (WIRE-6)", async () => {
    harness.faults.failRequests({ status: 500, times: 1000, method: "POST", path: "/" })
    harness.faults.failRequests({ status: 500, times: 1000, path: "/api/activity" })
    assert.strictEqual((await fetch(`${harness.baseUrl}/api/activity/live`)).status, 200)
    assert.strictEqual((await client().wallet.balance()).availableBalance, 1000)
    await harness.faults.clear()
    assert.strictEqual((await client().skills.buy({ skillId: harness.items.skills.free })).status, "completed")
  })

  it.each([
    [{ status: 404 }, "status must be 429, 500 or 503"],
    [{}, "status must be 429, 500 or 503"],
    [{ status: 503, times: 0 }, "times must be a whole number from 1 to 1000"],
    [{ status: 503, path: "api" }, "path must start with /"],
    [{ status: 503, count: 2 }, "count is not a field of this fault"]
  ])("%j is refused", (fault, message) => {
    assert.throws(() => harness.faults.failRequests(fault as unknown as RequestFault), RangeError, message)
  })
})

describe("a chain that the harness stalls", () => {
  it("credits no deposit until it resumes", async () => {
    const { address } = await client().wallet.deposit()
    await harness.faults.stallChain()
    await harness.chain.deposit(address, "5")
    await harness.clock.advance(3600)
    assert.strictEqual((await client().wallet.balance()).availableBalance, 1000)
    await harness.faults.resumeChain()
    assert.strictEqual((await client().wallet.balance()).availableBalance, 1005)
  })
})

describe("webhooks that the harness makes fail", () => {
  it("do not reach the receiver, are in the delivery log, and are delivered by a later attempt", async () => {
    const received: Array<string> = []
    const receiver = createServer((request, response) => {
      received.push(request.url ?? "")
      request.resume().on("end", () => response.end())
    }).listen(0, "127.0.0.1")
    try {
      await new Promise((resolve) => receiver.once("listening", resolve))
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
      const webhook = await client().webhooks.create({ url, events: ["purchase.completed"] })
      harness.faults.failWebhooks({ status: 500 })
      harness.faults.failWebhooks()
      await client().skills.buy({ skillId: harness.items.skills.paid })
      await harness.clock.advance(1)
      await harness.clock.advance(60)
      assert.deepStrictEqual(received, [])
      await harness.clock.advance(3600)
      assert.deepStrictEqual(received, ["/hook"])
      const [delivery] = await client().webhooks.deliveries(webhook.id)
      assert.strictEqual(delivery?.status, "delivered")
      const attempts = delivery?.attempts.map(({ error, statusCode }) => [statusCode, error])
      assert.deepStrictEqual(attempts, [
        [500, "HTTP 500"],
        [null, "connection refused"],
        [200, null]
      ])
    } finally {
      receiver.close()
    }
  })
})

describe("the clock of a harness", () => {
  it("is read without waiting, and moves with the market's time", async () => {
    const before = harness.clock.nowSync().getTime()
    await harness.clock.advance(3600)
    assert.isAtLeast(harness.clock.nowSync().getTime() - before, 3_600_000)
    assert.closeTo(harness.clock.nowSync().getTime(), (await harness.clock.now()).getTime(), 1000)
  })
})

describe("the items of a harness", () => {
  it("have ids that buy takes, the SOUL too", async () => {
    const { skills, soul } = harness.items
    assert.strictEqual((await client().skills.buy({ skillId: soul.id })).skillId, soul.id)
    assert.strictEqual((await client().skills.buy({ skillId: skills.paid })).skillId, skills.paid)
    assert.strictEqual((await client().souls.get(soul.slug)).soul.slug, soul.slug)
  })
})
