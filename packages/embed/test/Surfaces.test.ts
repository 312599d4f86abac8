import { createMarketplace } from "@agent-marketplace/embed"
import { memoryStorage } from "@agent-marketplace/embed/storage/memoryStorage"
import { once } from "node:events"
import { assert, describe, it } from "vitest"
import { listen } from "./fixtures/listen.ts"
import { withMarket } from "./fixtures/market.ts"
import type { EmbeddedMarket } from "../src/EmbeddedMarket.ts"

const base = "http://localhost:3000"

const post = (market: EmbeddedMarket, path: string, body: object, key?: string): Promise<Response> =>
  market.fetch(
    new Request(base + path, {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` })
      },
      body: JSON.stringify(body)
    })
  )

const balance = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "wallet_balance", arguments: {} } }

/** The next message of a WebSocket of Node. */
const nextOf = async (socket: WebSocket): Promise<unknown> => {
  const [event] = (await once(socket, "message")) as [MessageEvent<string>]
  return JSON.parse(event.data)
}

describe("GraphQL, MCP and the WebSocket of an embedded market (EMBED-10)", () => {
  it("GraphQL and MCP are served by fetch, with the key of each request", () =>
    withMarket(async (market) => {
      const { account, apiKey } = await market.createAccount({ name: "Ada" })
      const asked = await post(market, "/graphql", { query: "{ me { id } }" }, apiKey.key)
      assert.deepStrictEqual(await asked.json(), { data: { me: { id: account.id } } })
      const stranger = (await (await post(market, "/graphql", { query: "{ me { id } }" })).json()) as {
        readonly errors: ReadonlyArray<{ readonly extensions: { readonly code: string } }>
      }
      assert.strictEqual(stranger.errors[0]?.extensions.code, "INVALID_API_KEY")
      const called = await post(market, "/mcp", balance, apiKey.key)
      assert.include(await called.text(), "availableBalance")
      assert.strictEqual((await post(market, "/mcp", balance)).status, 401)
      for (const path of ["/graphql", "/mcp"]) {
        const preflight = await market.fetch(new Request(base + path, { method: "OPTIONS" }))
        assert.deepStrictEqual([preflight.status, preflight.headers.get("allow")], [204, "POST"])
        assert.strictEqual((await market.fetch(new Request(base + path))).status, 405)
      }
    }))

  it("can be switched off", () =>
    withMarket(
      async (market) => {
        const { apiKey } = await market.createAccount({ name: "Ada" })
        assert.strictEqual((await post(market, "/graphql", { query: "{ me { id } }" }, apiKey.key)).status, 404)
        assert.strictEqual((await post(market, "/mcp", balance, apiKey.key)).status, 404)
      },
      { graphql: false, mcp: false }
    ))

  it("market.upgrade serves the WebSocket below the market's path, and closing the market ends it", async () => {
    const market = await createMarketplace({ storage: memoryStorage(), baseUrl: "http://localhost:3000/market" })
    const { apiKey } = await market.createAccount({ name: "Ada" })
    const { server, stop, url } = await listen(market.node)
    server.on("upgrade", market.upgrade)
    const address = `${url.replace("http:", "ws:")}/market/api/v1/ws`
    const socket = new WebSocket(address)
    await once(socket, "open")
    socket.send(JSON.stringify({ type: "auth", key: apiKey.key }))
    assert.deepStrictEqual(await nextOf(socket), { type: "authenticated" })
    socket.send(JSON.stringify({ type: "subscribe", topic: "events" }))
    assert.deepStrictEqual(await nextOf(socket), { type: "subscribed", topic: "events" })
    const elsewhere = new WebSocket(address.replace("/market", "/other"))
    await once(elsewhere, "error")
    const closed = once(socket, "close")
    await market.close()
    const [event] = (await closed) as [CloseEvent]
    assert.strictEqual(event.code, 1001)
    const late = new WebSocket(address)
    await once(late, "error")
    await stop()
  })
})
