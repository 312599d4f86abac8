import { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { SoulStore } from "@agent-marketplace/core/souls/SoulStore"
import { MemoryStores } from "@agent-marketplace/memory/MemoryStores"
import { Effect, Layer, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { startMarket } from "../fixtures/startMarket.ts"

const faulty = (fault: Effect.Effect<never, StoreUnavailable>) =>
  Layer.effect(
    SoulStore,
    Effect.map(SoulStore, (store) => ({
      ...store,
      list: () => fault,
      findBySlug: () => fault,
      detail: () => fault,
      detailJson: () => fault
    }))
  ).pipe(Layer.provideMerge(MemoryStores.layer))

const unavailable = Effect.fail(new StoreUnavailable({ cause: "connect ECONNREFUSED 10.0.0.5" }))
const secret = "password=hunter2 at /srv/market/src/Souls.ts:12"
const broken = Effect.die(new Error(secret))

describe("faults (ERROR-20)", () => {
  it("a defect is 500 with the request's id and without its cause, in each error format", async () => {
    const market = startMarket({ stores: faulty(broken) })
    const { key } = await market.account()
    const list = await market.send("GET", "/api/souls", { key })
    assert.deepStrictEqual([list.status, list.body], [500, { error: "Failed to fetch souls" }])
    const patch = await market.send("POST", "/api/v1/souls/some/download", { key })
    assert.strictEqual(patch.status, 500)
    assert.strictEqual(patch.body.error.code, "INTERNAL_ERROR")
    assert.deepStrictEqual(patch.body.error.details, { requestId: patch.headers.get("x-request-id") })
    for (const { headers, text } of [list, patch]) {
      assert.notInclude(text, "hunter2")
      assert.notInclude(JSON.stringify([...headers]), "hunter2")
    }
    await market.stop()
  })

  it("an unavailable store is 503 in the general envelope, with Retry-After (ERROR-21)", async () => {
    const market = startMarket({ stores: faulty(unavailable) })
    const { key } = await market.account()
    const { body, headers, status, text } = await market.send("POST", "/api/v1/souls/some/download", { key })
    assert.deepStrictEqual([status, body.error.code, headers.get("retry-after")], [503, "SERVICE_UNAVAILABLE", "1"])
    assert.notInclude(text, "10.0.0.5")
    await market.stop()
  })
})

describe("the log of an outage", () => {
  it("is written separately by each market in a process", async () => {
    const logs: ReadonlyArray<Array<unknown>> = [[], []]
    const markets = logs.map((log) =>
      startMarket({ stores: faulty(unavailable), logged: (message) => log.push(message) })
    )
    for (const market of markets) {
      const { key } = await market.account()
      for (let i = 0; i < 5; i++) await market.send("POST", "/api/v1/souls/some/download", { key })
    }
    await Promise.all(markets.map((market) => market.stop()))
    for (const log of logs) assert.isAtLeast(log.length, 1)
  })
})

describe("health (SYSTEM-1, SYSTEM-2)", () => {
  it("without a database the process is running but not ready", async () => {
    const store = Layer.effect(
      IdentityStore,
      Effect.map(IdentityStore, (identity) => ({ ...identity, findCaller: () => unavailable }))
    ).pipe(Layer.provideMerge(MemoryStores.layer))
    const market = startMarket({ stores: store })
    assert.deepStrictEqual((await market.send("GET", "/healthz")).body, { status: "ok" })
    const ready = await market.send("GET", "/readyz")
    assert.deepStrictEqual([ready.status, ready.body], [503, { status: "unavailable" }])
    await market.stop()
  })
})

describe("metrics (SYSTEM-4)", () => {
  it("require the token if one is set", async () => {
    const market = startMarket({ http: { metricsToken: Redacted.make("scrape-me") } })
    assert.strictEqual((await market.send("GET", "/metrics")).status, 401)
    assert.strictEqual((await market.send("GET", "/metrics", { key: "wrong" })).status, 401)
    assert.strictEqual((await market.send("GET", "/metrics", { key: "scrape-me" })).status, 200)
    await market.stop()
  })

  it("count by the route's template, so that paths create no new series", async () => {
    const market = startMarket({ limits: true })
    const { key } = await market.account()
    for (let i = 0; i < 3; i++) await market.send("GET", `/api/souls/nothing-${i}`, { key })
    for (let i = 0; i < 3; i++) await market.send("GET", `/unknown-${i}`)
    for (let i = 0; i < 61; i++) await market.send("GET", "/api/souls", { address: "192.0.2.1" })
    const { text } = await market.send("GET", "/metrics")
    assert.include(text, 'http_requests_total{method="GET",route="/api/souls/:slug",status="404"} 3\n')
    assert.include(text, 'http_requests_total{method="GET",route="unmatched",status="404"} 3\n')
    assert.include(text, 'http_requests_total{method="GET",route="/api/souls",status="429"} 1\n')
    assert.include(text, 'http_rate_limited_total{limit="anonymous"} 1\n')
    assert.match(
      text,
      /http_request_duration_seconds_bucket\{method="GET",route="\/api\/souls\/:slug",le="\+Inf"\} 3\n/
    )
    assert.include(text, "http_requests_in_flight 1\n")
    assert.match(text, /process_resident_memory_bytes \d{7,}/)
    assert.notInclude(text, "nothing-1")
    await market.stop()
  })
})

describe("the request log", () => {
  it("one line of JSON for each request, without keys, bodies, paths or queries", async () => {
    let written = ""
    const market = startMarket({
      log: (text) => {
        written += text
      }
    })
    const { key } = await market.account({ email: "ada@example.com" })
    await market.send("GET", "/api/souls/very-private?tags=hidden", { key, headers: { "x-request-id": "trace-0001" } })
    await market.send("GET", "/nothing")
    await market.stop()
    const lines = written
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    assert.lengthOf(lines, 3)
    const [, read, unknown] = lines
    assert.deepStrictEqual(
      [read.requestId, read.method, read.route, read.status, read.level],
      ["trace-0001", "GET", "/api/souls/:slug", 404, "INFO"]
    )
    assert.match(read.keyId, /^key_/)
    assert.isNumber(read.durationMs)
    assert.deepStrictEqual([unknown.route, unknown.keyId], ["unmatched", null])
    for (const hidden of [key, "very-private", "hidden", "ada@example.com", "amk_"]) assert.notInclude(written, hidden)
  })

  it("contains X-Agent-Id if it is 1 to 128 printable characters (AGENT-15)", async () => {
    let written = ""
    const market = startMarket({
      log: (text) => {
        written += text
      }
    })
    const sent = ['crawler "7"', "x".repeat(129), "caf\u00e9"]
    for (const id of sent) await market.send("GET", "/healthz", { headers: { "x-agent-id": id } })
    await market.stop()
    const kept = written
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).trackingId)
    assert.deepStrictEqual(kept, ['crawler "7"', null, null])
  })

  it("only faults if so configured", async () => {
    let written = ""
    const log = (text: string) => {
      written += text
    }
    const market = startMarket({ log, http: { requestLog: "faults" }, stores: faulty(broken) })
    const { key } = await market.account()
    await market.send("GET", "/api/souls", { key })
    await market.stop()
    assert.lengthOf(written.trim().split("\n"), 1)
    assert.strictEqual(JSON.parse(written).level, "ERROR")
  })
})
