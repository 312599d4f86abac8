import { SettlementStore } from "@agent-marketplace/core/settlement/SettlementStore"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { MemoryStores } from "@agent-marketplace/memory/MemoryStores"
import { Effect, Latch, Layer } from "effect"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { adminToken, startMarket } from "../fixtures/startMarket.ts"
import type { Answer, MarketFixture, TestMarket } from "../fixtures/startMarket.ts"

/** A latch that requests wait for while it is closed, and how many wait. */
const makeHold = () => {
  const latch = Latch.makeUnsafe(true)
  const hold = {
    latch,
    waiting: 0,
    before: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.suspend(() => {
        hold.waiting += 1
        return Effect.andThen(latch.await, effect)
      })
  }
  return hold
}

/** One request of each priority at a time, and nobody waits. */
const single = { floor: 1, ceiling: 1, waiting: 0 }

describe("an overloaded process", () => {
  let [reads, settlements] = [makeHold(), makeHold()]
  let market: TestMarket
  let seller: { readonly id: string; readonly key: string }
  let buyer: { readonly id: string; readonly key: string }
  let skillId: string

  const held = (): typeof MemoryStores.layer =>
    Layer.mergeAll(
      Layer.effect(
        SoulStore,
        Effect.map(SoulStore, (store) => ({ ...store, list: (...query) => reads.before(store.list(...query)) }))
      ),
      Layer.effect(
        SettlementStore,
        Effect.map(SettlementStore, (store) => ({
          ...store,
          settle: (commands) => settlements.before(store.settle(commands))
        }))
      )
    ).pipe(Layer.provideMerge(MemoryStores.layer))

  const start = async (more: MarketFixture = {}) => {
    market = startMarket({ stores: held(), load: single, ...more })
    seller = await market.account({ seller: true })
    buyer = await market.account()
    const draft = { name: "Report writer", description: "Writes reports about tables.", price: 0 }
    skillId = (await market.send("POST", "/api/v1/skills", { key: seller.key, body: draft })).body.data.id as string
  }

  beforeEach(() => {
    ;[reads, settlements] = [makeHold(), makeHold()]
  })
  afterEach(async () => {
    for (const { latch } of [reads, settlements]) await Effect.runPromise(latch.open)
    await market.stop()
  })

  const until = async (holds: () => boolean) => {
    for (const end = Date.now() + 10_000; !holds();) {
      assert.isBelow(Date.now(), end, "the request does not arrive")
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Ends once so many requests wait. */
  const waiting = async (count: number) => {
    for (;;) {
      const { text } = await market.send("GET", "/metrics")
      if (text.includes(`\nmarket_admission_waiting ${count}\n`)) return
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  /** A read that is in progress until the latch opens. */
  const holdRead = async (): Promise<Answer> => {
    await Effect.runPromise(reads.latch.close)
    return market.send("GET", "/api/souls", { key: seller.key })
  }

  it("refuses reads on every face with 503 and Retry-After, and answers again afterwards (LOAD-5)", async () => {
    await start()
    const first = holdRead()
    await until(() => reads.waiting > 0)
    const soul = await market.send("GET", "/api/souls", { key: buyer.key })
    assert.deepStrictEqual([soul.status, soul.body], [503, { error: "Service unavailable" }])
    for (const path of ["/api/v1/skills", "/v1/listings", "/api/v1/purchases"]) {
      const { body, headers, status } = await market.send("GET", path, { key: buyer.key })
      assert.deepStrictEqual([status, body.error.code, headers.get("retry-after")], [503, "SERVICE_UNAVAILABLE", "1"])
      assert.strictEqual(body.error.message, "The service is overloaded; try again soon")
    }
    const create = { name: "Soul", description: "A soul.", content: "# Soul", category: "philosophy" }
    const made = await market.send("POST", "/api/v1/souls/create", { key: seller.key, body: create })
    assert.deepStrictEqual([made.status, made.body.error], [500, "Failed to create soul"])
    assert.strictEqual(made.headers.get("retry-after"), "1")
    const draft = { name: "Another writer", description: "Writes letters about tables.", price: 1 }
    assert.strictEqual((await market.send("POST", "/api/v1/skills", { key: seller.key, body: draft })).status, 503)
    await Effect.runPromise(reads.latch.open)
    assert.strictEqual((await first).status, 200)
    const { body } = await market.send("GET", "/api/v1/skills", { key: buyer.key })
    assert.strictEqual(body.data.skills.length, 1)
  })

  it("control and money go on while reads are refused; health, metrics and the feed are never refused (LOAD-2, LOAD-8)", async () => {
    await start()
    const first = holdRead()
    await until(() => reads.waiting > 0)
    const agent = await market.send("POST", "/api/v1/agents", { key: buyer.key, body: { name: "Shopper" } })
    assert.strictEqual(agent.status, 201)
    const id = agent.body.data.agent?.id ?? agent.body.data.id
    const frozen = await market.send("POST", `/api/v1/agents/${id}/freeze`, { key: buyer.key, body: {} })
    assert.strictEqual(frozen.status, 200)
    assert.strictEqual((await market.send("GET", "/api/v1/admin/accounts", { key: adminToken })).status, 200)
    assert.strictEqual(
      (await market.send("POST", "/api/v1/purchases", { key: buyer.key, body: { skillId } })).status,
      201
    )
    for (const path of ["/healthz", "/readyz", "/api/activity/live"])
      assert.strictEqual((await market.send("GET", path)).status, 200, path)
    assert.strictEqual((await market.send("GET", "/api/v1/skills", { key: buyer.key })).status, 503)
    const { text } = await market.send("GET", "/metrics")
    assert.match(text, /^market_shed_requests_total\{priority="read"\} 1$/m)
    assert.match(text, /^market_shed_requests_total\{priority="control"\} 0$/m)
    assert.match(text, /^market_admission_limit 1$/m)
    await Effect.runPromise(reads.latch.open)
    await first
  })

  it("a refused purchase has done nothing, and takes no part of the rate limit (LOAD-5)", async () => {
    await start({ limits: true })
    await Effect.runPromise(settlements.latch.close)
    const buy = (key: string, idempotencyKey: string) =>
      market.send("POST", "/api/v1/purchases", {
        key,
        body: { skillId },
        headers: { "idempotency-key": idempotencyKey }
      })
    const other = await market.account()
    const first = buy(buyer.key, "first")
    await until(() => settlements.waiting > 0)
    const refused = await buy(other.key, "second")
    assert.deepStrictEqual([refused.status, refused.body.error.code], [503, "SERVICE_UNAVAILABLE"])
    assert.strictEqual(settlements.waiting, 1)
    await Effect.runPromise(settlements.latch.open)
    assert.strictEqual((await first).status, 201)
    const list = await market.send("GET", "/api/v1/purchases", { key: other.key })
    assert.deepStrictEqual(list.body.data.purchases, [])
    const again = await buy(other.key, "second")
    assert.strictEqual(again.status, 201)
    assert.isNull(again.headers.get("idempotent-replayed"))
    assert.strictEqual(again.headers.get("x-ratelimit-remaining"), "98")
  })

  it("does not refuse where it is switched off (LOAD-7)", async () => {
    await start({ http: { shedsLoad: false } })
    const first = holdRead()
    await until(() => reads.waiting > 0)
    assert.strictEqual((await market.send("GET", "/api/v1/skills", { key: buyer.key })).status, 200)
    await Effect.runPromise(reads.latch.open)
    assert.strictEqual((await first).status, 200)
  })

  it("a long line of requests that end at once is answered (LOAD-1)", async () => {
    await start({ load: { floor: 1, ceiling: 1, waiting: 4000, neverOverloaded: 4000, burstMillis: 60_000 } })
    const first = holdRead()
    await until(() => reads.waiting > 0)
    const wrong = Array.from({ length: 1900 }, () => market.send("GET", "/api/v1/skills?limit=x", { key: buyer.key }))
    await waiting(wrong.length)
    await Effect.runPromise(reads.latch.open)
    assert.strictEqual((await first).status, 200)
    assert.deepStrictEqual([...new Set((await Promise.all(wrong)).map(({ status }) => status))], [400])
  })

  it("a client that leaves the line leaves its place (LOAD-6)", async () => {
    await start({ load: { floor: 1, ceiling: 1, waiting: 2 } })
    const first = holdRead()
    await until(() => reads.waiting > 0)
    const client = new AbortController()
    const request = new Request("http://market.test/api/v1/skills", {
      headers: { authorization: `Bearer ${buyer.key}` },
      signal: client.signal
    })
    const left = market.fetch(request).then(
      ({ status }) => status,
      () => "left"
    )
    await waiting(1)
    client.abort()
    await waiting(0)
    await Effect.runPromise(reads.latch.open)
    assert.strictEqual((await first).status, 200)
    assert.notStrictEqual(await left, 200)
    assert.strictEqual((await market.send("GET", "/api/v1/skills", { key: buyer.key })).status, 200)
  })
})
