import { WebSocket } from "@effect/platform-node/NodeWS"
import { openStream } from "@agent-marketplace/fixtures/live/openStream"
import type { OpenStream } from "@agent-marketplace/fixtures/live/openStream"
import { afterAll, afterEach, assert, describe, it } from "vitest"
import { listen } from "../fixtures/listen.ts"
import { adminToken } from "../fixtures/startMarket.ts"

const lines: Array<{ readonly route: string; readonly status: number; readonly keyId: string }> = []
const market = await listen({
  http: { baseUrl: "http://localhost" },
  log: (text) =>
    lines.push(
      ...text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    )
})
const base = `http://127.0.0.1:${market.port}`
afterAll(() => market.stop())

const opened: Array<OpenStream> = []
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close()
})

const send = async (method: string, path: string, key?: string, body?: object) => {
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const account = async (name = "Ada") => {
  const { body } = await send("POST", "/api/v1/accounts", adminToken, { name, seller: true })
  return {
    id: body.data.account.id as string,
    key: body.data.apiKey.key as string,
    keyId: body.data.apiKey.id as string
  }
}

const stream = async (key: string | undefined, query = "", headers: Record<string, string> = {}) => {
  const path = key === undefined ? "/api/activity/stream" : "/api/v1/events/stream"
  const authorization: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const one = await openStream(`${base}${path}${query}`, { headers: { ...authorization, ...headers } })
  opened.push(one)
  return one
}

let souls = 0
/** A private soul: only its author gets events about it. */
const publish = async (key: string, visibility = "private") => {
  souls += 1
  const { body, status } = await send("POST", "/api/v1/souls/create", key, {
    name: `Soul number ${souls}`,
    description: "A soul of a test.",
    content: "# SOUL\n\n## Identity\n\nKind.",
    visibility
  })
  assert.strictEqual(status, 201, JSON.stringify(body))
  return body as { id: string; slug: string }
}

const agentOf = async (key: string) => {
  const agent = await send("POST", "/api/v1/agents", key, { name: "Scout" })
  const own = await send("POST", "/api/v1/keys", key, { name: "Agent", scope: "FULL", agentId: agent.body.data.id })
  return { id: agent.body.data.id as string, key: own.body.data.key as string }
}

const freeze = (key: string, agent: string) => send("POST", `/api/v1/agents/${agent}/freeze`, key, { reason: "test" })

/** An event for the account alone, without an agent. */
const event = async (key: string) => {
  const { id } = await agentOf(key)
  await freeze(key, id)
  return id
}

const agentIds = (one: OpenStream) => one.messages.map(({ data }) => data.data.agentId)

const refused = async (path: string, key: string, headers: Record<string, string> = {}) => {
  const response = await fetch(base + path, { headers: { authorization: `Bearer ${key}`, ...headers } })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const issuesOf = ({ body, status }: Awaited<ReturnType<typeof refused>>) => {
  assert.deepStrictEqual([status, body.error.code], [400, "VALIDATION_ERROR"])
  return body.error.details.issues.map(({ path }: { path: string }) => path)
}

describe("the stream of an account's events", () => {
  it("sends a webhook's body without its signature, with the cursor and the type (LIVE-1)", async () => {
    const { key } = await account()
    const stranger = await account()
    const [own, others] = [await stream(key), await stream(stranger.key)]
    assert.strictEqual(own.response.headers.get("content-type"), "text/event-stream")
    assert.strictEqual(own.response.headers.get("access-control-allow-origin"), "*")
    assert.strictEqual(own.response.headers.get("content-encoding"), null)
    const agentId = await event(key)
    const [message] = await own.atLeast(1)
    assert.isDefined(message)
    assert.match(message.id ?? "", /^\d+$/)
    assert.strictEqual(message.event, "agent.frozen")
    assert.deepStrictEqual(Object.keys(message.data), ["event", "timestamp", "data"])
    assert.deepInclude(message.data, { event: "agent.frozen" })
    assert.strictEqual(message.data.data.agentId, agentId)
    const soul = await publish(key, "public")
    assert.strictEqual((await others.atLeast(1))[0]?.data.data.soulId, soul.id, "a public soul is for everyone")
    assert.lengthOf(others.messages, 1)
  })

  it("an agent's key gets only what that agent did (LIVE-1)", async () => {
    const { key } = await account()
    const [one, other] = [await agentOf(key), await agentOf(key)]
    const streams = [await stream(key), await stream(one.key), await stream(other.key)] as const
    const soul = await publish(one.key, "public")
    await publish(key, "public")
    assert.lengthOf(await streams[0].atLeast(2), 2)
    assert.deepStrictEqual(
      (await streams[1].atLeast(1)).map(({ data }) => data.data.soulId),
      [soul.id]
    )
    assert.lengthOf(streams[2].messages, 0)
  })

  it("continues after a cursor without a gap and without a repetition (LIVE-2)", async () => {
    const { key } = await account()
    const first = await stream(key)
    const start = first.response.headers.get("x-request-id")
    assert.isString(start)
    const ids: Array<string> = []
    for (let n = 0; n < 5; n++) ids.push(await event(key))
    const all = await first.atLeast(5)
    assert.deepStrictEqual(agentIds(first), ids)
    for (const [n, { id = "" }] of all.entries()) {
      const byQuery = await stream(key, `?after=${id}`)
      const byHeader = await stream(key, "?after=0", { "last-event-id": id })
      for (const one of [byQuery, byHeader]) {
        await one.atLeast(4 - n)
        assert.deepStrictEqual(agentIds(one), ids.slice(n + 1))
        one.close()
        await one.ended
      }
    }
    const later = await stream(key, `?after=${all[2]?.id}`)
    ids.push(await event(key))
    await later.atLeast(3)
    assert.deepStrictEqual(agentIds(later), ids.slice(3))
  })

  it("a stream that got no event yet has a cursor (LIVE-2)", async () => {
    const { key } = await account()
    await event(key)
    const first = await stream(key)
    const [opening] = await Promise.all([poll(() => first.lastId()), first])
    first.close()
    const agentId = await event(key)
    const second = await stream(key, "", { "last-event-id": opening })
    await second.atLeast(1)
    assert.deepStrictEqual(agentIds(second), [agentId])
  })

  it("sends only the types that were requested (LIVE-4)", async () => {
    const { key } = await account()
    const start = (await stream(key)).lastId
    const cursor = await poll(start)
    await event(key)
    const soul = await publish(key, "public")
    for (const query of [
      `?types=soul.created&after=${cursor}`,
      `?after=${cursor}&types=soul.updated,%20soul.created`
    ]) {
      const one = await stream(key, query)
      assert.deepStrictEqual(
        (await one.atLeast(1)).map(({ data }) => data.data.soulId),
        [soul.id]
      )
    }
  })

  it("refuses a broken cursor and an unknown type (LIVE-5)", async () => {
    const { key } = await account()
    for (const after of ["x", "-1", "1.5", "", "9".repeat(19), "evt_1", "999999999"]) {
      assert.deepStrictEqual(issuesOf(await refused(`/api/v1/events/stream?after=${after}`, key)), ["after"], after)
      if (after === "") continue
      const headers = { "last-event-id": after }
      assert.deepStrictEqual(issuesOf(await refused("/api/v1/events/stream", key, headers)), ["Last-Event-ID"])
    }
    for (const types of ["sould.created", "soul.created,", "webhook.test", "*", ""]) {
      assert.deepStrictEqual(issuesOf(await refused(`/api/v1/events/stream?types=${types}`, key)), ["types"], types)
    }
    assert.deepStrictEqual(issuesOf(await refused("/api/v1/events/stream?types=x&after=x", key)), ["after", "types"])
  })

  it("ends when its key ends, and only then (LIVE-6)", async () => {
    const { key } = await account()
    const made = await send("POST", "/api/v1/keys", key, { name: "Second", scope: "READ" })
    const [own, second] = [await stream(key), await stream(made.body.data.key)]
    await send("PATCH", "/api/v1/account", key, { name: "Grace" })
    const ended = performance.now()
    await send("DELETE", `/api/v1/keys/${made.body.data.id}`, key)
    await second.ended
    assert.isBelow(performance.now() - ended, 1000)
    const agentId = await event(key)
    await own.atLeast(1)
    assert.deepStrictEqual(agentIds(own), [agentId])
  })

  it("ends when its key expires (LIVE-6)", async () => {
    const { key } = await account()
    const { now } = (await send("POST", "/api/v1/admin/clock", adminToken, { advanceSeconds: 1 })).body.data
    const expiresAt = new Date(Date.parse(now) + 3_600_000).toISOString()
    const made = await send("POST", "/api/v1/keys", key, { name: "Short", scope: "READ", expiresAt })
    const one = await stream(made.body.data.key)
    const ended = performance.now()
    await send("POST", "/api/v1/admin/clock", adminToken, { advanceSeconds: 3601 })
    await one.ended
    assert.isBelow(performance.now() - ended, 2000)
  })

  it("ends at the end of a rotation's grace period, as do the sessions and the sockets of the key (LIVE-6)", async () => {
    const { key } = await account()
    const made = await send("POST", "/api/v1/keys", key, { name: "Rotated", scope: "FULL" })
    const refreshed = await send("POST", "/api/v1/keys", key, { name: "Refreshed", scope: "READ" })
    const page = { origin: "http://localhost", "x-requested-with": "console" }
    const session = await fetch(`${base}/api/v1/sessions`, {
      method: "POST",
      headers: { ...page, "content-type": "application/json" },
      body: JSON.stringify({ apiKey: made.body.data.key })
    })
    const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? ""
    const bySession = await openStream(`${base}/api/v1/events/stream`, { headers: { ...page, cookie } })
    opened.push(bySession)
    const streams = [await stream(made.body.data.key), await stream(refreshed.body.data.key), bySession]
    for (const { response } of streams) assert.strictEqual(response.status, 200)
    const socket = new WebSocket(`${base.replace("http", "ws")}/api/v1/ws`, {
      headers: { authorization: `Bearer ${made.body.data.key}` }
    })
    const closed = new Promise<number>((resolve) => socket.once("close", resolve))
    await new Promise((resolve) => socket.once("open", resolve))
    const other = await stream(key)
    const grace = { graceSeconds: 1 }
    const rotated = performance.now()
    assert.strictEqual((await send("POST", `/api/v1/keys/${made.body.data.id}/rotate`, key, grace)).status, 201)
    assert.strictEqual((await send("POST", "/api/v1/keys/refresh", refreshed.body.data.key, grace)).status, 201)
    const refreshedAt = performance.now()
    const agentId = await event(key)
    for (const one of [...streams, other]) await one.atLeast(1)
    const ended = Promise.all([closed, ...streams.map((one) => one.ended)])
    const [code] = await Promise.race([ended, new Promise<["open"]>((resolve) => setTimeout(resolve, 3000, ["open"]))])
    assert.strictEqual(code, 4401)
    assert.isAtLeast(performance.now() - rotated, 1000)
    assert.isBelow(performance.now() - refreshedAt, 2000)
    await event(key)
    await other.atLeast(2)
    for (const one of streams) assert.deepStrictEqual(agentIds(one), [agentId])
  })

  it("continues while the account is frozen (LIVE-6)", async () => {
    const { id, key } = await account()
    const one = await stream(key)
    const frozen = await send("POST", `/api/v1/admin/accounts/${id}/freeze`, adminToken, { reason: "test" })
    assert.strictEqual(frozen.status, 200)
    const seller = await account()
    await publish(seller.key, "public")
    assert.lengthOf(await one.atLeast(1), 1)
    assert.strictEqual((await stream(key)).response.status, 200)
  })

  it("refuses the eleventh stream of a key until another one ends (LIVE-7)", async () => {
    const { key } = await account()
    const ten = await Promise.all(Array.from({ length: 10 }, () => stream(key)))
    const eleventh = await refused("/api/v1/events/stream", key)
    assert.deepStrictEqual([eleventh.status, eleventh.body.error.code], [429, "RATE_LIMIT_EXCEEDED"])
    assert.deepInclude(eleventh.body.error.details, { limit: 10 })
    assert.match(eleventh.headers.get("retry-after") ?? "", /^\d+$/)
    assert.strictEqual((await stream((await account()).key)).response.status, 200, "another key")
    ten[3]?.close()
    const again = await poll(async () => {
      const response = await fetch(`${base}/api/v1/events/stream`, {
        method: "HEAD",
        headers: { authorization: `Bearer ${key}` }
      })
      return response.status === 200 || undefined
    })
    assert.isTrue(again)
    assert.strictEqual((await stream(key)).response.status, 200, "HEAD takes no place")
  })

  it("is logged when it ends (LIVE-11)", async () => {
    const { key, keyId } = await account()
    const one = await stream(key)
    await event(key)
    await one.atLeast(1)
    const logged = () => lines.find((line) => line.route === "/api/v1/events/stream" && line.keyId === keyId)
    assert.isUndefined(logged())
    one.close()
    const line = await poll(logged)
    assert.strictEqual(line.status, 200)
  })
})

describe("the stream of the activity feed (LIVE-10)", () => {
  it("sends the items of the feed, without a key, and statistics at the start", async () => {
    const { key } = await account("Ada Lovelace")
    const one = await stream(undefined)
    const [stats] = await one.atLeast(1)
    assert.deepStrictEqual([stats?.event, stats?.id], ["stats", undefined])
    assert.deepStrictEqual(Object.keys(stats?.data), ["activeAgents", "tradesLast24h", "revenueLast24h"])
    const soul = await publish(key, "public")
    await event(key)
    await one.atLeast(3)
    const { body } = await send("GET", "/api/activity/live?limit=2")
    const items = one.messages.filter((message) => message.event === "activity")
    assert.deepStrictEqual(
      items.map(({ data }) => data),
      body.activities.toReversed()
    )
    assert.deepStrictEqual(
      items.map(({ id }) => id),
      items.map(({ data }) => data.id)
    )
    assert.notInclude(JSON.stringify(items), soul.id)
  })

  it("continues after an item, even if no reader was connected meanwhile", async () => {
    const { key } = await account()
    const first = await stream(undefined)
    await first.atLeast(1)
    await publish(key, "public")
    await first.atLeast(2)
    const last = first.messages.at(-1)?.id ?? ""
    first.close()
    await first.ended
    await publish(key, "public")
    await publish(key, "public")
    const second = await stream(undefined, "", { "last-event-id": last })
    await publish(key, "public")
    await second.atLeast(4)
    const names = second.messages.filter((message) => message.event === "activity").map(({ data }) => data.message)
    assert.deepStrictEqual(
      names,
      [souls - 2, souls - 1, souls].map((n) => `Ada listed Soul number ${n}`)
    )
  })

  it("an unknown Last-Event-ID starts now", async () => {
    const one = await stream(undefined, "", { "last-event-id": "purchase-000000000000000000000000" })
    await one.atLeast(1)
    assert.deepStrictEqual(
      one.messages.map((message) => message.event),
      ["stats"]
    )
  })
})

/** The value, as soon as there is one. */
const poll = async <A>(value: () => A | Promise<A>): Promise<NonNullable<A>> => {
  const deadline = performance.now() + 5000
  for (;;) {
    const found = await value()
    if (found !== undefined && found !== null) return found
    if (performance.now() > deadline) throw new Error("no value within 5 seconds")
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
