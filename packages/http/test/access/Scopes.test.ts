import { MarketApi } from "@agent-marketplace/api/MarketApi"
import { Access } from "@agent-marketplace/api/access/Access"
import type { AccessRule } from "@agent-marketplace/api/access/Access"
import { ErrorFormat } from "@agent-marketplace/api/access/ErrorFormat"
import { Context } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { afterAll, assert, describe, it } from "vitest"
import { adminToken, startMarket } from "../fixtures/startMarket.ts"

const market = startMarket()
afterAll(() => market.stop())

const owner = await market.account({ seller: true })
const agent = await market.send("POST", "/api/v1/agents", { key: owner.key, body: { name: "Helper" } })
const agentId = agent.body.data.id as string
const stray = await market.send("POST", "/api/v1/agents/register", { body: { name: "Stray" } })
const keyOf = (scope: string, more: object = {}) => market.keyOf(owner.key, { scope, ...more })

const keys = {
  none: undefined,
  unknown: "nonsense",
  READ: await keyOf("READ"),
  BUYER: await keyOf("BUYER"),
  SELLER: await keyOf("SELLER"),
  FULL: await keyOf("FULL"),
  agentRead: await keyOf("READ", { agentId }),
  agentBuyer: await keyOf("BUYER", { agentId }),
  agentFull: await keyOf("FULL", { agentId }),
  unclaimed: stray.body.data.apiKey.key as string,
  operator: adminToken
}
type Kind = keyof typeof keys

const scopes: Readonly<Partial<Record<Kind, string>>> = {
  READ: "READ",
  BUYER: "BUYER",
  SELLER: "SELLER",
  FULL: "FULL",
  agentRead: "READ",
  agentBuyer: "BUYER",
  agentFull: "FULL",
  unclaimed: "FULL"
}

/** The status of a refusal, or that the request gets through to what it asks for. */
const expected = (rule: AccessRule, kind: Kind): 401 | 403 | "through" => {
  if (rule._tag === "Public" || rule._tag === "Signup") return "through"
  if (kind === "none" || kind === "unknown") return 401
  if (kind === "operator") {
    return rule._tag === "Admin" || (rule._tag === "Write" && rule.orAdmin) ? "through" : 401
  }
  const acts = kind === "agentRead" || kind === "agentBuyer" || kind === "agentFull" || kind === "unclaimed"
  switch (rule._tag) {
    case "AnyKey":
      return "through"
    case "Any":
      return kind === "unclaimed" ? 403 : "through"
    case "Write":
    case "Sell":
      return kind !== "unclaimed" && rule.scopes.some((scope) => scope === scopes[kind]) ? "through" : 403
    case "Owner":
      return !acts && scopes[kind] === "FULL" ? "through" : 403
    case "OwnerRead":
      return acts ? 403 : "through"
    case "Admin":
      return 403
  }
}

const endpoints = Object.values(MarketApi.groups).flatMap(
  (group) => Object.values(group.endpoints) as ReadonlyArray<HttpApiEndpoint.Top>
)

describe("who may call what (KEY-2, SCOPE-1, SCOPE-2, SCOPE-3, SCOPE-4, SCOPE-5, SCOPE-6): every endpoint with every kind of key", () => {
  for (const { annotations, method, path } of endpoints) {
    const rule = Context.get(annotations, Access)
    // What changes the caller's own key would spoil the table.
    if (path.endsWith("/keys/refresh")) continue
    for (const kind of Object.keys(keys) as ReadonlyArray<Kind>) {
      const wanted = expected(rule, kind)
      it(`${method} ${path} with ${kind}: ${wanted}`, async () => {
        const url = path.replace(/:[A-Za-z]+/g, "nothing")
        const body = method === "GET" ? undefined : {}
        const { body: answer, status, text } = await market.send(method, url, { key: keys[kind], body })
        assert.isBelow(status, 500)
        if (wanted === "through") {
          assert.notInclude([401, 403, 405, 413, 415, 429], status, text)
          return
        }
        assert.strictEqual(status, wanted)
        const surface = Context.get(annotations, ErrorFormat)
        if (surface === "general") assert.isFalse(answer.success)
        else assert.deepStrictEqual(Object.keys(answer), ["error"])
      })
    }
  }
})

describe("what a refusal says (ERROR-3, ERROR-5)", () => {
  const refusal = async (method: string, path: string, kind: Kind) => {
    const { body } = await market.send(method, path, { key: keys[kind], body: method === "GET" ? undefined : {} })
    return [body.error.code, body.error.details]
  }
  it("names the scopes, the owner or the operator", async () => {
    assert.deepStrictEqual(await refusal("POST", "/v1/listings", "READ"), [
      "INSUFFICIENT_PERMISSIONS",
      { required: ["SELLER", "FULL"] }
    ])
    assert.deepStrictEqual(await refusal("POST", "/api/v1/keys", "agentFull"), [
      "INSUFFICIENT_PERMISSIONS",
      { required: ["owner"] }
    ])
    assert.deepStrictEqual(await refusal("POST", "/api/v1/keys", "BUYER"), [
      "INSUFFICIENT_PERMISSIONS",
      { required: ["FULL"] }
    ])
    assert.deepStrictEqual(await refusal("GET", "/api/v1/wallet/balance", "unclaimed"), ["AGENT_NOT_CLAIMED", {}])
  })

  it("a READ key may renew itself (KEY-8, SCOPE-4)", async () => {
    assert.strictEqual((await market.send("POST", "/api/v1/keys/refresh", { key: keys.READ })).status, 201)
  })

  it("an account that is no seller creates no listing, whatever it sends (ACCOUNT-4)", async () => {
    const plain = await market.account()
    const listing = {
      name: "CSV",
      description: "Cleans CSV files.",
      price: 2,
      category: "data",
      installUrl: "https://a.b/c"
    }
    for (const path of ["/v1/listings", "/api/v1/listings", "/api/v1/skills"]) {
      for (const sent of [listing, {}]) {
        const { body, status } = await market.send("POST", path, { key: plain.key, body: sent })
        assert.deepStrictEqual([status, body.error.details], [403, { required: ["seller account"] }])
      }
    }
  })
})

describe("SIGNUP=admin (ACCOUNT-1, CONFIG-6)", () => {
  it("accounts are made with the operator's token alone", async () => {
    const closed = startMarket({ http: { signup: "admin" } })
    const signUp = async (key?: string) => {
      const { status } = await closed.send("POST", "/api/v1/accounts", { key, body: { name: "Ada" } })
      return status
    }
    assert.strictEqual(await signUp(), 401)
    assert.strictEqual(await signUp("nonsense"), 401)
    assert.strictEqual(await signUp(adminToken), 201)
    const { key } = await closed.account()
    assert.strictEqual(await signUp(key), 403)
    await closed.stop()
  })
})
