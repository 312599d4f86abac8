import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { createDatabase, createEmptyDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { assert, describe, it } from "vitest"
import { tronChain } from "../src/chain/tronChain.ts"
import { createMarketplace } from "../src/createMarketplace.ts"
import type { LogLine } from "../src/options/MarketplaceOptions.ts"
import { memoryStorage } from "../src/storage/memoryStorage.ts"
import { postgresStorage } from "../src/storage/postgresStorage.ts"
import { xpub } from "./fixtures/xpub.ts"
import { buyerOf, sellerOf, withMarket } from "./fixtures/market.ts"

const rejection = async (work: Promise<unknown>): Promise<MarketplaceError> => {
  const error = await work.then(
    () => assert.fail("it did not fail"),
    (cause: unknown) => cause
  )
  assert.instanceOf(error, MarketplaceError)
  return error as MarketplaceError
}

describe("a market in a program", () => {
  it("users publish, deposit, buy, approve and withdraw, and the ledger is balanced (EMBED-1)", () =>
    withMarket(async (market) => {
      const { seller, skill } = await sellerOf(market)
      const buyer = await buyerOf(market, "40")
      await buyer.wallet.policy.change({ autoApproveThreshold: 5 })
      assert.strictEqual((await buyer.skills.buy({ skillId: skill.id })).status, "pending_approval")
      const [waiting] = await buyer.approvals.list({ status: "pending" })
      await buyer.approvals.approve(waiting?.id ?? "")
      assert.strictEqual((await buyer.wallet.balance()).balance, 30)
      assert.strictEqual((await seller.sales.list())[0]?.amount, 10)

      const other = await market.createAccount({ name: "Outside" })
      const destinationAddress = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"
      await buyer.wallet.withdraw({ amount: "10", destinationAddress })
      for (let second = 0; second < 6; second += 1) await market.simulation.advance(1)
      assert.strictEqual((await buyer.wallet.withdrawals()).withdrawals[0]?.status, "completed")
      assert.strictEqual((await market.as(other.apiKey.key).account.get()).name, "Outside")
      assert.isTrue((await market.operator.ledger.audit()).balanced)
      assert.isNotEmpty((await buyer.activity.live()).activities)
    }))

  it("the operator reviews and features listings, and sets tiers", () =>
    withMarket(
      async (market) => {
        const seller = market.as({ id: "seller", name: "Seller", seller: true })
        const draft = { description: "Sorts a day's mail.", price: 10, category: "automation" as const }
        const create = (name: string) =>
          seller.listings.create({ ...draft, name, installUrl: "https://example.com/skill" })
        const [good, bad] = [await create("Good"), await create("Bad")]
        const queue = await market.operator.listings.list({ status: "pending_review", page: undefined })
        assert.deepStrictEqual(queue.map(({ name }) => name).toSorted(), ["Bad", "Good"])
        assert.strictEqual((await market.operator.listings.approve(good.id)).status, "approved")
        assert.isTrue((await market.operator.listings.feature(good.id, { featured: true })).featured)
        assert.strictEqual(
          (await market.operator.listings.reject(bad.id, { reason: "Too bad" })).rejectionReason,
          "Too bad"
        )
        assert.strictEqual((await market.operator.listings.suspend(good.id)).status, "suspended")
        const { id } = await seller.account.get()
        assert.strictEqual((await market.operator.accounts.update(id, { tier: "pro" })).tier, "pro")
        assert.deepStrictEqual(await market.operator.conditions.list({ status: "open" }), [])
        assert.strictEqual((await rejection(market.operator.listings.approve("lst_no"))).code, "LISTING_NOT_FOUND")
        assert.strictEqual(
          (await rejection(market.operator.listings.reject(good.id, { reason: "" }))).code,
          "VALIDATION_ERROR"
        )
      },
      { review: "manual" }
    ))

  it("expected failures reject with the codes, messages and details of the HTTP API (EMBED-1)", () =>
    withMarket(async (market) => {
      const { seller, skill } = await sellerOf(market)
      const poor = market.as({ id: "poor", name: "Poor" })
      const { code, details, statusCode } = await rejection(poor.skills.buy({ skillId: skill.id }))
      assert.deepStrictEqual([code, statusCode], ["INSUFFICIENT_BALANCE", 402])
      assert.deepStrictEqual(details, { required: "10.00 USDT", available: "0.00 USDT" })
      assert.strictEqual((await rejection(seller.skills.buy({ skillId: skill.id }))).code, "OWN_LISTING")
      const wrong = await rejection(market.createAccount({ name: "" }))
      assert.deepStrictEqual(wrong.details["issues"], [{ path: "name", message: "must be 1 to 100 characters" }])
      for (const key of ["amk_wrong", "x"]) {
        assert.strictEqual((await rejection(market.as(key).account.get())).code, "INVALID_API_KEY")
      }
      for (const [amount, path] of [
        ["-1", "amount"],
        ["x", "amount"]
      ] as const) {
        const refused = await rejection(market.simulation.deposit("TJRabPrwbZy45sbavfcjinPJC18kjpRTv8", amount))
        assert.strictEqual((refused.details["issues"] as ReadonlyArray<{ path: string }>)[0]?.path, path)
      }
    }))

  it("an invalid caller is refused before any request", () =>
    withMarket(async (market) => {
      for (const caller of ["", undefined, null, 7]) {
        assert.throws(() => market.as(caller as string), MarketplaceError, /caller must be an API key or a user/)
      }
      const { code, details } = await rejection(market.as({ id: "", name: "x" }).account.get())
      assert.strictEqual(code, "VALIDATION_ERROR")
      assert.deepStrictEqual(details["issues"], [{ path: "user.id", message: "must be a text of 1 to 255 characters" }])
      for (const request of [undefined, null, "http://localhost:3000/healthz"]) {
        const refused = await rejection(market.fetch(request as unknown as Request))
        assert.deepStrictEqual(
          [refused.code, refused.message],
          ["VALIDATION_ERROR", "fetch: request must be a Request"]
        )
      }
    }))

  it("calls of the program itself are not limited, requests over HTTP are", () =>
    withMarket(async (market) => {
      const { apiKey } = await market.createAccount({ name: "Busy" })
      const busy = market.as(apiKey.key)
      for (let call = 0; call < 120; call += 1) await busy.account.get()
      const headers = { authorization: `Bearer ${apiKey.key}` }
      const request = () => market.fetch(new Request("http://localhost:3000/api/v1/account", { headers }))
      assert.strictEqual((await request()).headers.get("x-ratelimit-remaining"), "99")
      const strange = { headers: { "x-insider": "Operator", cookie: "insider=Operator" } }
      const outside = new Request("http://localhost:3000/api/v1/admin/ledger/audit", strange)
      assert.strictEqual((await market.fetch(outside)).status, 401)
    }))

  it("an agent of a user buys with the user's money, within the agent's own policy", () =>
    withMarket(async (market) => {
      const { skill } = await sellerOf(market)
      const buyer = await buyerOf(market, "25")
      const agent = await buyer.agents.create({ name: "Shopper" })
      await buyer.agents.policy.change(agent.id, { perTransactionLimit: 5 })
      const shopper = market.as({ id: "buyer", name: "Buyer", agentId: agent.id })
      const refused = await rejection(shopper.skills.buy({ skillId: skill.id }))
      assert.deepStrictEqual([refused.code, refused.details["limit"]], ["SPENDING_LIMIT_EXCEEDED", "perTransaction"])
      assert.strictEqual((await rejection(shopper.agents.policy.change(agent.id, {}))).code, "INSUFFICIENT_PERMISSIONS")
      const stranger = market.as({ id: "stranger", name: "Stranger", agentId: agent.id })
      assert.strictEqual((await rejection(stranger.wallet.balance())).code, "INVALID_API_KEY")
      assert.strictEqual((await buyer.skills.buy({ skillId: skill.id })).status, "completed")
    }))

  it("an aborted call rejects with the signal's reason, and nothing waits for it", () =>
    withMarket(async (market) => {
      const user = market.as({ id: "1", name: "Ada" })
      for (const begin of [() => {}, () => Promise.resolve()]) {
        const controller = new AbortController()
        const asked = user.wallet.balance({ signal: controller.signal }).catch((error: unknown) => error)
        await begin()
        controller.abort("enough")
        assert.strictEqual(await asked, "enough")
      }
    }))

  it("two markets in one process share no data", () =>
    withMarket((one) =>
      withMarket(async (other) => {
        const { apiKey } = await one.createAccount({ name: "Ada" })
        assert.strictEqual((await rejection(other.as(apiKey.key).account.get())).code, "INVALID_API_KEY")
      })
    ))

  it("concurrent purchases spend no more than the balance (BUY-14)", () =>
    withMarket(async (market) => {
      const { seller } = await sellerOf(market)
      const skills = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          seller.skills.create({ name: `Skill ${index}`, description: "One of many skills.", price: 1 })
        )
      )
      const buyer = await buyerOf(market, "20")
      const bought = await Promise.allSettled(skills.map(({ id }) => buyer.skills.buy({ skillId: id })))
      assert.strictEqual(bought.filter(({ status }) => status === "fulfilled").length, 20)
      assert.strictEqual((await buyer.wallet.balance()).balance, 0)
      assert.isTrue((await market.operator.ledger.audit()).balanced)
    }))

  it("warnings and errors are passed to the host's function", async () => {
    const lines: Array<LogLine> = []
    await withMarket(
      async (market) => {
        const broken = new Request("http://localhost:3000/api/v1/account", { headers: { cookie: "a=b" } })
        assert.strictEqual((await market.fetch(broken)).status, 503)
      },
      {
        users: () => {
          throw new Error("the table of sessions is unavailable")
        },
        log: (line) => lines.push(line)
      }
    )
    assert.deepStrictEqual(
      lines.map(({ level }) => level),
      ["warning"]
    )
    assert.include(lines[0]?.message, "the table of sessions is unavailable")
  })
})

