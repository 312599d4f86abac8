import { afterAll, assert, describe, it } from "vitest"
import { adminToken, startMarket } from "../fixtures/startMarket.ts"

const market = startMarket({ config: { listingReview: "manual" }, http: { testClock: true } })
const { send } = market
afterAll(market.stop)

const operator = { authorization: `Bearer ${adminToken}` }

const admin = (method: string, path: string, body?: object) =>
  send(method, `/api/v1/admin/${path}`, { headers: operator, ...(body === undefined ? {} : { body }) })

const signUp = async (name: string, seller = false) => {
  const { body } = await send("POST", "/api/v1/accounts", { body: { name, seller }, headers: operator })
  const headers = { authorization: `Bearer ${body.data.apiKey.key}` }
  const call = (method: string, path: string, sent?: object) =>
    send(method, path, { headers, ...(sent === undefined ? {} : { body: sent }) })
  return { id: body.data.account.id as string, call }
}

type Account = Awaited<ReturnType<typeof signUp>>

const skill = (name: string) => ({ name, description: "Cleans and normalises files.", price: 0 })
const submit = async ({ call }: Account, name: string) =>
  (await call("POST", "/api/v1/skills", skill(name))).body.data.id as string
const appeals = (item: string) => `/api/v1/items/${item}/appeals`
const plea = { text: "It does what it says." }

