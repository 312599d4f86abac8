import { Marketplace } from "@agent-marketplace/client"
import { openStream } from "@agent-marketplace/fixtures/live/openStream"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { freePort } from "@agent-marketplace/http/server/freePort"
import { Effect } from "effect"
import { connect } from "node:net"
import { Client } from "pg"
import { afterAll, assert, describe, it } from "vitest"
import { pageHeaders, signIn } from "./fixtures/Browser.ts"
import { dataOf } from "./fixtures/Client.ts"
import { onMarket } from "./fixtures/Market.ts"
import { connect as connectApplication } from "./oauth/Application.ts"
import { adminToken, startServer } from "./fixtures/startServer.ts"

const database = await createDatabase()
const env = { DATABASE_URL: database, WORKER: "external" }
const ports = [await Effect.runPromise(freePort("127.0.0.1")), await Effect.runPromise(freePort("127.0.0.1"))]
// Both processes have the public URL of the first, for which access tokens are issued.
const shared = { ...env, BASE_URL: `http://localhost:${ports[0]}` }
const startOn = (port: number | undefined) => startServer({ ...shared, PORT: String(port) })
const [one, two] = await Promise.all([startOn(ports[0]), startOn(ports[1])])
const writer = new Client({ connectionString: database })
await writer.connect()
afterAll(async () => {
  await writer.end()
  await Promise.all([one.kill(), two.kill()])
})

const send = async (method: string, path: string, key: string, body?: object) => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const response = await fetch(one.baseUrl + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  // oxlint-disable-next-line typescript/no-explicit-any -- tests know what they read
  return ((await response.json()) as any).data
}

const account = async () => {
  const data = await send("POST", "/api/v1/accounts", adminToken, { name: "Ada" })
  return { id: data.account.id as string, key: data.apiKey.key as string, keyId: data.apiKey.id as string }
}

const insert = `INSERT INTO events (type, at, subject, accounts, data)
  SELECT 'deposit.confirmed', now(), 'tx:' || n, ARRAY[$1::text], json_build_object('txHash', n::text, 'address', repeat('x', $4::int),
    'amount', '1.00', 'currency', 'USDT') FROM generate_series($2::int, $3::int) AS n`

/** Appends deposits with the numbers `from` to `to`, as one transaction of another process. */
const append = async (id: string, from: number, to: number, size = 10) => {
  await writer.query(insert, [id, from, to, size])
  await writer.query("NOTIFY events")
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n))

const streamOf = (server: { readonly baseUrl: string }, key: string, query = "") =>
  openStream(`${server.baseUrl}/api/v1/events/stream${query}`, { headers: { authorization: `Bearer ${key}` } })

