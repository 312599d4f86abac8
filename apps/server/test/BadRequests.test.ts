import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { bodyOf, dataOf, send } from "./fixtures/Client.ts"
import type { Reply } from "./fixtures/Client.ts"
import { openDatabase } from "./fixtures/DatabaseReader.ts"
import type { DatabaseReader } from "./fixtures/DatabaseReader.ts"
import { onMarket } from "./fixtures/Market.ts"
import type { Market, Member } from "./fixtures/Market.ts"
import { adminToken, startServer } from "./fixtures/startServer.ts"
import type { RunningServer } from "./fixtures/startServer.ts"
import { waitFor } from "./fixtures/waitFor.ts"
import { wrongRequests } from "./fixtures/wrongRequests.ts"
import type { WrongRequest } from "./fixtures/wrongRequests.ts"

/** Tables that change without requests. */
const restless = new Set(["leases", "scan_cursors"])

/** Whether a body has the error format of its route (ERROR-1, WIRE-3). */
const isWrapped = (path: string, { body }: Reply): boolean => {
  if (typeof body !== "object" || body === null) return false
  const { error, success } = body as { error?: unknown; success?: unknown }
  if (/^\/api\/souls(?:[/?]|$)|^\/api\/v1\/souls\/create/.test(path) && typeof error === "string") {
    return Object.keys(body).length === 1 && error !== ""
  }
  const { code, details, message } = (error ?? {}) as Record<string, unknown>
  return success === false && typeof code === "string" && typeof message === "string" && typeof details === "object"
}

describe("wrong requests over the socket", () => {
  let server: RunningServer
  let database: DatabaseReader
  let market: Market
  let member: Member

  beforeAll(async () => {
    const url = await createDatabase()
    server = await startServer({ DATABASE_URL: url, LISTING_REVIEW: "auto", TEST_CLOCK: "true", LOG_LEVEL: "warn" })
    database = await openDatabase(url)
    market = onMarket(server.baseUrl, { testClock: true })
    const [seller, buyer] = await Promise.all([market.member({ seller: true }), market.fundedMember(1000)])
    const skillId = await market.listing(seller, "Stays as it is", 5)
    dataOf(await buyer.post("/api/v1/purchases", { skillId }), 201)
    await market.soul(seller, "Stays too", 2)
    member = seller
    await market.fund(member, 1000)
  })
  afterAll(async () => {
    await database?.close()
    await server?.stop()
  })

  const counts = async (): Promise<Readonly<Record<string, number>>> =>
    Object.fromEntries(Object.entries(await database.counts()).filter(([table]) => !restless.has(table)))

  const ask = ({ body, headers, method, path }: WrongRequest): Promise<Reply> => {
    const key = path.startsWith("/api/v1/admin") ? adminToken : member.key
    return send(server.baseUrl + path, method, { authorization: `Bearer ${key}`, ...headers }, body)
  }

  const complaintAbout = (request: WrongRequest, reply: Reply): string | undefined => {
    const { statuses } = request
    const expected = statuses?.includes(reply.status) ?? (reply.status >= 400 && reply.status < 500)
    const wrapped = reply.status === 200 || isWrapped(request.path, reply)
    const told = `${request.method} ${request.path.slice(0, 80)}, ${request.what}: ${reply.status} ${reply.text.slice(0, 300)}`
    if (expected && wrapped && reply.headers.has("x-request-id")) return undefined
    return told
  }

  it("each is refused in the error format of its route, none with a 5xx, and nothing changes", async () => {
    const before = await counts()
    const queue = [...wrongRequests(bodyOf(await market.guest.get("/openapi.json")))]
    assert.isAbove(queue.length, 200)
    const complaints: Array<string> = []
    const work = async () => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
        const request = next
        const reply = await ask(request).catch((error: unknown) => new Error(`${request.what}: ${String(error)}`))
        const complaint = reply instanceof Error ? `${request.path}: ${reply.message}` : complaintAbout(request, reply)
        if (complaint !== undefined) complaints.push(complaint)
      }
    }
    await Promise.all(Array.from({ length: 8 }, work))
    assert.deepStrictEqual(complaints.sort(), [])
    assert.deepStrictEqual(await counts(), before)
    assert.strictEqual((await market.balanceOf(member)).balance >= 1000, true)
    await market.assertBalanced()
  })

  it("unknown fields are ignored, including those of the object prototype", async () => {
    const before = dataOf(await member.get("/api/v1/account"))
    for (const body of [
      '{"unknown": 1}',
      '{"__proto__": {"seller": false}}',
      '{"constructor": {"prototype": {"tier": "enterprise"}}}',
      '{"tier": "enterprise", "id": "usr_other", "hourlyLimit": 1}'
    ]) {
      assert.deepStrictEqual(dataOf(await member.patch("/api/v1/account", body)), before)
    }
    assert.strictEqual(bodyOf<object>(await member.get("/v1/listings?unknown=1&__proto__=x")) !== null, true)
  })

  it("wrong requests leave nothing in the process", async () => {
    const { text } = await waitFor("nothing is in flight", async () => {
      const metrics = await market.guest.get("/metrics")
      return Number(/^http_requests_in_flight (\S+)$/m.exec(metrics.text)?.[1]) <= 1 ? metrics : undefined
    })
    assert.isBelow(Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]), 600 * 1024 * 1024)
  })
})
