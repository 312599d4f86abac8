import { makeCluster, urlOf } from "@agent-marketplace/embedded-postgres/Cluster"
import { pushSubscription } from "@agent-marketplace/fixtures/notifications/pushSubscription"
import { startMailServer } from "@agent-marketplace/fixtures/notifications/startMailServer"
import { startReceiver } from "@agent-marketplace/fixtures/webhooks/startReceiver"
import type { Receiver } from "@agent-marketplace/fixtures/webhooks/startReceiver"
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client as Connection } from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { signIn } from "../fixtures/Browser.ts"
import { dataOf, makeClient, send } from "../fixtures/Client.ts"
import { listingDraft } from "../fixtures/Market.ts"
import { makeSwitchedDatabase } from "../fixtures/SwitchedDatabase.ts"
import type { SwitchedDatabase } from "../fixtures/SwitchedDatabase.ts"
import { spawnServer, startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"
import { waitFor } from "../fixtures/waitFor.ts"
import { connect, register } from "../oauth/Application.ts"
import { commandLines, contains, placesOf, recordExchanges } from "./Evidence.ts"
import { startHostileServices } from "./hostileServices.ts"
import { secretSettings } from "./secretSettings.ts"

const xpub =
  "xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd"
const hotWallet = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"
const secondSigner = "TDvSsdrNM5eeXNL3czpa6AxLDHZA9nwe9K"

const login = { user: "market", password: secretSettings.DATABASE_URL }

/** A credential that the test made. */
interface Credential {
  readonly name: string
  readonly value: string
  /** The database has it in the clear. */
  readonly stored?: boolean
  /** The key whose responses show it; without one, only the response that creates it does. */
  readonly owner?: string
}

describe("a secret is in no output (CONFIG-1, CONFIG-18)", () => {
  let folder: string
  let database: SwitchedDatabase
  let services: Awaited<ReturnType<typeof startHostileServices>>
  let mails: Awaited<ReturnType<typeof startMailServer>>
  let receiver: Receiver
  let server: RunningServer
  let output = ""
  let chainKeys: ReadonlyArray<string> = []
  const recorded = recordExchanges()
  const credentials: Array<Credential> = []
  const keep = (name: string, value: string | null | undefined, more: Partial<Credential> = {}) => {
    assert.isString(value, name)
    assert.isAtLeast((value as string).length, 8, name)
    credentials.push({ name, value: value as string, ...more })
    return value as string
  }
  const hear = (text: string) => void (output += text)

  const settings = (level: string): Readonly<Record<string, string>> => ({
    ADMIN_TOKEN: secretSettings.ADMIN_TOKEN,
    DATABASE_URL: urlOf(login, database),
    METRICS_TOKEN: secretSettings.METRICS_TOKEN,
    WEBHOOK_SECRET_KEY: secretSettings.WEBHOOK_SECRET_KEY,
    MARKET_SIGNING_KEY: secretSettings.MARKET_SIGNING_KEY,
    SMTP_URL: mails.url,
    SMTP_FROM: "market@shop.example",
    VAPID_PRIVATE_KEY: secretSettings.VAPID_PRIVATE_KEY,
    REDIS_URL: `redis://market:${secretSettings.REDIS_URL}@127.0.0.1:${services.redisPort}`,
    RATE_LIMITS: "on",
    BLOBS: "s3",
    S3_BUCKET: "releases",
    S3_ENDPOINT: services.httpUrl,
    S3_ACCESS_KEY_ID: "id",
    S3_SECRET_ACCESS_KEY: secretSettings.S3_SECRET_ACCESS_KEY,
    SCREENING_URL: services.screeningUrl,
    SCREENING_TOKEN: secretSettings.SCREENING_TOKEN,
    SCREENING_CA: join(folder, "ca.pem"),
    OTEL_EXPORTER_OTLP_ENDPOINT: services.collectorUrl,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${secretSettings.OTEL_EXPORTER_OTLP_HEADERS}`,
    WEBHOOK_ALLOW_PRIVATE: "true",
    LISTING_REVIEW: "auto",
    LOG_LEVEL: level
  })

  const operator = () => makeClient(server.baseUrl, secretSettings.ADMIN_TOKEN)

  const member = async (name: string) => {
    const made = dataOf<{ account: { id: string }; apiKey: { id: string; key: string } }>(
      await operator().post("/api/v1/accounts", { name, seller: true }),
      201
    )
    const key = keep(`the key of ${name}`, made.apiKey.key)
    const id = made.account.id
    return { ...makeClient(server.baseUrl, key), id, key, keyId: made.apiKey.id, name }
  }
  let owner: Awaited<ReturnType<typeof member>>
  let seller: typeof owner
  let listing = ""

  const query = async (text: string) => {
    const connection = new Connection({ connectionString: urlOf(login, database) })
    await connection.connect()
    try {
      return (await connection.query<Record<string, string>>(text)).rows
    } finally {
      await connection.end()
    }
  }

  /** Every row of every table, as text. Rows of partitions are those of their table. */
  const dump = async (): Promise<string> => {
    const tables = await query(
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition"
    )
    assert.isAbove(tables.length, 50)
    let text = ""
    for (const { name } of tables)
      for (const { row } of await query(`SELECT t::text AS row FROM "${name}" t`)) text += `${name} ${row}\n`
    return text
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "canaries-"))
    await chmod(folder, 0o711)
    await makeCluster(join(folder, "postgres"), login, false)
    database = await makeSwitchedDatabase(folder)
    services = await startHostileServices()
    await writeFile(join(folder, "ca.pem"), services.authority.cert)
    mails = await startMailServer(undefined, secretSettings.SMTP_URL)
    receiver = await startReceiver()
    server = await startServer(settings("trace"), hear)
    owner = await member("Ada")
    seller = await member("Grace")
  })
  afterAll(async () => {
    recorded.stop()
    if (server !== undefined && !server.hasEnded()) await server.kill()
    await database?.close()
    services?.close()
    await mails?.close()
    await receiver?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it("credentials of every kind are made and used", async () => {
    listing = dataOf<{ id: string }>(await seller.post("/api/v1/listings", listingDraft("Canary", 2)), 201).id
    const { address } = dataOf<{ address: string }>(await owner.get("/api/v1/wallet/deposit"))
    dataOf(await operator().post("/api/v1/admin/simulated-chain/deposits", { address, amount: 50 }), 201)
    await waitFor("money", async () => {
      const { totalDeposits } = dataOf<{ totalDeposits: number }>(await owner.get("/api/v1/wallet/balance"))
      return totalDeposits >= 50
    })
    const secret = keep(
      "a secret of a webhook",
      `whsec_${Buffer.from(`canary of a webhook ${owner.id}`).toString("base64")}`
    )
    dataOf(await owner.post("/api/v1/webhooks", { url: `${receiver.url}/buyer`, events: ["*"], secret }), 201)
    const other = dataOf<{ secret: string }>(
      await seller.post("/api/v1/webhooks", { url: receiver.url, events: ["*"] }),
      201
    )
    keep("a generated secret of a webhook", other.secret)
    const bought = dataOf<{ licenseKey: string }>(
      await owner.post("/api/v1/purchases", { skillId: listing }, { "idempotency-key": "canary" }),
      201
    )
    keep("a license key", bought.licenseKey, { stored: true, owner: owner.key })
    const key = dataOf<{ key: string }>(
      await owner.post("/api/v1/keys", { name: "second", scope: "BUYER" }, { "idempotency-key": "canary key" }),
      201
    )
    keep("a second key", key.key)
    const stray = dataOf<{ claimCode: string; apiKey: { key: string } }>(
      await makeClient(server.baseUrl).post("/api/v1/agents/register", { name: "Stray" }),
      201
    )
    keep("a claim code", stray.claimCode)
    keep("a key of an agent", stray.apiKey.key)
    const { url } = dataOf<{ url: string }>(await owner.post("/api/v1/sessions/links"), 201)
    keep("a sign-in link", /[\w-]{20,}$/.exec(url)?.[0])
    const browser = await signIn(server.baseUrl, { apiKey: owner.key })
    keep("a session", browser.cookie.split("=")[1])
    const asOperator = await signIn(server.baseUrl, { adminToken: secretSettings.ADMIN_TOKEN })
    keep("a session of the operator", asOperator.cookie.split("=")[1])
    dataOf(await browser.get("/api/v1/account"))
  })

  it("credentials of applications too", async () => {
    const registered = await register(owner, { token_endpoint_auth_method: "client_secret_basic" })
    keep("a secret of an application", registered.client_secret)
    const { api, redirectTo, started, tokens } = await connect(server.baseUrl, owner, { registered })
    keep("a code", redirectTo.searchParams.get("code"))
    credentials.push({ name: "a verifier", value: started.verifier })
    keep("an access token", tokens.access_token)
    keep("a refresh token", tokens.refresh_token)
    dataOf(await api.get("/api/v1/account"))
  })

  it("channels of notifications too", async () => {
    const add = async (channel: object) =>
      dataOf<{ id: string }>(await owner.post("/api/v1/account/notifications/channels", channel), 201).id
    const mail = await add({ kind: "email", address: "ada@shop.example" })
    await waitFor("the code", async () => mails.received.length > 0)
    const code = /code is ([a-z0-9]{8})\./.exec(mails.received[0]?.text ?? "")?.[1]
    assert.isString(code, mails.received[0]?.text)
    credentials.push({ name: "a code of a channel", value: code as string })
    dataOf(await owner.post(`/api/v1/account/notifications/channels/${mail}/verify`, { code }))
    dataOf(await owner.post(`/api/v1/account/notifications/channels/${mail}/test`))
    const token = /token=(nch_[\w.]+)/.exec(mails.received.at(-1)?.text ?? "")?.[1]
    credentials.push({ name: "an unsubscribe token", value: token ?? "" })
    assert.isString(token, mails.received.at(-1)?.text)
    const word = "canary-of-a-channel-0123456789"
    credentials.push({ name: "an address of a channel", value: word })
    const { auth, p256dh } = pushSubscription()
    credentials.push({ name: "a key of a push subscription", value: auth })
    const channels = [
      await add({ kind: "slack", url: `${receiver.url}/${word}` }),
      await add({ kind: "telegram", url: `${receiver.url}/bot${word}/sendMessage`, chatId: "1" }),
      await add({ kind: "push", endpoint: `${receiver.url}/${word}`, p256dh, auth }),
      await add({ kind: "discord", url: `http://127.0.0.1:1/${word}` })
    ]
    for (const id of channels) await owner.post(`/api/v1/account/notifications/channels/${id}/test`)
  })

  /** Secrets in every place of a request where they do not belong. */
  const misplace = async () => {
    for (const { value } of credentials) {
      const text = encodeURIComponent(value)
      await send(`${server.baseUrl}/api/v1/listings?query=${text}&limit=${text}`, "GET", {})
      await send(`${server.baseUrl}/api/v1/purchases/${text}`, "GET", { authorization: `Bearer ${seller.key}` })
      await send(`${server.baseUrl}/nowhere/${text}`, "GET", { authorization: `Basic ${btoa(`u:${value}`)}` })
      await send(`${server.baseUrl}/api/v1/purchases`, "POST", {}, `{"skillId": "${value}", `)
      await send(`${server.baseUrl}/api/v1/sessions`, "POST", {}, { apiKey: `${value}x`, link: value })
      await send(`${server.baseUrl}/oauth/token`, "POST", {}, `grant_type=${text}`)
      await send(`${server.baseUrl}/mcp`, "POST", { authorization: `Bearer ${value}x` }, { method: value })
    }
  }

  it("failures, garbage, an outage of every service and errors of the database are provoked", async () => {
    await misplace()
    services.failScreening()
    await owner.post("/api/v1/wallet/withdraw", { amount: 10, address: hotWallet })
    const archive = new Uint8Array([0x50, 0x4b, 5, 6, ...new Uint8Array(18)])
    await owner.post(`/api/v1/listings/${listing}/releases`, archive, { "content-type": "application/zip" })
    // PostgreSQL reports the values of a row that breaks a rule.
    const tables = ["api_keys", "purchases", "sessions", "webhooks", "notification_channels", "sign_in_links"]
    for (const table of tables) await query(`ALTER TABLE ${table} ADD CONSTRAINT broken CHECK (false) NOT VALID`)
    const crashes = [
      await owner.post("/api/v1/keys", { name: "third", scope: "FULL" }),
      await owner.post("/api/v1/purchases", { skillId: listing }),
      await owner.post("/api/v1/sessions/links"),
      await makeClient(server.baseUrl).post("/api/v1/sessions", { apiKey: owner.key }),
      await owner.post("/api/v1/webhooks", { url: receiver.url, events: ["*"], secret: credentials[2]?.value }),
      await owner.post("/api/v1/account/notifications/channels", { kind: "slack", url: `${receiver.url}/x` })
    ]
    assert.include(
      crashes.map(({ status }) => status),
      500
    )
    for (const table of tables) await query(`ALTER TABLE ${table} DROP CONSTRAINT broken`)
    await database.stop()
    assert.strictEqual((await owner.get("/api/v1/account")).status, 503)
    await misplace()
    assert.strictEqual((await makeClient(server.baseUrl).get("/readyz")).status, 503)
    await database.start()
    await waitFor("ready again", async () => (await makeClient(server.baseUrl).get("/readyz")).status === 200)
  })

  it("status pages and lists are read, and the server starts again in other ways", async () => {
    await makeClient(server.baseUrl, secretSettings.METRICS_TOKEN).get("/metrics")
    for (const path of ["/readyz", "/metrics", "/openapi.json", "/api/activity/live", "/api/v1/listings"])
      await makeClient(server.baseUrl).get(path)
    for (const path of ["actions", "accounts", "conditions", "withdrawals", "ledger/audit"])
      await operator().get(`/api/v1/admin/${path}`)
    for (const path of ["account", "account/export", "keys", "webhooks", "sessions", "purchases", "oauth/grants"])
      for (const each of [owner, seller]) await each.get(`/api/v1/${path}`)
    await waitFor("webhooks", async () => receiver.received.some(({ path }) => path.endsWith("/buyer")))
    await server.stop()
    const { DATABASE_URL: reachable = "", ...rest } = settings("debug")
    const away = spawnServer({ ...rest, DATABASE_URL: reachable.replace(/:\d+\/market$/, ":1/market") }, hear)
    assert.strictEqual(await away.ended, 1)
    await runOnTron()
    server = await startServer({ ...settings("debug"), LOG_FORMAT: "pretty" }, hear)
    await misplace()
  })

  /** Starts servers whose nodes, signers and storage return in errors what they were sent. */
  const runOnTron = async () => {
    const issued = services.authority.issue("market")
    chainKeys = [issued.key.split("\n").slice(1, -2).join("").slice(40, 120)]
    await writeFile(join(folder, "key.pem"), issued.key)
    await writeFile(join(folder, "cert.pem"), issued.cert)
    const signer = (prefix: string) => ({
      [`${prefix}_URL`]: services.screeningUrl,
      [`${prefix}_CERT`]: join(folder, "cert.pem"),
      [`${prefix}_KEY`]: join(folder, "key.pem"),
      [`${prefix}_CA`]: join(folder, "ca.pem"),
      [`${prefix}_ADDRESS`]: prefix === "TRON_SIGNER" ? undefined : secondSigner
    })
    const { TRON_API_KEY, TRON_HOT_WALLET_KEY } = secretSettings
    const chain = {
      ...settings("trace"),
      CHAIN: "tron",
      TRON_FULL_NODE_URL: services.httpUrl,
      TRON_DEPOSIT_XPUB: xpub,
      TRON_API_KEY
    }
    for (const own of [
      { TRON_HOT_WALLET_KEY },
      { TRON_HOT_WALLET_ADDRESS: hotWallet, ...signer("TRON_SIGNER"), ...signer("TRON_SECOND_SIGNER") }
    ]) {
      let said = ""
      const started = spawnServer({ ...chain, ...own }, (text) => {
        said += text
        hear(text)
      })
      await waitFor("a start or its end", async () => started.hasEnded() || said.includes("is ready at"))
      await new Promise((done) => setTimeout(done, 3000))
      started.signal("SIGTERM")
      await started.ended
      assert.notInclude(said, "The configuration is not right")
    }
  }

  const all = (): ReadonlyArray<Credential> => [
    ...Object.entries(secretSettings).flatMap(([name, value]) => (value === "" ? [] : [{ name, value }])),
    ...chainKeys.map((value) => ({ name: "a key of a certificate", value })),
    ...credentials
  ]
  const found = (text: string, secrets: ReadonlyArray<{ readonly name: string; readonly value: string }> = all()) =>
    secrets.flatMap(({ name, value }) => placesOf(text, value).map((place) => `${name}: ${place}`))

  it("the log has none", () => {
    assert.isAbove(output.length, 100_000)
    assert.isAbove(all().length, 30)
    assert.deepStrictEqual(found(output), [])
    assert.deepStrictEqual(found(output, [{ name: "the public key of addresses", value: xpub }]), [])
  })

  it("the spans have none", () => {
    assert.isAbove(services.spans.join("").length, 0)
    assert.deepStrictEqual(found(services.spans.join("\n")), [])
  })

  it("webhooks and notifications have none but the license key", () => {
    assert.isNotEmpty(receiver.received)
    // The webhooks of the buyer and of the seller get the license key (EVENT-2).
    const secrets = all().filter(({ stored }) => stored !== true)
    assert.deepStrictEqual(
      found(JSON.stringify(receiver.received.map(({ body, headers }) => [headers, body])), secrets),
      []
    )
    const channelWords = new Set(["a code of a channel", "an unsubscribe token"])
    const others = all().filter(({ name }) => !channelWords.has(name))
    assert.deepStrictEqual(found(mails.received.map(({ source, text }) => source + text).join("\n"), others), [])
  })

  it("a response shows a credential once, to its owner, and never a setting", () => {
    for (const { name, value, owner: key } of all()) {
      const shown = recorded.exchanges.filter(({ got, sent }) => !contains(sent, value) && contains(got, value))
      const others =
        key === undefined ? shown.slice(1) : shown.filter(({ by }) => !by.includes(key) && !/session/.test(by))
      assert.deepStrictEqual(
        others.map(({ got, url }) => `${name} at ${url}: ${placesOf(got, value)[0]}`),
        []
      )
      if (name in secretSettings) assert.isEmpty(shown, name)
    }
  })

  it("the database has none in the clear, except license keys", async () => {
    const rows = await dump()
    const clear = credentials.filter(({ stored }) => stored === true)
    for (const { value } of clear) {
      const tables = new Set(rows.split("\n").flatMap((row) => (row.includes(value) ? [row.split(" ")[0]] : [])))
      assert.sameMembers([...tables], ["events", "idempotent_results", "purchases", "webhook_deliveries"])
    }
    assert.deepStrictEqual(
      found(
        rows,
        all().filter(({ stored }) => stored !== true)
      ),
      []
    )
  })

  it("the list of processes has none", () => {
    assert.include(commandLines(), "postgres")
    assert.deepStrictEqual(found(commandLines()), [])
  })
})
