import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { DemoClient } from "../src/DemoClient.ts"
import type { Harness } from "../src/startHarness.ts"
import { startHarness } from "../src/startHarness.ts"

describe("the harness", () => {
  let harness: Harness
  let market: DemoClient
  beforeAll(async () => {
    harness = await startHarness()
    market = new DemoClient(harness.baseUrl)
  })
  afterAll(() => harness.stop())

  it("begins with a seller's soul and skills, and a buyer with 1,000 USDT", async () => {
    const { souls } = await market.call("GET", "/api/souls", harness.keys.buyer)
    assert.deepStrictEqual(
      souls.map(({ slug }: { slug: string }) => slug),
      [harness.items.soul]
    )
    const { pagination } = await market.call("GET", "/v1/listings", harness.keys.buyer)
    assert.strictEqual(pagination.total, 3)
    const { balance } = await market.data("GET", "/api/v1/wallet/balance", harness.keys.buyer)
    assert.strictEqual(balance, 1000)
  })

  it("moves time: a subscription is renewed in the moment its period ends, and the books stay balanced", async () => {
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

  it("feeds its chain: a deposit is credited when the call returns", async () => {
    const { address } = await market.data("GET", "/api/v1/wallet/deposit", harness.keys.seller)
    await harness.chain.deposit(address, "12.5")
    const { totalDeposits } = await market.data("GET", "/api/v1/wallet/balance", harness.keys.seller)
    assert.strictEqual(totalDeposits, 12.5)
  })

  it("goes back to the beginning on the same address, with the same keys", async () => {
    const { baseUrl, keys } = harness
    await harness.reset()
    assert.strictEqual(harness.baseUrl, baseUrl)
    assert.deepStrictEqual(harness.keys, keys)
    const { balance } = await market.data("GET", "/api/v1/wallet/balance", harness.keys.buyer)
    assert.strictEqual(balance, 1000)
  })
})

it("the demo plays the whole story and ends with balanced books", async () => {
  const demo = fileURLToPath(new URL("../src/demo.ts", import.meta.url))
  const harness = await startHarness({ listingReview: "manual" })
  const { stdout } = await promisify(execFile)(process.execPath, [demo], {
    env: { PATH: process.env["PATH"], BASE_URL: harness.baseUrl, ADMIN_TOKEN: harness.keys.admin }
  }).finally(harness.stop)
  assert.match(stdout, /7\. What the public sees/)
  assert.match(stdout, /audit\s+balanced/)
}, 30_000)
