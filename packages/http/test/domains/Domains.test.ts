import { afterAll, assert, describe, it } from "vitest"
import { adminToken, startMarket } from "../fixtures/startMarket.ts"

const domains: Record<string, string | null> = {}
const market = startMarket({ config: { listingReview: "auto" }, domains })
const { send } = market
afterAll(market.stop)

const operator = { authorization: `Bearer ${adminToken}` }

const signUp = async (name: string) => {
  const { body } = await send("POST", "/api/v1/accounts", { body: { name, seller: true }, headers: operator })
  const headers = { authorization: `Bearer ${body.data.apiKey.key}` }
  const call = (method: string, path: string, sent?: object) =>
    send(method, path, { headers, ...(sent === undefined ? {} : { body: sent }) })
  return { id: body.data.account.id as string, headers, call }
}

const path = "/api/v1/account/domains"

describe("domains of creators", () => {
  it("are added, verified and removed (DOMAIN-1, DOMAIN-4)", async () => {
    const { call } = await signUp("Ada")
    const added = await call("POST", path, { domain: "Bücher.dev." })
    assert.strictEqual(added.status, 201)
    const { token } = added.body.data
    const pending = { domain: "xn--bcher-kva.dev", token, status: "pending", checkedAt: null, problem: null }
    assert.deepStrictEqual(added.body.data, pending)
    assert.strictEqual((await call("POST", path, { domain: "bücher.dev" })).body.data.token, token)
    const missing = await call("POST", `${path}/xn--bcher-kva.dev/verify`)
    assert.strictEqual(missing.status, 200)
    assert.deepInclude(missing.body.data, { status: "pending", problem: "no TXT record has the token" })
    domains["xn--bcher-kva.dev"] = token
    const found = await call("POST", `${path}/${encodeURIComponent("bücher.dev")}/verify`)
    assert.deepInclude(found.body.data, { status: "verified", problem: null })
    assert.deepStrictEqual((await call("GET", path)).body.data, [found.body.data])
    const removed = await call("DELETE", `${path}/xn--bcher-kva.dev`)
    assert.deepStrictEqual(removed.body.data, { id: "xn--bcher-kva.dev", deleted: true })
    for (const [method, rest] of [["DELETE", ""] as const, ["POST", "/verify"] as const]) {
      const gone = await call(method, `${path}/xn--bcher-kva.dev${rest}`)
      assert.deepStrictEqual([gone.status, gone.body.error.code], [404, "DOMAIN_NOT_FOUND"])
    }
  })

  it("that cannot be proven are refused, and the field is named (DOMAIN-2)", async () => {
    const { call } = await signUp("Bob")
    for (const domain of ["127.0.0.1", "localhost", "a.test", "https://ada.dev", "", 5, null, undefined]) {
      const refused = await call("POST", path, { domain })
      assert.deepStrictEqual(
        [refused.status, refused.body.error.details.issues[0].path],
        [400, "domain"],
        String(domain)
      )
    }
    assert.strictEqual((await call("POST", `${path}/10.0.0.1/verify`)).status, 400)
  })

  it("need an owner's key (DOMAIN-1)", async () => {
    const { call } = await signUp("Carol")
    const keyFor = async (fields: object) =>
      (await call("POST", "/api/v1/keys", { name: "k", ...fields })).body.data.key as string
    const agentId = (await call("POST", "/api/v1/agents", { name: "Helper" })).body.data.id as string
    const agent = await keyFor({ scope: "FULL", agentId })
    const read = await keyFor({ scope: "READ" })
    const attempt = (key: string, method: string, sent?: object) =>
      send(method, path, { headers: { authorization: `Bearer ${key}` }, ...(sent === undefined ? {} : { body: sent }) })
    assert.strictEqual((await attempt(read, "GET")).status, 200)
    assert.strictEqual((await attempt(read, "POST", { domain: "ada.dev" })).status, 403)
    assert.strictEqual((await attempt(agent, "GET")).status, 403)
    assert.strictEqual((await attempt(agent, "POST", { domain: "ada.dev" })).status, 403)
  })

  it("give the creator a mark wherever the name is shown, until another account proves them (DOMAIN-6, DOMAIN-7)", async () => {
    const [first, second] = [await signUp("Dora"), await signUp("Eve")]
    const skill = { name: "Marked skill", description: "Cleans and normalises files.", price: 0 }
    const { id } = (await first.call("POST", "/api/v1/skills", skill)).body.data
    const content = "# SOUL\n\n## Identity\n\nYou read."
    const soul = { name: "Marked soul", description: "Reads before it answers.", content }
    const { slug } = (await first.call("POST", "/api/v1/souls/create", soul)).body
    const marks = async () => {
      const [list, detail, asSkill, soulDetail, souls, profile] = await Promise.all(
        [
          `/v1/listings?creator=${first.id}`,
          `/v1/listings/${id}`,
          `/api/v1/skills/${id}`,
          `/api/souls/${slug}`,
          `/api/souls?author=${first.id}`,
          `/api/v1/creators/${first.id}`
        ].map((url) => second.call("GET", url))
      )
      return [
        list?.body.listings?.[0]?.creator.verified ?? list?.body[0]?.creator.verified,
        detail?.body.creator.verified,
        asSkill?.body.data.creator.verified,
        soulDetail?.body.soul.authorVerified,
        souls?.body.souls[0].authorVerified,
        profile?.body.data.verified
      ]
    }
    const prove = async ({ call }: typeof first) => {
      domains["dora.dev"] = (await call("POST", path, { domain: "dora.dev" })).body.data.token
      assert.strictEqual((await call("POST", `${path}/dora.dev/verify`)).body.data.status, "verified")
    }
    assert.deepStrictEqual(await marks(), Array(6).fill(false))
    await prove(first)
    assert.deepStrictEqual(await marks(), Array(6).fill(true))
    await prove(second)
    assert.deepStrictEqual(await marks(), Array(6).fill(false))
    assert.strictEqual((await first.call("GET", path)).body.data[0].status, "pending")
  })
})
