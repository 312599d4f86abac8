import { WebSocket } from "@effect/platform-node/NodeWS"
import { connect } from "node:net"
import { afterAll, afterEach, assert, describe, it } from "vitest"
import { listen } from "../fixtures/listen.ts"
import { logOfMarket } from "../fixtures/logOfMarket.ts"
import { adminToken } from "../fixtures/startMarket.ts"

const { append, stores } = logOfMarket()
const market = await listen({ stores })
const base = `http://127.0.0.1:${market.port}`
const url = `ws://127.0.0.1:${market.port}/api/v1/ws`
afterAll(() => market.stop())

const post = async (path: string, key: string, body: object, method = "POST") => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const response = await fetch(base + path, { method, headers, body: JSON.stringify(body) })
  return response.json()
}

const account = async () => {
  const { data } = await post("/api/v1/accounts", adminToken, { name: "Ada", seller: true })
  return { id: data.account.id as string, key: data.apiKey.key as string }
}

let souls = 0
const publish = async (key: string) => {
  souls += 1
  const soul = {
    name: `Soul number ${souls}`,
    description: "A soul of a test.",
    content: "# SOUL\n\n## Identity\n\nKind."
  }
  return (await post("/api/v1/souls/create", key, soul)).id as string
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests know what they read
type Message = any

const opened: Array<WebSocket> = []
afterEach(() => {
  for (const socket of opened.splice(0)) socket.terminate()
})

/** A client that collects what it receives. */
const open = async (headers: Record<string, string> = {}) => {
  const socket = new WebSocket(url, { headers })
  opened.push(socket)
  const received: Array<Message> = []
  let last: Message
  let pings = 0
  let changed = () => {}
  socket.on("message", (data) => {
    received.push(JSON.parse(String(data)))
    changed()
  })
  socket.on("ping", () => {
    pings += 1
  })
  const closed = new Promise<number>((resolve) => socket.once("close", (code) => resolve(code)))
  const failed = new Promise<number>((resolve) =>
    socket.once("unexpected-response", (_, response) => resolve(response.statusCode ?? 0))
  )
  socket.on("error", () => {})
  const ready = new Promise<"open">((resolve) => socket.once("open", () => resolve("open")))
  const outcome = await Promise.race([ready, failed])
  return {
    outcome,
    socket,
    received,
    closed,
    pings: () => pings,
    send: (message: unknown) => socket.send(typeof message === "string" ? message : JSON.stringify(message)),
    /** The next message. */
    next: () =>
      new Promise<Message>((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`no message within 5 seconds, after ${JSON.stringify(last)}`)),
          5000
        )
        changed = () => {
          if (received.length === 0) return
          clearTimeout(timer)
          changed = () => {}
          last = received.shift()
          resolve(last)
        }
        changed()
      })
  }
}

const signedIn = async (key: string) => {
  const one = await open({ authorization: `Bearer ${key}` })
  assert.deepStrictEqual(await one.next(), { type: "authenticated" })
  return one
}

const errorOf = async (one: Awaited<ReturnType<typeof open>>, message: unknown) => {
  one.send(message)
  const { code, message: text, type } = await one.next()
  assert.strictEqual(type, "error")
  assert.isString(text)
  return code as string
}

