import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { freePort } from "@agent-marketplace/http/server/freePort"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { bodyOf, dataOf, failureOf, issuesOf } from "./fixtures/Client.ts"
import { listingDraft, onMarket } from "./fixtures/Market.ts"
import type { Market, Member, Purchase } from "./fixtures/Market.ts"
import { soulMarkdown } from "./fixtures/soulMarkdown.ts"
import { startServer } from "./fixtures/startServer.ts"
import type { RunningServer } from "./fixtures/startServer.ts"

const outside = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"

describe("settings of the operator (CONFIG-13)", () => {
  let server: RunningServer
  let market: Market
  let seller: Member
  let buyer: Member

  beforeAll(async () => {
    server = await startServer({
      DATABASE_URL: await createDatabase(),
      TEST_CLOCK: "true",
      LISTING_REVIEW: "auto",
      SOUL_CONTENT: "licensed",
      PLATFORM_FEE_BPS: "1234",
      WITHDRAWAL_FEE: "0.5",
      WITHDRAWAL_MINIMUM: "2",
      METRICS_TOKEN: "only-for-the-scraper",
      PORT: String(await Effect.runPromise(freePort("127.0.0.1"))),
      BASE_URL: "https://market.example.com/of/agents"
    })
    market = onMarket(server.baseUrl, { testClock: true })
    ;[seller, buyer] = await Promise.all([market.member({ seller: true }), market.fundedMember(100)])
  })
  afterAll(() => server?.stop())

  it("SOUL_CONTENT=licensed: only the author and license holders can read the whole text of a paid soul (SOUL-38, SOUL-45)", async () => {
    const text = soulMarkdown("Paid text") + "- ALWAYS name the source of a figure 🦀\n".repeat(20)
    const draft = { name: "Paid text", description: "A soul with a long text.", content: text, price: 3 }
    const paid = bodyOf<{ id: string; slug: string }>(await seller.post("/api/v1/souls/create", draft), 201)
    const free = await market.soul(seller, "Free text")
    const read = async (slug: string, of: Member): Promise<{ content: string; preview?: boolean }> =>
      bodyOf<{ soul: { content: string; preview?: boolean } }>(await of.get(`/api/souls/${slug}`)).soul
    const assertWhole = async (slug: string, of: Member, content: string): Promise<void> => {
      const soul = await read(slug, of)
      assert.strictEqual(soul.content, content)
      assert.notProperty(soul, "preview")
    }
    const beginning = { content: [...text].slice(0, 280).join(""), preview: true }
    await assertWhole(free.slug, buyer, soulMarkdown("Free text"))
    await assertWhole(paid.slug, seller, text)
    assert.deepInclude(await read(paid.slug, buyer), beginning)
    failureOf(await buyer.post(`/api/v1/souls/${paid.slug}/download`), 402, "LICENSE_REQUIRED")
    dataOf(await buyer.post("/api/v1/purchases", { skillId: paid.id }), 201)
    await assertWhole(paid.slug, buyer, text)
    assert.deepInclude(await read(paid.slug, await market.member()), beginning)
    assert.deepInclude(dataOf<object>(await buyer.post(`/api/v1/souls/${paid.slug}/download`)), {
      content: text
    })
  })

  it("LISTING_REVIEW=auto: a listing is on sale immediately, although the response says pending_review (LISTING-24, CONFIG-7)", async () => {
    const created = bodyOf<{ id: string; status: string }>(
      await seller.post("/v1/listings", listingDraft("Approved at once", 2)),
      201
    )
    assert.strictEqual(created.status, "pending_review")
    const skill = { name: "Skill approved at once", description: "Nobody reviews it.", price: 1 }
    const made = dataOf<{ id: string; status: string }>(await seller.post("/api/v1/skills", skill), 201)
    assert.strictEqual(made.status, "pending_review")
    for (const { id } of [created, made]) {
      assert.deepInclude(bodyOf<object>(await buyer.get(`/v1/listings/${id}`)), { id, status: "approved" })
      const { listings } = bodyOf<{ listings: ReadonlyArray<{ id: string }> }>(
        await buyer.get("/v1/listings?limit=100")
      )
      assert.include(
        listings.map((listing) => listing.id),
        id
      )
      assert.strictEqual(
        dataOf<Purchase>(await buyer.post("/api/v1/purchases", { skillId: id }), 201).status,
        "completed"
      )
    }
  })

  it("PLATFORM_FEE_BPS: the fee is part of the price, rounded half to even (CONFIG-13, SALE-1)", async () => {
    const skillId = await market.listing(seller, "Odd price", 1.00025)
    const { purchaseId } = dataOf<Purchase>(await buyer.post("/api/v1/purchases", { skillId }), 201)
    // 12.34 % of 1.00025 is 0.12343085.
    const record = dataOf<object>(await buyer.get(`/api/v1/purchases/${purchaseId}`))
    assert.deepInclude(record, { amount: 1.00025, fee: 0.123431 })
  })

  it("WITHDRAWAL_FEE and WITHDRAWAL_MINIMUM (WITHDRAWAL-7, WITHDRAWAL-8)", async () => {
    const withdraw = (amount: unknown) =>
      buyer.post("/api/v1/wallet/withdrawals", { amount, destinationAddress: outside })
    assert.deepStrictEqual(issuesOf(await withdraw("1.999999")), ["amount"])
    assert.deepInclude(dataOf<object>(await withdraw(2), 201), { amount: 2, fee: 0.5, totalAmount: 2.5 })
  })

  it("METRICS_TOKEN protects only the metrics (SYSTEM-4)", async () => {
    assert.strictEqual((await market.guest.get("/metrics")).status, 401)
    assert.strictEqual((await market.guest.get("/metrics", { authorization: "Bearer wrong" })).status, 401)
    const allowed = await market.guest.get("/metrics", { authorization: "Bearer only-for-the-scraper" })
    assert.strictEqual(allowed.status, 200)
    assert.strictEqual((await market.guest.get("/healthz")).status, 200)
  })

  it("responses use BASE_URL, even if a proxy removes its path (CONFIG-2)", async () => {
    const { qrCode } = dataOf<{ qrCode: string }>(await buyer.get("/api/v1/wallet/deposit"))
    assert.isTrue(qrCode.startsWith("https://market.example.com/of/agents/api/"))
    const picture = await market.guest.get(new URL(qrCode).pathname.replace("/of/agents", ""))
    assert.strictEqual(picture.headers.get("content-type"), "image/png")
    const document = bodyOf<{ servers: object }>(await market.guest.get("/openapi.json"))
    assert.deepStrictEqual(document.servers, [{ url: "/of/agents" }])
  })
})