describe("on PostgreSQL", () => {
  it("a new market continues with the data of the previous one, and its users keep their accounts", async () => {
    const storage = postgresStorage({ url: await createEmptyDatabase() })
    const options = {
      storage,
      secret: "0123456789abcdef0123456789abcdef",
      baseUrl: "https://shop.example/market",
      review: "auto",
      testClock: true
    } as const
    const first = await createMarketplace(options)
    const buyer = await buyerOf(first, "25")
    const { skill } = await sellerOf(first)
    const { id } = await buyer.account.get()
    await first.close()

    const second = await createMarketplace(options)
    const again = second.as({ id: "buyer", name: "Buyer" })
    assert.strictEqual((await again.account.get()).id, id)
    assert.strictEqual((await again.skills.buy({ skillId: skill.id })).status, "completed")
    assert.match((await again.wallet.deposit()).qrCode, /^https:\/\/shop\.example\/market\/api\//)
    assert.isTrue((await second.operator.ledger.audit()).balanced)
    await second.close()
  })

  it("a market without a test clock cannot move its time", async () => {
    const market = await createMarketplace({
      storage: postgresStorage({ url: await createDatabase() }),
      secret: "0123456789abcdef0123456789abcdef",
      baseUrl: "https://shop.example"
    })
    assert.strictEqual((await rejection(market.simulation.advance(1))).code, "NOT_FOUND")
    await market.close()
  })
})

describe("on TRON", () => {
  it("a market starts while its nodes are unavailable, derives addresses from its own key, and cannot create money", async () => {
    const market = await createMarketplace({
      storage: postgresStorage({ url: await createDatabase() }),
      chain: tronChain({ fullNodes: ["http://127.0.0.1:9"], depositXpub: xpub }),
      secret: "0123456789abcdef0123456789abcdef",
      baseUrl: "https://shop.example",
      jobs: false
    })
    const user = market.as({ id: "1", name: "Ada" })
    const { address } = await user.wallet.deposit()
    assert.strictEqual(address, "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH", "the first address of the publicly known phrase")
    assert.strictEqual((await rejection(market.simulation.deposit(address, "1"))).code, "NOT_FOUND")
    assert.strictEqual((await rejection(market.simulation.advance(1))).code, "NOT_FOUND")
    await market.close()
  })
})

describe("the jobs of a market", () => {
  it("credit deposits automatically", async () => {
    const market = await createMarketplace({ storage: memoryStorage() })
    const user = market.as({ id: "1", name: "Ada" })
    const { address } = await user.wallet.deposit()
    await market.simulation.deposit(address, "1")
    for await (const { event } of market.events()) if (event === "deposit.confirmed") break
    assert.strictEqual((await user.wallet.balance()).balance, 1)
    await market.close()
  })
})
