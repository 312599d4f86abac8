import { openStream } from "@agent-marketplace/fixtures/live/openStream"
import { WebSocket } from "@effect/platform-node/NodeWS"
import { afterAll, assert, describe, it } from "vitest"
import { listen } from "../fixtures/listen.ts"
import { adminToken } from "../fixtures/startMarket.ts"

const market = await listen()
const base = `http://127.0.0.1:${market.port}`
afterAll(() => market.stop())

const after = async (started: number, happened: Promise<unknown>): Promise<number> => {
  await happened
  return (performance.now() - started) / 1000
}

describe("the intervals of streams and sockets", () => {
  it("a comment within 15 seconds, 4401 after 10, a ping after 20 (LIVE-8, LIVE-16)", async () => {
    const create = {
      method: "POST",
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" }
    }
    const created = await fetch(`${base}/api/v1/accounts`, { ...create, body: '{"name":"Ada"}' })
    const { data } = (await created.json()) as { data: { apiKey: { key: string } } }
    const headers = { authorization: `Bearer ${data.apiKey.key}` }
    const url = `${base.replace("http", "ws")}/api/v1/ws`
    const [silent, known] = [new WebSocket(url), new WebSocket(url, { headers })]
    const started = performance.now()
    const stream = await openStream(`${base}/api/v1/events/stream`, { headers })
    const commented = (async () => {
      while (stream.comments() < 2) await new Promise((resolve) => setTimeout(resolve, 20))
    })()
    const closed = new Promise<number>((resolve) => silent.once("close", resolve))
    const pinged = new Promise((resolve) => known.once("ping", resolve))
    const [comment, close, ping] = await Promise.all([commented, closed, pinged].map((one) => after(started, one)))
    assert.isBelow(comment ?? 0, 15)
    assert.strictEqual(await closed, 4401)
    assert.closeTo(close ?? 0, 10, 1.5)
    assert.closeTo(ping ?? 0, 20, 1.5)
    stream.close()
    known.terminate()
  }, 40_000)
})
