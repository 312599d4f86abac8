import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { bodyOf, dataOf, makeClient } from "./fixtures/Client.ts"
import type { Client } from "./fixtures/Client.ts"
import { onMarket } from "./fixtures/Market.ts"
import type { Market, Member } from "./fixtures/Market.ts"
import { startServer } from "./fixtures/startServer.ts"
import type { RunningServer } from "./fixtures/startServer.ts"
import { startStatementCounter } from "./fixtures/StatementCounter.ts"
import { waitFor } from "./fixtures/waitFor.ts"

interface GraphqlError {
  readonly message: string
  readonly path?: ReadonlyArray<string>
  readonly extensions: { readonly code: string; readonly details: Readonly<Record<string, unknown>> }
}

interface Result {
  // The shape of a result follows from its query.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data?: Readonly<Record<string, any>> | null
  readonly errors?: ReadonlyArray<GraphqlError>
}

const execute = async (of: Client, query: string, variables: object = {}): Promise<Result> =>
  bodyOf<Result>(await of.post("/graphql", { query, variables }))

const dataFrom = async (of: Client, query: string, variables: object = {}) => {
  const { data, errors } = await execute(of, query, variables)
  assert.isUndefined(errors, JSON.stringify(errors))
  assert.isNotNull(data)
  return data!
}

const codesOf = ({ errors = [] }: Result): ReadonlyArray<string> => errors.map(({ extensions }) => extensions.code)

/** Sends a subscription that may be refused. */
const request = (baseUrl: string, key: string | undefined, query: string, accept: string, init: RequestInit = {}) => {
  const headers = new Headers({ accept, "content-type": "application/json" })
  if (key !== undefined) headers.set("authorization", `Bearer ${key}`)
  return fetch(`${baseUrl}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }), ...init })
}

/** The number of open streams of the server. */
const openStreams = async (baseUrl: string): Promise<number> => {
  const metrics = await (await fetch(`${baseUrl}/metrics`)).text()
  return Number(/^live_streams_open (\d+)/m.exec(metrics)?.[1] ?? 0)
}

/** A subscription over server-sent events, in the mode of one connection for each operation. */
const subscribe = async (baseUrl: string, key: string | undefined, query: string) => {
  const abort = new AbortController()
  const response = await fetch(`${baseUrl}/graphql`, {
    method: "POST",
    signal: abort.signal,
    headers: {
      accept: "text/event-stream",
      "content-type": "application/json",
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` })
    },
    body: JSON.stringify({ query })
  })
  assert.strictEqual(response.headers.get("content-type")?.split(";")[0], "text/event-stream")
  const results: Array<Result> = []
  let text = ""
  const read = async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + chunk).split("\n\n")
      text = blocks.pop() ?? ""
      for (const block of blocks) {
        const data = /^data: (.+)$/m.exec(block)?.[1]
        if (block.includes("event: next") && data !== undefined) results.push(JSON.parse(data) as Result)
      }
    }
  }
  const ended = read().catch(() => undefined)
  return {
    ended,
    end: () => abort.abort(),
    /** The next result, once it has arrived. */
    next: async () => {
      await waitFor("a result of a subscription", () => Promise.resolve(results.length > 0))
      const result = results.shift()!
      return { ...result, data: result.data ?? {} }
    }
  }
}

