import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { assertShape, isoTime, licenseKey } from "../fixtures/assertShape.ts"
import { dataOf, failureOf, makeClient } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member, Purchase } from "../fixtures/Market.ts"
import { sharedServer } from "../fixtures/sharedServer.ts"
import type { SharedServer } from "../fixtures/sharedServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"

const day = 86_400

interface Approval {
  readonly id: string
  readonly purchaseId: string
  readonly status: string
}

describe("approvals (APPROVAL-1)", () => {
  let server: SharedServer
  let market: Market
  let seller: Member
  let owner: Member

  beforeAll(async () => {
    server = await sharedServer()
    market = onMarket(server.baseUrl, { testClock: true })
    ;[seller, owner] = await Promise.all([market.member({ seller: true }), market.fundedMember(100)])
    dataOf(await owner.patch("/api/v1/wallet/policy", { autoApproveThreshold: 5 }))
  })
  afterAll(async () => {
    await market?.assertBalanced()
  })

  const pendingOf = async (purchaseId: string): Promise<Approval> => {
    const all = dataOf<ReadonlyArray<Approval>>(await owner.get("/api/v1/approvals?status=pending"))
    return all.find((approval) => approval.purchaseId === purchaseId)!
  }

  /** Makes a purchase that awaits approval. */
  const ask = async (
    name: string,
    price = 10
  ): Promise<{ purchase: Purchase; approval: Approval; skillId: string }> => {
    const skillId = await market.listing(seller, name, price)
    const purchase = dataOf<Purchase>(await owner.post("/api/v1/purchases", { skillId }), 201)
    assert.deepInclude(purchase, { skillId, status: "pending_approval", licenseKey: null })
    return { purchase, approval: await pendingOf(purchase.purchaseId), skillId }
  }

  const statusOf = async (id: string): Promise<string | undefined> =>
    dataOf<ReadonlyArray<Approval>>(await owner.get("/api/v1/approvals?limit=100")).find((one) => one.id === id)?.status

  it("a price above the threshold is held until the owner approves (APPROVAL-3, BUY-9, BUY-11, BUY-12)", async () => {
    const before = await market.balanceOf(owner)
    const { approval, purchase, skillId } = await ask("Approved listing")
    assertShape(approval, {
      id: /^apr_/,
      purchaseId: purchase.purchaseId,
      skill: (skill) => (skill as { id: string }).id === skillId,
      amount: 10,
      pricingModel: "one_time",
      period: null,
      agentId: null,
      status: "pending",
      requestedAt: isoTime,
      expiresAt: isoTime,
      decidedAt: null
    })
    const held = await market.balanceOf(owner)
    assert.deepInclude(held, {
      balance: before.balance,
      lockedBalance: 10,
      availableBalance: before.availableBalance - 10
    })
    const waiting = failureOf(await owner.post("/api/v1/purchases", { skillId }), 409, "CONFLICT")
    assert.deepStrictEqual(waiting, { state: "pending_approval", purchaseId: purchase.purchaseId })
    const record = dataOf<object>(await owner.get(`/api/v1/purchases/${purchase.purchaseId}`))
    assert.deepInclude(record, { status: "pending", licenseKey: null, isValid: false })

    const approved = dataOf<object>(await owner.post(`/api/v1/approvals/${approval.id}/approve`))
    assert.deepInclude(approved, { id: approval.id, status: "approved" })
    assert.deepStrictEqual(failureOf(await owner.post(`/api/v1/approvals/${approval.id}/reject`), 409, "CONFLICT"), {
      state: "approved"
    })
    const done = dataOf<{ licenseKey: string }>(await owner.get(`/api/v1/purchases/${purchase.purchaseId}`))
    assert.deepInclude<object>(done, { status: "completed", isValid: true })
    assert.match(done.licenseKey, licenseKey)
    assert.deepInclude(await market.balanceOf(owner), { balance: before.balance - 10, lockedBalance: 0 })
  })

  it("rejected: the hold is released, the purchase has failed, the item can be bought again (APPROVAL-4, APPROVAL-7, BUY-19)", async () => {
    const before = await market.balanceOf(owner)
    const { approval, purchase, skillId } = await ask("Rejected listing")
    const rejected = dataOf<object>(await owner.post(`/api/v1/approvals/${approval.id}/reject`))
    assert.deepInclude(rejected, { status: "rejected" })
    assert.deepStrictEqual(await market.balanceOf(owner), before)
    const failed = dataOf<object>(await owner.get(`/api/v1/purchases/${purchase.purchaseId}`))
    assert.deepInclude(failed, { status: "failed", failureReason: "rejected", licenseKey: null, isValid: false })
    const listed = await owner.get("/api/v1/purchases?limit=100")
    assert.notInclude(listed.text, purchase.purchaseId)
    assert.include((await owner.get("/api/v1/purchases?status=failed")).text, purchase.purchaseId)
    const again = dataOf<Purchase>(await owner.post("/api/v1/purchases", { skillId }), 201)
    assert.strictEqual(again.status, "pending_approval")
    dataOf(await owner.post(`/api/v1/approvals/${(await pendingOf(again.purchaseId)).id}/reject`))
  })

  it("expires automatically after 7 days, and the hold is released (APPROVAL-5)", async () => {
    const before = await market.balanceOf(owner)
    const { approval, purchase } = await ask("Expired listing")
    await market.advance(7 * day - 60)
    assert.strictEqual(await statusOf(approval.id), "pending")
    await market.advance(61)
    await waitFor("the approval expires", async () => (await statusOf(approval.id)) === "expired")
    assert.deepStrictEqual(await market.balanceOf(owner), before)
    const failed = dataOf<object>(await owner.get(`/api/v1/purchases/${purchase.purchaseId}`))
    assert.deepInclude(failed, { status: "failed", failureReason: "expired" })
    assert.deepStrictEqual(failureOf(await owner.post(`/api/v1/approvals/${approval.id}/approve`), 409, "CONFLICT"), {
      state: "expired"
    })
  })

  it("approving an item that is no longer for sale fails, and the hold is released (APPROVAL-6)", async () => {
    const before = await market.balanceOf(owner)
    const { approval, skillId } = await ask("Withdrawn listing")
    dataOf(await market.operator.post(`/api/v1/admin/listings/${skillId}/suspend`))
    const failed = failureOf(await owner.post(`/api/v1/approvals/${approval.id}/approve`), 409, "CONFLICT")
    assert.strictEqual(failed["state"], "rejected")
    assert.isString(failed["reason"])
    assert.deepStrictEqual(await market.balanceOf(owner), before)
    assert.strictEqual(await statusOf(approval.id), "rejected")
  })

  it("an approved purchase has the price and pricing model of the request (APPROVAL-3)", async () => {
    const { approval, purchase, skillId } = await ask("Dearer since", 10)
    dataOf(await seller.patch(`/api/v1/skills/${skillId}`, { price: 900 }))
    const before = await market.balanceOf(owner)
    dataOf(await owner.post(`/api/v1/approvals/${approval.id}/approve`))
    const bought = dataOf<object>(await owner.get(`/api/v1/purchases/${purchase.purchaseId}`))
    assert.deepInclude(bought, { amount: 10, licenseType: "perpetual", status: "completed" })
    assert.strictEqual((await market.balanceOf(owner)).balance, before.balance - 10)
  })

  it("a repeated request reports the current state of the purchase (IDEMPOTENCY-7)", async () => {
    const skillId = await market.listing(seller, "Asked again", 10)
    const again = () => owner.post("/api/v1/purchases", { skillId }, { "idempotency-key": "asked-again" })
    const { purchaseId } = dataOf<Purchase>(await again(), 201)
    assert.deepInclude(dataOf<object>(await again(), 201), { purchaseId, status: "pending_approval" })
    dataOf(await owner.post(`/api/v1/approvals/${(await pendingOf(purchaseId)).id}/reject`))
    const told = await again()
    assert.deepInclude(dataOf<object>(told, 201), { purchaseId, status: "failed", failureReason: "rejected" })
    assert.strictEqual(told.headers.get("idempotent-replayed"), "true")
  })

  it("only the owner sees and decides approvals (ERROR-10, SCOPE-6)", async () => {
    const { approval } = await ask("Private approval")
    const stranger = await market.member()
    failureOf(await stranger.post(`/api/v1/approvals/${approval.id}/approve`), 404, "APPROVAL_NOT_FOUND")
    failureOf(await seller.post(`/api/v1/approvals/${approval.id}/reject`), 404, "APPROVAL_NOT_FOUND")
    assert.deepStrictEqual<unknown>(dataOf(await stranger.get("/api/v1/approvals")), [])
    const buyer = dataOf<{ key: string }>(await owner.post("/api/v1/keys", { name: "b", scope: "BUYER" }), 201)
    const asBuyer = makeClient(server.baseUrl, buyer.key)
    failureOf(await asBuyer.post(`/api/v1/approvals/${approval.id}/approve`), 403, "INSUFFICIENT_PERMISSIONS")
    dataOf(await owner.post(`/api/v1/approvals/${approval.id}/reject`))
  })

  it("with autoApprove false every paid purchase requires approval, a free one does not (POLICY-12)", async () => {
    dataOf(await owner.patch("/api/v1/wallet/policy", { autoApprove: false }))
    const { approval } = await ask("Cheap but waiting", 1.01)
    dataOf(await owner.post(`/api/v1/approvals/${approval.id}/approve`))
    const free = await market.soul(seller, "Free of approval")
    const got = dataOf<Purchase>(await owner.post("/api/v1/purchases", { skillId: free.id }), 201)
    assert.strictEqual(got.status, "completed")
  })
})
