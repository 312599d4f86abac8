import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { makeMarketServer } from "@agent-marketplace/http/server/MarketServer"
import { assert, it } from "vitest"

it("a server that listens before its market is ready answers 503 with Retry-After, then serves (ERROR-21)", async () => {
  const server = makeMarketServer()
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/healthz`
  try {
    for (const init of [{}, { method: "POST", body: "x".repeat(100_000) }]) {
      const early = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) })
      assert.strictEqual(early.status, 503)
      assert.strictEqual(early.headers.get("retry-after"), "1")
      const { error } = (await early.json()) as { readonly error: { readonly code: string } }
      assert.strictEqual(error.code, "SERVICE_UNAVAILABLE")
    }
    server.on("request", (_request, response) => response.end("ready"))
    const ready = await fetch(url)
    assert.strictEqual(await ready.text(), "ready")
  } finally {
    server.close()
  }
})
