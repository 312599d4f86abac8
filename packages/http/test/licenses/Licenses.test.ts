import { createHash } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { adminToken, startMarket } from "../fixtures/startMarket.ts"
import type { Answer } from "../fixtures/startMarket.ts"

const day = 86_400

const claimsOf = (proof: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(proof.split(".")[1] ?? "", "base64url").toString())

const headerOf = (proof: string): unknown => JSON.parse(Buffer.from(proof.split(".")[0] ?? "", "base64url").toString())

const refusedWith = ({ body, status }: Answer, expected: number, code: string): Record<string, unknown> => {
  assert.strictEqual(status, expected, JSON.stringify(body))
  assert.strictEqual(body.error.code, code)
  return body.error.details
}

describe("licenses on customers' machines", () => {
  let market: ReturnType<typeof startMarket>
  let seller: { readonly id: string; readonly key: string }
  beforeAll(async () => {
    market = startMarket({ limits: true })
    seller = await market.account({ seller: true })
  })
  afterAll(() => market.stop())

  const draft = { name: "Licensed skill", description: "Checks its license offline.", category: "data" }

  const publish = async (more: object = {}): Promise<string> => {
    const { body } = await market.send("POST", "/api/v1/skills", {
      key: seller.key,
      body: { ...draft, price: "0", pricingModel: "free", ...more }
    })
    return body.data.id
  }

  const buy = async (skillId: string) => {
    const buyer = await market.account()
    const balance = await market.send("GET", "/api/v1/wallet/deposit", { key: buyer.key })
    const { address } = balance.body.data
    await market.send("POST", "/api/v1/admin/simulated-chain/deposits", {
      key: adminToken,
      body: { address, amount: "50" }
    })
    const { body, status } = await market.send("POST", "/api/v1/purchases", { key: buyer.key, body: { skillId } })
    assert.strictEqual(status, 201, JSON.stringify(body))
    return { buyer, id: body.data.purchaseId as string, licenseKey: body.data.licenseKey as string }
  }

  const proofOf = (key: string, id: string) => market.send("GET", `/api/v1/purchases/${id}/proof`, { key })
  const activate = (body: object) => market.send("POST", "/api/v1/licenses/activate", { body })
  const deactivate = (body: object) => market.send("POST", "/api/v1/licenses/deactivate", { body })

  it("a proof names the license, its item and its end; the holder is the same for one buyer (PROOF-1, PROOF-2, PROOF-3)", async () => {
    const item = await publish()
    const { buyer, id, licenseKey } = await buy(item)
    const { body, status } = await proofOf(buyer.key, id)
    assert.strictEqual(status, 200)
    const { exp, holder, iat, ...claims } = claimsOf(body.data.proof)
    assert.deepStrictEqual(claims, {
      iss: "http://market.test",
      sub: id,
      item,
      version: null,
      type: "free",
      key: createHash("sha256").update(licenseKey).digest("hex")
    })
    assert.strictEqual(Number(exp) - Number(iat), 365 * day)
    assert.match(String(holder), /^[0-9a-f]{64}$/)
    assert.notInclude(body.data.proof, buyer.id)
    const keys = await market.send("GET", "/.well-known/agent-marketplace-keys.json")
    assert.deepStrictEqual(headerOf(body.data.proof), { alg: "EdDSA", typ: "JWT", kid: keys.body.keys[0].kid })

    const second = await market.send("POST", "/api/v1/purchases", {
      key: buyer.key,
      body: { skillId: await publish() }
    })
    const other = await proofOf(buyer.key, second.body.data.purchaseId)
    assert.strictEqual(claimsOf(other.body.data.proof)["holder"], holder)
    const stranger = await buy(item)
    assert.notStrictEqual(claimsOf((await proofOf(stranger.buyer.key, stranger.id)).body.data.proof)["holder"], holder)
  })

  it("somebody else's purchase and an unknown one have no proof; a key is required (PROOF-1)", async () => {
    const { buyer, id } = await buy(await publish())
    refusedWith(await proofOf(seller.key, id), 404, "PURCHASE_NOT_FOUND")
    refusedWith(await proofOf(buyer.key, "pur_unknown"), 404, "PURCHASE_NOT_FOUND")
    refusedWith(await market.send("GET", `/api/v1/purchases/${id}/proof`), 401, "INVALID_API_KEY")
  })

  it("a refunded license has neither a proof nor activations, and its machines can be released (PROOF-4, ACTIVATION-4, ACTIVATION-6)", async () => {
    const { buyer, id, licenseKey } = await buy(await publish())
    assert.strictEqual((await activate({ licenseKey, machine: "laptop" })).status, 200)
    const refund = await market.send("POST", `/api/v1/purchases/${id}/refund`, { key: seller.key, body: {} })
    assert.strictEqual(refund.status, 200)
    assert.deepInclude(refusedWith(await proofOf(buyer.key, id), 409, "CONFLICT"), { state: "refunded" })
    assert.deepInclude(refusedWith(await activate({ licenseKey, machine: "laptop" }), 409, "CONFLICT"), {
      state: "refunded"
    })
    assert.deepStrictEqual((await deactivate({ licenseKey, machine: "laptop" })).body.data, {
      purchaseId: id,
      machine: "laptop",
      deactivated: true
    })
  })

  it("machines are counted up to maxActivations, listed for buyer and seller, and released by the holder (ACTIVATION-1, ACTIVATION-2, ACTIVATION-3, ACTIVATION-6, ACTIVATION-7)", async () => {
    const { buyer, id, licenseKey } = await buy(await publish({ maxActivations: 2 }))
    const first = await activate({ licenseKey: licenseKey.toLowerCase(), machine: "laptop", label: "Work" })
    const { proof, ...activated } = first.body.data
    assert.deepInclude(activated, { purchaseId: id, machine: "laptop", label: "Work" })
    assert.deepInclude(claimsOf(proof), { sub: id, machine: "laptop" })
    assert.notProperty(claimsOf((await proofOf(buyer.key, id)).body.data.proof), "machine")
    const again = await activate({ licenseKey, machine: "laptop" })
    assert.strictEqual(again.body.data.activatedAt, activated.activatedAt)
    await activate({ licenseKey, machine: "desktop" })
    const refused = refusedWith(await activate({ licenseKey, machine: "server" }), 409, "CONFLICT")
    assert.deepInclude(refused, { state: "activations_used", limit: 2 })

    for (const key of [buyer.key, seller.key]) {
      const { body } = await market.send("GET", `/api/v1/purchases/${id}/activations`, { key })
      assert.deepStrictEqual(body.data.map(({ machine }: { readonly machine: string }) => machine).sort(), [
        "desktop",
        "laptop"
      ])
      assert.deepStrictEqual(body.meta, { page: 1, limit: 20, total: 2 })
    }
    const stranger = await market.account()
    refusedWith(
      await market.send("GET", `/api/v1/purchases/${id}/activations`, { key: stranger.key }),
      404,
      "PURCHASE_NOT_FOUND"
    )
    assert.isTrue((await deactivate({ licenseKey, machine: "laptop" })).body.data.deactivated)
    assert.isFalse((await deactivate({ licenseKey, machine: "laptop" })).body.data.deactivated)
    assert.strictEqual((await activate({ licenseKey, machine: "server" })).status, 200)
  })

  it("an unknown license key is not found, whatever its form, and each address has 60 attempts a minute (ACTIVATION-5)", async () => {
    const unknown = "7K3QX-0M9TB-V2H8D-4RZWN-C6Y1F"
    for (const licenseKey of [unknown, "not a key"]) {
      refusedWith(await activate({ licenseKey, machine: "laptop" }), 404, "PURCHASE_NOT_FOUND")
      refusedWith(await deactivate({ licenseKey, machine: "laptop" }), 404, "PURCHASE_NOT_FOUND")
    }
    const guess = () =>
      market.send("POST", "/api/v1/licenses/activate", {
        body: { licenseKey: unknown, machine: "laptop" },
        address: "203.0.113.7"
      })
    for (let attempts = 0; attempts < 60; attempts += 1) assert.strictEqual((await guess()).status, 404)
    const { limit } = refusedWith(await guess(), 429, "RATE_LIMIT_EXCEEDED")
    assert.strictEqual(limit, 60)
    assert.strictEqual((await activate({ licenseKey: unknown, machine: "laptop" })).status, 404, "another address")
  })

  it("names every wrong field (ACTIVATION-1, ACTIVATION-3)", async () => {
    const wrong: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
      [{}, ["licenseKey", "machine"]],
      [{ licenseKey: "", machine: "x".repeat(129), label: "" }, ["label", "licenseKey", "machine"]],
      [{ licenseKey: 7, machine: "two\nlines", label: 7 }, ["label", "licenseKey", "machine"]]
    ]
    for (const [body, paths] of wrong) {
      const { issues } = refusedWith(await activate(body), 400, "VALIDATION_ERROR")
      assert.deepStrictEqual((issues as ReadonlyArray<{ readonly path: string }>).map(({ path }) => path).sort(), paths)
    }
    for (const maxActivations of [0, -1, 1.5, "2", 1_000_001]) {
      const answer = await market.send("POST", "/api/v1/skills", {
        key: seller.key,
        body: { ...draft, price: "0", pricingModel: "free", maxActivations }
      })
      const [issue] = refusedWith(answer, 400, "VALIDATION_ERROR")["issues"] as ReadonlyArray<object>
      assert.deepInclude(issue, { path: "maxActivations" })
    }
  })

  it("both faces set, show and clear maxActivations (ACTIVATION-3)", async () => {
    const id = await publish({ maxActivations: 2 })
    const limitOn = async (path: string) => {
      const { body } = await market.send("GET", path, { key: seller.key })
      return (body.data ?? body).maxActivations as number | null
    }
    assert.strictEqual(await limitOn(`/v1/listings/${id}`), 2)
    await market.send("PATCH", `/v1/listings/${id}`, { key: seller.key, body: { maxActivations: 5 } })
    assert.strictEqual(await limitOn(`/api/v1/skills/${id}`), 5)
    await market.send("PATCH", `/api/v1/skills/${id}`, { key: seller.key, body: { maxActivations: null } })
    assert.strictEqual(await limitOn(`/v1/listings/${id}`), null)
  })
})
