import { assert, beforeAll, describe, it } from "vitest"
import { bodyOf, dataOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { released, scanned, skillArchive } from "../fixtures/skillArchives.ts"
import type { WireRelease } from "../fixtures/skillArchives.ts"
import { sharedServer } from "../fixtures/sharedServer.ts"
import type { SharedServer } from "../fixtures/sharedServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"

describe("quarantined bytes in two items", () => {
  let server: SharedServer
  let market: Market

  beforeAll(async () => {
    server = await sharedServer()
    market = onMarket(server.baseUrl, { testClock: true })
  })

  const statusOf = async (seller: Member, listing: string): Promise<WireRelease> =>
    bodyOf<WireRelease>(await seller.get(`/v1/listings/${listing}/releases/1.0.0`))

  it("the quarantine of one item stops the sale of the other before it returns, and its end returns both (RELEASE-13, RELEASE-27)", async () => {
    const [seller, copier] = [await market.member({ seller: true }), await market.member({ seller: true })]
    const archive = skillArchive("1.0.0", { "a.txt": "shared" })
    const original = await market.listing(seller, "Original", 5)
    const copy = await market.listing(copier, "Quite different", 5)
    await released(seller, original, "1.0.0", archive)
    await released(copier, copy, "1.0.0", archive)
    const owner = await market.fundedMember(20)
    dataOf(await owner.post("/api/v1/purchases", { skillId: copy }), 201)
    const buyers = await Promise.all(Array.from({ length: 6 }, () => market.fundedMember(200)))

    let isQuarantined = false
    const late: Array<number> = []
    const buyOn = async (buyer: Member): Promise<void> => {
      for (let n = 0; n < 20; n++) {
        const after = isQuarantined
        const { status } = await buyer.post("/api/v1/purchases", { skillId: copy })
        if (after) late.push(status)
        if (after && status === 404) return
      }
    }
    const buying = buyers.map(buyOn)
    dataOf(await market.operator.post(`/api/v1/admin/items/${original}/quarantine`, { reason: "It reads keys." }))
    isQuarantined = true
    await Promise.all(buying)
    assert.isNotEmpty(late)
    assert.deepStrictEqual([...new Set(late)], [404])

    const stopped = await statusOf(copier, copy)
    assert.deepInclude(stopped, {
      status: "quarantined",
      reason: { code: "policy", text: "The same bytes are quarantined." }
    })
    assert.strictEqual((await owner.get(`/v1/listings/${copy}/releases/1.0.0/download`)).status, 404)
    const advisories = await waitFor("an advisory about the copy", async () => {
      const list = dataOf<ReadonlyArray<{ itemId: string; sha256: ReadonlyArray<string> }>>(
        await market.guest.get("/api/v1/advisories")
      )
      return list.find(({ itemId }) => itemId === copy)
    })
    assert.deepStrictEqual(advisories.sha256, [stopped.sha256])

    const alone = await market.operator.post(`/api/v1/admin/items/${copy}/release`, { reason: "Looks fine." })
    assert.deepInclude(bodyOf<{ error: { details: object } }>(alone, 409).error.details, { state: "bytes_quarantined" })
    dataOf(await market.operator.post(`/api/v1/admin/items/${original}/release`, { reason: "A mistake." }))
    await waitFor("the copy is on sale again", async () =>
      (await statusOf(copier, copy)).status === "published" ? true : undefined
    )
    assert.strictEqual((await owner.get(`/v1/listings/${copy}/releases/1.0.0/download`)).status, 200)
    assert.strictEqual((await seller.get(`/v1/listings/${original}/install`)).status, 200)
  })

  it("bytes that are uploaded after their quarantine are not sold (RELEASE-27)", async () => {
    const seller = await market.member({ seller: true })
    const archive = skillArchive("1.0.0", { "b.txt": "later" })
    const original = await market.listing(seller, "Earlier", 5)
    await released(seller, original, "1.0.0", archive)
    dataOf(await market.operator.post(`/api/v1/admin/items/${original}/quarantine`, { reason: "It reads keys." }))
    const copier = await market.member({ seller: true })
    const copy = await market.listing(copier, "Later", 5)
    await released(copier, copy, "1.0.0", archive)
    assert.strictEqual((await scanned(copier, copy, "1.0.0")).status, "quarantined")
    const buyer = await market.fundedMember(20)
    assert.strictEqual((await buyer.post("/api/v1/purchases", { skillId: copy })).status, 404)
  })
})
