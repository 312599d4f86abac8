import { zeroAddress } from "@agent-marketplace/core/chain/TronAddress"
import { usdtContract } from "@agent-marketplace/core/chain/usdtContract"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { Client } from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf, failureOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market } from "../fixtures/Market.ts"
import { waitFor } from "../fixtures/waitFor.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

const path = "/api/v1/wallet/withdrawals"
const destinationAddress = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"

describe("withdrawals", () => {
  let server: RunningServer
  let market: Market

  let databaseUrl: string

  const run = async (statement: string, values: ReadonlyArray<string>) => {
    const client = new Client({ connectionString: databaseUrl })
    await client.connect()
    try {
      await client.query(statement, [...values])
    } finally {
      await client.end()
    }
  }

  beforeAll(async () => {
    databaseUrl = await createDatabase()
    server = await startServer({
      DATABASE_URL: databaseUrl,
      TEST_CLOCK: "true",
      WITHDRAWAL_REVIEW_ABOVE: "50",
      WITHDRAWAL_FEE: "auto"
    })
    market = onMarket(server.baseUrl, { testClock: true })
  })
  afterAll(() => server?.stop())

  it("go to no address that would lose the money or keep it here (WITHDRAWAL-9)", async () => {
    const owner = await market.member()
    const { address } = dataOf<{ address: string }>(await owner.get("/api/v1/wallet/deposit"))
    for (const [destination, message] of [
      [zeroAddress, /zero address/],
      [usdtContract, /token's contract/],
      [address, /deposit addresses/],
      [`${destinationAddress.slice(0, -1)}g`, /valid TRON address/]
    ] as const) {
      const body = { amount: 5, destinationAddress: destination }
      const { issues } = failureOf(await owner.post(path, body), 400, "VALIDATION_ERROR") as {
        readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
      }
      assert.strictEqual(issues[0]?.path, "destinationAddress")
      assert.match(issues[0]?.message ?? "", message)
    }
  })

  it("are read one by one by their owner only (WITHDRAWAL-3)", async () => {
    const [owner, stranger] = [await market.fundedMember(20), await market.member()]
    const made = dataOf<{ id: string }>(await owner.post(path, { amount: 5, destinationAddress }), 201)
    assert.deepStrictEqual(dataOf(await owner.get(`${path}/${made.id}`)), made)
    failureOf(await stranger.get(`${path}/${made.id}`), 404, "WITHDRAWAL_NOT_FOUND")
  })

  it("at most 10 of an account are open (WITHDRAWAL-10)", async () => {
    const owner = await market.fundedMember(200)
    dataOf(await market.operator.post("/api/v1/admin/payouts/pause"))
    const made = await Promise.all(
      Array.from({ length: 14 }, () => owner.post(path, { amount: 5, destinationAddress }))
    )
    const refused = made.filter(({ status }) => status !== 201)
    assert.lengthOf(refused, 4)
    for (const one of refused) {
      assert.include(failureOf(one, 409, "CONFLICT"), { state: "open_withdrawals", limit: 10 })
    }
    dataOf(await market.operator.post("/api/v1/admin/payouts/resume"))
  })

  it("follow the owner's rules, which are loosened after 24 hours (WITHDRAWAL-16 to WITHDRAWAL-19, ERROR-24)", async () => {
    const owner = await market.fundedMember(200)
    const rules = "/api/v1/wallet/withdrawal-rules"
    assert.deepStrictEqual(dataOf(await owner.get(rules)), {
      allowListOnly: false,
      newAddressDelayHours: 0,
      dailyLimit: null,
      pending: null
    })
    const tight = dataOf(await owner.patch(rules, { allowListOnly: true, newAddressDelayHours: 1, dailyLimit: "12" }))
    assert.deepStrictEqual(tight, { allowListOnly: true, newAddressDelayHours: 1, dailyLimit: 12, pending: null })
    const withdraw = () => owner.post(path, { amount: 6, destinationAddress })
    assert.deepStrictEqual(failureOf(await withdraw(), 403, "WITHDRAWAL_REFUSED"), { rule: "allowListOnly" })
    const saved = await owner.post("/api/v1/wallet/addresses", { address: destinationAddress, label: "Cold wallet" })
    assert.include(dataOf<object>(saved, 201), { address: destinationAddress, label: "Cold wallet" })
    assert.deepStrictEqual(failureOf(await withdraw(), 403, "WITHDRAWAL_REFUSED"), { rule: "newAddressDelayHours" })
    await market.advance(3600)
    for (const _ of [1, 2]) dataOf(await withdraw(), 201)
    assert.deepStrictEqual(failureOf(await withdraw(), 403, "WITHDRAWAL_REFUSED"), { rule: "dailyLimit" })
    const loosened = dataOf<{ dailyLimit: number; pending: { dailyLimit: null; effectiveAt: string } }>(
      await owner.patch(rules, { dailyLimit: null })
    )
    assert.strictEqual(loosened.dailyLimit, 12)
    assert.isNull(loosened.pending.dailyLimit)
    await market.advance(24 * 3600)
    assert.include(dataOf<object>(await owner.get(rules)), { dailyLimit: null, pending: null, allowListOnly: true })
    for (const _ of [1, 2, 3]) dataOf(await withdraw(), 201)
    for (const body of [{ newAddressDelayHours: 721 }, { dailyLimit: -1 }, { allowListOnly: "yes" }])
      failureOf(await owner.patch(rules, body), 400, "VALIDATION_ERROR")
  })

  it("keep an address book that only its owner's keys read (WITHDRAWAL-15)", async () => {
    const [owner, stranger] = [await market.member(), await market.member()]
    const book = "/api/v1/wallet/addresses"
    const saved = dataOf<{ id: string }>(await owner.post(book, { address: destinationAddress }), 201)
    assert.deepStrictEqual(dataOf(await owner.get(book)), [saved])
    assert.deepStrictEqual(dataOf(await stranger.get(book)), [])
    assert.include(failureOf(await owner.post(book, { address: destinationAddress }), 409, "CONFLICT"), {
      state: "saved"
    })
    failureOf(await owner.post(book, { address: zeroAddress }), 400, "VALIDATION_ERROR")
    failureOf(await stranger.delete(`${book}/${saved.id}`), 404, "ADDRESS_NOT_FOUND")
    assert.deepStrictEqual(dataOf(await owner.delete(`${book}/${saved.id}`)), { id: saved.id, deleted: true })
    assert.deepStrictEqual(dataOf(await owner.get(book)), [])
  })

  it("over WITHDRAWAL_REVIEW_ABOVE wait for the operator (WITHDRAWAL-13, OPERATOR-21)", async () => {
    const owner = await market.fundedMember(300)
    const admin = "/api/v1/admin/withdrawals"
    const large = async () =>
      dataOf<{ id: string; status: string; fee: number }>(
        await owner.post(path, { amount: 50.000001, destinationAddress }),
        201
      )
    const [paid, rejected, cancelled] = [await large(), await large(), await large()]
    const { fee, status } = paid
    assert.strictEqual(status, "pending")
    const waiting = dataOf<ReadonlyArray<{ id: string; needsReview: boolean; accountId: string }>>(
      await market.operator.get(`${admin}?status=pending`)
    )
    assert.sameMembers(
      waiting.filter(({ accountId, needsReview }) => needsReview && accountId === owner.id).map(({ id }) => id),
      [paid.id, rejected.id, cancelled.id]
    )
    dataOf(await owner.post(`${path}/${cancelled.id}/cancel`))
    failureOf(await market.operator.post(`${admin}/${rejected.id}/reject`, {}), 400, "VALIDATION_ERROR")
    const reason = "The account is under investigation."
    const answer = dataOf(await market.operator.post(`${admin}/${rejected.id}/reject`, { reason }))
    assert.include(answer as object, { status: "failed", failure: reason })
    failureOf(await market.operator.post(`${admin}/${rejected.id}/approve`), 409, "CONFLICT")
    failureOf(await owner.get(admin), 403, "INSUFFICIENT_PERMISSIONS")
    assert.strictEqual(
      (await market.balanceOf(owner)).availableBalance,
      (300_000_000 - Math.round(fee * 1_000_000) - 50_000_001) / 1_000_000
    )
    dataOf(await market.operator.post(`${admin}/${paid.id}/approve`))
    await market.advance(5)
    await waitFor("the approved withdrawal is paid", async () => {
      await market.advance(1)
      return dataOf<{ status: string }>(await owner.get(`${path}/${paid.id}`)).status === "completed"
    })
    const log = dataOf<ReadonlyArray<{ action: string; reason: string | null }>>(
      await market.operator.get(`/api/v1/admin/actions?subject=${rejected.id}`)
    )
    assert.deepStrictEqual(
      log.map(({ action, reason }) => [action, reason]),
      [["withdrawal.reject", reason]]
    )
  })

  it("are held by the operator, and settled only with a transaction that paid them (OPERATOR-27)", async () => {
    const owner = await market.fundedMember(100)
    const admin = "/api/v1/admin/withdrawals"
    const reason = "The database was restored."
    const make = async () => dataOf<{ id: string }>(await owner.post(path, { amount: 5, destinationAddress }), 201)
    dataOf(await market.operator.post("/api/v1/admin/payouts/pause"))
    const [held, paid] = [await make(), await make()]
    failureOf(await market.operator.post(`${admin}/${held.id}/hold`, {}), 400, "VALIDATION_ERROR")
    const waiting = dataOf(await market.operator.post(`${admin}/${held.id}/hold`, { reason }))
    assert.include(waiting as object, { status: "pending", needsReview: true, tokenFee: null })
    dataOf(await market.operator.post("/api/v1/admin/payouts/resume"))
    await market.advance(5)
    await waitFor("the other withdrawal is paid", async () => {
      await market.advance(1)
      return dataOf<{ status: string }>(await owner.get(`${path}/${paid.id}`)).status === "completed"
    })
    failureOf(await market.operator.post(`${admin}/${paid.id}/hold`, { reason }), 409, "CONFLICT")
    const { txHash } = dataOf<{ txHash: string }>(await owner.get(`${path}/${paid.id}`))
    const settle = (txid: string) => market.operator.post(`${admin}/${held.id}/settle`, { txid, reason })
    failureOf(await settle("no transaction"), 400, "VALIDATION_ERROR")
    failureOf(await settle("ab".repeat(32)), 400, "VALIDATION_ERROR")
    assert.deepInclude(failureOf(await settle(txHash), 409, "CONFLICT"), { state: "transaction_used" })
    assert.strictEqual(dataOf<{ status: string }>(await owner.get(`${path}/${held.id}`)).status, "pending")
    dataOf(await market.operator.post(`${admin}/${held.id}/reject`, { reason }))
    const log = dataOf<ReadonlyArray<{ action: string; reason: string | null }>>(
      await market.operator.get(`/api/v1/admin/actions?subject=${held.id}`)
    )
    assert.deepStrictEqual(
      log.map(({ action }) => action),
      ["withdrawal.reject", "withdrawal.hold"]
    )
  })

  it("are settled with a transaction once, also by two requests at the same time (OPERATOR-27)", async () => {
    const admin = "/api/v1/admin/withdrawals"
    const reason = "Paid before the database was restored."
    const owners = [await market.fundedMember(20), await market.fundedMember(20)] as const
    dataOf(await market.operator.post("/api/v1/admin/payouts/pause"))
    const withdrawals = await Promise.all(
      owners.map(async (owner) =>
        dataOf<{ id: string }>(await owner.post(path, { amount: 5, destinationAddress }), 201)
      )
    )
    const { hot } = dataOf<{ hot: string }>(await market.operator.get("/api/v1/admin/treasury"))
    const txid = "cd".repeat(32)
    await run(
      `INSERT INTO simulated_transfers (txid, log_index, block, sender, recipient, amount) VALUES ($1, 0, 1, $2, $3, 5000000)`,
      [txid, hot, destinationAddress]
    )
    const responses = await Promise.all(
      withdrawals.map(({ id }) => market.operator.post(`${admin}/${id}/settle`, { txid, reason }))
    )
    const [first, second] = [...responses].sort((one, other) => one.status - other.status)
    assert.isDefined(first)
    assert.isDefined(second)
    assert.include(dataOf<object>(first), { status: "completed", txHash: txid })
    assert.deepInclude(failureOf(second, 409, "CONFLICT"), { state: "transaction_used" })
    const locked = await Promise.all(owners.map(async (owner) => (await market.balanceOf(owner)).lockedBalance))
    assert.strictEqual(locked.filter((each) => each === 0).length, 1)
    for (const { id } of withdrawals) await market.operator.post(`${admin}/${id}/reject`, { reason })
    dataOf(await market.operator.post("/api/v1/admin/payouts/resume"))
  })

  it("are paid from a wallet that only the operator changes; a transaction is rechecked for deposits (OPERATOR-28, DEPOSIT-8)", async () => {
    const owner = await market.fundedMember(20)
    const { address } = dataOf<{ address: string }>(await owner.get("/api/v1/wallet/deposit"))
    const treasury = dataOf<{ hot: string; cold: string | null; unknownTransfers: ReadonlyArray<unknown> }>(
      await market.operator.get("/api/v1/admin/treasury")
    )
    assert.deepStrictEqual([treasury.cold, treasury.unknownTransfers], [null, []])
    const set = (body: object) => market.operator.post("/api/v1/admin/treasury/wallets", { reason: "moved", ...body })
    const wrong = await set({ wallet: "cold", from: destinationAddress, to: "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC" })
    assert.deepInclude(failureOf(wrong, 409, "CONFLICT"), { state: "other_wallet" })
    for (const to of [address, "T123", treasury.hot]) {
      failureOf(await set({ wallet: "cold", from: null, to }), 400, "VALIDATION_ERROR")
    }
    failureOf(await set({ wallet: "hot", from: treasury.hot, to: null }), 400, "VALIDATION_ERROR")
    const changed = dataOf(await set({ wallet: "cold", from: null, to: destinationAddress }))
    assert.include(changed as object, { cold: destinationAddress })
    const toCold = await owner.post(path, { amount: 5, destinationAddress })
    const ownWallet = "must not be the token's contract or the service's own wallet"
    assert.deepEqual(failureOf(toCold, 400, "VALIDATION_ERROR")["issues"], [
      { path: "destinationAddress", message: ownWallet }
    ])
    const both = await set({ wallet: "hot", from: treasury.hot, to: destinationAddress })
    assert.deepEqual(failureOf(both, 400, "VALIDATION_ERROR")["issues"], [
      { path: "to", message: "must not be both the hot and the cold wallet" }
    ])
    dataOf(await set({ wallet: "cold", from: destinationAddress, to: null }))
    const [deposit] = dataOf<ReadonlyArray<{ type: string; reference: string }>>(
      await owner.get("/api/v1/wallet/transactions")
    )
    const [txid = ""] = deposit?.reference.split(":") ?? []
    const found = dataOf<ReadonlyArray<{ address: string; amount: string }>>(
      await market.operator.post("/api/v1/admin/deposits/recheck", { txid })
    )
    assert.deepStrictEqual(
      found.map((each) => [each.address, each.amount]),
      [[address, "20.00"]]
    )
    assert.strictEqual((await market.balanceOf(owner)).availableBalance, 20, "it was credited before")
  })

  it("are paid from a wallet whose limits the operator sets; an error of the input names the field (OPERATOR-29, TREASURY-5)", async () => {
    const { operator } = market
    const set = (body: object) => operator.post("/api/v1/admin/treasury/limits", { reason: "more sales", ...body })
    const limits = dataOf<object>(await set({ ceiling: "5000", topUpBelow: 1000.5 }))
    assert.include(limits, { ceiling: "5000.00", topUpBelow: "1000.50", hotBalance: null, coldBalance: null })
    const refused: ReadonlyArray<readonly [object, string, string]> = [
      [{ topUpBelow: 5000.000001 }, "topUpBelow", "must be at most the ceiling, 5000.00 USDT"],
      [{ ceiling: 1000 }, "ceiling", "must be at least topUpBelow, 1000.50 USDT"],
      [{ ceiling: 10, topUpBelow: 11 }, "topUpBelow", "must be at most the ceiling, 10.00 USDT"],
      [{ ceiling: -1 }, "ceiling", "must not be negative"],
      [{ topUpBelow: "-0.5" }, "topUpBelow", "must not be negative"],
      [{ ceiling: "1.0000001" }, "ceiling", "must have at most 6 decimals"],
      [{ topUpBelow: 1e-7 }, "topUpBelow", "must have at most 6 decimals"],
      [{ ceiling: 0 }, "ceiling", "must be above 0"],
      [{ ceiling: true }, "ceiling", "must be a number or a string"],
      [{ ceiling: 1, floor: 1 }, "floor", "is not a known field"],
      [{ ceiling: 5000, reason: "" }, "reason", "must be 1 to 1000 characters"]
    ]
    for (const [body, field, message] of refused)
      assert.deepEqual(failureOf(await set(body), 400, "VALIDATION_ERROR")["issues"], [{ path: field, message }])
    failureOf(await set({}), 400, "VALIDATION_ERROR")
    failureOf(await operator.post("/api/v1/admin/treasury/limits", { ceiling: 1 }), 400, "VALIDATION_ERROR")
    assert.include(dataOf<object>(await operator.get("/api/v1/admin/treasury")), {
      ceiling: "5000.00",
      topUpBelow: "1000.50"
    })
    assert.include(dataOf<object>(await set({ ceiling: null, topUpBelow: null })), { ceiling: null, topUpBelow: null })
    const [last] = dataOf<ReadonlyArray<object>>(await operator.get("/api/v1/admin/actions?subject=hot&limit=1"))
    assert.deepInclude(last, {
      action: "treasury.limits",
      before: { ceiling: "5000.00", topUpBelow: "1000.50" },
      after: { ceiling: null, topUpBelow: null },
      reason: "more sales"
    })
  })

  it("have a cost that the operator sees, which is an example on the simulated chain (OPERATOR-30, TREASURY-6)", async () => {
    const owner = await market.fundedMember(20)
    interface Energy {
      readonly day: { readonly payments: number; readonly trx: string; readonly usdt: string }
    }
    const energy = async () => dataOf<Energy>(await market.operator.get("/api/v1/admin/treasury/energy"))
    const before = await energy()
    const nothing = { limit: 0, used: 0, available: 0, stakedTrx: "0.00", delegatedTrx: "0.00" }
    assert.deepInclude(before as object, { simulated: true, trx: null, energy: nothing, bandwidth: nothing })
    assert.deepInclude(before as object, {
      payment: {
        usual: { energy: 0, bandwidth: 0, trx: "1.50", usdt: "0.45" },
        most: { energy: 0, bandwidth: 0, trx: "3.00", usdt: "0.90" }
      }
    })
    const { id } = dataOf<{ id: string }>(await owner.post(path, { amount: 5, destinationAddress }), 201)
    await waitFor("the withdrawal is paid", async () => {
      await market.advance(1)
      return dataOf<{ status: string }>(await owner.get(`${path}/${id}`)).status === "completed"
    })
    const { day } = await energy()
    const { payments } = day
    assert.isAbove(payments, before.day.payments)
    assert.deepInclude(day, { payments, trx: `${3 * payments}.00`, usdt: `${((9 * payments) / 10).toFixed(2)}` })
    await market.advance(24 * 3600 + 1)
    assert.deepInclude((await energy()).day, { payments: 0, trx: "0.00", usdt: "0.00" })
  })

  it("wait while the operator has paused payouts (WITHDRAWAL-14, OPERATOR-22)", async () => {
    const owner = await market.fundedMember(20)
    const paused = dataOf(await market.operator.post("/api/v1/admin/payouts/pause", { reason: "The wallet is moved." }))
    assert.include(paused as object, { paused: true, reason: "The wallet is moved." })
    const made = dataOf<{ id: string }>(await owner.post(path, { amount: 5, destinationAddress }), 201)
    // The jobs run meanwhile: a deposit is credited.
    await market.fundedMember(5)
    const status = async () => dataOf<{ status: string }>(await owner.get(`${path}/${made.id}`)).status
    assert.strictEqual(await status(), "pending")
    assert.include(dataOf<object>(await market.operator.post("/api/v1/admin/payouts/resume")), {
      paused: false,
      since: null
    })
    await waitFor("the withdrawal is paid", async () => {
      await market.advance(1)
      return (await status()) === "completed"
    })
    const log = dataOf<ReadonlyArray<{ action: string; reason: string | null }>>(
      await market.operator.get("/api/v1/admin/actions?subject=payouts&limit=2")
    )
    assert.deepStrictEqual(
      log.map(({ action }) => action),
      ["payouts.resume", "payouts.pause"]
    )
  })

  it("follow the network's cost, which a quote holds for 15 minutes and one withdrawal (WITHDRAWAL-11, WITHDRAWAL-12)", async () => {
    const [owner, stranger] = [await market.fundedMember(100), await market.fundedMember(100)]
    const fresh = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"
    interface Quote {
      readonly id: string
      readonly fee: number
      readonly expiresAt: string
    }
    const quoteFor = async (amount: number) =>
      dataOf<Quote>(await owner.get(`${path}/quote?amount=${amount}&destinationAddress=${fresh}`))
    const { id: quote, expiresAt, ...terms } = await quoteFor(10)
    // 3 TRX of 0.3 USDT and a fifth more.
    assert.deepStrictEqual(terms, { fee: 1.08, total: 11.08, receives: 10, activatesAddress: true } as object)
    assert.isTrue(Date.parse(expiresAt) > 0)
    const issues = (reply: Awaited<ReturnType<typeof owner.post>>) =>
      failureOf(reply, 400, "VALIDATION_ERROR")["issues"]
    const body = { amount: 10, destinationAddress: fresh, quote }
    for (const [who, wrong] of [
      [stranger, body],
      [owner, { ...body, amount: 11 }],
      [owner, { ...body, destinationAddress }],
      [owner, { ...body, quote: quote.replace("_1080000_", "_1_") }],
      [owner, { ...body, quote: "quo_1" }]
    ] as const) {
      assert.deepInclude((issues(await who.post(path, wrong)) as ReadonlyArray<object>)[0], { path: "quote" })
    }
    const key = { "idempotency-key": "a-quoted-withdrawal" }
    const made = dataOf<{ id: string; fee: number }>(await owner.post(path, body, key), 201)
    assert.strictEqual(made.fee, 1.08)
    assert.deepStrictEqual(dataOf(await owner.post(path, body, key), 201), made)
    assert.include(failureOf(await owner.post(path, body), 409, "CONFLICT"), { state: "quote_used" })
    const late = await quoteFor(5)
    await market.advance(15 * 60)
    const expired = await owner.post(path, { amount: 5, destinationAddress: fresh, quote: late.id })
    assert.include(failureOf(expired, 409, "CONFLICT"), { state: "quote_expired" })
    await waitFor("the withdrawal is paid", async () => {
      await market.advance(1)
      return dataOf<{ status: string }>(await owner.get(`${path}/${made.id}`)).status === "completed"
    })
    assert.include(dataOf<object>(await owner.get(`${path}/quote?amount=5&destinationAddress=${fresh}`)), {
      fee: 0.54,
      activatesAddress: false
    })
    assert.include(dataOf<object>(await owner.post(path, { amount: 5, destinationAddress: fresh }), 201), { fee: 0.54 })
    failureOf(await owner.get(`${path}/quote`), 400, "VALIDATION_ERROR")
    failureOf(await owner.get(`${path}/quote?amount=1&destinationAddress=${fresh}`), 400, "VALIDATION_ERROR")
  })
})
