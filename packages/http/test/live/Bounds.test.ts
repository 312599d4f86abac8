import { LiveLimits } from "@agent-marketplace/http/live/LiveLimits"
import { openStream } from "@agent-marketplace/fixtures/live/openStream"
import { WebSocket } from "@effect/platform-node/NodeWS"
import { connect } from "node:net"
import { afterAll, assert, describe, it } from "vitest"
import { listen } from "../fixtures/listen.ts"
import { adminToken } from "../fixtures/startMarket.ts"

const perProcess = 4
const live = { perProcess, quietMillis: 200, quietCheckMillis: 50, authenticationMillis: 300, pingMillis: 100 }
const market = await listen({ live })
const base = `http://127.0.0.1:${market.port}`
afterAll(() => market.stop())

const feed = "/api/activity/stream"

const account = async (): Promise<string> => {
  const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" }
  const response = await fetch(`${base}/api/v1/accounts`, { method: "POST", headers, body: '{"name":"Ada"}' })
  const { data } = (await response.json()) as { data: { apiKey: { key: string } } }
  return data.apiKey.key
}

const until = async (what: string, ready: () => boolean | Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + 10_000
  while (!(await ready())) {
    if (performance.now() > deadline) throw new Error(`not within 10 seconds: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const dial = (headers: Record<string, string> = {}) => {
  const socket = new WebSocket(`${base.replace("http", "ws")}/api/v1/ws`, { headers })
  socket.on("error", () => {})
  const closed = new Promise<number>((resolve) => socket.once("close", resolve))
  const outcome = new Promise<number>((resolve) => {
    socket.once("open", () => resolve(101))
    socket.once("unexpected-response", (_, response) => {
      response.destroy()
      resolve(response.statusCode ?? 0)
    })
  })
  return { socket, closed, outcome }
}

/** What the server sends to a client that never sends anything after its handshake. */
const shakeHands = async (version: number): Promise<Buffer> => {
  const handshake = [
    "GET /api/v1/ws HTTP/1.1",
    "Host: localhost",
    "Connection: Upgrade",
    "Upgrade: websocket",
    `Sec-WebSocket-Version: ${version}`,
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    `Authorization: Bearer ${await account()}`
  ]
  const received: Array<Buffer> = []
  await new Promise<void>((resolve, reject) => {
    const socket = connect(market.port, "127.0.0.1", () => socket.write(`${handshake.join("\r\n")}\r\n\r\n`))
    socket.setTimeout(10_000, () => reject(new Error("still open")))
    socket.on("data", (part: Buffer) => received.push(part))
    socket.on("error", () => {})
    socket.on("close", () => resolve())
  })
  return Buffer.concat(received)
}

const noStreams = () =>
  until("earlier streams have ended", async () => {
    const text = await (await fetch(`${base}/metrics`)).text()
    return /^live_streams_open(?:\{[^}]*\})? 0$/m.test(text)
  })

describe("streams whose bounds are small", () => {
  it("the bounds of a market keep the intervals that the requirements state (LIVE-7, LIVE-8, LIVE-16)", () => {
    const { quietCheckMillis, quietMillis, ...others } = LiveLimits.defaultValue()
    assert.isBelow(quietMillis + quietCheckMillis, 15_000)
    assert.deepStrictEqual(others, { perProcess: 10_000, authenticationMillis: 10_000, pingMillis: 20_000 })
  })

  it("a stream without messages carries comments, for as long as it is open (LIVE-8)", async () => {
    const headers = { authorization: `Bearer ${await account()}` }
    const streams = [await openStream(`${base}/api/v1/events/stream`, { headers }), await openStream(base + feed)]
    for (const stream of streams) {
      await until("four comments", () => stream.comments() >= 4)
      stream.close()
    }
    assert.lengthOf(streams[0]?.messages ?? [], 0)
    assert.isDefined(streams[0]?.lastId(), "comments move the cursor of the events")
    await Promise.all(streams.map(({ ended }) => ended))
  })

  it("a process at its bound refuses streams and sockets with SERVICE_UNAVAILABLE until one ends (LIVE-7)", async () => {
    await noStreams()
    const streams = await Promise.all(Array.from({ length: perProcess }, () => openStream(base + feed)))
    const headers = { authorization: `Bearer ${await account()}` }
    for (const path of [feed, "/api/v1/events/stream"]) {
      const response = await fetch(base + path, { headers })
      const { error } = (await response.json()) as { error: { code: string } }
      assert.deepStrictEqual([response.status, error.code], [503, "SERVICE_UNAVAILABLE"])
    }
    assert.strictEqual(await dial(headers).outcome, 503)
    assert.strictEqual((await fetch(`${base}/api/v1/account`, { headers })).status, 200, "requests are served")
    streams[0]?.close()
    const replaced = async () => {
      const { outcome, socket } = dial(headers)
      const status = await outcome
      socket.terminate()
      return status === 101
    }
    await until("a place is free", replaced)
    for (const stream of streams) stream.close()
    await Promise.all(streams.map(({ ended }) => ended))
  })

  it("a socket without authentication closes with 4401 in time, one with it stays and is pinged (LIVE-16)", async () => {
    const headers = { authorization: `Bearer ${await account()}` }
    const [silent, known] = [dial(), dial(headers)]
    assert.deepStrictEqual([await silent.outcome, await known.outcome], [101, 101])
    let pings = 0
    known.socket.on("ping", () => (pings += 1))
    assert.strictEqual(await silent.closed, 4401)
    await until("three pings", () => pings >= 3)
    assert.strictEqual(known.socket.readyState, WebSocket.OPEN)
    known.socket.terminate()
    await known.closed
  })

  it("a socket whose client does not answer pings is closed (LIVE-16)", async () => {
    const bytes = await shakeHands(13)
    assert.match(bytes.toString("latin1"), /^HTTP\/1\.1 101 /)
    assert.isTrue(bytes.includes(Buffer.from([0x89, 0])), "it was pinged")
    assert.isFalse(bytes.includes(Buffer.from([0x88])), "it was closed without a handshake")
  })

  it("a refused handshake takes no place (LIVE-7)", async () => {
    await noStreams()
    for (let n = 0; n <= perProcess; n++)
      assert.match((await shakeHands(12)).toString("latin1"), /^HTTP\/1\.1 4/, `handshake ${n}`)
    await noStreams()
    const { outcome, socket } = dial({ authorization: `Bearer ${await account()}` })
    assert.strictEqual(await outcome, 101)
    socket.terminate()
  })
})
