import { request } from "node:http"
import type { ClientRequest } from "node:http"
import { text } from "node:stream/consumers"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { bodyOf, failureOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { gzip, skillArchive, upload } from "../fixtures/skillArchives.ts"
import { sharedServer } from "../fixtures/sharedServer.ts"
import type { SharedServer } from "../fixtures/sharedServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"

const limit = 32
const accountLimit = 4
const declaredLength = 1000
const start = "the start of a body"

interface Seller {
  readonly member: Member
  /** Its listing. */
  readonly id: string
}

interface Started {
  readonly sent: ClientRequest
  readonly by: Seller
  /** Undefined while there is no response. */
  status?: number
  body?: string
}

describe("uploads that one process receives at once", () => {
  let server: SharedServer
  let market: Market
  let sellers: ReadonlyArray<Seller> = []
  const all: Array<Started> = []

  beforeAll(async () => {
    server = await sharedServer()
    market = onMarket(server.baseUrl, { testClock: true })
    sellers = await Promise.all(
      Array.from({ length: limit / accountLimit + 2 }, async (_, n) => {
        const member = await market.member({ seller: true })
        return { member, id: await market.listing(member, `Sorter ${n}`, 5) }
      })
    )
  })
  afterAll(() => {
    for (const { sent } of all) sent.destroy()
  })

  /** Sends the start of a body. */
  const startUpload = (by: Seller, prefix = "/v1"): Started => {
    const headers = { ...gzip, authorization: `Bearer ${by.member.key}`, "content-length": String(declaredLength) }
    const path = `${prefix}/listings/${by.id}/releases?version=0.0.1`
    const started: Started = { by, sent: request(`${server.baseUrl}${path}`, { method: "POST", headers }) }
    all.push(started)
    started.sent
      .on("error", () => undefined)
      .on("response", async (response) => {
        started.body = await text(response).catch(() => "")
        started.status = response.statusCode ?? 0
      })
      .write(start)
    return started
  }

  const isReceived = ({ sent, status }: Started): boolean => status === undefined && !sent.destroyed

  const receivedOf = (seller: Seller): number => all.filter((one) => one.by === seller && isReceived(one)).length

  /** The account with the fewest uploads. */
  const idlest = (): Seller => sellers.reduce((best, one) => (receivedOf(one) < receivedOf(best) ? one : best))

  /** Starts uploads until one is refused; all others are still received. */
  const fill = async (): Promise<ReadonlyArray<Started>> => {
    const before = all.length
    const missing = limit - all.filter(isReceived).length
    for (let n = 0; n <= missing; n++) startUpload(idlest())
    const refused = await waitFor("an upload is refused", async () =>
      all.slice(before).find(({ status }) => status !== undefined)
    )
    assert.strictEqual(refused.status, 503, refused.body)
    const received = all.filter(isReceived)
    assert.lengthOf(received, limit)
    return received
  }

  const uploaded = (version: string, { id, member } = idlest()) => upload(member, id, skillArchive(version))

  it("an account has 4 of the places, under both prefixes together, and others can still upload (LIMIT-15)", async () => {
    const [greedy, other] = sellers as [Seller, Seller]
    const own = Array.from({ length: accountLimit + 1 }, (_, n) => startUpload(greedy, n % 2 === 0 ? "/v1" : "/api/v1"))
    const first = await waitFor("one is refused", async () => own.find(({ status }) => status !== undefined))
    assert.strictEqual(first.status, 429, first.body)
    const refused = await uploaded("1.0.0", greedy)
    assert.isAbove(Number(refused.headers.get("retry-after")), 0)
    assert.deepInclude(failureOf(refused, 429, "RATE_LIMIT_EXCEEDED"), { limit: accountLimit, window: "open" })
    assert.strictEqual(receivedOf(greedy), accountLimit, "the others go on")
    assert.strictEqual((await uploaded("1.0.0", other)).status, 201)
    own.find(isReceived)?.sent.destroy()
    await waitFor("the account can upload again", async () => {
      const reply = await uploaded("3.0.0", greedy)
      return reply.status === 429 ? undefined : reply
    })
    for (const { sent } of own) sent.destroy()
  })

  it("a process receives 32 uploads at once, and refuses more with 503 and Retry-After (RELEASE-28)", async () => {
    await fill()
    const refused = await uploaded("1.0.0")
    assert.strictEqual(bodyOf<{ error: { code: string } }>(refused, 503).error.code, "SERVICE_UNAVAILABLE")
    assert.isAbove(Number(refused.headers.get("retry-after")), 0)
  })

  it("an upload that is aborted frees its place (RELEASE-28)", async () => {
    const [one] = await fill()
    one?.sent.destroy()
    const done = await waitFor("an upload is received again", async () => {
      const reply = await uploaded("4.0.0")
      return reply.status === 503 ? undefined : reply
    })
    assert.strictEqual(done.status, 201)
  })

  it("an upload that fails frees its place (RELEASE-28)", async () => {
    const [one] = await fill()
    one?.sent.end("x".repeat(declaredLength - start.length))
    const failed = await waitFor("the upload fails", async () => (one?.status === undefined ? undefined : one))
    assert.strictEqual(failed.status, 400, failed.body)
    assert.strictEqual((await uploaded("2.0.0")).status, 201)
  })
})
