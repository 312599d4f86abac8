import { it } from "@effect/vitest"
import { Effect } from "effect"
import { assert, describe } from "vitest"
import { McpEndpoint } from "../src/McpEndpoint.ts"
import { mcpHandler } from "../src/mcpHandler.ts"
import { balance, data, stubMarket } from "./fixtures/stubMarket.ts"

const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wallet_balance"}}'

const post = (headers: Readonly<Record<string, string>>, body = call) =>
  new Request("http://host.test/mcp", { method: "POST", headers, body })

/** The keys of the connected callers, in order. */
const recorder = () => {
  const keys: Array<string> = []
  return {
    keys,
    connect: (apiKey: string) => {
      keys.push(apiKey)
      return stubMarket((request) => data(balance(request.headers.get("authorization")?.length ?? 0)), apiKey)
    }
  }
}

describe("McpEndpoint", () => {
  it.effect("connects each request with its own key, and sends nothing to the market without one (MCP-2)", () =>
    Effect.gen(function* () {
      const { connect, keys } = recorder()
      const { answer } = yield* McpEndpoint.make({ origins: [] })
      for (const authorization of ["Bearer amk_a", "bearer  amk_bb"])
        assert.strictEqual((yield* answer(post({ authorization }), connect)).status, 200)
      for (const authorization of ["", "Bearer", "Basic amk_a", "Bearer a b", "Bearer a, Bearer b"]) {
        const refused = yield* answer(post({ authorization }), connect)
        assert.strictEqual(refused.status, 401, authorization)
        assert.strictEqual(refused.headers.get("www-authenticate"), "Bearer")
      }
      assert.deepStrictEqual(keys, ["amk_a", "amk_bb"])
    }).pipe(Effect.scoped)
  )

  it.effect("accepts pages of the allowed origins only", () =>
    Effect.gen(function* () {
      const { connect } = recorder()
      const { answer } = yield* McpEndpoint.make({ origins: ["https://market.example.com"] })
      const from = (origin: string) =>
        Effect.map(answer(post({ authorization: "Bearer amk_a", origin }), connect), ({ status }) => status)
      assert.strictEqual(yield* from("https://market.example.com"), 200)
      for (const origin of ["http://market.example.com", "https://market.example.com.evil.test", "null", ""])
        assert.strictEqual(yield* from(origin), 403, origin)
    }).pipe(Effect.scoped)
  )

  it.effect("answers other methods with 405", () =>
    Effect.gen(function* () {
      const { answer } = yield* McpEndpoint.make({ origins: [] })
      for (const method of ["GET", "DELETE"]) {
        const response = yield* answer(new Request("http://host.test/mcp", { method }), recorder().connect)
        assert.strictEqual(response.status, 405)
        assert.strictEqual(response.headers.get("allow"), "POST")
      }
    }).pipe(Effect.scoped)
  )

  it.effect("reads no more than 4 MiB, whatever the length header says", () =>
    Effect.gen(function* () {
      const { answer } = yield* McpEndpoint.make({ origins: [] })
      let pulled = 0
      const endless = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          pulled += 1
          controller.enqueue(new Uint8Array(65_536).fill(32))
        }
      })
      const headers = { authorization: "Bearer amk_a" }
      const init = { method: "POST", headers, body: endless, duplex: "half" }
      const request = new Request("http://host.test/mcp", init)
      assert.strictEqual((yield* answer(request, recorder().connect)).status, 413)
      assert.isBelow(pulled, 100)
    }).pipe(Effect.scoped)
  )

  it.effect("responds to an extremely nested message", () =>
    Effect.gen(function* () {
      const { answer } = yield* McpEndpoint.make({ origins: [] })
      for (const depth of [1000, 100_000]) {
        const params = `${"[".repeat(depth)}${"]".repeat(depth)}`
        const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"buy","arguments":{"itemId":${params}}}}`
        const response = yield* answer(post({ authorization: "Bearer amk_a" }, deep), recorder().connect)
        assert.include([200, 400], response.status)
        assert.include(yield* Effect.promise(() => response.text()), "jsonrpc")
      }
    }).pipe(Effect.scoped)
  )
})

describe("mcpHandler", () => {
  it("is also a fetch handler, until it is closed", async () => {
    const { connect, keys } = recorder()
    const { close, fetch } = mcpHandler({ connect })
    const response = await fetch(post({ authorization: "Bearer amk_a" }))
    assert.strictEqual(response.status, 200)
    assert.deepStrictEqual(keys, ["amk_a"])
    assert.strictEqual(
      (await fetch(post({ authorization: "Bearer amk_a", origin: "https://market.test" }))).status,
      403
    )
    await close()
  })

  it("responds with 503 to pending and later requests once it is closed", async () => {
    let received = () => {}
    const isReceived = new Promise<void>((resolve) => (received = resolve))
    const market = stubMarket(() => {
      received()
      return new Promise<Response>(() => {})
    })
    const { close, fetch } = mcpHandler({ connect: () => market })
    const underWay = fetch(post({ authorization: "Bearer amk_a" }))
    await isReceived
    await close()
    assert.strictEqual((await underWay).status, 503)
    assert.strictEqual((await fetch(post({ authorization: "Bearer amk_a" }))).status, 503)
    await close()
  })

  it("rejects with the signal's reason if a request is aborted before or during handling, and stops its work", async () => {
    let stopped: AbortSignal | undefined
    const caller = new AbortController()
    const market = stubMarket((inner) => {
      stopped = inner.signal
      caller.abort("enough")
      return new Promise<Response>(() => {})
    })
    const { close, fetch } = mcpHandler({ connect: () => market })
    for (const signal of [caller.signal, AbortSignal.abort("too late")]) {
      const request = new Request(post({ authorization: "Bearer amk_a" }), { signal })
      const reason = await fetch(request).catch((error: unknown) => error)
      assert.strictEqual(reason, signal.reason)
    }
    assert.isTrue(stopped?.aborted)
    await close()
  })
})
