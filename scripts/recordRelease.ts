/**
 * Records the database of a release with data in it, for the test that upgrades it: `node scripts/recordRelease.ts <checkout of the
 * release, with node_modules> <file>` creates a small history with that release's own server over HTTP and writes `<file>.sql` (all rows)
 * and `<file>.json` (keys, and the API's responses about money, keys and items).
 */
import { openSharedCluster } from "@agent-marketplace/embedded-postgres/SharedCluster"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { Client, escapeIdentifier, escapeLiteral } from "pg"

const [checkout, file] = process.argv.slice(2)
if (checkout === undefined || file === undefined)
  throw new Error("usage: node scripts/recordRelease.ts <checkout> <file>")

/** The operator's token of every server that tests start. It encrypts secrets in the database. */
const adminToken = "operator-token-for-tests-0123456789abcdef"

interface Market {
  readonly call: (method: string, path: string, key?: string, body?: object) => Promise<Data>
  readonly stop: () => Promise<unknown>
}

/** Fields of a response; they depend on the operation. */
interface Data {
  readonly [field: string]: unknown
}

const text = (data: unknown, ...path: ReadonlyArray<string>): string => {
  const found = path.reduce<unknown>((at, field) => (at as Data | undefined)?.[field], data)
  if (typeof found !== "string") throw new Error(`no ${path.join(".")} in ${JSON.stringify(data)}`)
  return found
}

const startRelease = async (url: string): Promise<Market> => {
  const { HOME, PATH } = process.env
  const own = { DATABASE_URL: url, ADMIN_TOKEN: adminToken, NODE_ENV: "production", PORT: "0", LOG_LEVEL: "warn" }
  const server = spawn(process.execPath, [join(resolve(checkout), "apps/server/src/main.ts")], {
    env: { HOME, PATH, ...own, RATE_LIMITS: "off", TEST_CLOCK: "true" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  process.once("exit", () => server.kill())
  const baseUrl = await new Promise<string>((ready, failed) => {
    server.once("exit", () => failed(new Error("the server ended")))
    createInterface(server.stdout).on("line", (line) => {
      const [, address] = /is ready at (\S+)/.exec(line) ?? []
      if (address !== undefined) ready(address)
    })
  })
  return {
    call: async (method, path, key = adminToken, body) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
      const content = body === undefined ? {} : { body: JSON.stringify(body) }
      const response = await fetch(baseUrl + path, { method, headers, ...content })
      const answer = (await response.json()) as Data
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
      return "success" in answer ? (answer["data"] as Data) : answer
    },
    stop: () => {
      const ended = once(server, "exit")
      server.kill("SIGTERM")
      return ended
    }
  }
}

const advance = ({ call }: Market, seconds: number) =>
  call("POST", "/api/v1/admin/clock", adminToken, { advanceSeconds: seconds })

const member = async ({ call }: Market, name: string, seller: boolean) => {
  const made = await call("POST", "/api/v1/accounts", adminToken, { name, seller, email: `${name}@example.com` })
  return text(made, "apiKey", "key")
}

const fund = async (market: Market, key: string, amount: string) => {
  const address = text(await market.call("GET", "/api/v1/wallet/deposit", key), "address")
  await market.call("POST", "/api/v1/admin/simulated-chain/deposits", adminToken, { address, amount })
  await advance(market, 4)
  for (let look = 0; look < 200; look++) {
    const { availableBalance } = await market.call("GET", "/api/v1/wallet/balance", key)
    if (Number(availableBalance) >= Number(amount)) return
    await new Promise((passed) => setTimeout(passed, 50))
  }
  throw new Error("the deposit is not credited")
}

const listing = async ({ call }: Market, seller: string, name: string, more: object): Promise<string> => {
  const description = "Does one thing, and does it well."
  const draft = { name, description, category: "development", installUrl: "https://example.com/install", ...more }
  const id = text(await call("POST", "/v1/listings", seller, draft), "id")
  await call("POST", `/api/v1/admin/listings/${id}/approve`)
  return id
}

/** A sale, a refund, a subscription, a purchase that awaits approval, a purchase by an agent, withdrawals, a review, webhooks. */
const play = async (market: Market) => {
  const { call } = market
  const [ada, bob] = [await member(market, "ada", true), await member(market, "bob", false)]
  await fund(market, bob, "200")
  const skill = await listing(market, ada, "Contract Reader", { price: 12 })
  const refunded = await listing(market, ada, "Mail Sorter", { price: 7.5 })
  const monthly = await listing(market, ada, "News Watch", { price: 3, pricingModel: "subscription" })
  const soul = await call("POST", "/api/v1/souls/create", ada, {
    name: "Calm Negotiator",
    description: "Finds the deal that both sides like.",
    content: "# SOUL\n\n## Identity\nA negotiator that never raises its voice.\n",
    price: 4.5
  })
  const buy = (skillId: string, key = bob) => call("POST", "/api/v1/purchases", key, { skillId })
  const sale = await buy(text(soul, "id"))
  const second = await buy(refunded)
  await call("POST", `/api/v1/purchases/${text(second, "purchaseId")}/refund`, ada)
  await buy(monthly)
  await call("POST", `/v1/listings/${monthly}/reviews`, bob, { rating: 4, comment: "Never misses anything." })
  await call("POST", `/api/v1/souls/${text(soul, "slug")}/download`, bob)
  await call("PUT", "/api/v1/wallet/policy", bob, {
    autoApprove: true,
    autoApproveThreshold: 10,
    perTransactionLimit: null,
    dailyLimit: 150,
    weeklyLimit: null,
    monthlyLimit: null,
    allowedCategories: null,
    blockedSellers: null
  })
  const waiting = await buy(skill)
  const agent = await call("POST", "/api/v1/agents", bob, { name: "Shopper" })
  const agentId = text(agent["agent"] ?? agent, "id")
  const shopper = text(await call("POST", "/api/v1/keys", bob, { name: "Shopper", scope: "BUYER", agentId }), "key")
  const free = text(
    await call("POST", "/api/v1/souls/create", ada, {
      name: "Word Counter",
      description: "Counts words, and nothing else.",
      content: "# SOUL\n\n## Identity\nA counter of words.\n"
    }),
    "id"
  )
  await buy(free, shopper)
  const destinationAddress = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"
  await call("POST", "/api/v1/wallet/withdrawals", bob, { amount: "20", destinationAddress })
  for (let block = 0; block < 8; block++) await advance(market, 1)
  await call("POST", "/api/v1/webhooks", ada, { url: "https://example.com/hook", events: ["purchase.completed"] })
  return {
    keys: { ada, bob, shopper },
    waiting: text((await call("GET", "/api/v1/approvals", bob)) as never as Data, "0", "id"),
    waitingPurchase: text(waiting, "purchaseId"),
    licenseKey: text(sale, "licenseKey"),
    items: { soul: text(soul, "slug"), soulId: text(soul, "id"), skill, monthly, free }
  }
}

const own = ["account", "wallet/balance", "wallet/transactions", "wallet/withdrawals", "wallet/policy"]
const lists = ["purchases", "subscriptions", "approvals", "agents", "keys", "webhooks"]

/** Fields that change from run to run: times, and the last use of a key. */
const isTime = (field: string): boolean => /At$|Used|^timestamp$|period|^date$|since/i.test(field)

const withoutTimes = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutTimes)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, inner]) => (isTime(field) ? [] : [[field, withoutTimes(inner)]]))
  )
}