describe("streams of two processes on one database", () => {
  it("an event whose transaction commits late is not skipped (LIVE-3)", async () => {
    const { id, key } = await account()
    const streams = [await streamOf(one, key), await streamOf(two, key)]
    const slow = new Client({ connectionString: database })
    await slow.connect()
    await slow.query("BEGIN")
    await slow.query(insert, [id, 0, 0, 1])
    await append(id, 1, 1)
    // Each process reads the log at the announcement, and at least once a second.
    const early = Promise.race(streams.map((stream) => stream.atLeast(1, 1500).catch(() => [])))
    assert.lengthOf(await early, 0, "newer events wait for a running transaction")
    await slow.query("COMMIT")
    await append(id, 2, 2)
    for (const stream of streams) {
      const messages = await stream.atLeast(3)
      assert.deepStrictEqual(
        messages.map(({ data }) => data.data.txHash),
        ["0", "1", "2"]
      )
      stream.close()
    }
    await slow.end()
  })

  it("a key that ends on one process ends its streams on the other within a second (LIVE-6)", async () => {
    const { id, key } = await account()
    const second = await send("POST", "/api/v1/keys", key, { name: "Second", scope: "READ" })
    const [own, other] = [await streamOf(two, key), await streamOf(two, second.key)]
    const socket = new WebSocket(`${two.baseUrl.replace("http", "ws")}/api/v1/ws`)
    const authenticated = new Promise((resolve) => socket.addEventListener("message", resolve, { once: true }))
    const closed = new Promise<number>((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)))
    socket.addEventListener("open", () => socket.send(JSON.stringify({ type: "auth", key: second.key })))
    await authenticated
    const started = performance.now()
    await send("DELETE", `/api/v1/keys/${second.id}`, key)
    const [code] = await Promise.all([closed, other.ended])
    assert.isBelow(performance.now() - started, 1000)
    assert.strictEqual(code, 4401)
    await append(id, 0, 0)
    assert.lengthOf(await own.atLeast(1), 1)
    assert.lengthOf(other.messages, 0)
    own.close()
  })

  it("a key that is rotated on one process ends its streams on the other after the grace period (LIVE-6)", async () => {
    const { id, key } = await account()
    const old = await send("POST", "/api/v1/keys", key, { name: "Rotated", scope: "FULL" })
    const { cookie } = await signIn(one.baseUrl, { apiKey: old.key })
    const headers = { ...pageHeaders(one.baseUrl), cookie }
    const bySession = await openStream(`${two.baseUrl}/api/v1/events/stream`, { headers })
    const subscription = await openStream(`${two.baseUrl}/graphql`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${old.key}`,
        accept: "text/event-stream",
        "content-type": "application/json"
      },
      body: JSON.stringify({ query: "subscription { events { id } }" })
    })
    const streams = [await streamOf(two, old.key), bySession, subscription]
    for (const { response } of streams) assert.strictEqual(response.status, 200)
    const own = await streamOf(two, key)
    const socket = new WebSocket(`${two.baseUrl.replace("http", "ws")}/api/v1/ws`)
    const authenticated = new Promise((resolve) => socket.addEventListener("message", resolve, { once: true }))
    const closed = new Promise<number>((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)))
    socket.addEventListener("open", () => socket.send(JSON.stringify({ type: "auth", key: old.key })))
    await authenticated
    const graceMillis = 2000
    const started = performance.now()
    const rotated = await send("POST", `/api/v1/keys/${old.id}/rotate`, key, { graceSeconds: graceMillis / 1000 })
    assert.isString(rotated.key)
    const ends = [closed, ...streams.map(({ ended }) => ended)]
    const first = Promise.race(ends).then(() => performance.now() - started)
    const late = new Promise<["open"]>((resolve) => setTimeout(resolve, graceMillis + 1000, ["open"]))
    const [code] = await Promise.race([Promise.all(ends), late])
    assert.strictEqual(code, 4401)
    assert.isAtLeast(await first, graceMillis)
    await append(id, 0, 0)
    assert.lengthOf(await own.atLeast(1), 1)
    own.close()
  })

  it("a session that ends on one process ends its streams on the other within a second (LIVE-6)", async () => {
    const owner = await onMarket(one.baseUrl).member()
    const [leaving, staying] = [
      await signIn(one.baseUrl, { apiKey: owner.key }),
      await signIn(one.baseUrl, { apiKey: owner.key })
    ]
    const streamFor = ({ cookie }: { readonly cookie: string }) =>
      openStream(`${two.baseUrl}/api/v1/events/stream`, { headers: { ...pageHeaders(one.baseUrl), cookie } })
    const [ending, other] = [await streamFor(leaving), await streamFor(staying)]
    assert.deepStrictEqual([ending.response.status, other.response.status], [200, 200])
    const started = performance.now()
    dataOf(await leaving.delete("/api/v1/sessions/current"))
    await ending.ended
    assert.isBelow(performance.now() - started, 1000)
    await append(owner.id, 0, 0)
    assert.lengthOf(await other.atLeast(1), 1, "another session of the account keeps its stream")
    assert.lengthOf(ending.messages, 0)
    other.close()
  })

  it("a grant that ends on one process ends its streams on the other within a second (LIVE-6)", async () => {
    const owner = await onMarket(one.baseUrl).member()
    const { tokens } = await connectApplication(one.baseUrl, owner)
    const [granted, own] = [await streamOf(two, tokens.access_token), await streamOf(two, owner.key)]
    assert.deepStrictEqual([granted.response.status, own.response.status], [200, 200])
    const [grant] = dataOf<ReadonlyArray<{ id: string }>>(await owner.get("/api/v1/oauth/grants"))
    const started = performance.now()
    dataOf(await owner.delete(`/api/v1/oauth/grants/${grant?.id}`))
    await granted.ended
    assert.isBelow(performance.now() - started, 1000)
    await append(owner.id, 0, 0)
    assert.isAtLeast((await own.atLeast(1)).length, 1, "the owner's key keeps its stream")
    own.close()
  })

  it("a client that does not read misses nothing and does not delay others (LIVE-9)", async () => {
    const { id, key } = await account()
    const quick = await streamOf(two, key)
    const slow = connect(Number(new URL(two.baseUrl).port), "127.0.0.1")
    slow.write(`GET /api/v1/events/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`)
    let text = ""
    slow.setEncoding("utf8").on("data", (part: string) => {
      text += part
    })
    while (!text.includes("\n\n")) await new Promise((resolve) => setTimeout(resolve, 10))
    slow.pause()
    const count = 8000
    for (let n = 0; n < count; n += 400) {
      await append(id, n, n + 399, 2000)
      await quick.atLeast(n + 400, 20_000)
    }
    slow.resume()
    const received = () => [...text.matchAll(/"txHash":"(\d+)"/g)].map(([, n]) => n)
    const deadline = performance.now() + 30_000
    while (received().length < count && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    assert.deepStrictEqual(received(), numbers(count))
    slow.destroy()
    quick.close()
  })

  it("a client continues without a gap and without a repetition after each kill -9 of its server (LIVE-2, LIVE-12)", async () => {
    const { id, key } = await account()
    let server = await startServer(env)
    const again = { ...env, PORT: new URL(server.baseUrl).port }
    const leaving = new AbortController()
    const probe = await streamOf(server, key)
    while (probe.lastId() === undefined) await new Promise((resolve) => setTimeout(resolve, 10))
    const after = probe.lastId()
    const market = new Marketplace({ apiKey: key, baseUrl: server.baseUrl })
    const received: Array<string> = []
    const count = 400
    const following = (async () => {
      for await (const event of market.events.stream({ after, signal: leaving.signal })) {
        if (event.event === "deposit.confirmed") received.push(event.data.txHash)
        if (received.length === count) leaving.abort()
      }
    })()
    for (let n = 0; n < count; n++) {
      await append(id, n, n)
      if (n % 150 === 149) {
        await server.kill()
        server = await startServer(again)
      }
    }
    await following
    assert.deepStrictEqual(received, numbers(count))
    await server.kill()
  })
})
