import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { agents } from "../fixtures/agents.ts"
import type { ResponseField } from "../fixtures/agents.ts"
import { bodyOf, dataOf, failureOf, send } from "../fixtures/Client.ts"
import type { Reply } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { sharedServer } from "../fixtures/sharedServer.ts"
import type { SharedServer } from "../fixtures/sharedServer.ts"
import { adminToken, startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"

const message = (method: string, params: object = {}, id: unknown = 1) => ({ jsonrpc: "2.0", id, method, params })

const balance = message("tools/call", { name: "wallet_balance" })

const initialize = (protocolVersion: string) =>
  message("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "agent", version: "1.0.0" } })

let server: SharedServer
let market: Market
let rich: Member
let poor: Member

beforeAll(async () => {
  server = await sharedServer()
  market = onMarket(server.baseUrl, { testClock: true })
  rich = await market.fundedMember(100)
  poor = await market.member()
})

const post = (body: unknown, key?: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
  send(
    `${server.baseUrl}/mcp`,
    "POST",
    {
      accept: "application/json, text/event-stream",
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers
    },
    body
  )

/** The balance of the caller in the response to {@link balance}; only newer revisions have structured content. */
const heldIn = (reply: Reply): unknown => {
  const [content] = bodyOf<{ result: { content: ReadonlyArray<{ text: string }> } }>(reply).result.content
  return (JSON.parse(content?.text ?? "") as ResponseField)["availableBalance"]
}

/** The error of a JSON-RPC response. */
const errorOf = (reply: Reply, status: number, code: number): string => {
  const { error, jsonrpc } = bodyOf<{ jsonrpc: string; error: { code: number; message: string } }>(reply, status)
  assert.strictEqual(jsonrpc, "2.0")
  assert.strictEqual(error.code, code, reply.text)
  assert.isNotEmpty(error.message)
  return error.message
}

describe("the caller of /mcp", () => {
  it("is the owner of the request's key, for every session id and after every earlier request (MCP-2)", async () => {
    const session = { "mcp-session-id": "0a209b7c-15d1-493d-a52e-0c371837bb4a" }
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => post(balance, i % 2 === 0 ? rich.key : poor.key, session))
    )
    assert.deepStrictEqual(
      replies.map(heldIn),
      replies.map((_, i) => (i % 2 === 0 ? 100 : 0))
    )
  })

  it("gets no session", async () => {
    const reply = await post(initialize("2025-11-25"), rich.key)
    assert.strictEqual(reply.status, 200)
    assert.isNull(reply.headers.get("mcp-session-id"))
    const agent = await agents.http(server.baseUrl, rich.key)
    assert.isUndefined((agent.client.transport as { readonly sessionId?: string }).sessionId)
    await agent.close()
  })

  it("must have a valid key: otherwise 401 in the general envelope", async () => {
    for (const key of [undefined, "amk_unknown", adminToken]) {
      const reply = await post(initialize("2025-11-25"), key)
      failureOf(reply, 401, "INVALID_API_KEY")
      assert.match(reply.headers.get("www-authenticate") ?? "", /^Bearer .*resource_metadata="http.*\/mcp"$/)
    }
    const refused: unknown = await agents.http(server.baseUrl, "amk_unknown").catch((error) => error)
    assert.instanceOf(refused, StreamableHTTPError)
    assert.strictEqual(refused.code, 401)
  })

  it("is refused as soon as the key is deactivated, also during a conversation", async () => {
    const { id, key } = dataOf<{ id: string; key: string }>(
      await rich.post("/api/v1/keys", { name: "Short-lived", scope: "BUYER" }),
      201
    )
    const agent = await agents.http(server.baseUrl, key)
    assert.include(await agent.use<ResponseField>("wallet_balance"), { availableBalance: 100 })
    dataOf(await rich.delete(`/api/v1/keys/${id}`))
    const refused: unknown = await agent.call("wallet_balance").catch((error) => error)
    assert.instanceOf(refused, StreamableHTTPError)
    assert.strictEqual(refused.code, 401)
  })

  it("may be an unclaimed agent: it can search but not buy", async () => {
    const { apiKey } = dataOf<{ apiKey: { key: string } }>(
      await market.guest.post("/api/v1/agents/register", { name: "Newcomer" }),
      201
    )
    const agent = await agents.http(server.baseUrl, apiKey.key)
    await agent.use("search_skills")
    const { next } = await agent.fail("AGENT_NOT_CLAIMED", "buy", {
      itemId: "lst_nothing",
      maxPrice: 1_000_000,
      idempotencyKey: "eager"
    })
    assert.match(next, /claim/)
    await agent.close()
  })

  it("cannot be a page of another origin, which prevents DNS rebinding", async () => {
    for (const origin of ["https://evil.example", "null", `${server.baseUrl}.evil.example`])
      errorOf(await post(balance, rich.key, { origin }), 403, -32600)
    assert.strictEqual((await post(balance, rich.key, { origin: server.baseUrl })).status, 200)
  })
})

describe("messages to /mcp", () => {
  it("are answered in every supported revision of MCP; other revisions are refused or negotiated", async () => {
    for (const version of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]) {
      const { result } = bodyOf<{ result: ResponseField }>(await post(initialize(version), rich.key))
      assert.strictEqual(result["protocolVersion"], version)
      assert.strictEqual(heldIn(await post(balance, rich.key, { "mcp-protocol-version": version })), 100)
    }
    const { result } = bodyOf<{ result: ResponseField }>(await post(initialize("2031-01-01"), rich.key))
    assert.strictEqual(result["protocolVersion"], "2025-11-25")
    assert.match(
      errorOf(await post(balance, rich.key, { "mcp-protocol-version": "2031-01-01" }), 400, -32022),
      /2025-11-25/
    )
  })

  it("that expect no response get 202 without a body", async () => {
    for (const body of [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
      { jsonrpc: "2.0", id: 7, result: {} }
    ]) {
      const reply = await post(body, rich.key)
      assert.strictEqual(reply.status, 202)
      assert.strictEqual(reply.text, "")
    }
  })

  it("that are invalid get a JSON-RPC error", async () => {
    errorOf(await post("{", rich.key), 400, -32700)
    errorOf(await post("", rich.key), 400, -32700)
    for (const body of [
      [],
      [balance, balance],
      5,
      "null",
      {},
      { ...balance, jsonrpc: "1.0" },
      { ...balance, id: null }
    ])
      errorOf(await post(typeof body === "string" ? body : JSON.stringify(body), rich.key), 400, -32600)
    errorOf(await post(message("tools/unknown"), rich.key), 200, -32601)
    errorOf(await post(message("tools/call", { name: "toString" }), rich.key), 200, -32602)
    errorOf(await post({ ...message("tools/call"), params: 5 }, rich.key), 200, -32602)
  })

  it("that are too large, too deep or not JSON are refused as in the rest of the API", async () => {
    const huge = message("tools/call", { name: "publish_soul", arguments: { content: "x".repeat(4 * 1_048_576) } })
    failureOf(await post(huge, rich.key), 413, "PAYLOAD_TOO_LARGE")
    const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":${"[".repeat(100)}${"]".repeat(100)}}`
    failureOf(await post(deep, rich.key), 400, "VALIDATION_ERROR")
    failureOf(await post("{}", rich.key, { "content-type": "text/plain" }), 415, "UNSUPPORTED_MEDIA_TYPE")
  })

  it("must be POST requests: there is no stream and no session to end", async () => {
    for (const method of ["GET", "DELETE", "PUT", "PATCH"]) {
      const reply = await send(`${server.baseUrl}/mcp`, method, { authorization: `Bearer ${rich.key}` })
      assert.deepStrictEqual(failureOf(reply, 405, "METHOD_NOT_ALLOWED"), { allow: ["POST"] })
      assert.strictEqual(reply.headers.get("allow"), "POST")
    }
  })

  it("may come from pages after a preflight request, as for every path (CORS-3, MCP-14)", async () => {
    const preflight = { origin: "https://shop.example", "access-control-request-method": "POST" }
    const reply = await send(`${server.baseUrl}/mcp`, "OPTIONS", preflight)
    assert.deepStrictEqual(
      [reply.status, reply.headers.get("allow"), reply.headers.get("access-control-allow-methods")],
      [204, "POST", "POST"]
    )
    assert.strictEqual(reply.headers.get("access-control-allow-origin"), "*")
    assert.include(reply.headers.get("access-control-allow-headers") ?? "", "Authorization")
  })

  it("of one caller cannot cancel those of another, even with the same ids", async () => {
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? post(balance, rich.key) : post(cancel, poor.key)))
    )
    assert.deepStrictEqual(
      replies.filter((_, i) => i % 2 === 0).map(heldIn),
      Array.from({ length: 20 }, () => 100)
    )
  })

  it("have one request id in the log, also for the operations that they call", async () => {
    const reply = await post(balance, rich.key, { "x-request-id": "follow-this-one" })
    assert.strictEqual(reply.headers.get("x-request-id"), "follow-this-one")
    const logged = () =>
      server
        .output()
        .split("\n")
        .filter((line) => line.includes("follow-this-one"))
    const routes = await waitFor("both are logged", async () => (logged().length < 2 ? undefined : logged()))
    assert.lengthOf(routes, 2)
    assert.isTrue(routes.some((line) => line.includes("/api/v1/wallet/balance")))
    assert.notInclude(server.output(), rich.key)
  })
})

