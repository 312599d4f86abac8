import { hash } from "node:crypto"
import { assert, beforeAll, describe, it } from "vitest"
import { signIn } from "../fixtures/Browser.ts"
import { bodyOf, dataOf, makeClient, send } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { IssuedKey, Market, Member } from "../fixtures/Market.ts"
import { sharedServer } from "../fixtures/sharedServer.ts"
import type { SharedServer } from "../fixtures/sharedServer.ts"

const revision = "2026-07-28"

type Result = Readonly<Record<string, unknown>> & {
  readonly resultType?: string
  readonly requestState?: string
  readonly isError?: boolean
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly inputRequests?: Readonly<
    Record<string, { readonly method: string; readonly params: Readonly<Record<string, string>> }>
  >
}

let server: SharedServer
let market: Market
let owner: Member
let agentKey: string
let itemId: string
let count = 0

beforeAll(async () => {
  server = await sharedServer()
  market = onMarket(server.baseUrl, { testClock: true })
  owner = await market.fundedMember(100)
  const agent = dataOf<{ id: string }>(await owner.post("/api/v1/agents", { name: "Bot <i>" }), 201)
  const issued = await owner.post("/api/v1/keys", { name: "agent", scope: "BUYER", agentId: agent.id })
  agentKey = dataOf<IssuedKey>(issued, 201).key
  dataOf(await owner.patch("/api/v1/wallet/policy", { autoApprove: false }))
  itemId = await fresh()
})

const fresh = async (): Promise<string> => {
  count += 1
  const seller = await market.member({ seller: true, name: `Ada <b>${count}` })
  return market.listing(seller, `Sorter <script>${count}`, 5)
}

const call = async (
  name: string,
  args: object,
  more: object = {},
  { key = agentKey, elicitation = { url: {} } as object } = {}
): Promise<Result> => {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientCapabilities": { elicitation }
  }
  const headers = {
    accept: "application/json, text/event-stream",
    authorization: `Bearer ${key}`,
    "mcp-protocol-version": revision,
    "mcp-method": "tools/call",
    "mcp-name": name
  }
  const params = { name, arguments: args, ...more, _meta }
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params }
  const reply = await send(`${server.baseUrl}/mcp`, "POST", headers, message)
  const { result } = bodyOf<{ readonly result?: Result }>(reply)
  assert.isDefined(result, reply.text)
  return result ?? {}
}

const order = (item: string, idempotencyKey: string) => ({ itemId: item, maxPrice: 5, idempotencyKey })

const accepted = { approval: { action: "accept" } }

const waiting = async (item: string, key: string) => {
  const first = await call("buy", order(item, key))
  assert.strictEqual(first.resultType, "input_required", JSON.stringify(first))
  const [request] = Object.values(first.inputRequests ?? {})
  const url = request?.params["url"] ?? ""
  return { first, request, url, path: new URL(url).pathname, state: first.requestState ?? "" }
}

const load = async (path: string, cookie?: string) => {
  const headers = cookie === undefined ? {} : { cookie }
  const response = await fetch(server.baseUrl + path, { redirect: "manual", headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const own = () => ({ origin: new URL(server.baseUrl).origin, "sec-fetch-site": "same-origin" })

const submit = (path: string, fields: Record<string, string>, headers: Record<string, string>) =>
  fetch(server.baseUrl + path, { method: "POST", redirect: "manual", body: new URLSearchParams(fields), headers })

const hiddenOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/type="hidden"\s+name="(\w+)"\s+value="([^"]*)"/g)].map(([, name = "", value = ""]) => [
      name,
      value
    ])
  )

const statusOf = async (path: string): Promise<string> =>
  dataOf<{ status: string }>(await owner.get(`/api/v1${path}`)).status