describe("appeals of decisions", () => {
  it("are filed once for each decision by the creator, and an overturned rejection is approved (APPEAL-1, APPEAL-2, APPEAL-3, APPEAL-4, REASON-2)", async () => {
    const [seller, other] = [await signUp("Ada", true), await signUp("Bob", true)]
    const id = await submit(seller, "Rejected at first")
    const early = await seller.call("POST", appeals(id), plea)
    assert.deepStrictEqual([early.status, early.body.error.details], [409, { state: "nothing_to_appeal" }])
    for (const code of ["dislike", 7]) {
      const invalid = await admin("POST", `listings/${id}/reject`, { reason: "No.", code })
      assert.deepStrictEqual([invalid.status, invalid.body.error.details.issues[0].path], [400, "code"])
    }
    const rejected = await admin("POST", `listings/${id}/reject`, { reason: "A copy.", code: "copy" })
    assert.deepInclude(rejected.body.data, { status: "rejected", reasonCode: "copy" })
    const own = (await seller.call("GET", `/v1/listings/${id}`)).body
    assert.deepInclude(own, { rejectionReason: "A copy.", reasonCode: "copy" })

    assert.strictEqual((await other.call("POST", appeals(id), plea)).status, 404)
    assert.strictEqual((await other.call("GET", appeals(id))).status, 404)
    for (const [field, body] of [
      ["text", {}],
      ["text", { text: "" }],
      ["text", { text: "x".repeat(2001) }],
      ["version", { ...plea, version: "9.9.9" }]
    ] as const) {
      const invalid = await seller.call("POST", appeals(id), body)
      assert.deepStrictEqual([invalid.status, invalid.body.error.details.issues[0].path], [400, field])
    }
    const filed = await seller.call("POST", appeals(id), plea)
    assert.strictEqual(filed.status, 201, filed.text)
    assert.deepInclude(filed.body.data, {
      itemId: id,
      subject: "rejection",
      version: null,
      code: "copy",
      reason: "A copy.",
      ...plea,
      status: "open",
      answer: null,
      decidedAt: null
    })
    const again = await seller.call("POST", appeals(id), plea)
    assert.deepStrictEqual([again.status, again.body.error.details], [409, { state: "appealed" }])

    const open = (await admin("GET", "appeals?status=open")).body.data
    assert.lengthOf(open, 1)
    assert.deepInclude(open[0], { id: filed.body.data.id, creatorId: seller.id })
    assert.strictEqual((await admin("GET", "appeals?status=closed")).status, 400)
    const decide = `appeals/${open[0].id}/decide`
    for (const [field, body] of [
      ["decision", { decision: "maybe", reason: "x" }],
      ["decision", { reason: "x" }],
      ["reason", { decision: "upheld" }]
    ] as const) {
      const invalid = await admin("POST", decide, body)
      assert.deepStrictEqual([invalid.status, invalid.body.error.details.issues[0].path], [400, field])
    }
    const decided = await admin("POST", decide, { decision: "overturned", reason: "It is older." })
    assert.deepInclude(decided.body.data, { status: "overturned", answer: "It is older." })
    const late = await admin("POST", decide, { decision: "upheld", reason: "x" })
    assert.deepStrictEqual([late.status, late.body.error.details], [409, { state: "overturned" }])
    const unknown = await admin("POST", "appeals/apl_x/decide", { decision: "upheld", reason: "x" })
    assert.deepStrictEqual([unknown.status, unknown.body.error.code], [404, "APPEAL_NOT_FOUND"])

    assert.strictEqual((await other.call("GET", `/v1/listings/${id}`)).status, 200)
    assert.strictEqual((await other.call("POST", appeals(id), plea)).status, 403)
    assert.strictEqual((await other.call("GET", appeals(id))).status, 403)
    const state = (await seller.call("GET", appeals(id))).body.data
    assert.deepInclude(state[0], { status: "overturned", answer: "It is older." })
    const log = (await admin("GET", `actions?subject=${id}`)).body.data
    assert.deepInclude(log[0], { action: "appeal.overturn", reason: "It is older.", before: { appeal: "open" } })
  })

  it("are open to frozen accounts; an upheld suspension stays (APPEAL-1, APPEAL-3)", async () => {
    const seller = await signUp("Carol", true)
    const id = await submit(seller, "Suspended later")
    await admin("POST", `listings/${id}/approve`)
    assert.strictEqual((await admin("POST", `listings/${id}/suspend`, { reason: "" })).status, 400)
    const suspended = await admin("POST", `listings/${id}/suspend`, { reason: "Misleads.", code: "misleading" })
    assert.deepInclude(suspended.body.data, { status: "suspended", rejectionReason: "Misleads." })
    await admin("POST", `accounts/${seller.id}/freeze`, { reason: "A check." })
    const filed = await seller.call("POST", appeals(id), plea)
    assert.deepInclude(filed.body.data, { subject: "suspension", code: "misleading" })
    await admin("POST", `appeals/${filed.body.data.id}/decide`, { decision: "upheld", reason: "It does." })
    assert.deepInclude((await seller.call("GET", `/v1/listings/${id}`)).body, { status: "suspended" })
    const again = await seller.call("POST", appeals(id), plea)
    assert.deepStrictEqual([again.status, again.body.error.details], [409, { state: "appealed" }])
  })

  it("of a soul's suspension and of a quarantine end them; a revocation is permanent (APPEAL-1, APPEAL-4)", async () => {
    const seller = await signUp("Dora", true)
    const content = "# SOUL\n\n## Identity\n\nYou read."
    const draft = { name: "A soul to appeal", description: "Reads before it answers.", content }
    const soul = (await seller.call("POST", "/api/v1/souls/create", draft)).body
    await admin("POST", `souls/${soul.slug}/suspend`, { reason: "A copy.", code: "copy" })
    const own = (await seller.call("GET", `/api/souls/${soul.slug}`)).body.soul
    assert.deepInclude(own, { suspensionReason: "A copy.", reasonCode: "copy" })
    const filed = (await seller.call("POST", appeals(soul.id), plea)).body.data
    await admin("POST", `appeals/${filed.id}/decide`, { decision: "overturned", reason: "It is not." })
    assert.isNull((await seller.call("GET", `/api/souls/${soul.slug}`)).body.soul.suspensionReason)

    const reader = await signUp("Eve")
    const id = await submit(seller, "Quarantined later")
    await admin("POST", `listings/${id}/approve`)
    await admin("POST", `items/${id}/quarantine`, { reason: "It sends keys away.", code: "theft" })
    assert.strictEqual((await reader.call("GET", `/v1/listings/${id}`)).status, 404)
    const second = (await seller.call("POST", appeals(id), plea)).body.data
    assert.deepInclude(second, { subject: "quarantine", code: "theft" })
    await admin("POST", `appeals/${second.id}/decide`, { decision: "overturned", reason: "It does not." })
    assert.strictEqual((await reader.call("GET", `/v1/listings/${id}`)).status, 200)
    await admin("POST", `items/${id}/revoke`, { reason: "It does after all." })
    const permanent = await seller.call("POST", appeals(id), plea)
    assert.deepStrictEqual([permanent.status, permanent.body.error.details], [409, { state: "nothing_to_appeal" }])
  })
})
