import { Marketplace } from "@agent-marketplace/client"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import type { Harness } from "../../src/startHarness.ts"
import { startHarness } from "../../src/startHarness.ts"

let harness: Harness
let buyer: Marketplace
let seller: Marketplace

const count = 7

/** The market pays withdrawals automatically; afterwards its lists no longer change. */
const paidOut = async (): Promise<boolean> => {
  await harness.clock.advance(10)
  const { withdrawals } = await buyer.wallet.withdrawals({ limit: 100 })
  return withdrawals.every(({ status }) => status === "completed")
}

beforeAll(async () => {
  harness = await startHarness()
  const { baseUrl, keys } = harness
  buyer = new Marketplace({ apiKey: keys.buyer, baseUrl })
  seller = new Marketplace({ apiKey: keys.seller, baseUrl })
  for (let each = 1; each <= count; each += 1) {
    const name = `Number ${each}`
    const { id } = await seller.skills.create({ name, description: "One of many.", price: 1, category: "other" })
    await seller.souls.create({ name, description: "One of many.", content: "# SOUL\n", category: "numbers" })
    await buyer.skills.buy({ skillId: id })
    await buyer.skills.review(id, { rating: 4 })
    await buyer.keys.create({ name, scope: "READ" })
    await buyer.agents.create({ name })
    await buyer.webhooks.create({ url: `http://127.0.0.1:1/${each}`, events: ["*"] })
    await buyer.wallet.withdraw({ amount: 5, destinationAddress: "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf" })
  }
  await vi.waitUntil(paidOut, { timeout: 60_000 })
})
afterAll(() => harness.stop())

const collect = async <A>(records: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const record of records) all.push(record)
  return all
}

describe("async iterators", () => {
  it("over every list give each record once, in the list's order, whatever the page size", async () => {
    for (const limit of [1, 3, 7, 100]) {
      const options = { limit }
      const listed = (await buyer.skills.list({ category: "other" })).skills.map(({ id }) => id)
      const skills = await collect(buyer.skills.iterate({ category: "other", ...options }))
      assert.deepStrictEqual(
        skills.map(({ id }) => id),
        listed
      )
      const lists: ReadonlyArray<readonly [AsyncIterable<{ readonly id: string }>, number]> = [
        [buyer.souls.iterate({ category: "numbers", ...options }), count],
        [buyer.listings.iterate({ query: "number", ...options }), count],
        [buyer.purchases.iterate(options), count],
        [seller.sales.iterate(options), count],
        [buyer.keys.iterate(options), count + 1],
        [buyer.agents.iterate(options), count],
        [buyer.webhooks.iterate(options), count],
        [buyer.wallet.iterateWithdrawals(options), count],
        [buyer.skills.iterateReviews(listed[0] ?? "", options), 1],
        [buyer.listings.iterateReviews(listed[0] ?? "", options), 1],
        [buyer.approvals.iterate({ status: "pending", ...options }), 0],
        [buyer.subscriptions.iterate(options), 0]
      ]
      for (const [records, expected] of lists)
        assert.strictEqual(new Set((await collect(records)).map(({ id }) => id)).size, expected)
      const lines = await collect(buyer.wallet.iterateTransactions(options))
      assert.deepStrictEqual(lines, await buyer.wallet.transactions({ limit: 100 }))
    }
  })

  it("fetch a page when it is needed: a caller that stops early has requested one page", async () => {
    let requests = 0
    const market = new Marketplace({
      apiKey: harness.keys.buyer,
      baseUrl: harness.baseUrl,
      fetch: (url, init) => {
        requests += 1
        return fetch(url, init)
      }
    })
    for await (const skill of market.skills.iterate({ category: "other", limit: 3 })) {
      assert.isString(skill.title)
      break
    }
    assert.strictEqual(requests, 1)
  })

  it("skip records that moved to the next page because new ones were added before them", async () => {
    const seen: Array<string> = []
    for await (const { name } of buyer.agents.iterate({ limit: 3 })) {
      seen.push(name)
      if (seen.length === 2) await buyer.agents.create({ name: "Late" })
    }
    assert.deepStrictEqual(seen, ["Number 7", "Number 6", "Number 5", "Number 4", "Number 3", "Number 2", "Number 1"])
  })

  it("end with the signal's reason", async () => {
    const controller = new AbortController()
    const reason = new Error("enough")
    const thrown = await (async () => {
      for await (const _ of buyer.purchases.iterate({ limit: 1 }, { signal: controller.signal }))
        controller.abort(reason)
    })().catch((error: unknown) => error)
    assert.strictEqual(thrown, reason)
  })
})
