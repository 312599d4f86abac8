import { zeroAddress } from "@agent-marketplace/core/chain/TronAddress"
import { usdtContract } from "@agent-marketplace/core/chain/usdtContract"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataOf, failureOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

const path = "/api/v1/wallet/withdrawals"
const destinationAddress = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"

describe("withdrawals", () => {
  let server: RunningServer
  let market: Market

  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: await createDatabase(), TEST_CLOCK: "true" })
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
})
