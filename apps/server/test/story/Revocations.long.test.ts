import { createPublicKey, createHash, verify } from "node:crypto"
import { assert, beforeAll, describe, it } from "vitest"
import { bodyOf, dataOf, failureOf, issuesOf } from "../fixtures/Client.ts"
import { listingDraft, onMarket } from "../fixtures/Market.ts"
import type { Market, Member, Purchase } from "../fixtures/Market.ts"
import { sharedServer } from "../fixtures/sharedServer.ts"
import type { SharedServer } from "../fixtures/sharedServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"

interface Advisory {
  readonly id: string
  readonly itemId: string
  readonly severity: string
  readonly action: string
  readonly reason: string
  readonly previous: string | null
  readonly envelope: {
    readonly payloadType: string
    readonly payload: string
    readonly signatures: ReadonlyArray<{ readonly keyid: string; readonly sig: string }>
  }
}

interface Revocation {
  readonly id: string
  readonly step: string
  readonly refunded: number
  readonly amount: string
  readonly covered: string
  readonly rejected: number
}

interface Controlled {
  readonly id: string
  readonly quarantined: boolean
  readonly quarantine: { readonly code: string; readonly text: string; readonly revoked: boolean } | null
  readonly revocation: Revocation | null
}

const day = 86_400

describe("items that must not be sold, over HTTP", () => {
  let server: SharedServer
  let market: Market
  let seller: Member

  beforeAll(async () => {
    server = await sharedServer()
    market = onMarket(server.baseUrl, { testClock: true })
    seller = await market.member({ seller: true })
  })

  const decide = (verb: string, item: string, body: object) =>
    market.operator.post(`/api/v1/admin/items/${item}/${verb}`, body)

  const buy = async (buyer: Member, skillId: string): Promise<Purchase> =>
    dataOf<Purchase>(await buyer.post("/api/v1/purchases", { skillId }), 201)

  const feed = async (after?: string): Promise<ReadonlyArray<Advisory>> =>
    dataOf(await market.guest.get(`/api/v1/advisories${after === undefined ? "" : `?after=${after}`}`))

  const about = async (item: string) => (await feed()).filter(({ itemId }) => itemId === item)

  const finished = (item: string, number = 1): Promise<Revocation> =>
    waitFor("the revocation is done", async () => {
      const found = dataOf<ReadonlyArray<Revocation>>(
        await market.operator.get(`/api/v1/admin/revocations?item=${item}`)
      )
      return found.length === number && found[0]?.step === "done" ? found[0] : undefined
    })

  it("a quarantined item is not listed, found, bought or shown until it is released (QUARANTINE-1, QUARANTINE-4)", async () => {
    const buyer = await market.fundedMember(20)
    const skill = await market.listing(seller, "Quarantined once", 2)
    const soul = await market.soul(seller, "Quarantined Soul", 2)
    for (const [id, path, code] of [
      [skill, `/v1/listings/${skill}`, "LISTING_NOT_FOUND"],
      [soul.id, `/api/souls/${soul.slug}`, "SOUL_NOT_FOUND"]
    ] as const) {
      const quarantined = dataOf<Controlled>(await decide("quarantine", id, { reason: "reported", code: "malware" }))
      assert.deepInclude(quarantined, { id, quarantined: true, revocation: null })
      assert.deepStrictEqual(quarantined.quarantine, { code: "malware", text: "reported", revoked: false })
      assert.strictEqual((await buyer.get(path)).status, 404)
      failureOf(await buyer.post("/api/v1/purchases", { skillId: id }), 404, code)
      const again = dataOf<Controlled>(await decide("quarantine", id, { reason: "reported twice" }))
      assert.strictEqual(again.quarantine?.text, "reported", "the first reason stays (QUARANTINE-3)")
      assert.deepStrictEqual(await about(id), [], "nothing was sold")
      const released = dataOf<Controlled>(await decide("release", id, { reason: "harmless" }))
      assert.deepInclude(released, { quarantined: false, quarantine: null })
      assert.strictEqual((await buyer.get(path)).status, 200)
      failureOf(await decide("release", id, { reason: "harmless" }), 409, "CONFLICT")
      assert.strictEqual((await buy(buyer, id)).status, "completed")
    }
    const actions = dataOf<ReadonlyArray<{ action: string; reason: string }>>(
      await market.operator.get(`/api/v1/admin/actions?subject=${skill}`)
    )
    assert.deepStrictEqual(
      actions.map(({ action }) => action).filter((name) => name.startsWith("item.")),
      ["item.release", "item.quarantine", "item.quarantine"]
    )
  })

  it("advisories are signed, chained and public (ADVISORY-1, ADVISORY-2, ADVISORY-3, ADVISORY-4, ADVISORY-5)", async () => {
    const buyer = await market.fundedMember(20)
    const skill = await market.listing(seller, "With advisories", 2)
    await buy(buyer, skill)
    dataOf(await decide("quarantine", skill, { reason: "reported" }))
    dataOf(await decide("release", skill, { reason: "harmless" }))
    dataOf(await decide("revoke", skill, { reason: "It reads credentials.", code: "theft" }))
    dataOf(await decide("revoke", skill, { reason: "Again." }))
    failureOf(await decide("release", skill, { reason: "no" }), 409, "CONFLICT")
    const found = await about(skill)
    assert.deepStrictEqual(
      found.map(({ action, severity }) => `${severity} ${action}`),
      ["high note", "info note", "critical remove"]
    )
    assert.strictEqual(found[2]?.reason, "It reads credentials.")

    const all = await feed()
    const { keys } = bodyOf<{ keys: ReadonlyArray<{ kid: string; x: string }> }>(
      await market.guest.get("/.well-known/agent-marketplace-keys.json")
    )
    let previous: string | null = null
    for (const { envelope, ...row } of all) {
      const payload = Buffer.from(envelope.payload, "base64")
      assert.strictEqual(envelope.payloadType, "application/vnd.agent-marketplace.advisory+json")
      assert.deepStrictEqual(JSON.parse(payload.toString()), row)
      assert.strictEqual(row.previous, previous)
      previous = createHash("sha256").update(payload).digest("hex")
      const [signature] = envelope.signatures
      const x = keys.find(({ kid }) => kid === signature?.keyid)?.x ?? ""
      const head = `DSSEv1 ${envelope.payloadType.length} ${envelope.payloadType} ${payload.length} `
      const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" })
      const signed = Buffer.concat([Buffer.from(head), payload])
      assert.isTrue(verify(null, signed, key, Buffer.from(signature?.sig ?? "", "base64")))
    }
    assert.deepStrictEqual(await feed(all.at(-2)?.id), all.slice(-1))
    assert.deepStrictEqual(await feed(all.at(-1)?.id), [])
    const paged = await market.guest.get("/api/v1/advisories?limit=1")
    assert.deepInclude(paged.body, { meta: { limit: 1, nextCursor: all[0]?.id } })
    for (const wrong of [
      "after=adv_0000000zzzzzz",
      "after=adv_00000000zzzzz",
      "after=lst_1",
      "after=",
      "limit=0",
      "limit=101"
    ]) {
      const [name = ""] = wrong.split("=")
      assert.match(issuesOf(await market.guest.get(`/api/v1/advisories?${wrong}`)).join(), new RegExp(name))
    }
  })

  it("wrong decisions are refused by field, and change nothing (QUARANTINE-2, QUARANTINE-5)", async () => {
    const skill = await market.listing(seller, "Decided wrongly", 2)
    const wrong: ReadonlyArray<readonly [object, RegExp]> = [
      [{}, /reason/],
      [{ reason: "" }, /reason/],
      [{ reason: "x".repeat(1001) }, /reason/],
      [{ reason: "ok", versions: [] }, /versions/],
      [{ reason: "ok", versions: "1.0.0" }, /versions/],
      [{ reason: "ok", versions: ["1.0.0"] }, /versions\.0/],
      [{ reason: "ok", code: "bad" }, /code/],
      [{ reason: "ok", more: 1 }, /more/]
    ]
    for (const verb of ["quarantine", "release", "revoke"]) {
      for (const [body, issue] of wrong) assert.match(issuesOf(await decide(verb, skill, body)).join(), issue)
      failureOf(await decide(verb, "lst_unknown", { reason: "ok" }), 404, "LISTING_NOT_FOUND")
      failureOf(await decide(verb, "soul_unknown", { reason: "ok" }), 404, "SOUL_NOT_FOUND")
      failureOf(
        await seller.post(`/api/v1/admin/items/${skill}/${verb}`, { reason: "ok" }),
        403,
        "INSUFFICIENT_PERMISSIONS"
      )
    }
    for (const refundDays of [0, 181, 1.5, "30"]) {
      assert.match(issuesOf(await decide("revoke", skill, { reason: "ok", refundDays })).join(), /refundDays/)
    }
    assert.strictEqual((await seller.get(`/v1/listings/${skill}`)).status, 200)
    assert.deepStrictEqual(await about(skill), [])
    assert.match(issuesOf(await market.operator.get("/api/v1/admin/revocations?item=pur_1")).join(), /item/)
  })

  it("a revocation refunds the days that it names, once, and rejects what waits (REVOKE-2, REVOKE-3, REVOKE-5, REVOKE-6, REVOKE-7, REVOKE-9)", async () => {
    const [early, late, waiting] = await Promise.all([20, 20, 20].map((amount) => market.fundedMember(amount)))
    const thief = await market.member({ seller: true })
    if (early === undefined || late === undefined || waiting === undefined) return assert.fail("no buyers")
    const skill = await market.listing(thief, "Revoked with refunds", 10)
    await buy(early, skill)
    // The first sale's proceeds are paid out; later the platform covers what the seller lacks.
    await market.advance(10 * day)
    await waitFor("the proceeds are released", async () => (await market.balanceOf(thief)).availableBalance > 9)
    const destinationAddress = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"
    dataOf(await thief.post("/api/v1/wallet/withdrawals", { amount: 8, destinationAddress }), 201)
    await buy(late, skill)
    dataOf(await waiting.patch("/api/v1/wallet/policy", { autoApprove: false }))
    assert.strictEqual((await buy(waiting, skill)).status, "pending_approval")

    const revoked = dataOf<Controlled>(await decide("revoke", skill, { reason: "theft", refundDays: 5 }))
    assert.isNotNull(revoked.revocation)
    const first = await finished(skill)
    assert.deepInclude(first, { refunded: 1, amount: "10.00", covered: "0.00", rejected: 1 })
    assert.deepInclude(await market.balanceOf(late), { balance: 20, totalSpent: 0 })
    assert.deepInclude(await market.balanceOf(early), { balance: 10 })
    assert.deepInclude(await market.balanceOf(waiting), { balance: 20, availableBalance: 20, lockedBalance: 0 })
    const failed = dataOf<{ purchases: ReadonlyArray<{ failureReason: string }> }>(
      await waiting.get("/api/v1/purchases?status=failed")
    )
    assert.deepStrictEqual(
      failed.purchases.map(({ failureReason }) => failureReason),
      ["not_for_sale"]
    )

    // As many days or fewer add nothing; more days refund the earlier purchase too.
    assert.isNull(dataOf<Controlled>(await decide("revoke", skill, { reason: "theft", refundDays: 5 })).revocation)
    assert.isNull(dataOf<Controlled>(await decide("revoke", skill, { reason: "theft" })).revocation)
    assert.isNotNull(dataOf<Controlled>(await decide("revoke", skill, { reason: "theft", refundDays: 180 })).revocation)
    const second = await finished(skill, 2)
    assert.deepInclude(second, { refunded: 1, amount: "10.00", covered: "9.00", rejected: 0 })
    assert.deepInclude(await market.balanceOf(early), { balance: 20, totalSpent: 0 })
    assert.deepInclude(await market.balanceOf(late), { balance: 20 })
    assert.strictEqual(dataOf<{ debt: number }>(await thief.get("/api/v1/wallet/balance")).debt, 9)
    assert.strictEqual((await about(skill)).length, 1)
    const ends = dataOf<ReadonlyArray<{ action: string; after: { refunded: number } | null }>>(
      await market.operator.get(`/api/v1/admin/actions?subject=${skill}`)
    ).filter(({ action }) => action === "item.revoke.done")
    assert.deepStrictEqual(
      ends.map(({ after }) => after?.refunded),
      [1, 1]
    )
    await market.assertBalanced()
  })

  it("renewals within the days are refunded and the subscription ends (REVOKE-2)", async () => {
    const buyer = await market.fundedMember(100)
    const draft = { ...listingDraft("Revoked subscription", 10), pricingModel: "subscription" }
    const { id } = bodyOf<{ id: string }>(await seller.post("/v1/listings", draft), 201)
    await buy(buyer, id)
    await market.advance(30 * day + 1)
    await waitFor("the renewal", async () => (await market.balanceOf(buyer)).balance === 80)
    dataOf(await decide("revoke", id, { reason: "theft", refundDays: 20 }))
    assert.deepInclude(await finished(id), { refunded: 1, amount: "10.00" })
    assert.deepInclude(await market.balanceOf(buyer), { balance: 90 })
    const [subscription] = dataOf<ReadonlyArray<{ status: string }>>(await buyer.get("/api/v1/subscriptions"))
    assert.strictEqual(subscription?.status, "cancelled")
    await market.assertBalanced()
  })
})
