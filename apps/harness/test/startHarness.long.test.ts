import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { execFile } from "node:child_process"
import { once } from "node:events"
import { programFile } from "@agent-marketplace/fixtures/processes/programFile"
import { promisify } from "node:util"
import { DemoClient } from "../src/DemoClient.ts"
import type { Harness, HarnessOptions } from "../src/startHarness.ts"
import { startHarness } from "../src/startHarness.ts"

describe("the harness", () => {
  let harness: Harness
  let market: DemoClient
  beforeAll(async () => {
    harness = await startHarness()
    market = new DemoClient(harness.baseUrl)
  })
  afterAll(() => harness.stop())

  it("starts with a seller's soul and skills, and a buyer with 1,000 USDT (HARNESS-1)", async () => {
    const { souls } = await market.call("GET", "/api/souls", harness.keys.buyer)
    assert.deepStrictEqual(
      souls.map(({ slug }: { slug: string }) => slug),
      [harness.items.soul.slug]
    )
    const { pagination } = await market.call("GET", "/v1/listings", harness.keys.buyer)
    assert.strictEqual(pagination.total, 3)
    const { balance } = await market.data("GET", "/api/v1/wallet/balance", harness.keys.buyer)
    assert.strictEqual(balance, 1000)
  })

  it("serves GraphQL, MCP and the WebSocket, also after a reset (HARNESS-5)", async () => {
    for (const _ of ["before", "after"]) {
      const post = async (path: string, body: object) => {
        const response = await fetch(harness.baseUrl + path, {
          method: "POST",
          headers: { authorization: `Bearer ${harness.keys.buyer}`, "content-type": "application/json" },
          body: JSON.stringify(body)
        })
        return response.text()
      }
      assert.include(await post("/graphql", { query: "{ wallet { balance } }" }), '"balance":1000')
      const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "wallet_balance", arguments: {} } }
      assert.include(await post("/mcp", call), "1000")
      const socket = new WebSocket(`${harness.baseUrl.replace("http:", "ws:")}/api/v1/ws`)
      await once(socket, "open")
      socket.send(JSON.stringify({ type: "auth", key: harness.keys.buyer }))
      const [event] = (await once(socket, "message")) as [MessageEvent<string>]
      assert.deepStrictEqual(JSON.parse(event.data), { type: "authenticated" })
      socket.close()
      await harness.reset()
    }
  })

  it("moves time: a subscription is renewed when its period ends, and the ledger stays balanced", async () => {
    const { keys, items } = harness
    await market.data("POST", "/api/v1/purchases", keys.buyer, { skillId: items.skills.subscription })
    const before = await harness.clock.now()
    const after = await harness.clock.advance(30 * 86_400 + 1)
    assert.isAtLeast(after.getTime() - before.getTime(), (30 * 86_400 + 1) * 1000)
    const { totalSpent } = await market.data("GET", "/api/v1/wallet/balance", keys.buyer)
    assert.strictEqual(totalSpent, 20)
    const audit = await market.data("GET", "/api/v1/admin/ledger/audit", keys.admin)
    assert.deepStrictEqual([audit.balanced, audit.differences], [true, []])
  })

  it("simulates deposits: a deposit is credited when the call returns", async () => {
    const { address } = await market.data("GET", "/api/v1/wallet/deposit", harness.keys.seller)
    await harness.chain.deposit(address, "12.5")
    const { totalDeposits } = await market.data("GET", "/api/v1/wallet/balance", harness.keys.seller)
    assert.strictEqual(totalDeposits, 12.5)
  })

  it("resets to the seeded state at the same address, with the same keys (HARNESS-1, HARNESS-2)", async () => {
    const { baseUrl, keys } = harness
    await harness.reset()
    assert.strictEqual(harness.baseUrl, baseUrl)
    assert.deepStrictEqual(harness.keys, keys)
    const { balance } = await market.data("GET", "/api/v1/wallet/balance", harness.keys.buyer)
    assert.strictEqual(balance, 1000)
  })
})

describe("a harness that is misused", () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await startHarness()
  })
  afterAll(() => harness.stop())

  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => "not refused",
      (error: Error) => `${error.name}: ${error.message}`
    )

  it("explains what is wrong with an option, a time, an amount, an address (HARNESS-4)", async () => {
    assert.strictEqual(await refusal(startHarness({ seed: 1.5 })), "RangeError: seed must be a whole number from 0")
    for (const wrong of [{ sead: 1 }, { port: "x" }, { listingReview: "never" }, { rateLimits: true }] as const)
      assert.match(
        await refusal(startHarness(wrong as HarnessOptions)),
        /^RangeError: \w+ (?:is not an option of startHarness|must be)/
      )
    const seconds = "RangeError: seconds must be a whole number from 1 to 316224000"
    for (const wrong of [0, -1, 0.5, Number.NaN, 1e12])
      assert.strictEqual(await refusal(harness.clock.advance(wrong)), seconds)
    const { address } = await new DemoClient(harness.baseUrl).data("GET", "/api/v1/wallet/deposit", harness.keys.buyer)
    assert.strictEqual(await refusal(harness.chain.deposit(address, "-1")), "RangeError: amount must not be negative")
    assert.strictEqual(await refusal(harness.chain.deposit(address, "0")), "RangeError: amount must be more than 0")
    assert.strictEqual(
      await refusal(harness.chain.deposit("0xdeadbeef", "1")),
      "RangeError: address must be a TRON address"
    )
  })

  it("responds to every request during a reset, also during concurrent resets", async () => {
    const resets = [harness.reset(), harness.reset(), harness.reset()]
    const answers = Array.from({ length: 20 }, () => fetch(`${harness.baseUrl}/api/activity/live`))
    await Promise.all(resets)
    for (const answer of await Promise.all(answers)) assert.strictEqual(answer.status, 200)
    const { balance } = await new DemoClient(harness.baseUrl).data("GET", "/api/v1/wallet/balance", harness.keys.buyer)
    assert.strictEqual(balance, 1000)
  })

  it("frees its port when it is stopped, also twice, and another one can take it", async () => {
    const first = await startHarness()
    const port = Number(new URL(first.baseUrl).port)
    await Promise.all([first.stop(), first.stop()])
    const second = await startHarness({ port })
    assert.strictEqual(second.baseUrl, first.baseUrl)
    assert.match(await refusal(startHarness({ port })), /EADDRINUSE/)
    await second.stop()
  })

  it("rejects every call once it is stopped", async () => {
    const harness = await startHarness()
    await harness.stop()
    for (const late of [harness.reset, harness.clock.now, () => harness.clock.advance(1)])
      assert.strictEqual(await refusal(late()), "Error: the harness is stopped")
  })
})

it("the demo runs to its end, with a balanced ledger", async () => {
  const demo = programFile("demo")
  const harness = await startHarness({ listingReview: "manual" })
  const { stdout } = await promisify(execFile)(process.execPath, [demo], {
    env: { PATH: process.env["PATH"], BASE_URL: harness.baseUrl, ADMIN_TOKEN: harness.keys.admin }
  }).finally(harness.stop)
  assert.match(stdout, /7\. The public feed, and the audit of the ledger/)
  assert.match(stdout, /audit\s+balanced/)
})
