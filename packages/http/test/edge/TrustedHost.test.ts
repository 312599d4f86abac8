import { afterAll, assert, describe, it } from "vitest"
import { listen } from "../fixtures/listen.ts"

const { raw, stop } = await listen({ http: { loopbackOnly: true, baseUrl: "https://market.example:8443" } })
afterAll(stop)

const statusFor = async (host: string): Promise<number> => {
  const answer = await raw(`GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
}

describe("a server that listens on loopback only (ERROR-18)", () => {
  it("accepts loopback names and the host of BASE_URL, on every port", async () => {
    const own = [
      "localhost",
      "LOCALHOST:3000",
      "a.localhost",
      "127.0.0.1:3000",
      "127.8.8.8",
      "[::1]:3000",
      "market.example"
    ]
    for (const host of own) assert.strictEqual(await statusFor(host), 200, host)
  })

  it("refuses every other name, which may resolve to this machine by DNS rebinding", async () => {
    const foreign = [
      "evil.example",
      "evil.example:3000",
      "localhost.evil.example",
      "127.0.0.1.evil.example",
      "10.0.0.1",
      "[::2]"
    ]
    for (const host of foreign) assert.strictEqual(await statusFor(host), 421, host)
    const answer = await raw("POST /api/v1/accounts HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n")
    assert.include(answer, '"code":"MISDIRECTED"')
    assert.include(answer, "BASE_URL")
  })
})