describe("the WebSocket", () => {
  it("sends the same messages as the streams after authentication and subscription (LIVE-14, LIVE-15)", async () => {
    const { key } = await account()
    const one = await open()
    one.send({ type: "auth", key })
    assert.deepStrictEqual(await one.next(), { type: "authenticated" })
    one.send({ type: "subscribe", topic: "events" })
    assert.deepStrictEqual(await one.next(), { type: "subscribed", topic: "events" })
    const soulId = await publish(key)
    const { data, id, ...rest } = await one.next()
    assert.deepStrictEqual(rest, { type: "event", topic: "events", event: "soul.created" })
    assert.deepInclude(data, { event: "soul.created" })
    assert.strictEqual(data.data.soulId, soulId)

    one.send({ type: "subscribe", topic: "activity" })
    assert.deepStrictEqual(await one.next(), { type: "subscribed", topic: "activity" })
    assert.deepInclude(await one.next(), { type: "event", topic: "activity", event: "stats", id: null })
    one.send({ type: "unsubscribe", topic: "events" })
    assert.deepStrictEqual(await one.next(), { type: "unsubscribed", topic: "events" })
    const [second, third] = [await publish(key), await publish(key)]
    assert.deepInclude(await one.next(), { topic: "activity", event: "activity" })
    assert.deepInclude(await one.next(), { topic: "activity", event: "activity" })

    one.send({ type: "unsubscribe", topic: "activity" })
    assert.deepInclude(await one.next(), { type: "unsubscribed" })
    one.send({ type: "subscribe", topic: "events", after: id })
    assert.deepInclude(await one.next(), { type: "subscribed" })
    const missed = [await one.next(), await one.next()].map((message) => message.data.data.soulId)
    assert.deepStrictEqual(missed, [second, third], "continues after the cursor")
  })

  it("takes the key of the handshake (LIVE-14)", async () => {
    const { key } = await account()
    await signedIn(key)
    assert.strictEqual((await open({ authorization: "Bearer amk_unknown" })).outcome, 401)
    assert.strictEqual((await open({ authorization: `Bearer ${adminToken}` })).outcome, 401)
    const plain = await fetch(`${base}/api/v1/ws`, { headers: { authorization: `Bearer ${key}` } })
    assert.strictEqual(plain.status, 400)
    assert.deepInclude(((await plain.json()) as Message).error.details.issues[0], { path: "headers.upgrade" })
  })

  it("refuses everything before authentication, and closes after a wrong key (LIVE-15, LIVE-16)", async () => {
    const one = await open()
    assert.strictEqual(await errorOf(one, { type: "subscribe", topic: "activity" }), "INVALID_API_KEY")
    assert.strictEqual(await errorOf(one, { type: "auth", key: "amk_wrong" }), "INVALID_API_KEY")
    assert.strictEqual(await one.closed, 4401)
    const agent = (await post("/api/v1/agents/register", "none", { name: "Scout" })).data
    const other = await open()
    assert.strictEqual(await errorOf(other, { type: "auth", key: agent.apiKey.key }), "AGENT_NOT_CLAIMED")
    assert.strictEqual(await other.closed, 4401)
  })

  it("answers a message that it does not understand with an error, and continues (LIVE-15)", async () => {
    const { key } = await account()
    const one = await signedIn(key)
    for (const message of [
      "nonsense",
      "[]",
      "null",
      "1",
      "{}",
      { type: "publish" },
      { type: "subscribe" },
      { type: "subscribe", topic: "souls" },
      { type: "subscribe", topic: "events", after: 5 },
      { type: "subscribe", topic: "events", after: "x" },
      { type: "subscribe", topic: "events", after: "999999999" },
      { type: "auth" },
      "\u0000\uD800"
    ]) {
      assert.strictEqual(await errorOf(one, message), "VALIDATION_ERROR", JSON.stringify(message))
    }
    one.socket.send(Buffer.from([1, 2, 3]))
    assert.deepInclude(await one.next(), { type: "error", code: "VALIDATION_ERROR" })
    assert.strictEqual(await errorOf(one, { type: "auth", key }), "CONFLICT")
    one.send({ type: "subscribe", topic: "events" })
    assert.deepInclude(await one.next(), { type: "subscribed" })
    assert.strictEqual(await errorOf(one, { type: "subscribe", topic: "events" }), "CONFLICT")
  })

  it("closes with 1009 after a message of more than 64 KiB, and with 1008 after too many (LIVE-16)", async () => {
    const { key } = await account()
    const large = await signedIn(key)
    assert.strictEqual(await errorOf(large, "x".repeat(65_536)), "VALIDATION_ERROR")
    large.send("x".repeat(65_537))
    assert.strictEqual(await large.closed, 1009)
    const chatty = await signedIn(key)
    for (let n = 0; n < 200; n++) chatty.send("x")
    assert.strictEqual(await chatty.closed, 1008)
  })

  it("an invalid frame closes its own connection only (LIVE-16)", async () => {
    const { key } = await account()
    const good = await signedIn(key)
    good.send({ type: "subscribe", topic: "events" })
    assert.deepInclude(await good.next(), { type: "subscribed" })
    const handshake = [
      "GET /api/v1/ws HTTP/1.1",
      "Host: localhost",
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      `Authorization: Bearer ${key}`
    ]
    for (const bytes of [
      [0xff, 0xff, 0xff, 0xff],
      [0x81, 0x05, 0x68, 0x65, 0x6c, 0x6c, 0x6f],
      [0x83, 0x80, 0, 0, 0, 0],
      [0x89, 0xfe, 0x00, 0xff, 0, 0, 0, 0],
      [0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28],
      [0x80, 0x81, 0, 0, 0, 0, 0x20],
      Array.from({ length: 5000 }, (_, n) => (n * 7919) % 256)
    ]) {
      await new Promise<void>((resolve, reject) => {
        const socket = connect(market.port, "127.0.0.1", () => socket.write(`${handshake.join("\r\n")}\r\n\r\n`))
        socket.setTimeout(5000, () => reject(new Error(`still open after ${bytes.slice(0, 8).join(" ")}`)))
        socket.once("data", () => socket.write(Buffer.from(bytes)))
        socket.on("end", () => socket.end())
        socket.on("error", () => {})
        socket.on("close", () => resolve())
      })
    }
    const soulId = await publish(key)
    assert.strictEqual((await good.next()).data.data.soulId, soulId)
  })

  it("closes with 4401 when the key ends (LIVE-6)", async () => {
    const { key } = await account()
    const { data } = await post("/api/v1/keys", key, { name: "Second", scope: "READ" })
    const [own, second] = [await signedIn(key), await signedIn(data.key)]
    second.send({ type: "subscribe", topic: "events" })
    await second.next()
    const started = performance.now()
    await post(`/api/v1/keys/${data.id}`, key, {}, "DELETE")
    assert.strictEqual(await second.closed, 4401)
    assert.isBelow(performance.now() - started, 1000)
    assert.strictEqual(own.socket.readyState, WebSocket.OPEN)
  })

  it("counts with the streams of its key: the eleventh is refused (LIVE-7)", async () => {
    const { key } = await account()
    const stream = new AbortController()
    const headers = { authorization: `Bearer ${key}` }
    // Kept until the end: a response that is collected as garbage closes its stream.
    const response = await fetch(`${base}/api/v1/events/stream`, { headers, signal: stream.signal })
    for (let n = 0; n < 9; n++) await signedIn(key)
    assert.strictEqual((await open(headers)).outcome, 429)
    const late = await open()
    assert.strictEqual(await errorOf(late, { type: "auth", key }), "RATE_LIMIT_EXCEEDED")
    assert.strictEqual(await late.closed, 4429)
    assert.isFalse(response.bodyUsed)
    stream.abort()
  })

  it("closes with 4408 for a client that does not read, which continues after its cursor (LIVE-9, LIVE-16)", async () => {
    const { id, key } = await account()
    const [slow, quick] = [await signedIn(key), await signedIn(key)]
    for (const one of [slow, quick]) {
      one.send({ type: "subscribe", topic: "events" })
      await one.next()
    }
    slow.socket.pause()
    const count = 12_000
    for (let n = 0; n < count; n += 400) {
      append(id, n, n + 400)
      while (quick.received.length < n + 400) await new Promise((resolve) => setImmediate(resolve))
    }
    slow.socket.resume()
    assert.strictEqual(await slow.closed, 4408)
    const got = slow.received.filter(({ type }) => type === "event")
    assert.isBelow(got.length, count)
    const again = await signedIn(key)
    again.send({ type: "subscribe", topic: "events", after: got.at(-1).id })
    await again.next()
    while (got.length < count) got.push(await again.next())
    const numbers = got.map((message) => message.data.data.advisoryId)
    assert.deepStrictEqual(
      numbers,
      Array.from({ length: count }, (_, n) => `adv_${n}`),
      "no gap and no repetition"
    )
  })
})
