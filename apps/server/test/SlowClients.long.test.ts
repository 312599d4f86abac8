import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { dataOf } from "./fixtures/Client.ts"
import { listingDraft, onMarket } from "./fixtures/Market.ts"
import type { Market, Member, Purchase } from "./fixtures/Market.ts"
import { head, openConnection } from "./fixtures/RawConnection.ts"
import type { RawConnection } from "./fixtures/RawConnection.ts"
import { startServer } from "./fixtures/startServer.ts"
import type { RunningServer } from "./fixtures/startServer.ts"
import { waitFor } from "./fixtures/waitFor.ts"

describe("clients that are slow, broken or hostile", () => {
  let server: RunningServer
  let market: Market
  let seller: Member
  let buyer: Member
  let skillId: string

  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: await createDatabase(), LISTING_REVIEW: "auto" })
    market = onMarket(server.baseUrl)
    ;[seller, buyer] = await Promise.all([market.member({ seller: true }), market.fundedMember(100)])
    skillId = await market.listing(seller, "Wanted by many", 5)
  })
  afterAll(async () => {
    if (server !== undefined && !server.hasEnded()) await server.stop()
  })

  const open = (): Promise<RawConnection> => openConnection(server.baseUrl)

  const metric = async (name: string): Promise<number> => {
    const { text } = await market.guest.get("/metrics")
    return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1])
  }

  /** Waits until no other request is in progress. */
  const settled = () => waitFor("nothing is in flight", async () => (await metric("http_requests_in_flight")) <= 1)

  const headers = (of: Member, length: number) => ({
    authorization: `Bearer ${of.key}`,
    "content-type": "application/json",
    "content-length": length
  })

  const listingsOf = async (): Promise<number> => {
    const page = (await seller.get("/v1/listings?creator=me")).body as { pagination: { total: number } }
    return page.pagination.total
  }

  it("a body that arrives byte by byte is read completely", async () => {
    const body = JSON.stringify(listingDraft("Came slowly", 3))
    const connection = await open()
    connection.write(head("POST", "/v1/listings", headers(seller, body.length)))
    for (const byte of body) {
      connection.write(byte)
      await new Promise(setImmediate)
    }
    assert.match(await connection.answer(), /^HTTP\/1\.1 201 /)
    connection.reset()
  })

  it("a truncated body has no effect", async () => {
    const [before, { balance }] = [await listingsOf(), await market.balanceOf(buyer)]
    const bodies = [
      [seller, "/v1/listings", JSON.stringify(listingDraft("Never whole", 3))],
      [buyer, "/api/v1/purchases", JSON.stringify({ skillId })]
    ] as const
    for (const [of, path, body] of bodies) {
      for (const end of ["end", "reset"] as const) {
        const connection = await open()
        connection.write(head("POST", path, headers(of, body.length + 1)) + body)
        await new Promise(setImmediate)
        connection[end]()
        await connection.ended()
      }
      const chunked = await open()
      const { "content-length": _, ...others } = headers(of, 0)
      chunked.write(head("POST", path, { ...others, "transfer-encoding": "chunked" }))
      chunked.write(`${body.length.toString(16)}\r\n${body}\r\n`)
      await new Promise(setImmediate)
      chunked.end()
      await chunked.ended()
    }
    await settled()
    assert.strictEqual(await listingsOf(), before)
    assert.strictEqual((await market.balanceOf(buyer)).balance, balance)
  })

  it("a buyer that disconnects before the response has bought once or not at all, and can repeat the request", async () => {
    const { balance } = await market.balanceOf(buyer)
    const body = JSON.stringify({ skillId })
    for (let i = 0; i < 10; i++) {
      const connection = await open()
      connection.write(
        head("POST", "/api/v1/purchases", { ...headers(buyer, body.length), "idempotency-key": "hung-up" })
      )
      connection.write(body)
      if (i % 2 === 1) await new Promise(setImmediate)
      connection.reset()
    }
    const reply = await buyer.post("/api/v1/purchases", { skillId }, { "idempotency-key": "hung-up" })
    assert.strictEqual(dataOf<Purchase>(reply, 201).status, "completed")
    assert.strictEqual((await market.balanceOf(buyer)).balance, balance - 5)
    await settled()
    await market.assertBalanced()
  })

  it("malformed requests get a 4xx or a closed connection, and have no effect", async () => {
    const random = (seed: number) => Uint8Array.from({ length: 512 }, (_, i) => (i * 7919 + seed * 104_729) % 251)
    const texts = [
      "\r\n\r\n\r\n",
      "GET\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      "GET / HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\r\nHost\r\n\r\n",
      "GET /\u0000 HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "POST /v1/listings HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
      "POST /v1/listings HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
      "POST /v1/listings HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "POST /v1/listings HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n",
      "POST /v1/listings HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(100_000)}\r\n\r\n`,
      `GET /${"a".repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: localhost\r\n${"X-Many: 1\r\n".repeat(5000)}\r\n`,
      "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n",
      "GET /nowhere HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
      "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"
    ]
    const before = await listingsOf()
    for (const bytes of [...texts, ...Array.from({ length: 8 }, (_, seed) => random(seed))]) {
      const connection = await open()
      connection.write(bytes)
      connection.end()
      const answer = await connection.answer()
      const shown = typeof bytes === "string" ? bytes.slice(0, 60) : "random bytes"
      if (answer !== "") assert.match(answer, /^HTTP\/1\.1 4\d\d /, JSON.stringify(shown))
      connection.reset()
    }
    assert.strictEqual(await listingsOf(), before)
    await settled()
  })

  it("hundreds of connections with incomplete requests leave nothing behind and delay no other client", async () => {
    const before = await metric("process_resident_memory_bytes")
    const half = head("POST", "/v1/listings", headers(seller, 1_000_000)) + "x".repeat(10_000)
    for (let round = 0; round < 3; round++) {
      const connections = await Promise.all(Array.from({ length: 150 }, open))
      for (const connection of connections) connection.write(half)
      const began = Date.now()
      assert.strictEqual((await seller.get("/v1/listings")).status, 200)
      assert.isBelow(Date.now() - began, 8000)
      for (const connection of connections) connection.reset()
      await settled()
    }
    const after = await metric("process_resident_memory_bytes")
    assert.isBelow(after - before, 120 * 1024 * 1024)
  })

  it("pipelined requests are answered in order", async () => {
    const connection = await open()
    const auth = { authorization: `Bearer ${seller.key}` }
    connection.write(head("GET", "/healthz", {}) + head("GET", "/nowhere", {}) + head("GET", "/api/v1/account", auth))
    await waitFor("three answers", async () => connection.heard().split("HTTP/1.1 ").length === 4)
    assert.deepStrictEqual(
      [...connection.heard().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
      ["200", "404", "200"]
    )
    connection.reset()
  })

  it("after SIGTERM the server completes requests in progress, accepts no new ones and exits with 0", async () => {
    const items = await Promise.all(Array.from({ length: 10 }, (_, i) => market.listing(seller, `Last sale ${i}`, 2)))
    const body = JSON.stringify(listingDraft("Finished at the end", 3))
    const slow = await open()
    slow.write(head("POST", "/v1/listings", { ...headers(seller, body.length), expect: "100-continue" }))
    await waitFor("the server waits for the body", async () => slow.heard().includes("100 Continue"))
    const idle = await open()
    const buys = items.map((item) => buyer.post("/api/v1/purchases", { skillId: item }))
    const first = await Promise.race(buys)
    assert.strictEqual(first.status, 201)
    server.signal("SIGTERM")
    await waitFor("no new connections", async () => {
      try {
        return (await market.guest.get("/readyz")).status === 503
      } catch {
        return true
      }
    })
    slow.write(body)
    assert.include(await slow.answer(), "HTTP/1.1 201 ")
    for (const reply of await Promise.all(buys)) assert.strictEqual(reply.status, 201, reply.text)
    idle.end()
    assert.strictEqual(await server.ended, 0, server.output())
  })
})
