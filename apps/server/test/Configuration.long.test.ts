import { mkdtemp, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Result } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { readConfiguration } from "@agent-marketplace/settings/Configuration"
import { findPostmaster } from "@agent-marketplace/embedded-postgres/Postmaster"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { startReceiver } from "@agent-marketplace/fixtures/webhooks/startReceiver"
import { dataOf, failureOf, makeClient } from "./fixtures/Client.ts"
import { onMarket } from "./fixtures/Market.ts"
import { removeData } from "./fixtures/removeData.ts"
import { adminToken, spawnServer, startServer } from "./fixtures/startServer.ts"

const folders: Array<string> = []

const folder = async (): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), "agent-marketplace-configuration-"))
  folders.push(made)
  return made
}

/** The account's public key of a publicly known mnemonic: eleven times "abandon", then "about". */
const xpub =
  "xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd"

describe("configuration and start (CONFIG-1)", () => {
  afterAll(async () => {
    for (const made of folders) await removeData(made)
  })

  it("READ_DATABASE_URL needs DATABASE_URL, and each wrong form has its rule (CONFIG-14)", () => {
    const ADMIN_TOKEN = "operator-token-for-tests-0123456789abcdef"
    const DATABASE_URL = "postgres://u:p@a/market"
    const faultsOf = (env: Readonly<Record<string, string>>): string =>
      Result.match(readConfiguration({ ADMIN_TOKEN, ...env }), {
        onSuccess: () => "",
        onFailure: ({ faults }) => faults.join("; ")
      })
    const replicas = "postgres://u:word@b:5432,c/market"
    assert.strictEqual(faultsOf({ DATABASE_URL, READ_DATABASE_URL: replicas }), "")
    assert.include(faultsOf({ READ_DATABASE_URL: replicas }), "READ_DATABASE_URL must be set only with DATABASE_URL")
    assert.include(faultsOf({ DATABASE_URL, READ_DATABASE_URL: replicas, STORAGE: "memory" }), "STORAGE=postgres")
    for (const wrong of ["mysql://u:word@b/market", `${replicas}?target_session_attrs=primary`, "b:5432"]) {
      const faults = faultsOf({ DATABASE_URL, READ_DATABASE_URL: wrong })
      assert.match(faults, /^READ_DATABASE_URL must/)
      assert.notInclude(faults, "word")
    }
  })

  it("reports all errors together, prints no secret and exits with an error", async () => {
    const wrong: Readonly<Record<string, string>> = {
      PORT: "http",
      HOST: "999.1.1.1",
      BASE_URL: "example.com",
      DATABASE_URL: "mysql://market:secret-database-password@db/market",
      STORAGE: "disk",
      ADMIN_TOKEN: "short-secret-token",
      MARKET_SIGNING_KEY: "short-secret-seed",
      SIGNUP: "closed",
      LISTING_REVIEW: "maybe",
      RATE_LIMITS: "some",
      REDIS_URL: "http://:secret-redis-password@redis",
      PLATFORM_FEE_BPS: "10001",
      WITHDRAWAL_FEE: "-1",
      WITHDRAWAL_MINIMUM: "0.0000001",
      SOUL_CONTENT: "hidden",
      WORKER: "elsewhere",
      TEST_CLOCK: "perhaps",
      TRUSTED_PROXIES: "10.0.0.0/8",
      LOG_LEVEL: "loud",
      LOG_FORMAT: "xml"
    }
    const server = spawnServer(wrong)
    const ended = await server.ended
    assert.isNumber(ended)
    assert.notStrictEqual(ended, 0)
    for (const name of Object.keys(wrong)) assert.include(server.output(), name)
    assert.notMatch(server.output(), /secret/)
    assert.notMatch(server.output(), /\n\s+at /, "no stack")
  })

  it.each([
    {
      title: "TEST_CLOCK on the real chain (CONFIG-12)",
      env: { CHAIN: "tron", TEST_CLOCK: "true" },
      faults: [/TEST_CLOCK/]
    },
    {
      title: "external workers with STORAGE=memory, and credentials in a public URL",
      env: { STORAGE: "memory", WORKER: "external", BASE_URL: "https://ada:hunter2@x.example" },
      faults: [/WORKER must be embedded with STORAGE=memory/, /BASE_URL must have no user name and no password/]
    },
    { title: "production without an ADMIN_TOKEN", env: { NODE_ENV: "production" }, faults: [/ADMIN_TOKEN/] },
    {
      title: "headers of exports that are not pairs, without printing them (CONFIG-1, CONFIG-18)",
      env: { OTEL_EXPORTER_OTLP_HEADERS: "authorization=hunter2,hunter2" },
      faults: [/OTEL_EXPORTER_OTLP_HEADERS must be pairs name=value/]
    },
    {
      title: "rates of zero and with too many digits (MONEY-7)",
      env: { RATE_USD_USDT: "0", RATE_USDC_USDT: "1000.01" },
      faults: [/RATE_USD_USDT must be a number above 0/, /RATE_USDC_USDT must be a number above 0/]
    }
  ])("refuses $title", ({ env, faults }) => {
    const read = readConfiguration(env)
    if (Result.isSuccess(read)) return assert.fail("was accepted")
    const found = read.failure.faults.join("\n")
    for (const fault of faults) assert.match(found, fault)
    assert.notInclude(found, "hunter2")
  })

  it("RATE_USD_USDT and RATE_USDC_USDT convert prices in USD and USDC; an unavailable collector has no effect (MONEY-7, CONFIG-18)", async () => {
    const env = { STORAGE: "memory", DATABASE_URL: undefined, LISTING_REVIEW: "auto" }
    const rates = { RATE_USD_USDT: "1.25", RATE_USDC_USDT: "0.5" }
    const server = await startServer({ ...env, ...rates, OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" })
    const market = onMarket(server.baseUrl)
    const [seller, buyer] = [await market.member({ seller: true }), await market.member()]
    const listing = await market.listing(seller, "Priced in USD", 10)
    const soul = await market.soul(seller, "Priced in USDC", 10)
    for (const [skillId, required] of [
      [listing, "12.50 USDT"],
      [soul.id, "5.00 USDT"]
    ]) {
      const refused = failureOf(await buyer.post("/api/v1/purchases", { skillId }), 402, "INSUFFICIENT_BALANCE")
      assert.deepStrictEqual(refused, { required, available: "0.00 USDT" })
    }
    assert.strictEqual(await server.stop(), 0)
  })

  it("OTEL_EXPORTER_OTLP_ENDPOINT receives spans, metrics and logs with the version of the release (CONFIG-18, SYSTEM-21)", async () => {
    const collector = await startReceiver()
    const env = { STORAGE: "memory", DATABASE_URL: undefined, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    const server = await startServer(env)
    const market = onMarket(server.baseUrl)
    await market.soul(await market.member(), "Traced soul")
    // SYSTEM-23
    const [trace, invalid] = ["4bf92f3577b34da6a3ce929d0e0e4736", "4BF92F3577B34DA6A3CE929D0E0E4799"]
    for (const id of [trace, invalid])
      await fetch(`${server.baseUrl}/api/souls`, { headers: { traceparent: `00-${id}-00f067aa0ba902b7-01` } })
    assert.strictEqual(await server.stop(), 0)
    const has = (path: string, text: string) =>
      collector.received.some((each) => each.path.endsWith(path) && each.body.includes(text))
    assert.isTrue(has("/v1/traces", '"Souls.create"'))
    assert.isTrue(has("/v1/traces", `"traceId":"${trace}"`))
    assert.isFalse(has("/v1/traces", invalid))
    assert.isTrue(has("/v1/metrics", '"http_requests_total"'))
    assert.isTrue(has("/v1/logs", "SOUL_CONTENT is open"))
    const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"))
    assert.isTrue(has("/v1/metrics", `"service.version","value":{"stringValue":"${version}"}`))
    await collector.close()
  })

  it("SOUL_CONTENT is open on the simulated chain, with a warning at start, and licensed on TRON (CONFIG-10)", async () => {
    const tron = {
      CHAIN: "tron",
      TRON_FULL_NODE_URL: "https://node.example.com",
      TRON_DEPOSIT_XPUB: xpub,
      TRON_HOT_WALLET_ADDRESS: "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
      WORKER: "external"
    }
    const contentOf = (env: Readonly<Record<string, string>>) =>
      Result.getOrThrowWith(readConfiguration(env), ({ faults }) => new Error(faults.join("; "))).soulContent
    assert.strictEqual(contentOf({}), "open")
    assert.strictEqual(contentOf(tron), "licensed")
    assert.strictEqual(contentOf({ ...tron, SOUL_CONTENT: "open" }), "open")
  })

  it("warns at start about open souls, and in production about a simulated chain and a test clock (CONFIG-10, CONFIG-20)", async () => {
    const warned = async (env: Readonly<Record<string, string | undefined>>) => {
      const server = await startServer({ STORAGE: "memory", DATABASE_URL: undefined, ...env })
      assert.strictEqual(await server.stop(), 0)
      return ["SOUL_CONTENT is open", "CHAIN is simulated", "TEST_CLOCK is set"].filter((text) =>
        server.output().includes(text)
      )
    }
    assert.deepStrictEqual(await warned({ TEST_CLOCK: "true" }), [
      "SOUL_CONTENT is open",
      "CHAIN is simulated",
      "TEST_CLOCK is set"
    ])
    assert.deepStrictEqual(await warned({ NODE_ENV: undefined, SOUL_CONTENT: "licensed", SIGNUP: "admin" }), [])
  })

  it("STORAGE=memory serves without a database at localhost by default; LOG_LEVEL and LOG_FORMAT configure the log (CONFIG-2, CONFIG-4, CONFIG-19)", async () => {
    const logged = async (env: Readonly<Record<string, string>>) => {
      const server = await startServer({ STORAGE: "memory", DATABASE_URL: undefined, ...env })
      assert.match(server.baseUrl, /^http:\/\/localhost:\d+$/)
      assert.isDefined((await onMarket(server.baseUrl).member()).key)
      assert.strictEqual(await server.stop(), 0)
      return server
        .output()
        .split("\n")
        .filter((line) => line.includes("/api/v1/accounts"))
    }
    const [json = "", ...more] = await logged({ LOG_FORMAT: "json", LOG_LEVEL: "info" })
    assert.lengthOf(more, 0)
    assert.include(JSON.parse(json), { method: "POST", route: "/api/v1/accounts", status: 201 })
    const [pretty = ""] = await logged({ LOG_FORMAT: "pretty", LOG_LEVEL: "info" })
    assert.notMatch(pretty, /^\s*\{/)
    assert.deepStrictEqual(await logged({ LOG_FORMAT: "json", LOG_LEVEL: "error" }), [])
  })

  it("reports in one line that the port is in use, and exits", async () => {
    const first = await startServer({ STORAGE: "memory" })
    const second = spawnServer({ STORAGE: "memory", PORT: new URL(first.baseUrl).port })
    assert.notStrictEqual(await second.ended, 0)
    assert.include(second.output(), "The port is in use by another process: set PORT")
    assert.notMatch(second.output(), /EADDRINUSE|\bat .*:\d+/)
    await first.stop()
  })

  it("without a DATABASE_URL it starts an embedded PostgreSQL, and stores data and token in DATA_DIR, also through a kill -9 (CONFIG-3, CONFIG-5)", async () => {
    const env = { DATA_DIR: await folder(), ADMIN_TOKEN: undefined, NODE_ENV: undefined }
    const first = await startServer(env)
    const [, demo] = /Bearer (amk_\w+)/.exec(first.output()) ?? []
    assert.isDefined(demo)
    const account = dataOf<object>(await makeClient(first.baseUrl, demo).get("/api/v1/account"))
    assert.notInclude(first.output(), adminToken)
    assert.strictEqual(await first.stop(), 0)
    const began = Date.now()
    const second = await startServer(env)
    assert.isBelow(Date.now() - began, 30_000, "the second start")
    assert.deepStrictEqual(dataOf(await makeClient(second.baseUrl, demo).get("/api/v1/account")), account)
    // The key is printed by the start that made it, and by no other.
    assert.notInclude(second.output(), demo ?? "")
    assert.include(second.output(), join(env.DATA_DIR, "demo-key"))
    // After kill -9 the next start finds the PostgreSQL that the process has left running.
    await second.kill()
    const third = await startServer(env)
    assert.deepStrictEqual(dataOf(await makeClient(third.baseUrl, demo).get("/api/v1/account")), account)
    assert.strictEqual(await third.stop(), 0)
    assert.isUndefined(await findPostmaster(join(env.DATA_DIR, "postgres")))
  })

  it("reports why the database refuses the connection, without the password", async () => {
    const url = new URL(await createDatabase())
    url.password = "wrong-secret-password"
    const server = spawnServer({ DATABASE_URL: url.href })
    const ended = await Promise.race([server.ended, new Promise((resolve) => setTimeout(resolve, 60_000, "waits"))])
    if (ended === "waits") {
      server.signal("SIGKILL")
      await server.ended
    } else assert.notStrictEqual(ended, 0)
    assert.notInclude(server.output(), "wrong-secret-password")
    assert.match(server.output(), /password authentication|28P01|database/i)
  })
})
