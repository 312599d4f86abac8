import { readFileSync } from "node:fs"
import { afterAll, assert, describe, it } from "vitest"
import { adminToken, startMarket } from "../fixtures/startMarket.ts"

const market = startMarket()
afterAll(() => market.stop())

const owner = await market.account({ seller: true })
const agent = await market.send("POST", "/api/v1/agents", { key: owner.key, body: { name: "Helper" } })
const agentId = agent.body.data.id as string
const stray = await market.send("POST", "/api/v1/agents/register", { body: { name: "Stray" } })
const keyOf = (scope: string, more: object = {}) => market.keyOf(owner.key, { scope, ...more })

const froze = await market.account({ seller: true })
const frozenHelper = await market.send("POST", "/api/v1/agents", { key: froze.key, body: { name: "Helper" } })
const frozenAccountAgent = await market.keyOf(froze.key, { scope: "FULL", agentId: frozenHelper.body.data.id })
const second = await market.send("POST", "/api/v1/agents", { key: owner.key, body: { name: "Frozen" } })
const frozenAgent = await keyOf("FULL", { agentId: second.body.data.id })
const plain = await market.account()
const erased = await market.account()

/** The key of each column of docs/access.md. */
const keys: Record<string, string | undefined> = {
  none: undefined,
  READ: await keyOf("READ"),
  BUYER: await keyOf("BUYER"),
  SELLER: await keyOf("SELLER"),
  FULL: await keyOf("FULL"),
  "FULL, no seller": plain.key,
  "agent READ": await keyOf("READ", { agentId }),
  "agent BUYER": await keyOf("BUYER", { agentId }),
  "agent SELLER": await keyOf("SELLER", { agentId }),
  "agent FULL": await keyOf("FULL", { agentId }),
  unclaimed: stray.body.data.apiKey.key as string,
  "frozen account": froze.key,
  "frozen account's agent": frozenAccountAgent,
  "frozen agent": frozenAgent,
  "erased account": erased.key,
  operator: adminToken
}
const erasure = await market.send("DELETE", "/api/v1/account", { key: erased.key })
assert.strictEqual(erasure.status, 200, erasure.text)
await market.send("POST", `/api/v1/agents/${second.body.data.id}/freeze`, { key: owner.key })
await market.send("POST", `/api/v1/admin/accounts/${froze.id}/freeze`, { key: adminToken, body: { reason: "a test" } })

const cells = (line: string): ReadonlyArray<string> =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim())

const lines = readFileSync(new URL("../../../../docs/access.md", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("|"))

const columns = cells(lines[0] ?? "").slice(1)

const codes: Readonly<Record<string, readonly [status: number, codes: ReadonlyArray<string>]>> = {
  "401": [401, ["INVALID_API_KEY"]],
  "403": [403, ["INSUFFICIENT_PERMISSIONS"]],
  unclaimed: [403, ["AGENT_NOT_CLAIMED"]],
  frozen: [403, ["ACCOUNT_FROZEN", "AGENT_FROZEN"]]
}

describe("access to operations (SCOPE-1 to SCOPE-6, AGENT-12, AGENT-14, ACCOUNT-12): every cell of docs/access.md", () => {
  it("has a column for each kind of key", () => {
    assert.deepStrictEqual(columns, Object.keys(keys))
  })

  for (const line of lines.slice(2)) {
    const [name = "", ...row] = cells(line)
    const [method = "", path = ""] = name.replaceAll("`", "").split(" ")
    for (const [i, kind] of columns.entries()) {
      const wanted = row[i] ?? ""
      it(`${method} ${path} with ${kind}: ${wanted}`, async () => {
        const url = path.replace(/:[A-Za-z]+/g, "nothing")
        const body = method === "GET" ? undefined : {}
        // An erasure that is allowed ends its account, which the following rows need: it gets one of its own.
        const erases = name === "`DELETE /api/v1/account`" && wanted === "yes"
        const key = erases ? (await market.account({ seller: kind === "FULL" })).key : keys[kind]
        const { body: answer, status, text } = await market.send(method, url, { key, body })
        assert.isBelow(status, 500)
        const refusal = codes[wanted]
        if (refusal === undefined) {
          assert.strictEqual(wanted, "yes")
          assert.notInclude([401, 403, 405, 413, 415, 429], status, text)
          // The following rows use the renewed key.
          if (path.endsWith("/keys/refresh")) keys[kind] = answer.data.key
          return
        }
        assert.strictEqual(status, refusal[0], text)
        if (typeof answer.error === "string") assert.deepStrictEqual(Object.keys(answer), ["error"])
        else assert.include(refusal[1], answer.error.code)
      })
    }
  }
})

describe("the body of a refusal (ERROR-3, ERROR-5)", () => {
  const refusal = async (method: string, path: string, kind: string) => {
    const { body } = await market.send(method, path, { key: keys[kind], body: method === "GET" ? undefined : {} })
    return [body.error.code, body.error.details]
  }
  it("names the scopes, the owner or the operator", async () => {
    assert.deepStrictEqual(await refusal("POST", "/v1/listings", "READ"), [
      "INSUFFICIENT_PERMISSIONS",
      { required: ["SELLER", "FULL"] }
    ])
    assert.deepStrictEqual(await refusal("POST", "/api/v1/keys", "agent FULL"), [
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

  it("an account that is not a seller cannot create a listing, whatever it sends (ACCOUNT-4)", async () => {
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
  it("only the operator's token can create accounts", async () => {
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
