import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf, failureOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member, Purchase } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"

const day = 86_400
const outside = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"

interface Wallet {
  readonly balance: number
  readonly lockedBalance: number
  readonly availableBalance: number
  readonly debt: number
  readonly escrow: ReadonlyArray<{ readonly amount: number; readonly releasedAt: string }>
}

describe("proceeds in escrow, refunds and debts", () => {
  let server: RunningServer
  let market: Market

  beforeAll(async () => {
    const env = {
      DATABASE_URL: await createDatabase(),
      LISTING_REVIEW: "auto",
      TEST_CLOCK: "true",
      REFUND_COVER_LIMIT: "100"
    }
    server = await startServer(env)
    market = onMarket(server.baseUrl, { testClock: true })
  })
  afterAll(async () => {
    await market?.assertBalanced()
    await server?.stop()
  })

  const walletOf = async (of: Member): Promise<Wallet> => dataOf<Wallet>(await of.get("/api/v1/wallet/balance"))

  const sell = async (seller: Member, buyer: Member, name: string, price: number): Promise<Purchase> => {
    const skillId = await market.listing(seller, name, price)
    return dataOf<Purchase>(await buyer.post("/api/v1/purchases", { skillId }), 201)
  }

  it("proceeds are locked for seven days, then released automatically (ESCROW-1, ESCROW-2, ESCROW-3)", async () => {
    const [seller, buyer] = await Promise.all([market.member({ seller: true }), market.fundedMember(100)])
    await sell(seller, buyer, "Locked sale", 20)
    const locked = await walletOf(seller)
    assert.deepInclude(locked, { balance: 19, lockedBalance: 19, availableBalance: 0, debt: 0 })
    assert.deepStrictEqual(
      locked.escrow.map(({ amount }) => amount),
      [19]
    )
    const refused = await seller.post("/api/v1/wallet/withdrawals", { amount: 10, destinationAddress: outside })
    failureOf(refused, 402, "INSUFFICIENT_BALANCE")
    await market.advance(7 * day - 120)
    assert.strictEqual((await walletOf(seller)).availableBalance, 0)
    await market.advance(121)
    await waitFor("the proceeds are released", async () => (await walletOf(seller)).availableBalance === 19)
    assert.deepInclude(await walletOf(seller), { balance: 19, lockedBalance: 0, escrow: [] })
    const lines = dataOf<ReadonlyArray<{ type: string; amount: string }>>(
      await seller.get("/api/v1/wallet/transactions")
    )
    assert.deepStrictEqual(
      lines.map(({ amount, type }) => `${type} ${amount}`),
      ["release 19.00", "hold -19.00", "fee -1.00", "sale 20.00"]
    )
  })

  it("repeated sales, withdrawals and refunds never pay out more than was deposited (REFUND-8, DEBT-1, DEBT-2, DEBT-3, DEBT-4)", async () => {
    const [seller, buyer] = await Promise.all([market.member({ seller: true }), market.fundedMember(100)])
    const skillId = await market.listing(seller, "Sold again and again", 100)
    const withdraw = (amount: number) =>
      seller.post("/api/v1/wallet/withdrawals", { amount, destinationAddress: outside })
    let withdrawn = 0
    for (let round = 0; round < 5; round++) {
      const { purchaseId } = dataOf<Purchase>(await buyer.post("/api/v1/purchases", { skillId }), 201)
      await market.advance(7 * day + 60)
      await waitFor("the proceeds are released", async () => (await walletOf(seller)).lockedBalance === 0)
      const amount = (await walletOf(seller)).availableBalance - 1
      if (amount >= 5 && (await withdraw(amount)).status === 201) withdrawn += amount
      dataOf(await market.operator.post(`/api/v1/purchases/${purchaseId}/refund`))
    }
    assert.strictEqual((await market.balanceOf(buyer)).balance, 100)
    assert.strictEqual(withdrawn, 94, "what was earned was paid out once")
    assert.deepInclude(await walletOf(seller), { availableBalance: 0, debt: 95 })
    await market.fund(seller, 50)
    assert.deepStrictEqual(failureOf(await withdraw(10), 409, "CONFLICT")["state"], "debt")
    const audit = dataOf<{ warnings: ReadonlyArray<string> }>(await market.operator.get("/api/v1/admin/ledger/audit"))
    assert.isTrue(audit.warnings.some((warning) => warning.includes(seller.id) && warning.includes("95.00")))
  })

  it("a seller's debt is limited, unless the operator forces a refund, and later earnings pay it (REFUND-9, DEBT-2)", async () => {
    const [seller, buyer] = await Promise.all([market.member({ seller: true }), market.fundedMember(1000)])
    const { purchaseId } = await sell(seller, buyer, "Above the limit", 200)
    await market.advance(7 * day + 60)
    await waitFor("the proceeds are released", async () => (await walletOf(seller)).availableBalance === 190)
    dataOf(await seller.post("/api/v1/wallet/withdrawals", { amount: 189, destinationAddress: outside }), 201)
    const path = `/api/v1/purchases/${purchaseId}/refund`
    assert.strictEqual(failureOf(await market.operator.post(path), 409, "CONFLICT")["state"], "cover_limit")
    dataOf(await market.operator.post(path, { force: true, reason: "fraud" }))
    assert.deepInclude(await walletOf(seller), { debt: 190 })
    const [action] = dataOf<ReadonlyArray<object>>(
      await market.operator.get(`/api/v1/admin/actions?subject=${purchaseId}`)
    )
    assert.deepInclude(action, { action: "purchase.refund", before: { status: "completed" } })
    assert.deepNestedInclude(action, { "after.force": true })
    await sell(seller, buyer, "Pays the debt", 300)
    assert.strictEqual((await walletOf(seller)).debt, 190, "a sale in escrow pays nothing yet")
    await market.advance(7 * day + 60)
    await waitFor("the debt is paid", async () => (await walletOf(seller)).debt === 0)
    assert.strictEqual((await walletOf(seller)).availableBalance, 95)
  })

  it("a renewal is refunded by its id, and ends its subscription, which a resumed cancellation does not (REFUND-5, SALE-3, SUBSCRIPTION-4, SUBSCRIPTION-10)", async () => {
    const [seller, buyer] = await Promise.all([market.member({ seller: true }), market.fundedMember(100)])
    const draft = {
      name: "Renewed once",
      description: "Paid every thirty days.",
      price: 10,
      pricingModel: "subscription"
    }
    const { id: skillId } = dataOf<{ id: string }>(await seller.post("/api/v1/skills", draft), 201)
    dataOf(await buyer.post("/api/v1/purchases", { skillId }), 201)
    const [{ id } = { id: "" }] = dataOf<ReadonlyArray<{ id: string }>>(await buyer.get("/api/v1/subscriptions"))
    dataOf(await buyer.post(`/api/v1/subscriptions/${id}/cancel`))
    assert.deepInclude(dataOf<object>(await buyer.post(`/api/v1/subscriptions/${id}/resume`)), {
      cancelAtPeriodEnd: false
    })
    const sold = dataOf<ReadonlyArray<{ id: string }>>(await seller.get("/api/v1/subscriptions?side=seller"))
    assert.deepStrictEqual(
      sold.map((one) => one.id),
      [id]
    )
    await market.advance(30 * day + 1)
    const sales = async () =>
      dataOf<ReadonlyArray<{ id: string; kind: string; net: number }>>(await seller.get("/api/v1/sales"))
    const renewal = await waitFor("the renewal", async () => (await sales()).find(({ kind }) => kind === "renewal"))
    assert.match(renewal.id, /^ren_/)
    assert.strictEqual(renewal.net, 9.5)
    const refunded = dataOf<object>(await seller.post(`/api/v1/purchases/${renewal.id}/refund`))
    assert.deepInclude(refunded, { id: renewal.id, kind: "renewal", status: "refunded" })
    assert.deepInclude(dataOf<object>(await buyer.get(`/api/v1/subscriptions/${id}`)), { status: "cancelled" })
    assert.strictEqual((await market.balanceOf(buyer)).balance, 90)
  })

  it("a subscription to a suspended item ends with its period (SUBSCRIPTION-5)", async () => {
    const [seller, buyer] = await Promise.all([market.member({ seller: true }), market.fundedMember(100)])
    const draft = {
      name: "Suspended later",
      description: "Paid every thirty days.",
      price: 10,
      pricingModel: "subscription"
    }
    const { id: skillId } = dataOf<{ id: string }>(await seller.post("/api/v1/skills", draft), 201)
    dataOf(await buyer.post("/api/v1/purchases", { skillId }), 201)
    const [{ id } = { id: "" }] = dataOf<ReadonlyArray<{ id: string }>>(await buyer.get("/api/v1/subscriptions"))
    await market.operator.post(`/api/v1/admin/listings/${skillId}/suspend`, { reason: "copied" })
    const status = async () => dataOf<{ status: string }>(await buyer.get(`/api/v1/subscriptions/${id}`)).status
    assert.strictEqual(await status(), "active")
    await market.advance(30 * day + 1)
    await waitFor("it ends", async () => (await status()) === "cancelled")
    assert.strictEqual((await market.balanceOf(buyer)).balance, 90)
  })
})