const record = async ({ call }: Market, { items, keys }: Awaited<ReturnType<typeof play>>) => {
  const paths = [
    ...[...own, ...lists].map((path) => ["bob", `/api/v1/${path}`] as const),
    ...[...own, "sales", "keys", "webhooks"].map((path) => ["ada", `/api/v1/${path}`] as const),
    ["shopper", "/api/v1/purchases"] as const,
    ["bob", `/api/souls/${items.soul}`] as const,
    ...[items.skill, items.monthly].map((id) => ["bob", `/api/v1/skills/${id}`] as const),
    ["bob", `/v1/listings/${items.monthly}/reviews`] as const
  ]
  const answers = []
  for (const [caller, path] of paths)
    answers.push({ caller, path, data: withoutTimes(await call("GET", path, keys[caller])) })
  return answers
}

/** Every row as INSERT statements, without the table of migrations, and the positions of sequences. */
const dump = async (url: string): Promise<string> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  const query = async (sql: string) => (await client.query<Record<string, string>>(sql)).rows
  const statements: Array<string> = []
  const tables = await query("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
  for (const { name = "" } of tables.filter((table) => table["name"] !== "migrations")) {
    const columns = await query(
      `SELECT attname AS name FROM pg_attribute
       WHERE attrelid = ${escapeLiteral(name)}::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
       ORDER BY attnum`
    )
    const names = columns.map((column) => escapeIdentifier(column["name"] ?? ""))
    const values = names.map((column) => `coalesce(quote_literal(${column}::text), 'NULL')`).join(` || ', ' || `)
    for (const { row } of await query(`SELECT ${values} AS row FROM ${escapeIdentifier(name)} ORDER BY 1`))
      statements.push(`INSERT INTO ${name} (${names.join(", ")}) OVERRIDING SYSTEM VALUE VALUES (${row});`)
  }
  const sequences = await query("SELECT schemaname || '.' || sequencename AS name, last_value FROM pg_sequences")
  for (const { last_value, name } of sequences)
    if (last_value !== null) statements.push(`SELECT setval('${name}', ${last_value});`)
  const [facts] = await query("SELECT max(migration_id) AS migrations, market_now()::text AS at FROM migrations")
  await client.end()
  const header = `-- Written by scripts/recordRelease.ts: migrations up to ${facts?.["migrations"]}, recorded at ${facts?.["at"]}`
  return [header, ...statements, ""].join("\n")
}

const data = mkdtempSync(join(tmpdir(), "agent-marketplace-release-"))
chmodSync(data, 0o755)
const cluster = await openSharedCluster(data)
try {
  const market = await startRelease(cluster.url)
  const story = await play(market)
  const answers = await record(market, story)
  await market.stop()
  writeFileSync(`${file}.sql`, await dump(cluster.url))
  writeFileSync(`${file}.json`, `${JSON.stringify({ ...story, answers }, null, 2)}\n`)
} finally {
  await cluster.release()
  rmSync(data, { recursive: true })
}