describe("a purchase that waits for its owner (MCP-12, APPROVAL-9, APPROVAL-10)", () => {
  it("the client opens the page, the owner approves there, and the repeated call has the license; it is paid once", async () => {
    const { first, path, request, state, url } = await waiting(itemId, "one")
    assert.strictEqual(request?.method, "elicitation/create")
    assert.strictEqual(request?.params["mode"], "url")
    assert.match(url, new RegExp(`^${server.baseUrl}/approvals/apr_`))
    assert.match(request?.params["message"] ?? "", /for 5 USDT waits for your approval.*opening it decides nothing/)
    const retry = { requestState: state, inputResponses: accepted }
    assert.deepStrictEqual(await call("buy", order(itemId, "one"), retry), first)

    assert.match((await load(path)).text, /http-equiv="refresh"/)
    const signedOut = await load(`${path}?again=1`)
    assert.strictEqual(signedOut.status, 303)
    const signInUrl = signedOut.headers.get("location") ?? ""
    assert.strictEqual(signInUrl, `${server.baseUrl}/sign-in?approval=${path.split("/").at(-1)}`)
    assert.include((await load("/sign-in")).text, '"approvals/" + id')

    const { cookie } = await signIn(server.baseUrl, { apiKey: owner.key })
    const page = await load(path, cookie)
    assert.strictEqual(page.status, 200, page.text)
    for (const text of [
      "Sorter &lt;script&gt;1",
      "Ada &lt;b&gt;1",
      "5.00 USDT",
      "Bot &lt;i&gt;",
      "Paid once",
      "Expires"
    ])
      assert.include(page.text, text)
    assert.notInclude(page.text, "<script")
    assert.include(page.headers.get("content-security-policy") ?? "", "frame-ancestors 'none'")
    assert.strictEqual(await statusOf(path), "pending")

    const fields = { ...hiddenOf(page.text), decision: "approve" }
    assert.strictEqual((await submit(path, fields, { ...own(), cookie })).status, 303)
    assert.include((await load(path, cookie)).text, "The purchase was approved")
    assert.strictEqual((await submit(path, fields, { ...own(), cookie })).status, 409)
    const done = await call("buy", order(itemId, "one"), retry)
    assert.strictEqual(done.structuredContent?.["status"], "completed", JSON.stringify(done))
    assert.isString(done.structuredContent?.["licenseKey"])
    assert.strictEqual((await market.balanceOf(owner)).balance, 95)
  })

  it("CSRF: a form of another site, without the token, or of another session decides nothing (APPROVAL-10)", async () => {
    const { path } = await waiting(await fresh(), "two")
    const { path: otherPath } = await waiting(await fresh(), "two-b")
    const { cookie } = await signIn(server.baseUrl, { apiKey: owner.key })
    const again = await signIn(server.baseUrl, { apiKey: owner.key })
    const { approval = "", token = "" } = hiddenOf((await load(path, cookie)).text)
    const fields = { approval, token, decision: "approve" }
    const forged: ReadonlyArray<readonly [string, Record<string, string>, Record<string, string>]> = [
      [path, fields, { cookie }],
      [path, fields, { cookie, origin: "https://evil.example.com" }],
      [path, fields, { cookie, origin: "null" }],
      [path, fields, { cookie, origin: own().origin, "sec-fetch-site": "cross-site" }],
      [path, { approval, decision: "approve" }, { ...own(), cookie }],
      [path, { ...fields, token: "wrong" }, { ...own(), cookie }],
      [path, fields, { ...own(), cookie: again.cookie }],
      [otherPath, fields, { ...own(), cookie }],
      [otherPath, { ...fields, approval: otherPath.split("/").at(-1) ?? "" }, { ...own(), cookie }]
    ]
    for (const [to, form, headers] of forged)
      assert.strictEqual((await submit(to, form, headers)).status, 403, JSON.stringify([to, headers]))
    assert.strictEqual((await submit(path, fields, own())).status, 401)
    for (const each of [path, otherPath]) assert.strictEqual(await statusOf(each), "pending")
  })

  it("the approval of another account is 404, for the page and the form (APPROVAL-9)", async () => {
    const { path } = await waiting(await fresh(), "three")
    const stranger = await signIn(server.baseUrl, { apiKey: (await market.member()).key })
    const page = await load(path, stranger.cookie)
    assert.strictEqual(page.status, 404)
    assert.notInclude(page.text, "Sorter")
    // The token that a form for the stranger would have.
    const approval = path.split("/").at(-1) ?? ""
    const secret = stranger.cookie.slice(stranger.cookie.indexOf("=") + 1)
    const token = hash("sha256", `approval:${secret}:${approval}`, "base64url")
    for (const decision of ["approve", "reject"]) {
      const reply = await submit(path, { approval, token, decision }, { ...own(), cookie: stranger.cookie })
      assert.strictEqual(reply.status, 404)
    }
    assert.strictEqual(await statusOf(path), "pending")
    assert.strictEqual((await load("/approvals/apr_nothing", stranger.cookie)).status, 404)
  })

  it("after a rejection the repeated call is an error, and nothing was paid (MCP-12)", async () => {
    const item = await fresh()
    const before = (await market.balanceOf(owner)).balance
    const { path, state } = await waiting(item, "four")
    const { cookie } = await signIn(server.baseUrl, { apiKey: owner.key })
    const fields = { ...hiddenOf((await load(path, cookie)).text), decision: "reject" }
    assert.strictEqual((await submit(path, fields, { ...own(), cookie })).status, 303)
    assert.include((await load(path, cookie)).text, "The purchase was rejected")
    const result = await call("buy", order(item, "four"), { requestState: state, inputResponses: accepted })
    assert.isTrue(result.isError)
    assert.include(JSON.stringify(result), "rejected")
    assert.strictEqual((await market.balanceOf(owner)).balance, before)
  })

  it("a declined page and clients without URL elicitation get the pending result with the link (MCP-12)", async () => {
    const item = await fresh()
    const { state, url } = await waiting(item, "five")
    const declined = { requestState: state, inputResponses: { approval: { action: "decline" } } }
    const plain = { elicitation: { form: {} } }
    for (const result of [
      await call("buy", order(item, "five"), declined),
      await call("buy", order(item, "five"), {}, plain)
    ]) {
      assert.strictEqual(result.structuredContent?.["status"], "pending_approval", JSON.stringify(result))
      assert.include(String(result.structuredContent?.["next"]), url)
      assert.strictEqual(result.structuredContent?.["approvalUrl"], url)
      assert.strictEqual(result.structuredContent?.["approvalId"], url.split("/").at(-1))
    }
  })

  it("a changed state shows nothing and buys nothing (MCP-12)", async () => {
    const item = await fresh()
    const { state } = await waiting(item, "six")
    const other = await fresh()
    const stranger = await market.fundedMember(10)
    const wrong = [
      await call("buy", order(other, "seven"), { requestState: state, inputResponses: accepted }),
      await call("buy", order(item, "six"), { requestState: "../account", inputResponses: accepted }),
      await call("buy", order(item, "six"), { requestState: state, inputResponses: accepted }, { key: stranger.key })
    ]
    for (const result of wrong) assert.isTrue(result.isError, JSON.stringify(result))
    const { purchases } = dataOf<{ purchases: ReadonlyArray<unknown> }>(
      await makeClient(server.baseUrl, stranger.key).get("/api/v1/purchases")
    )
    assert.lengthOf(purchases, 0)
  })
})