describe("GraphQL", () => {
  let counter: Awaited<ReturnType<typeof startStatementCounter>>
  let server: RunningServer
  let market: Market
  let seller: Member
  let buyer: Member

  beforeAll(async () => {
    counter = await startStatementCounter(await createDatabase())
    server = await startServer({ DATABASE_URL: counter.url, TEST_CLOCK: "true", LISTING_REVIEW: "auto" })
    market = onMarket(server.baseUrl, { testClock: true })
    seller = await market.member({ seller: true, name: "Ada" })
    buyer = await market.fundedMember(100)
  })
  afterAll(async () => {
    await server?.stop()
    counter?.close()
  })

  it("pages of other origins may call it (CORS-1)", async () => {
    for (const [path, methods] of [
      ["/graphql", "HEAD, GET, POST"],
      ["/graphql/graphiql.js", "HEAD, GET"]
    ]) {
      const { headers, status } = await fetch(`${server.baseUrl}${path}`, { method: "OPTIONS" })
      assert.strictEqual(status, 204)
      assert.strictEqual(headers.get("access-control-allow-origin"), "*")
      assert.strictEqual(headers.get("access-control-allow-methods"), methods)
      assert.include(headers.get("access-control-allow-headers"), "Authorization")
    }
  })

  it("a purchase from the list to the license, with the codes of the API where it is refused (GRAPHQL-1, GRAPHQL-3)", async () => {
    const created = await dataFrom(
      seller,
      `mutation($input: ListingCreate!) { createListing(input: $input) { id status } }`,
      {
        input: {
          name: "Tidy CSV",
          description: "Cleans CSV files.",
          price: 12.5,
          category: "data",
          installUrl: "https://example.com/x"
        }
      }
    )
    const { id } = created["createListing"] as { readonly id: string }
    const listed = await dataFrom(
      buyer,
      `{ skills(search: "tidy") { totalCount nodes { id price creator { id name } } } }`
    )
    assert.deepStrictEqual(listed["skills"], {
      totalCount: 1,
      nodes: [{ id, price: "12.50", creator: { id: seller.id, name: "Ada" } }]
    })
    const buy = `mutation($id: String!, $max: Amount) { buy(input: { skillId: $id, maxPrice: $max }, idempotencyKey: "buy-1") { purchaseId licenseKey status } }`
    const refused = await execute(buyer, buy, { id, max: 12 })
    assert.deepStrictEqual(refused.data, { buy: null })
    assert.deepStrictEqual(refused.errors?.[0]?.extensions, {
      code: "PRICE_CHANGED",
      details: { price: "12.50", pricingModel: "one_time" }
    })
    const bought = await dataFrom(buyer, buy, { id, max: "12.50" })
    assert.strictEqual(bought["buy"].status, "completed")
    assert.deepStrictEqual(await dataFrom(buyer, buy, { id, max: "12.50" }), bought)
    const { purchases, wallet } = await dataFrom(
      buyer,
      `{ purchases { nodes { id licenseKey skill { name } } } wallet { balance } }`
    )
    assert.deepStrictEqual(purchases.nodes, [
      { id: bought["buy"].purchaseId, licenseKey: bought["buy"].licenseKey, skill: { name: "Tidy CSV" } }
    ])
    assert.strictEqual(wallet.balance, 87.5)
    const sales = await dataFrom(seller, `{ sales { nodes { net buyerId } } }`)
    assert.deepStrictEqual(sales["sales"].nodes, [{ net: 11.875, buyerId: buyer.id }])
  })

  it("a field has the permissions of its operation, and a refusal hides no other result (GRAPHQL-2)", async () => {
    const { key } = dataOf<{ readonly key: string }>(
      await buyer.post("/api/v1/keys", { name: "r", scope: "READ" }),
      201
    )
    const reader = makeClient(server.baseUrl, key)
    const result = await execute(reader, `mutation { freezeAgent(id: "agt_none") { id } }`)
    assert.deepStrictEqual(codesOf(result), ["INSUFFICIENT_PERMISSIONS"])
    const mixed = await execute(reader, `{ me { id } purchase(id: "pur_none") { id } }`)
    assert.deepStrictEqual(mixed.data, { me: { id: buyer.id }, purchase: null })
    assert.deepStrictEqual(codesOf(mixed), ["PURCHASE_NOT_FOUND"])
    assert.deepStrictEqual(mixed.errors?.[0]?.path, ["purchase"])
    const guest = await execute(market.guest, `{ me { id } activity { stats { activeAgents } } }`)
    assert.deepStrictEqual(codesOf(guest), ["INVALID_API_KEY"])
    assert.isNumber(guest.data?.["activity"].stats.activeAgents)
  })

  it("an agent is frozen and its policy set as with the API, with every issue named (GRAPHQL-2)", async () => {
    const { id } = dataOf<{ readonly id: string }>(await buyer.post("/api/v1/agents", { name: "Scout" }), 201)
    const frozen = await dataFrom(
      buyer,
      `mutation($id: ID!) { freezeAgent(id: $id, input: { reason: "night" }) { frozenReason } }`,
      { id }
    )
    assert.deepStrictEqual(frozen, { freezeAgent: { frozenReason: "night" } })
    const policy = {
      autoApprove: true,
      autoApproveThreshold: null,
      perTransactionLimit: 50,
      dailyLimit: "20",
      weeklyLimit: null,
      monthlyLimit: null,
      allowedCategories: null,
      blockedSellers: null
    }
    const set = `mutation($id: ID, $input: PolicyInput!) { setPolicy(agentId: $id, input: $input) { dailyLimit } }`
    assert.deepStrictEqual(codesOf(await execute(buyer, set, { id, input: policy })), ["VALIDATION_ERROR"])
    await dataFrom(buyer, set, { id, input: { ...policy, perTransactionLimit: 5 } })
    const budgets = await dataFrom(buyer, `query($id: ID) { budget(agentId: $id) { daily { limit } } }`, { id })
    assert.deepStrictEqual(budgets, { budget: { daily: { limit: 20 } } })
  })

  it("connections page through a list without gap or repeat, and refuse wrong pages (GRAPHQL-7)", async () => {
    const author = await market.member({ name: "Grace" })
    for (let i = 1; i <= 7; i++) await market.soul(author, `Paged Soul ${i}`)
    const query = `query($first: Int, $after: String) { souls(author: "${author.id}", first: $first, after: $after) { totalCount nodes { name } edges { cursor } pageInfo { hasNextPage endCursor } } }`
    const names: Array<string> = []
    let after: string | null = null
    do {
      const { souls } = await dataFrom(author, query, { first: 3, after })
      assert.strictEqual(souls.totalCount, 7)
      names.push(...souls.nodes.map(({ name }: { name: string }) => name))
      after = souls.pageInfo.hasNextPage ? souls.pageInfo.endCursor : null
    } while (after !== null)
    assert.deepStrictEqual(
      names,
      [7, 6, 5, 4, 3, 2, 1].map((i) => `Paged Soul ${i}`)
    )
    for (const place of [{ first: 0 }, { first: 101 }, { after: "x" }]) {
      assert.deepStrictEqual(codesOf(await execute(author, query, place)), ["VALIDATION_ERROR"], JSON.stringify(place))
    }
  })

  it("a repeated query has the same response as the first one, for each content type, and reads again (GRAPHQL-2, GRAPHQL-3)", async () => {
    const query = `query Named($first: Int!) { listings(first: $first, sortBy: "newest") { totalCount nodes { name stats { sales } } } wallet { availableBalance } }`
    const send = async (accept: string, variables: object = { first: 3 }, of: Client = buyer, more: object = {}) => {
      const body = { query, variables, operationName: "Named", ...more }
      const { headers, status, text } = await of.post("/graphql", body, { accept })
      return { status, type: headers.get("content-type"), text }
    }
    const types = [
      "application/json",
      "*/*",
      "application/graphql-response+json",
      "application/graphql-response+json, application/json;q=0.9",
      "application/json, text/plain, */*"
    ]
    await market.listing(seller, "Before the repetition", 5)
    const first = []
    // A request with extensions is always answered by the GraphQL server.
    for (const accept of types) first.push(await send(accept, { first: 3 }, buyer, { extensions: {} }))
    for (const [n, accept] of types.entries()) assert.deepStrictEqual(await send(accept), first[n], accept)
    assert.deepStrictEqual(
      first.map(({ type }) => type?.split(";")[0]),
      ["application/json", "application/json", types[2], types[2], "application/json"]
    )
    await market.listing(seller, "After the repetition", 5)
    const later = await send("application/json")
    assert.include(later.text, "After the repetition")
    assert.notStrictEqual(later.text, first[0]?.text)
    const nobody = JSON.parse((await send("application/json", { first: 3 }, makeClient(server.baseUrl))).text) as Result
    assert.deepStrictEqual(codesOf(nobody), ["INVALID_API_KEY", "INVALID_API_KEY"])
    for (const wrong of [{ first: "3" }, {}, { first: 101 }, { first: 0 }]) {
      const { errors } = JSON.parse((await send("application/json", wrong)).text) as Result
      assert.strictEqual(errors?.[0]?.extensions.code, "VALIDATION_ERROR", JSON.stringify(wrong))
    }
    assert.strictEqual((await send("text/html")).status, 406)
  })

  it("advisories continue after the last one that a program has seen, also when more are published (GRAPHQL-12)", async () => {
    const query = `query($first: Int, $after: String) { advisories(first: $first, after: $after) { nodes { id itemId severity action reason versions envelope { payloadType } } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`
    const read = async (place: object) => (await dataFrom(buyer, query, place)).advisories
    const revoked = async (name: string): Promise<string> => {
      const id = await market.listing(seller, name, 5)
      bodyOf(await market.operator.post(`/api/v1/admin/items/${id}/revoke`, { reason: `${name} steals keys.` }))
      return id
    }
    const ids = [await revoked("Advised one"), await revoked("Advised two"), await revoked("Advised three")]
    const first = await read({ first: 2 })
    assert.deepStrictEqual(
      first.nodes.map(({ itemId }: { itemId: string }) => itemId),
      ids.slice(0, 2)
    )
    assert.deepInclude(first.nodes[0], { severity: "critical", action: "remove", reason: "Advised one steals keys." })
    const cursors = first.nodes.map(({ id }: { id: string }) => id)
    assert.deepStrictEqual(first.edges, [{ cursor: cursors[0] }, { cursor: cursors[1] }])
    assert.deepStrictEqual(first.pageInfo, {
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: cursors[0],
      endCursor: cursors[1]
    })
    const second = await read({ first: 2, after: cursors[1] })
    assert.deepStrictEqual([second.nodes[0].itemId, second.pageInfo.hasNextPage], [ids[2], false])
    const last = second.nodes[0].id
    assert.deepStrictEqual((await read({ after: last })).nodes, [])
    ids.push(await revoked("Advised four"))
    assert.deepStrictEqual(
      (await read({ after: last })).nodes.map(({ itemId }: { itemId: string }) => itemId),
      ids.slice(3)
    )
    for (const place of [{ first: 0 }, { first: 101 }, { after: "x" }, { after: "adv_unknown" }]) {
      assert.deepStrictEqual(codesOf(await execute(buyer, query, place)), ["VALIDATION_ERROR"], JSON.stringify(place))
    }
  })

  it("the creators and statistics of 50 items take as many statements as those of 5 (GRAPHQL-9)", async () => {
    const sellers = await Promise.all(Array.from({ length: 10 }, () => market.member({ seller: true })))
    for (let i = 0; i < 50; i++) await market.listing(sellers[i % 10]!, `Counted ${i}`, 2)
    const query = `query($first: Int) { skills(search: "counted", first: $first) { nodes { id stats { sales } creator { name listings } } } }`
    await dataFrom(buyer, query, { first: 5 })
    // The worker in the server executes statements of its own meanwhile.
    const kinds = [/skill_head/, /AS items JOIN item_stats ON/, /FROM accounts CROSS JOIN LATERAL/]
    const counted = async (first: number) => {
      const statements = await counter.during(async () => {
        const { skills } = await dataFrom(buyer, query, { first })
        assert.strictEqual(skills.nodes.length, first)
        assert.isTrue(skills.nodes.every(({ creator }: { creator: { listings: number } }) => creator.listings === 5))
      })
      return kinds.map((kind) => statements.filter((text) => kind.test(text)).length)
    }
    assert.deepStrictEqual(await counted(5), [1, 1, 1])
    assert.deepStrictEqual(await counted(50), [1, 1, 1])
  })

  it("a deep query, an alias bomb, a list of lists and a batch are refused before anything runs (GRAPHQL-4, GRAPHQL-5, GRAPHQL-10)", async () => {
    const aliases = Array.from({ length: 40 }, (_, i) => `a${i}: me { id }`).join(" ")
    const many = Array.from({ length: 12 }, (_, i) => `b${i}: skills(first: 100) { nodes { creator { id } } }`).join(
      " "
    )
    const fragments = Array.from({ length: 40 }, (_, i) => `fragment f${i} on Account { ...f${i + 1} ...f${i + 1} }`)
    const exponential = `{ me { ...f0 } } ${fragments.join(" ")} fragment f40 on Account { id name }`
    const types = "ofType { ".repeat(14)
    const deep = `{ __schema { types { fields { type { ${types} name ${"} ".repeat(14)} } } } }`
    const long = `{ me { ${"id ".repeat(2100)} } }`
    const part = "fragment part on SkillItemConnection { nodes { creator { id } stats { sales } } }"
    const each = (list: string) => Array.from({ length: 16 }, (_, i) => `c${i}: ${list} { ...part }`).join(" ")
    const hidden = `{ ${each("skills")} } ${part}`
    const defaulted = `query($f: Int = 100) { ${each("skills(first: $f)")} } ${part}`
    for (const query of [`{ ${aliases} }`, `{ ${many} }`, hidden, defaulted, deep, long]) {
      const refused = await execute(buyer, query)
      assert.isUndefined(refused.data, query.slice(0, 60))
      assert.deepStrictEqual(codesOf(refused), ["VALIDATION_ERROR"], query.slice(0, 60))
    }
    const started = performance.now()
    await execute(buyer, exponential)
    assert.isBelow(performance.now() - started, 5000)
    const mutation = `mutation { ${Array.from({ length: 40 }, (_, i) => `a${i}: createSoul(input: { name: "Bomb", description: "Not made.", content: "# SOUL" }) { id }`).join(" ")} }`
    assert.deepStrictEqual(codesOf(await execute(buyer, mutation)), ["VALIDATION_ERROR"])
    assert.strictEqual((await dataFrom(buyer, `{ souls(search: "bomb") { totalCount } }`))["souls"].totalCount, 0)
    const batch = await buyer.post("/graphql", [{ query: "{ me { id } }" }, { query: "{ me { id } }" }])
    assert.notStrictEqual(batch.status, 200, batch.text)
  })

  it("errors name wrong documents, variables and bodies, and reveal nothing of the server's code (GRAPHQL-3)", async () => {
    const wrong = [
      { query: "{" },
      { query: "{ nope }" },
      { query: "query($a: Int!) { skills(first: $a) { totalCount } }" },
      { query: "{ me }" },
      { query: "subscription { nope }" },
      { query: "query($a: Int) { skills(first: $a) { totalCount } }", variables: { a: "many" } }
    ]
    for (const body of wrong) {
      const { body: result, text } = await buyer.post("/graphql", body)
      assert.deepStrictEqual(codesOf(result as Result), ["VALIDATION_ERROR"], body.query)
      assert.notInclude(text, "node_modules")
    }
    const replies = await Promise.all([
      buyer.post("/graphql", "not an object"),
      buyer.post("/graphql", {}),
      buyer.post("/graphql", { query: 7 })
    ])
    for (const { body, text } of replies) {
      assert.deepStrictEqual(codesOf(body as Result), ["VALIDATION_ERROR"], text)
      assert.notInclude(text, "node_modules")
    }
  })

  it("subscriptions send events and activity while they happen, continue after a cursor, and end with the key (GRAPHQL-11)", async () => {
    const { id: keyId, key } = dataOf<{ readonly id: string; readonly key: string }>(
      await buyer.post("/api/v1/keys", { name: "live", scope: "FULL" }),
      201
    )
    const item = await market.listing(seller, "Subscribed", 3)
    const events = await subscribe(
      server.baseUrl,
      key,
      `subscription { events(types: ["purchase.completed"]) { id event data } }`
    )
    const activity = await subscribe(server.baseUrl, undefined, "subscription { activity { type message } }")
    await dataFrom(buyer, `mutation { buy(input: { skillId: "${item}" }) { purchaseId } }`)
    const first = (await events.next()).data["events"]
    assert.strictEqual(first.event, "purchase.completed")
    assert.strictEqual(first.data.listingId, item)
    assert.include(["purchase", "earning"], (await activity.next()).data["activity"].type)
    activity.end()
    const again = await market.listing(seller, "Subscribed Again", 3)
    await dataFrom(buyer, `mutation { buy(input: { skillId: "${again}" }) { purchaseId } }`)
    const second = (await events.next()).data["events"]
    const resumed = await subscribe(
      server.baseUrl,
      key,
      `subscription { events(after: "${first.id}", types: ["purchase.completed"]) { id } }`
    )
    assert.strictEqual((await resumed.next()).data["events"].id, second.id)
    dataOf(await buyer.delete(`/api/v1/keys/${keyId}`))
    await Promise.all([events.ended, resumed.ended])
    const refused = await subscribe(server.baseUrl, "amk_unknown", "subscription { events { id } }")
    assert.strictEqual((await refused.next()).errors?.[0]?.extensions.code, "INVALID_API_KEY")
  })

  it("a subscription of a client that does not read streams is refused and takes no place (GRAPHQL-14)", async () => {
    const before = await openStreams(server.baseUrl)
    const { key } = await market.member()
    const documents = [
      ["subscription { events { id } }", key],
      ["subscription { activity { id } }", undefined]
    ] as const
    const accepted = ["application/json", "application/graphql-response+json", "multipart/mixed", "text/html"]
    for (const [query, of] of documents) {
      for (const accept of [...accepted, ...accepted, ...accepted, "text/event-stream;charset=latin1"]) {
        const refused = await request(server.baseUrl, of, query, accept)
        const result = (await refused.json()) as Result
        assert.strictEqual(refused.status, 406, accept)
        assert.deepStrictEqual(codesOf(result), ["VALIDATION_ERROR"], accept)
        const details = result.errors?.[0]?.extensions.details as { issues: ReadonlyArray<{ path: string }> }
        assert.deepStrictEqual(
          details.issues.map(({ path }) => path),
          ["headers.accept"]
        )
      }
    }
    assert.strictEqual(await openStreams(server.baseUrl), before)
    const other = await request(server.baseUrl, key, "{ me { id } }", "text/html")
    assert.strictEqual(other.status, 406)
    assert.deepStrictEqual(codesOf((await other.json()) as Result), ["VALIDATION_ERROR"])
    const open = await subscribe(server.baseUrl, key, "subscription { events { id } }")
    assert.strictEqual(await openStreams(server.baseUrl), before + 1)
    open.end()
    await waitFor("the end of the stream", async () => (await openStreams(server.baseUrl)) === before)
  })

  it("a subscription ends with its request, also before its first event (GRAPHQL-14)", async () => {
    const before = await openStreams(server.baseUrl)
    const { key } = await market.member()
    const settled = (name: string) => waitFor(name, async () => (await openStreams(server.baseUrl)) === before, 10_000)
    for (const [query, of] of [
      ["subscription { events { id } }", key],
      ["subscription { activity { id } }", undefined]
    ] as const) {
      for (let n = 0; n < 3; n++) {
        const open = await Promise.all(Array.from({ length: 6 }, () => subscribe(server.baseUrl, of, query)))
        assert.strictEqual(await openStreams(server.baseUrl), before + 6)
        for (const { end } of open) end()
        await settled("the end of streams whose clients disconnected")
      }
      // Some of these disconnect before the stream is open.
      for (let n = 0; n < 40; n++) {
        const init = { signal: AbortSignal.timeout(n % 10) }
        await request(server.baseUrl, of, query, "text/event-stream", init).catch(() => undefined)
      }
      await settled("the end of streams whose clients disconnected immediately")
    }
    for (const query of ["subscription { events { nope } }", "subscription { events { id } activity { id } }"]) {
      const refused = await subscribe(server.baseUrl, key, query)
      assert.deepStrictEqual(codesOf((await refused.next()) as Result), ["VALIDATION_ERROR"])
      await refused.ended
    }
    assert.strictEqual(await openStreams(server.baseUrl), before)
  })

  it("requests are counted for each key, or for each address without one, and their fields as requests of their operations (GRAPHQL-6)", async () => {
    const limited = await startServer({ DATABASE_URL: await createDatabase(), RATE_LIMITS: "on" })
    try {
      const { guest, member } = onMarket(limited.baseUrl)
      const one = await member()
      const first = await guest.post("/graphql", { query: "{ activity { stats { activeAgents } } }" })
      assert.strictEqual(first.headers.get("x-ratelimit-limit"), "600")
      for (let i = 0; i < 24; i++)
        await Promise.all(Array.from({ length: 25 }, () => guest.post("/graphql", { query: "{ __typename }" })))
      const exhausted = await guest.post("/graphql", { query: "{ __typename }" })
      assert.deepStrictEqual([exhausted.status, exhausted.headers.get("x-ratelimit-remaining")], [429, "0"])
      const unknown = makeClient(limited.baseUrl, `amk_${"x".repeat(43)}`)
      assert.strictEqual((await unknown.post("/graphql", { query: "{ __typename }" })).status, 429)
      for (const key of [one, await member()]) {
        const counted = await key.post("/graphql", { query: "{ __typename }" })
        assert.deepStrictEqual([counted.status, counted.headers.get("x-ratelimit-remaining")], [200, "599"])
      }
      for (let i = 0; i < 4; i++)
        await execute(one, `{ ${Array.from({ length: 25 }, (_, n) => `a${n}: me { id }`).join(" ")} }`)
      assert.deepStrictEqual(codesOf(await execute(one, "{ me { id } }")), ["RATE_LIMIT_EXCEEDED"])
    } finally {
      await limited.stop()
    }
  })

  it("GraphiQL loads its files from this service alone (GRAPHQL-8)", async () => {
    const page = await fetch(`${server.baseUrl}/graphql`, { headers: { accept: "text/html" } })
    const html = await page.text()
    assert.strictEqual(page.status, 200)
    assert.notMatch(html, /https?:\/\//)
    assert.include(page.headers.get("content-security-policy") ?? "", "default-src 'none'")
    const sources = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source = ""]) => source)
    assert.strictEqual(sources.length, 4)
    for (const source of sources) {
      const file = await fetch(new URL(source, server.baseUrl))
      assert.strictEqual(file.status, 200, source)
      assert.isAbove((await file.arrayBuffer()).byteLength, 1000)
    }
  })
})
