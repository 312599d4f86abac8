import { mkdtemp, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Result } from "effect"
import { Client as Postgres } from "pg"
import { afterAll, assert, describe, it } from "vitest"
import { readConfiguration } from "@agent-marketplace/settings/Configuration"
import { findPostmaster } from "@agent-marketplace/embedded-postgres/Postmaster"
import { createDatabase, createEmptyDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
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

  it("reports all errors together, prints no secret and exits with an error", async () => {
    const wrong: Readonly<Record<string, string>> = {
      PORT: "http",
      HOST: "999.1.1.1",
      BASE_URL: "example.com",
      DATABASE_URL: "mysql://market:secret-database-password@db/market",
      STORAGE: "disk",
      ADMIN_TOKEN: "short-secret-token",
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

  it("RATE_USD_USDT and RATE_USDC_USDT convert prices in USD and USDC (MONEY-7)", async () => {
    const env = { STORAGE: "memory", DATABASE_URL: undefined, LISTING_REVIEW: "auto" }
    const server = await startServer({ ...env, RATE_USD_USDT: "1.25", RATE_USDC_USDT: "0.5" })
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

  it("OTEL_EXPORTER_OTLP_ENDPOINT receives spans, and an unavailable collector has no effect on requests (CONFIG-18)", async () => {
    const collector = await startReceiver()
    const env = { STORAGE: "memory", DATABASE_URL: undefined }
    for (const { endpoint, exported } of [
      { endpoint: collector.url, exported: true },
      { endpoint: "http://127.0.0.1:9", exported: false }
    ]) {
      const server = await startServer({ ...env, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
      const market = onMarket(server.baseUrl)
      const member = await market.member()
      const before = collector.received.length
      const { slug } = await market.soul(member, "Traced soul")
      assert.strictEqual(slug, "traced-soul")
      assert.strictEqual(await server.stop(), 0)
      const spans = collector.received
        .slice(before)
        .map(({ body, path }) => ({ body, path: new URL(path, endpoint).pathname }))
      assert.strictEqual(
        spans.some(({ body, path }) => path.endsWith("/v1/traces") && body.includes('"Souls.create"')),
        exported
      )
    }
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

  it("STORAGE=memory serves without a database; LOG_LEVEL and LOG_FORMAT configure the log (CONFIG-4, CONFIG-19)", async () => {
    const logged = async (env: Readonly<Record<string, string>>) => {
      const server = await startServer({ STORAGE: "memory", DATABASE_URL: undefined, ...env })
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

  it("several processes that start concurrently on an empty database migrate it once, and all serve it", async () => {
    const url = await createEmptyDatabase()
    const servers = await Promise.all(Array.from({ length: 3 }, () => startServer({ DATABASE_URL: url })))
    const member = await onMarket(servers[0]!.baseUrl).member()
    for (const { baseUrl } of servers) {
      assert.deepInclude(dataOf<object>(await makeClient(baseUrl, member.key).get("/api/v1/account")), {
        id: member.id
      })
    }
    const database = new Postgres({ connectionString: url })
    await database.connect()
    const { rows } = await database.query<{ times: string }>(
      "SELECT count(*) AS times FROM migrations GROUP BY migration_id ORDER BY 1 DESC LIMIT 1"
    )
    await database.end()
    assert.deepStrictEqual(rows, [{ times: "1" }])
    assert.deepStrictEqual(await Promise.all(servers.map((server) => server.stop())), [0, 0, 0])

    const began = Date.now()
    const again = await startServer({ DATABASE_URL: url })
    assert.isBelow(Date.now() - began, 30_000, "the second start")
    assert.strictEqual((await makeClient(again.baseUrl, member.key).get("/api/v1/account")).status, 200)
    await again.stop()
  })

  it("without a DATABASE_URL it starts an embedded PostgreSQL, and stores data and token in DATA_DIR (CONFIG-3, CONFIG-5)", async () => {
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
    assert.strictEqual(await second.stop(), 0)
  })

  it("refuses a data folder that came with a cloned repository before it starts PostgreSQL or reads its token (CONFIG-24)", async () => {
    const mine = { DATA_DIR: join(await folder(), "data"), ADMIN_TOKEN: undefined, NODE_ENV: undefined }
    const first = await startServer(mine)
    assert.strictEqual(await first.stop(), 0)
    const strangers = { ...mine, XDG_STATE_HOME: await folder() }
    const log = join(mine.DATA_DIR, "postgres.log")
    const before = await readFile(log, "utf8")
    const refused = spawnServer(strangers)
    assert.strictEqual(await refused.ended, 1)
    const lines = refused.output().trim().split("\n")
    assert.lengthOf(lines, 1)
    assert.include(lines[0], mine.DATA_DIR)
    assert.include(lines[0], "DATA_DIR_ADOPT=true")
    assert.strictEqual(await readFile(log, "utf8"), before)
    assert.isUndefined(await findPostmaster(join(mine.DATA_DIR, "postgres")))
    const adopted = await startServer({ ...strangers, DATA_DIR_ADOPT: "true" })
    assert.strictEqual(await adopted.stop(), 0)
    assert.include(adopted.output(), "DATA_DIR_ADOPT is set")
    const again = await startServer(strangers)
    assert.strictEqual(await again.stop(), 0)
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
