import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { assertShape, isoTime, tronAddress } from "../fixtures/assertShape.ts"
import { dataOf, failureOf, issuesOf, makeClient } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"

/** A valid address that belongs to no wallet: 20 zero bytes. */
const outside = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"
const tokenContract = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"

interface Withdrawal {
  readonly id: string
  readonly status: string
  readonly txHash: string | null
}

interface Line {
  readonly id: string
  readonly type: string
  readonly amount: string
  readonly balanceAfter: unknown
  readonly reference: string
}

describe("deposits, withdrawals, transactions (WALLET-1, DEPOSIT-1, WITHDRAWAL-2)", () => {
  let server: RunningServer
  let market: Market
  let owner: Member
  let env: Readonly<Record<string, string>>

  const begin = async () => {
    server = await startServer(env)
    market = onMarket(server.baseUrl)
  }
  beforeAll(async () => {
    env = { DATABASE_URL: await createDatabase(), LISTING_REVIEW: "auto" }
    await begin()
    owner = await market.member()
  })
  afterAll(async () => {
    await market?.assertBalanced()
    await server?.stop()
  })

  const withdraw = (amount: unknown, destinationAddress: unknown = outside) =>
    owner.post("/api/v1/wallet/withdrawals", { amount, destinationAddress })

  const withdrawalsOf = async () =>
    dataOf<{ withdrawals: ReadonlyArray<Withdrawal>; pagination: unknown }>(
      await owner.get("/api/v1/wallet/withdrawals")
    )

  it("a deposit is pending, then available; the address is created once and its QR image is public (DEPOSIT-1, DEPOSIT-2, DEPOSIT-3, DEPOSIT-5)", async () => {
    assert.deepInclude(await market.balanceOf(owner), { balance: 0 })
    const deposit = dataOf<{ address: string; qrCode: string }>(await owner.get("/api/v1/wallet/deposit"))
    assertShape(
      { balance: "0.00", ...deposit },
      {
        address: tronAddress,
        chain: "TRON",
        currency: "USDT",
        balance: "0.00",
        qrCode: /^http/,
        hasAddress: true,
        supportedChains: ["TRON"]
      }
    )
    assert.deepStrictEqual(dataOf(await owner.get("/api/v1/wallet/deposit")), deposit)
    const picture = await market.guest.get(deposit.qrCode.slice(server.baseUrl.length))
    assert.strictEqual(picture.status, 200)
    assert.match(picture.headers.get("content-type") ?? "", /^image\//)
    await market.operator.post("/api/v1/admin/simulated-chain/deposits", {
      address: deposit.address,
      amount: "20.000001"
    })
    await waitFor("the deposit is seen", async () => {
      const now = dataOf<{ pendingBalance: number; balance: number }>(await owner.get("/api/v1/wallet/balance"))
      return now.pendingBalance === 20.000001 || now.balance === 20.000001
    })
    await waitFor("the deposit counts", async () => (await market.balanceOf(owner)).balance === 20.000001)
    assertShape(dataOf(await owner.get("/api/v1/wallet/balance")), {
      balance: 20.000001,
      pendingBalance: 0,
      lockedBalance: 0,
      availableBalance: 20.000001,
      currency: "USDT",
      depositAddress: deposit.address,
      depositChain: "TRON",
      totalDeposits: 20.000001,
      totalWithdrawals: 0,
      totalSpent: 0,
      totalEarned: 0,
      debt: 0,
      escrow: []
    })
  })

  it("there is no minimum deposit: a millionth of a USDT is credited (DEPOSIT-4)", async () => {
    const one = await market.member()
    const { address } = dataOf<{ address: string }>(await one.get("/api/v1/wallet/deposit"))
    const sent = await market.operator.post("/api/v1/admin/simulated-chain/deposits", { address, amount: "0.000001" })
    assert.strictEqual(sent.status, 201, sent.text)
    const balance = await waitFor("the deposit is credited", async () => {
      const now = await market.balanceOf(one)
      return now.availableBalance > 0 && now
    })
    assert.deepInclude(balance, { balance: 0.000001, availableBalance: 0.000001, totalDeposits: 0.000001 })
  })

  it("a withdrawal is held with its fee and completes on the chain (WALLET-4, WITHDRAWAL-1, WITHDRAWAL-2, WITHDRAWAL-3, WITHDRAWAL-4, WITHDRAWAL-7)", async () => {
    const created = dataOf<Withdrawal>(await withdraw("6.5"), 201)
    const shape = {
      id: /^wdr_/,
      amount: 6.5,
      fee: 1,
      totalAmount: 7.5,
      currency: "USDT",
      network: (network: unknown) => typeof network === "string" && network !== "",
      destinationAddress: outside,
      status: "pending",
      txHash: null,
      createdAt: isoTime,
      completedAt: null
    }
    assertShape(created, shape)
    const done = await waitFor("the withdrawal completes", async () => {
      const [newest] = (await withdrawalsOf()).withdrawals
      return newest?.status === "completed" ? newest : undefined
    })
    assertShape(done, { ...shape, status: "completed", txHash: /./, completedAt: isoTime })
    assert.deepInclude(await market.balanceOf(owner), {
      balance: 12.500001,
      lockedBalance: 0,
      totalWithdrawals: 7.5
    })
    const { pagination } = await withdrawalsOf()
    assert.deepInclude(pagination as object, { page: 1, limit: 20, total: 1, totalPages: 1 })
  })

  it("a withdrawal can be cancelled, with its hold released, only before it is broadcast (WITHDRAWAL-5, WITHDRAWAL-6)", async () => {
    const completed = (await withdrawalsOf()).withdrawals.find(({ status }) => status === "completed")!
    failureOf(await owner.post(`/api/v1/wallet/withdrawals/${completed.id}/cancel`), 409, "CONFLICT")
    // Without a worker nothing is broadcast.
    await server.stop()
    server = await startServer({ ...env, WORKER: "external" })
    const idle = makeClient(server.baseUrl, owner.key)
    const cancel = (id: string, of = idle) => of.post(`/api/v1/wallet/withdrawals/${id}/cancel`)
    const before = dataOf<object>(await idle.get("/api/v1/wallet/balance"))
    const wish = { amount: 5, destinationAddress: outside }
    const { id } = dataOf<Withdrawal>(await idle.post("/api/v1/wallet/withdrawals", wish), 201)
    const held = dataOf<object>(await idle.get("/api/v1/wallet/balance"))
    assert.deepInclude(held, { lockedBalance: 6 })
    failureOf(
      await cancel(id, makeClient(server.baseUrl, (await onMarket(server.baseUrl).member()).key)),
      404,
      "WITHDRAWAL_NOT_FOUND"
    )
    assert.deepInclude(dataOf<object>(await cancel(id)), { id, status: "cancelled", txHash: null, completedAt: null })
    assert.deepStrictEqual(dataOf<object>(await idle.get("/api/v1/wallet/balance")), before)
    assert.deepStrictEqual(failureOf(await cancel(id), 409, "CONFLICT"), { state: "cancelled" })
    await server.stop()
    await begin()
    owner = { ...owner, ...makeClient(server.baseUrl, owner.key) }
  })

  it("refuses amounts and addresses that break a rule (WITHDRAWAL-8, WITHDRAWAL-9)", async () => {
    const { address } = dataOf<{ address: string }>(await (await market.member()).get("/api/v1/wallet/deposit"))
    assert.deepStrictEqual(issuesOf(await withdraw(4.999999)), ["amount"])
    for (const wrong of [
      address,
      tokenContract,
      outside.toLowerCase(),
      `${outside.slice(0, -1)}c`,
      "",
      "0x0",
      5,
      null
    ]) {
      assert.deepStrictEqual(issuesOf(await withdraw(5, wrong)), ["destinationAddress"], String(wrong))
    }
    assert.deepStrictEqual(issuesOf(await withdraw(1, "x")), ["amount", "destinationAddress"])
    const poor = failureOf(await withdraw(1000), 402, "INSUFFICIENT_BALANCE")
    assert.strictEqual(poor["required"], "1001.00 USDT")
    assert.match(String(poor["available"]), /^\d+\.\d{2,6} USDT$/)
  })

  it("the transactions show the ledger, newest first, each with the balance after it (LEDGER-1, LEDGER-2)", async () => {
    await waitFor("nothing is in progress", async () =>
      (await withdrawalsOf()).withdrawals.every(({ status }) => status !== "pending")
    )
    const seller = await market.member({ seller: true })
    const skillId = await market.listing(seller, "Shown in the ledger", 2)
    dataOf(await owner.post("/api/v1/purchases", { skillId }), 201)
    const listed = await owner.get("/api/v1/wallet/transactions?limit=100")
    const lines = dataOf<ReadonlyArray<Line>>(listed)
    assert.deepInclude(listed.body as object, { meta: { page: 1, limit: 100, total: lines.length } })
    for (const line of lines) {
      assertShape(line, {
        id: /./,
        type: /^(?:deposit|withdrawal|purchase|sale|fee|refund|hold|release)$/,
        amount: /^-?\d+\.\d{2,6}$/,
        balanceAfter: (value) => /^\d+\.\d{2,6}$/.test(String(value)) || typeof value === "number",
        agentId: null,
        reference: /./,
        createdAt: isoTime
      })
    }
    let left = 0
    for (const line of lines.toReversed()) {
      left = Math.round((left + Number(line.amount)) * 1e6) / 1e6
      assert.strictEqual(Number(line.balanceAfter), left, JSON.stringify(line))
    }
    assert.strictEqual(left, (await market.balanceOf(owner)).availableBalance)
    assert.deepInclude(lines[0]!, { type: "purchase", amount: "-2.00" })
    assert.deepInclude(lines.at(-1)!, { type: "deposit", amount: "20.000001" })
    const sold = dataOf<ReadonlyArray<Line>>(await seller.get("/api/v1/wallet/transactions"))
    assert.deepStrictEqual(
      sold.map(({ amount, type }) => [type, amount]),
      [
        ["hold", "-1.90"],
        ["fee", "-0.10"],
        ["sale", "2.00"]
      ]
    )

    const csv = await owner.get("/api/v1/wallet/transactions?format=csv")
    assert.strictEqual(csv.status, 200)
    assert.match(csv.headers.get("content-type") ?? "", /^text\/csv/)
    const rows = csv.text.trimEnd().split(/\r?\n/)
    assert.strictEqual(rows.length, lines.length + 1)
    for (const name of ["id", "type", "amount", "balanceAfter", "reference", "createdAt"]) assert.include(rows[0], name)
    assert.include(rows[1], lines[0]!.id)
    assert.deepStrictEqual(issuesOf(await owner.get("/api/v1/wallet/transactions?format=xml")), ["format"])
  })
})
