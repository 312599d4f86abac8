import { Effect } from "effect"
import { freePort } from "@agent-marketplace/http/server/freePort"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Marketplace } from "@agent-marketplace/client/Marketplace"
import { makeClient } from "./fixtures/Client.ts"
import type { Client } from "./fixtures/Client.ts"
import { onMarket } from "./fixtures/Market.ts"
import type { Market, Member } from "./fixtures/Market.ts"
import { query } from "./fixtures/startReplicatedPostgres.ts"
import { startReplicas } from "./fixtures/startReplicas.ts"
import type { Replica, ReplicatedReads } from "./fixtures/startReplicas.ts"
import { adminToken, startServer } from "./fixtures/startServer.ts"
import type { RunningServer } from "./fixtures/startServer.ts"
import { waitFor } from "./fixtures/waitFor.ts"

/** The value of a metric of one host; undefined before its first value. */
const metric = async (baseUrl: string, name: string, host: string): Promise<number | undefined> => {
  const text = await (await fetch(`${baseUrl}/metrics`)).text()
  const found = new RegExp(`^${name}\\{[^}]*host="${host}"[^}]*\\} (\\S+)`, "m").exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}

const isUsed = (baseUrl: string, { name }: Replica, used: boolean) =>
  waitFor(`replica ${name} is ${used ? "used" : "left out"}`, async () => {
    return (await metric(baseUrl, "database_replica_used", name)) === (used ? 1 : 0)
  })

/** Whether the list that the client gets contains the item. */
const sees = async (client: Client, id: string, headers: Readonly<Record<string, string>> = {}): Promise<boolean> => {
  const reply = await client.get("/api/v1/listings?sort=newest&limit=100", headers)
  assert.strictEqual(reply.status, 200, reply.text)
  return reply.text.includes(id)
}

/**
 * Waits until a replica that stands still answers the read, which then does not contain what was just written. A server that was too busy to ask the replicas for a
 * second reads from the primary until it has asked them again.
 */
const getsOlder = (contains: () => Promise<boolean>) =>
  waitFor("a read without a position is answered by a replica", async () => !(await contains()), 8000)

/**
 * Runs the body while both replicas stand still. After 10 seconds the server leaves them out. At the end they continue, and the server uses
 * them again.
 */
const whileStill = async ({ replicas }: ReplicatedReads, { baseUrl }: RunningServer, body: () => Promise<void>) => {
  try {
    for (const replica of replicas) await replica.pause()
    await body()
  } finally {
    for (const replica of replicas) await replica.resume()
  }
  for (const replica of replicas) await isUsed(baseUrl, replica, true)
}

const sessionOf = async (client: Client, { key }: Member, page: Readonly<Record<string, string>>): Promise<string> => {
  const reply = await client.post("/api/v1/sessions", { apiKey: key }, page)
  assert.strictEqual(reply.status, 201, reply.text)
  return (reply.headers.getSetCookie()[0] ?? "").split(";", 1)[0] ?? ""
}

const pageOf = ({ baseUrl }: RunningServer) => ({ "x-requested-with": "console", origin: baseUrl })

