import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { assertShape, isoTime } from "../fixtures/assertShape.ts"
import { bodyOf, dataOf, failureOf, issuesOf, makeClient } from "../fixtures/Client.ts"
import { listingDraft, onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"

interface Feed {
  readonly activities: ReadonlyArray<{ readonly type: string; readonly message: string; readonly amount?: string }>
  readonly stats: Record<string, unknown>
}

describe("operator, feed and public pages (OPERATOR-1, FEED-1)", () => {
  let server: RunningServer
  let market: Market
  let seller: Member

  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: await createDatabase(), LISTING_REVIEW: "auto", TEST_CLOCK: "true" })
    market = onMarket(server.baseUrl, { testClock: true })
    seller = await market.member({ name: "Ada Lovelace", seller: true })
  })
  afterAll(() => server?.stop())

  const feed = async (query = ""): Promise<Feed> => bodyOf<Feed>(await market.guest.get(`/api/activity/live${query}`))

  it("the feed shows a registration, a listing, a purchase and its earning, newest first (FEED-3, FEED-4, FEED-5, FEED-6, FEED-7)", async () => {
    assert.deepStrictEqual((await feed()).activities, [])
    dataOf(await market.guest.post("/api/v1/agents/register", { name: "Secret Agent" }), 201)
    const skillId = await market.listing(seller, "Feed reader", 20)
    const buyer = await market.fundedMember(30)
    dataOf(await buyer.post("/api/v1/purchases", { skillId }), 201)
    const told = await waitFor("the feed shows it", async () => {
      const now = await feed()
      // The use of a key is recorded once a second.
      return now.activities.length === 4 && Number(now.stats["activeAgents"]) >= 2 ? now : undefined
    })
    const sea = /^(?:🦀|🐙|🦞|🐠|🐳)$/u
    const shapes = {
      purchase: { id: /^purchase-/, icon: "🛍️", message: /^(?:🦀|🐙|🦞|🐠|🐳) traded Feed reader$/u, amount: "20.00" },
      earning: { id: /^earning-/, icon: "💰", message: "Earned $19.00 USDT", amount: "19.00" },
      listing: { id: /^listing-/, icon: "✨", message: "Ada Lovelace listed Feed reader" },
      registration: { id: /^reg-/, icon: sea, message: /^Agent (?:🦀|🐙|🦞|🐠|🐳) registered$/u }
    }
    const types = told.activities.map(({ type }) => type)
    assert.sameMembers(types.slice(0, 2), ["purchase", "earning"])
    assert.deepStrictEqual(types.slice(2), ["listing", "registration"])
    for (const item of told.activities) {
      const shape = shapes[item.type as keyof typeof shapes]
      assertShape(item, { ...shape, type: item.type, timestamp: isoTime })
    }
    assertShape(told.stats, { activeAgents: (n) => Number(n) >= 2, tradesLast24h: 1, revenueLast24h: "20.00" })
  })

  it("the feed clamps its limit and shows the last 24 hours (FEED-2, FEED-3)", async () => {
    for (const [limit, length] of [
      ["1", 1],
      ["0", 1],
      ["-3", 1],
      ["3", 3],
      ["51", 4],
      ["1e9", 4],
      ["ten", 4],
      ["", 4]
    ] as const) {
      assert.strictEqual((await feed(`?limit=${limit}`)).activities.length, length, limit)
    }
    assert.strictEqual((await feed("?limit=2&limit=x")).activities.length > 0, true)
    await market.advance(86_401)
    const empty = await waitFor("the feed is empty", async () => {
      const now = await feed()
      return now.activities.length === 0 ? now : undefined
    })
    assert.deepInclude(empty.stats, { tradesLast24h: 0, revenueLast24h: "0.00" })
  })

  it("every /api/v1/admin route requires the operator's token (OPERATOR-1)", async () => {
    const { id } = bodyOf<{ id: string }>(await seller.post("/v1/listings", listingDraft("Admin only", 2)), 201)
    for (const [method, path] of [
      ["get", "/api/v1/admin/listings"],
      ["post", `/api/v1/admin/listings/${id}/suspend`],
      ["get", "/api/v1/admin/ledger/audit"],
      ["patch", `/api/v1/admin/accounts/${seller.id}`],
      ["post", "/api/v1/admin/clock"],
      ["post", "/api/v1/admin/simulated-chain/deposits"]
    ] as const) {
      failureOf(await market.guest[method](path), 401, "INVALID_API_KEY")
      failureOf(await makeClient(server.baseUrl, "x".repeat(40))[method](path), 401, "INVALID_API_KEY")
      assert.include([401, 403], (await seller[method](path)).status, path)
    }
  })

  it("the operator changes an account's tier and reads the audit (OPERATOR-5, OPERATOR-17, DEBT-4)", async () => {
    const path = `/api/v1/admin/accounts/${seller.id}`
    const changed = dataOf<object>(await market.operator.patch(path, { tier: "enterprise", hourlyLimit: 5000 }))
    assert.deepInclude(changed, { id: seller.id, tier: "enterprise" })
    assert.deepInclude(dataOf<object>(await seller.get("/api/v1/account")), { tier: "enterprise", seller: true })
    assert.deepStrictEqual(issuesOf(await market.operator.patch(path, { tier: "gold" })), ["tier"])
    failureOf(await market.operator.patch("/api/v1/admin/accounts/usr_none", { tier: "pro" }), 404, "ACCOUNT_NOT_FOUND")
    const audit = dataOf<{ wallets: number; entries: number }>(await market.operator.get("/api/v1/admin/ledger/audit"))
    assertShape(audit, {
      balanced: true,
      wallets: audit.wallets,
      entries: audit.entries,
      entriesRead: audit.entries,
      since: null,
      differences: [],
      warnings: []
    })
    assert.isAbove(audit.wallets, 1)
    assert.isAbove(audit.entries, 2)
  })

  it("an audit since the checkpoint reads only new entries (OPERATOR-31)", async () => {
    const audit = async () =>
      dataOf<{ balanced: boolean; entries: number; entriesRead: number; since: string | null }>(
        await market.operator.get("/api/v1/admin/ledger/audit?since=checkpoint")
      )
    const first = await audit()
    assert.deepInclude(first, { balanced: true, entriesRead: first.entries, since: null })
    const second = await audit()
    assert.deepInclude(second, { balanced: true, entries: first.entries, entriesRead: 0 })
    assert.isFalse(Number.isNaN(Date.parse(second.since ?? "")))
    assert.deepStrictEqual(issuesOf(await market.operator.get("/api/v1/admin/ledger/audit?since=monday")), ["since"])
  })

  it("the operator's clock and chain routes refuse invalid values", async () => {
    for (const advanceSeconds of [-1, 1.5, "x", null, 1e18]) {
      assert.deepStrictEqual(issuesOf(await market.operator.post("/api/v1/admin/clock", { advanceSeconds })), [
        "advanceSeconds"
      ])
    }
    const path = "/api/v1/admin/simulated-chain/deposits"
    assert.deepStrictEqual(
      issuesOf(await market.operator.post(path, { address: "nowhere", amount: -1 })).includes("amount"),
      true
    )
    assert.strictEqual((await market.operator.post(path, {})).status, 400)
  })

  it("logs an advance of the clock and a simulated deposit with their amounts (OPERATOR-14)", async () => {
    const address = dataOf<{ address: string }>(await seller.get("/api/v1/wallet/deposit")).address
    await market.operator.post("/api/v1/admin/clock", { advanceSeconds: 2 })
    const paid = { address, amount: "3.25" }
    const { txHash } = dataOf<{ txHash: string }>(
      await market.operator.post("/api/v1/admin/simulated-chain/deposits", paid),
      201
    )
    const newest = async (subject: string) => {
      const actions = await market.operator.get(`/api/v1/admin/actions?limit=1&subject=${subject}`)
      return dataOf<ReadonlyArray<{ action: string; after: unknown }>>(actions).map(({ action, after }) => [
        action,
        after
      ])
    }
    assert.deepStrictEqual(await newest("clock"), [["clock.advance", { advanceSeconds: 2 }]])
    assert.deepStrictEqual(await newest(address), [["simulated-chain.deposit", { amount: "3.25", txHash }]])
  })

  it("health, readiness, documents and metrics are public (SYSTEM-1, SYSTEM-2, SYSTEM-3, SYSTEM-4)", async () => {
    for (const path of ["/healthz", "/readyz"]) assert.strictEqual((await market.guest.get(path)).status, 200, path)
    const document = bodyOf<{ openapi: string; paths: object }>(await market.guest.get("/openapi.json"))
    assert.match(document.openapi, /^3\./)
    assert.isAbove(Object.keys(document.paths).length, 30)
    const docs = await market.guest.get("/docs")
    assert.strictEqual(docs.status, 200)
    assert.match(docs.headers.get("content-type") ?? "", /^text\/html/)
    const metrics = await market.guest.get("/metrics")
    assert.strictEqual(metrics.status, 200)
    assert.match(metrics.text, /^# (?:HELP|TYPE) /m)
  })

  it("a pause of payouts degrades the service until it ends: readiness, metric, the operator's list (SYSTEM-9, OPERATOR-26)", async () => {
    interface Ready {
      readonly status: string
      readonly conditions?: ReadonlyArray<object>
    }
    interface Condition {
      readonly since: string
      readonly endedAt: string | null
    }
    const path = "/api/v1/admin/conditions"
    const readiness = async () => bodyOf<Ready>(await market.guest.get("/readyz"))
    const reaches = (status: string) =>
      waitFor(`/readyz says ${status}`, async () => {
        const ready = await readiness()
        return ready.status === status ? ready : undefined
      })
    const metric = async () =>
      /^market_condition\{kind="payouts_paused"\} (\d)/m.exec((await market.guest.get("/metrics")).text)?.[1]
    // Warnings may remain from cases that moved the market's time by a day.
    assert.strictEqual((await readiness()).status, "ready")
    dataOf(await market.operator.post("/api/v1/admin/payouts/pause", { reason: "The wallet is moved." }))
    const { conditions = [] } = await reaches("degraded")
    const shown = { kind: "payouts_paused", message: "The operator has paused all payouts." }
    assert.lengthOf(conditions, 1)
    assertShape(conditions[0], { ...shown, since: isoTime })
    await waitFor("the metric is 1", async () => (await metric()) === "1")
    const [open] = dataOf<ReadonlyArray<Condition>>(await market.operator.get(`${path}?status=open`))
    assertShape(open, { ...shown, since: isoTime, detail: "The wallet is moved.", endedAt: null })

    dataOf(await market.operator.post("/api/v1/admin/payouts/resume"))
    assert.notProperty(await reaches("ready"), "conditions")
    await waitFor("the metric is 0", async () => (await metric()) === "0")
    assert.deepStrictEqual(dataOf(await market.operator.get(`${path}?status=open`)), [])
    const [ended] = dataOf<ReadonlyArray<Condition>>(await market.operator.get(path))
    assertShape(ended, { ...shown, since: open?.since ?? "", detail: "The wallet is moved.", endedAt: isoTime })
    assert.deepStrictEqual(issuesOf(await market.operator.get(`${path}?status=closed`)), ["status"])
    failureOf(await market.guest.get(path), 401, "INVALID_API_KEY")
    assert.include([401, 403], (await seller.get(path)).status)
  })

  it("every response has its own X-Request-Id (HEADER-1)", async () => {
    const paths = ["/healthz", "/api/souls", "/v1/listings", "/api/activity/live", "/nowhere", "/docs"]
    const ids = await Promise.all(paths.map(async (path) => (await market.guest.get(path)).headers.get("x-request-id")))
    assert.notInclude(ids, null)
    assert.strictEqual(new Set(ids).size, paths.length)
  })
})
