import { assert, beforeAll, describe, it } from "vitest"
import { bodyOf, dataOf, failureOf, issuesOf, makeClient, send } from "./fixtures/Client.ts"
import type { Client } from "./fixtures/Client.ts"
import { listingDraft, onMarket } from "./fixtures/Market.ts"
import type { IssuedKey, Market, Member, Purchase } from "./fixtures/Market.ts"
import { sharedServer } from "./fixtures/sharedServer.ts"
import type { SharedServer } from "./fixtures/sharedServer.ts"

/** Each code of the general envelope (ERROR-1) with its status and details. */
describe("errors in the general envelope", () => {
  let server: SharedServer
  let market: Market
  let seller: Member
  let buyer: Member
  let unclaimed: Client

  beforeAll(async () => {
    server = await sharedServer()
    market = onMarket(server.baseUrl, { testClock: true })
    ;[seller, buyer] = await Promise.all([market.member({ seller: true }), market.fundedMember(50)])
    const registered = await market.guest.post("/api/v1/agents/register", { name: "Nobody's" })
    unclaimed = makeClient(server.baseUrl, dataOf<{ apiKey: IssuedKey }>(registered, 201).apiKey.key)
  })

  it("INVALID_API_KEY, 401: missing, malformed or unknown, on every route with this envelope (ERROR-3)", async () => {
    const schemes = [
      "Basic YTpi",
      "Bearer",
      "Bearer ",
      "bearer amk_x",
      "Bearer amk_x amk_y",
      `Bearer ${"x".repeat(5000)}`
    ]
    for (const path of [
      "/v1/listings",
      "/api/v1/listings",
      "/api/v1/skills",
      "/api/v1/wallet/balance",
      "/api/v1/keys"
    ]) {
      assert.deepStrictEqual(failureOf(await market.guest.get(path), 401, "INVALID_API_KEY"), {})
      for (const authorization of schemes) {
        failureOf(await market.guest.get(path, { authorization }), 401, "INVALID_API_KEY")
      }
    }
  })

  it("INSUFFICIENT_PERMISSIONS, 403: details name what is required (ERROR-5)", async () => {
    const key = dataOf<IssuedKey>(await seller.post("/api/v1/keys", { name: "b", scope: "BUYER" }), 201).key
    const refused = await makeClient(server.baseUrl, key).post("/v1/listings", listingDraft("Refused", 2))
    assert.deepStrictEqual(failureOf(refused, 403, "INSUFFICIENT_PERMISSIONS"), { required: ["SELLER", "FULL"] })
    const soul = await market.soul(seller, "Somebody's soul")
    const other = failureOf(await buyer.patch(`/api/v1/souls/${soul.slug}`, {}), 403, "INSUFFICIENT_PERMISSIONS")
    assert.deepStrictEqual(other, { required: ["creator"] })
  })

  it("AGENT_NOT_CLAIMED, 403 (ERROR-8)", async () => {
    for (const path of ["/api/v1/wallet/balance", "/api/v1/sales", "/v1/listings?creator=me"]) {
      assert.deepStrictEqual(failureOf(await unclaimed.get(path), 403, "AGENT_NOT_CLAIMED"), {}, path)
    }
    failureOf(await unclaimed.post("/api/v1/purchases", { skillId: "lst_x" }), 403, "AGENT_NOT_CLAIMED")
  })

  it("INSUFFICIENT_BALANCE, 402: both amounts with their currency (ERROR-4)", async () => {
    const skillId = await market.listing(seller, "Dear listing", 50.000001)
    const poor = failureOf(await buyer.post("/api/v1/purchases", { skillId }), 402, "INSUFFICIENT_BALANCE")
    assert.deepStrictEqual(poor, { required: "50.000001 USDT", available: "50.00 USDT" })
  })

  it("SPENDING_LIMIT_EXCEEDED, 403: each limit by its name (ERROR-7, POLICY-13)", async () => {
    const owner = await market.fundedMember(20)
    const skillId = await market.listing(seller, "Limited listing", 12.5)
    const unlimited = {
      autoApprove: true,
      autoApproveThreshold: null,
      perTransactionLimit: null,
      dailyLimit: null,
      weeklyLimit: null,
      monthlyLimit: null,
      allowedCategories: null,
      blockedSellers: null
    }
    for (const [limit, policy] of [
      ["perTransaction", { perTransactionLimit: 10 }],
      ["daily", { dailyLimit: 10 }],
      ["weekly", { weeklyLimit: 10 }],
      ["monthly", { monthlyLimit: 10 }],
      ["category", { allowedCategories: ["data"] }],
      ["seller", { blockedSellers: [seller.id] }]
    ] as const) {
      dataOf(await owner.put("/api/v1/wallet/policy", { ...unlimited, ...policy }))
      const refused = failureOf(await owner.post("/api/v1/purchases", { skillId }), 403, "SPENDING_LIMIT_EXCEEDED")
      assert.strictEqual(refused["limit"], limit)
      const amounts =
        limit === "category" || limit === "seller" ? {} : { allowed: "10.00 USDT", requested: "12.50 USDT" }
      assert.deepStrictEqual(refused, { limit, ...amounts })
    }
  })

  it("ALREADY_PURCHASED and CONFLICT, 409; OWN_LISTING, 403 (BUY-7, BUY-8, ERROR-6, ERROR-13, ERROR-14)", async () => {
    const skillId = await market.listing(seller, "Bought once", 2)
    const { purchaseId } = dataOf<Purchase>(await buyer.post("/api/v1/purchases", { skillId }), 201)
    const again = failureOf(await buyer.post("/api/v1/purchases", { skillId }), 409, "ALREADY_PURCHASED")
    assert.deepStrictEqual(again, { purchaseId })
    assert.deepStrictEqual(failureOf(await seller.post("/api/v1/purchases", { skillId }), 403, "OWN_LISTING"), {})
    dataOf(await seller.post(`/api/v1/purchases/${purchaseId}/refund`))
    const refunded = failureOf(await seller.post(`/api/v1/purchases/${purchaseId}/refund`), 409, "CONFLICT")
    assert.deepStrictEqual(refunded, { state: "refunded" })
  })

  it("IDEMPOTENCY_KEY_REUSED, 422, on every endpoint that moves money (ERROR-15, IDEMPOTENCY-4, IDEMPOTENCY-5)", async () => {
    const [one, two] = [await market.listing(seller, "Keyed one", 2), await market.listing(seller, "Keyed two", 2)]
    const key = { "idempotency-key": "reused" }
    dataOf(await buyer.post("/api/v1/purchases", { skillId: one, autoInstall: false }, key), 201)
    const same = await buyer.post("/api/v1/purchases", { skillId: one }, key)
    assert.strictEqual(same.headers.get("idempotent-replayed"), "true", same.text)
    for (const body of [{ skillId: two }, { skillId: one, autoInstall: true }]) {
      assert.deepStrictEqual(
        failureOf(await buyer.post("/api/v1/purchases", body, key), 422, "IDEMPOTENCY_KEY_REUSED"),
        {}
      )
    }
    const withdrawal = { amount: 5, destinationAddress: "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC" }
    failureOf(await buyer.post("/api/v1/wallet/withdrawals", withdrawal, key), 422, "IDEMPOTENCY_KEY_REUSED")
    const other = { "idempotency-key": "withdrawal" }
    const first = await buyer.post("/api/v1/wallet/withdrawals", withdrawal, other)
    const second = await buyer.post("/api/v1/wallet/withdrawals", { ...withdrawal, amount: "5.00" }, other)
    assert.strictEqual(second.headers.get("idempotent-replayed"), "true", second.text)
    assert.deepStrictEqual(dataOf<object>(second, 201), dataOf<object>(first, 201))
    const third = await buyer.post("/api/v1/wallet/withdrawals", { ...withdrawal, amount: "5.01" }, other)
    failureOf(third, 422, "IDEMPOTENCY_KEY_REUSED")
  })

  it("…_NOT_FOUND, 404, both for missing records and for those of other accounts (ERROR-9, ERROR-10)", async () => {
    const stranger = await market.member({ seller: true })
    const skillId = await market.listing(seller, "Known listing", 2)
    const { purchaseId } = dataOf<Purchase>(await buyer.post("/api/v1/purchases", { skillId }), 201)
    for (const [code, reply] of [
      ["LISTING_NOT_FOUND", stranger.get("/v1/listings/lst_none")],
      ["LISTING_NOT_FOUND", stranger.get("/api/v1/skills/no-such-skill")],
      ["LISTING_NOT_FOUND", stranger.get("/v1/listings/lst_none/reviews")],
      ["LISTING_NOT_FOUND", stranger.post("/api/v1/purchases", { skillId: "lst_none" })],
      ["SOUL_NOT_FOUND", stranger.patch("/api/v1/souls/no-such-soul", {})],
      ["SOUL_NOT_FOUND", stranger.post("/api/v1/souls/no-such-soul/download")],
      ["PURCHASE_NOT_FOUND", stranger.get("/api/v1/purchases/pur_none")],
      ["PURCHASE_NOT_FOUND", stranger.get(`/api/v1/purchases/${purchaseId}`)],
      ["APPROVAL_NOT_FOUND", stranger.post("/api/v1/approvals/apr_none/approve")],
      ["AGENT_NOT_FOUND", stranger.get("/api/v1/agents/agt_none/policy")],
      ["KEY_NOT_FOUND", stranger.delete(`/api/v1/keys/${seller.keyId}`)],
      ["KEY_NOT_FOUND", stranger.post("/api/v1/keys/key_none/rotate")],
      ["SUBSCRIPTION_NOT_FOUND", stranger.post("/api/v1/subscriptions/sub_none/cancel")],
      ["WITHDRAWAL_NOT_FOUND", stranger.post("/api/v1/wallet/withdrawals/wdr_none/cancel")],
      ["CLIENT_NOT_FOUND", stranger.get("/api/v1/oauth/clients/oac_none")],
      ["GRANT_NOT_FOUND", stranger.delete("/api/v1/oauth/grants/ogr_none")],
      ["CLAIM_CODE_NOT_FOUND", stranger.post("/api/v1/agents/claim", { claimCode: "no-such-code" })],
      ["ACCOUNT_NOT_FOUND", market.operator.patch("/api/v1/admin/accounts/usr_none", { tier: "pro" })]
    ] as const) {
      assert.deepStrictEqual(failureOf(await reply, 404, code), {}, code)
    }
    assert.deepStrictEqual(bodyOf(await stranger.get("/api/souls/no-such-soul"), 404), { error: "Soul not found" })
  })

  it("NOT_FOUND, 404, with or without a key; METHOD_NOT_ALLOWED, 405, with Allow", async () => {
    // Browsers get the shop window at "/".
    for (const one of [market.guest, seller]) {
      failureOf(await one.get("/", { accept: "application/json" }), 404, "NOT_FOUND")
    }
    for (const path of [
      "/nowhere",
      "/api",
      "/api/v1",
      "/api/v1/nowhere",
      "/v1",
      "/v2/listings",
      "/api/v1/keys/a/b/c"
    ]) {
      failureOf(await market.guest.get(path), 404, "NOT_FOUND")
      failureOf(await seller.get(path), 404, "NOT_FOUND")
    }
    for (const [method, path, allowed] of [
      ["DELETE", "/v1/listings", ["GET", "POST"]],
      ["PUT", "/api/v1/purchases", ["GET", "POST"]],
      ["POST", "/api/activity/live", ["GET"]],
      ["PATCH", "/api/v1/keys/refresh", ["POST"]],
      ["POST", "/api/souls", ["GET"]],
      ["DELETE", "/healthz", ["GET"]]
    ] as const) {
      const reply = await send(server.baseUrl + path, method, {})
      if (path === "/api/souls") assert.strictEqual(typeof bodyOf<{ error: unknown }>(reply, 405).error, "string")
      else failureOf(reply, 405, "METHOD_NOT_ALLOWED")
      const allow = (reply.headers.get("allow") ?? "").split(/,\s*/)
      assert.includeMembers(allow, [...allowed], `${method} ${path}`)
      assert.notInclude(allow, method)
    }
  })

  it("VALIDATION_ERROR, 400: all issues together, with dotted paths", async () => {
    const policy = { perTransactionLimit: -1, dailyLimit: "x", allowedCategories: [1], autoApprove: "yes" }
    const issues = issuesOf(await seller.patch("/api/v1/wallet/policy", policy))
    assert.sameMembers(
      issues.map((path) => path.split(".")[0]!),
      Object.keys(policy)
    )
    assert.include(issues, "allowedCategories.0")
    assert.sameMembers([...issuesOf(await seller.get("/api/v1/purchases?page=0&limit=101"))], ["limit", "page"])
    assert.strictEqual(issuesOf(await seller.post("/api/v1/keys", "{")).length, 1)
    assert.strictEqual(issuesOf(await seller.post("/api/v1/keys", "[]")).length >= 1, true)
  })

  it("PAYLOAD_TOO_LARGE, 413, and UNSUPPORTED_MEDIA_TYPE, 415", async () => {
    const large = { name: "x".repeat(1024 * 1024 + 1), scope: "READ" }
    failureOf(await seller.post("/api/v1/keys", large), 413, "PAYLOAD_TOO_LARGE")
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/xml"
    ]) {
      const reply = await seller.post("/api/v1/keys", '{"name":"x","scope":"READ"}', { "content-type": type })
      failureOf(reply, 415, "UNSUPPORTED_MEDIA_TYPE")
    }
    const charset = await seller.post("/api/v1/keys", '{"name":"x","scope":"READ"}', {
      "content-type": "application/json; charset=utf-8"
    })
    assert.strictEqual(charset.status, 201, charset.text)
  })
})