describe("reads of replicas (DATABASE-7, DATABASE-8, DATABASE-9)", () => {
  let database: ReplicatedReads
  let server: RunningServer
  let other: RunningServer
  let secure: RunningServer
  let market: Market
  let seller: Member
  let reader: Member

  beforeAll(async () => {
    database = await startReplicas("all")
    const settings = {
      DATABASE_URL: database.primary,
      READ_DATABASE_URL: database.readUrl,
      LISTING_REVIEW: "auto",
      BASE_URL: undefined
    }
    server = await startServer(settings)
    other = await startServer(settings)
    // Behind a proxy that ends TLS.
    const port = await Effect.runPromise(freePort("127.0.0.1"))
    secure = await startServer({ ...settings, BASE_URL: `https://localhost:${port}`, PORT: String(port) })
    market = onMarket(server.baseUrl)
    seller = await market.member({ seller: true })
    reader = await market.fundedMember(100)
    for (const replica of database.replicas)
      for (const { baseUrl } of [server, other]) await isUsed(baseUrl, replica, true)
  }, 120_000)

  afterAll(async () => {
    await server?.stop()
    await other?.stop()
    await secure?.stop()
    await database?.stop()
  })

  it("lists, public details, the feed and histories are read from both replicas, and what decides about money from the primary", async () => {
    const item = await market.listing(seller, "Served by replicas", 5)
    await waitFor("the replicas have it", () => sees(makeClient(other.baseUrl, reader.key), item))
    const bought = await reader.post("/api/v1/purchases", { skillId: item })
    assert.include([200, 201], bought.status, bought.text)
    const far = makeClient(other.baseUrl, reader.key)
    for (const path of [
      "/api/v1/listings",
      `/api/v1/listings/${item}`,
      "/api/v1/listings?search=replicas",
      `/api/v1/listings/${item}/reviews`,
      "/api/activity/live",
      "/api/souls",
      "/api/v1/purchases",
      "/api/v1/wallet/balance",
      "/api/v1/wallet/transactions",
      "/api/v1/wallet/withdrawals"
    ])
      for (let each = 0; each < 4; each++) {
        const { status, text } = await far.get(path)
        assert.strictEqual(status, 200, `${path}: ${text}`)
      }
    const logs = await Promise.all(database.replicas.map((replica) => replica.log()))
    for (const log of logs) {
      for (const part of ["listing_facets", "FROM ledger_lines", "FROM purchases WHERE"]) assert.include(log, part)
    }
    const tables = [
      "sessions",
      "idempotent_results",
      "policies",
      "approvals",
      "withdrawal_policies",
      "escrow",
      "deposits"
    ]
    const found = await query(database.primary, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    assert.includeMembers(
      found.map(({ tablename }) => tablename),
      tables
    )
    for (const log of logs) {
      for (const table of tables) assert.notMatch(log, new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE) +${table}\\b`))
      assert.notMatch(log, /\b(?:INSERT INTO|UPDATE|DELETE FROM) /)
      // The statement of a balance.
      assert.notInclude(log, "SELECT address, ")
      // The feed counts the active agents; nothing else reads keys.
      assert.deepStrictEqual(log.split("api_keys").length, log.split(/FROM api_keys\s+WHERE used_hour >= /).length)
    }
  })

  it("a seller sees what was just published, by key, header and client, while others get older data; a replica that lags is left out", async () => {
    const far = makeClient(other.baseUrl, reader.key)
    await whileStill(database, other, async () => {
      const item = await market.listing(seller, "Published while replicas stand still", 5)
      const changed = await seller.patch(`/api/v1/listings/${item}`, {
        description: "Changed while replicas stand still."
      })
      const position = changed.headers.get("x-market-position") ?? ""
      assert.match(position, /^[0-9a-f]{16}$/)

      assert.isTrue(await sees(seller, item), "the key that wrote, in this process")
      await getsOlder(() => sees(far, item))
      assert.isTrue(await sees(far, item, { "x-market-position": position }), "the header, in another process")
      const started = performance.now()
      assert.isTrue(await sees(far, item, { "x-market-position": "f".repeat(16) }), "a position of the future")
      assert.isTrue(await sees(far, item, { "x-market-position": position.toUpperCase() }), "in upper case")
      assert.isTrue(await sees(far, item, { "x-market-position": "F".repeat(16) }), "the future in upper case")
      assert.isBelow(performance.now() - started, 2000)
      for (const wrong of ["0/16B3748", `${position}0`, "f".repeat(15), `${position}, ${position}`]) {
        const reply = await far.get("/api/v1/listings", { "x-market-position": wrong })
        assert.strictEqual(reply.status, 400, wrong)
        assert.include(reply.text, "headers.x-market-position")
      }

      // A client of the library whose writes and reads reach different processes.
      const client = new Marketplace({
        apiKey: seller.key,
        baseUrl: server.baseUrl,
        fetch: (url, init) =>
          fetch(init?.method === "GET" ? String(url).replace(server.baseUrl, other.baseUrl) : String(url), init)
      })
      await client.listings.update(item, { description: "Changed by the client." })
      assert.strictEqual((await client.listings.get(item)).description, "Changed by the client.")

      // Within the lag bound of 10 seconds both replicas are left out, and everybody sees it.
      for (const replica of database.replicas) await isUsed(other.baseUrl, replica, false)
      assert.isTrue(await sees(far, item))
      const [first] = database.replicas
      assert.isAbove((await metric(other.baseUrl, "database_replica_lag_seconds", first.name)) ?? 0, 9)
    })
  })

  it("a browser whose requests reach different processes sees what it has written, by a cookie", async () => {
    const guests = [makeClient(server.baseUrl), makeClient(other.baseUrl)] as const
    const session = await sessionOf(guests[0], seller, pageOf(server))
    await whileStill(database, other, async () => {
      const item = await market.listing(seller, "Published from a browser", 5)
      await getsOlder(() => sees(guests[1], item, { ...pageOf(other), cookie: session }))
      const linked = await guests[0].post(`/api/v1/sessions/links`, {}, { ...pageOf(server), cookie: session })
      assert.strictEqual(linked.status, 201, linked.text)
      const [cookie = ""] = linked.headers.getSetCookie()
      assert.match(cookie, /^position=[0-9a-f]{16}; Max-Age=20; Path=\/; HttpOnly; SameSite=Strict$/)
      assert.isTrue(await sees(guests[1], item, { ...pageOf(other), cookie: `${session}; ${cookie.split(";", 1)[0]}` }))
    })
  })

  describe("GraphQL and MCP", () => {
    const graphql = async (client: Client, query: string, headers: Readonly<Record<string, string>> = {}) => {
      const reply = await client.post("/graphql", { query }, headers)
      assert.strictEqual(reply.status, 200, reply.text)
      assert.notInclude(reply.text, '"errors"')
      return reply
    }
    const tool = async (
      client: Client,
      name: string,
      input: object,
      headers: Readonly<Record<string, string>> = {}
    ) => {
      const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } }
      const accept = "application/json, text/event-stream"
      const reply = await client.post("/mcp", call, { accept, ...headers })
      assert.strictEqual(reply.status, 200, reply.text)
      assert.notInclude(reply.text, '"isError":true')
      return reply
    }
    const publish = (name: string) =>
      tool(seller, "publish_soul", {
        name,
        description: "Published while replicas stand still.",
        content: "# SOUL\n\n## Identity\nA tutor that never hurries.\n"
      })
    const positionOf = ({ headers }: { readonly headers: Headers }): string => {
      const position = headers.get("x-market-position") ?? ""
      assert.match(position, /^[0-9a-f]{16}$/)
      return position
    }
    const search = { sortBy: "newest", limit: 50 }
    it("a GraphQL query sees what its caller has just written", async () => {
      const far = makeClient(other.baseUrl, reader.key)
      const listings = `{ listings(first: 50, sortBy: "newest") { nodes { id } } }`
      const input = `{ name: "Made by GraphQL", description: "Published while replicas stand still.", price: 5, category: "data",
        installUrl: "https://example.com/install" }`
      await whileStill(database, other, async () => {
        const made = await graphql(seller, `mutation { createListing(input: ${input}) { id } }`)
        const item = (made.body as { data: { createListing: { id: string } } }).data.createListing.id
        const headers = { "x-market-position": positionOf(made) }
        assert.include((await graphql(seller, listings)).text, item, "the key that wrote, in this process")
        await getsOlder(async () => (await graphql(far, listings)).text.includes(item))
        const query = await graphql(far, listings, headers)
        assert.include(query.text, item, "the header, in another process")
        assert.isNull(query.headers.get("x-market-position"), "a query writes nothing")
        await getsOlder(async () => (await tool(far, "search_skills", search)).text.includes(item))
        assert.include((await tool(far, "search_skills", search, headers)).text, item)
      })
    })

    it("an MCP tool sees what its caller has just written", async () => {
      const far = makeClient(other.baseUrl, reader.key)
      const before = positionOf(await publish("Made earlier"))
      await whileStill(database, other, async () => {
        const soul = await publish("Made by an agent")
        assert.isAbove(Number(`0x${positionOf(soul)}`), Number(`0x${before}`))
        await getsOlder(async () => (await tool(far, "search_souls", search)).text.includes("Made by an agent"))
        const since = { "x-market-position": positionOf(soul) }
        assert.include((await tool(far, "search_souls", search, since)).text, "Made by an agent")
      })
    })

    it("a GraphQL mutation sets the position cookie of a browser", async () => {
      const item = await market.listing(seller, "To be changed in a browser", 5)
      const guest = makeClient(server.baseUrl)
      const session = await sessionOf(guest, seller, pageOf(server))
      await whileStill(database, other, async () => {
        const changed = await graphql(
          guest,
          `mutation { updateListing(id: "${item}", input: { description: "Changed in a browser by GraphQL." }) { id } }`,
          { ...pageOf(server), cookie: session }
        )
        const [cookie = ""] = changed.headers.getSetCookie()
        assert.match(
          cookie,
          new RegExp(`^position=${positionOf(changed)}; Max-Age=20; Path=/; HttpOnly; SameSite=Strict$`)
        )
        const cookies = { ...pageOf(other), cookie: `${session}; ${cookie.split(";", 1)[0]}` }
        const detail = await makeClient(other.baseUrl).get(`/api/v1/listings/${item}`, cookies)
        assert.include(detail.text, "Changed in a browser by GraphQL.")
      })
    })
  })

  it("over HTTPS the position of a session is in a cookie with the prefix __Host-, and in no other", async () => {
    for (const replica of database.replicas) await isUsed(secure.baseUrl, replica, true)
    const page = { "x-requested-with": "console", origin: secure.baseUrl.replace("http:", "https:") }
    const browser = makeClient(secure.baseUrl)
    const session = await sessionOf(browser, reader, page)
    assert.match(session, /^__Host-/)
    await whileStill(database, other, async () => {
      const item = await market.listing(seller, "Published for a secure browser", 5)
      const changed = await seller.patch(`/api/v1/listings/${item}`, { description: "Seen after a cookie." })
      const position = changed.headers.get("x-market-position") ?? ""
      await getsOlder(() => sees(browser, item, { ...page, cookie: session }))
      await getsOlder(() => sees(browser, item, { ...page, cookie: `${session}; position=${position}` }))
      assert.isTrue(await sees(browser, item, { ...page, cookie: `${session}; __Host-position=${position}` }))
      const written = await browser.post("/api/v1/sessions/links", {}, { ...page, cookie: session })
      assert.strictEqual(written.status, 201, written.text)
      assert.match(
        written.headers.getSetCookie()[0] ?? "",
        /^__Host-position=[0-9a-f]{16}; Max-Age=20; Path=\/; HttpOnly; SameSite=Strict; Secure$/
      )
    })
  })

  it("kill -9 of a replica under load fails no request, and it is left out", async () => {
    const [lost, kept] = database.replicas
    const far = makeClient(other.baseUrl, reader.key)
    const statuses = new Map<number, number>()
    const over = new AbortController()
    const load = Array.from({ length: 8 }, async () => {
      while (!over.signal.aborted) {
        const { status } = await far.get("/api/v1/listings?limit=20")
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    })
    await waitFor("some load", async () => (statuses.get(200) ?? 0) > 200)
    await lost.kill()
    await isUsed(other.baseUrl, lost, false)
    const until = (statuses.get(200) ?? 0) + 200
    await waitFor("load without the replica", async () => (statuses.get(200) ?? 0) >= until)
    over.abort()
    await Promise.all(load)
    assert.deepStrictEqual([...statuses.keys()], [200])
    await isUsed(other.baseUrl, kept, true)
    assert.strictEqual((await makeClient(other.baseUrl, adminToken).get("/api/v1/admin/ledger/audit")).status, 200)
  })
})
