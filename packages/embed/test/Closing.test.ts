import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { assert, describe, it } from "vitest"
import { createMarketplace } from "../src/createMarketplace.ts"
import { memoryStorage } from "../src/storage/memoryStorage.ts"
import { buyerOf, sellerOf } from "./fixtures/market.ts"
import { listen } from "./fixtures/listen.ts"

const open = () => createMarketplace({ storage: memoryStorage(), review: "auto", jobs: false })

describe("closing a market", () => {
  it("closing again returns the same promise (EMBED-4)", async () => {
    const market = await open()
    assert.strictEqual(market.close(), market.close())
    await market.close()
  })

  it("calls in progress are finished, later ones are refused, and none hangs (EMBED-4)", async () => {
    const market = await open()
    const { skill } = await sellerOf(market)
    const buyer = await buyerOf(market, "25")
    const buying = buyer.skills.buy({ skillId: skill.id })
    const closing = market.close()
    const late = buyer.wallet.balance().catch((error: unknown) => error)
    assert.strictEqual((await buying).status, "completed")
    const error = (await late) as MarketplaceError
    assert.instanceOf(error, MarketplaceError)
    assert.deepStrictEqual(
      [error.code, error.statusCode, error.message],
      ["SERVICE_UNAVAILABLE", 503, "The market is closed"]
    )
    await closing
  })

  it("a response that is being read is read to its end first, and an abandoned one delays nothing", async () => {
    const market = await open()
    const { apiKey } = await market.createAccount({ name: "Ada" })
    const headers = { authorization: `Bearer ${apiKey.key}` }
    const csv = new Request("http://localhost:3000/api/v1/wallet/transactions?format=csv", { headers })
    const [read, unwanted] = [await market.fetch(csv.clone()), await market.fetch(csv)]
    let isClosed = false
    const closing = market.close().then(() => {
      isClosed = true
    })
    await unwanted.body?.cancel()
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    assert.isFalse(isClosed)
    assert.match(await read.text(), /^id,type,amount/)
    await closing
  })

  it("every entry point responds with 503 afterwards", async () => {
    const market = await open()
    const server = await listen(market.node)
    await market.close()
    const { status } = await market.fetch(new Request("http://localhost:3000/healthz"))
    const overNode = await fetch(`${server.url}/healthz`)
    assert.deepStrictEqual([status, overNode.status], [503, 503])
    assert.deepInclude(((await overNode.json()) as { error: object }).error, { code: "SERVICE_UNAVAILABLE" })
    for (const late of [market.operator.ledger.audit(), market.createAccount({ name: "Late" })]) {
      const failure = (await late.catch((error: unknown) => error)) as MarketplaceError
      assert.strictEqual(failure.message, "The market is closed")
    }
    assert.throws(() => market.events(), MarketplaceError, /closed/)
    await server.stop()
  })

  it("an iteration over events ends with the market", async () => {
    const market = await open()
    await market.as({ id: "1", name: "Ada" }).agents.create({ name: "Shopper" })
    const heard: Array<string> = []
    for await (const { event } of market.events()) {
      heard.push(event)
      void market.close()
    }
    assert.deepStrictEqual(heard, ["agent.registered"])
    await market.close()
  })
})