describe("the limits of /mcp", () => {
  let limited: RunningServer

  beforeAll(async () => {
    limited = await startServer({ STORAGE: "memory", RATE_LIMITS: "on" })
  })
  afterAll(() => limited?.stop())

  it("are those of the account: a tool counts as the operation that it calls, and the model sees a refusal", async () => {
    const member = await onMarket(limited.baseUrl).member()
    const agent = await agents.http(limited.baseUrl, member.key)
    for (let i = 0; i < 99; i++) await agent.use("wallet_balance")
    assert.strictEqual((await member.get("/api/v1/wallet/balance")).headers.get("x-ratelimit-remaining"), "0")
    const { details, next } = await agent.fail("RATE_LIMIT_EXCEEDED", "wallet_balance")
    assert.deepInclude(details, { limit: 100, window: "1h" })
    assert.match(next, /resetAt/)
    await agent.close()
  })

  it("also apply to messages: 300 a minute for each key, then 429 with Retry-After", async () => {
    const member = await onMarket(limited.baseUrl).member()
    const ping = () =>
      send(`${limited.baseUrl}/mcp`, "POST", { authorization: `Bearer ${member.key}` }, message("ping"))
    const replies = await Promise.all(Array.from({ length: 300 }, ping))
    assert.isTrue(replies.every(({ status }) => status === 200))
    const refused = await ping()
    assert.deepInclude(failureOf(refused, 429, "RATE_LIMIT_EXCEEDED"), { limit: 300, window: "1m" })
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/)
  })
})
