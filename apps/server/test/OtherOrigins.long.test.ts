import type { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import type { Marketplace } from "@agent-marketplace/client"
import { bundleForBrowsers } from "@agent-marketplace/fixtures/browser/bundleForBrowsers"
import type { BrowserBundle } from "@agent-marketplace/fixtures/browser/bundleForBrowsers"
import { openChromium } from "@agent-marketplace/fixtures/browser/openChromium"
import type { Chromium } from "@agent-marketplace/fixtures/browser/openChromium"
import { servePages } from "@agent-marketplace/fixtures/browser/servePages"
import type { PageServer } from "@agent-marketplace/fixtures/browser/servePages"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { signIn } from "./fixtures/Browser.ts"
import { blocked, tryFetch, watchRequests } from "./fixtures/BrowserRequests.ts"
import { dataOf } from "./fixtures/Client.ts"
import { onMarket } from "./fixtures/Market.ts"
import type { Market, Member } from "./fixtures/Market.ts"
import { startServer } from "./fixtures/startServer.ts"
import type { RunningServer } from "./fixtures/startServer.ts"

type Page = Awaited<ReturnType<Chromium["newPage"]>>

/** What the script of the page puts into its global scope. */
interface Loaded {
  readonly Marketplace: typeof Marketplace
  readonly MarketplaceError: typeof MarketplaceError
}

const script = `
import { Marketplace } from "@agent-marketplace/client"
import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
Object.assign(globalThis, { Marketplace, MarketplaceError })`

const html = (body: string) => `<!doctype html><title>A shop</title><link rel="icon" href="data:,">${body}`

const chromium = await openChromium()
if (chromium === undefined) console.warn("The test of pages of other origins is skipped: this system has no Chromium")

describe.skipIf(chromium === undefined)("a page of another origin in Chromium", () => {
  const browser = chromium as Chromium
  let bundle: BrowserBundle
  let pages: PageServer
  let servers: ReadonlyArray<RunningServer> = []
  let market: Market
  /** The market as browsers know it. */
  let base: string
  /** The same host as the market with another port: the same site, so that browsers send the market's cookies, but another origin. */
  let shop: string
  /** Another site. */
  let elsewhere: string

  beforeAll(async () => {
    bundle = await bundleForBrowsers(script, import.meta.dirname)
    pages = await servePages({
      "/client.js": bundle.text,
      "/": html(`<script type="module" src="/client.js"></script>`),
      "/framed": html(`<iframe sandbox="allow-scripts" src="/"></iframe>`)
    })
    shop = `http://localhost:${pages.port}`
    elsewhere = `http://127.0.0.1:${pages.port}`
    const env = { DATABASE_URL: await createDatabase(), LISTING_REVIEW: "auto", RATE_LIMITS: "on" }
    servers = [await startServer(env)]
    market = onMarket(servers[0]?.baseUrl ?? "")
    base = addressOf(0)
    servers = [
      ...servers,
      ...(await Promise.all(
        ["none", `https://other.example,${shop}`].map((CORS_ORIGINS) => startServer({ ...env, CORS_ORIGINS }))
      ))
    ]
  })
  afterAll(async () => {
    await browser.close()
    await Promise.all([pages.close(), ...servers.map((server) => server.stop())])
  })

  const addressOf = (index: number): string => servers[index]?.baseUrl ?? ""

  /** A page in a browser with an empty profile. */
  const open = async (url: string): Promise<Page> => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(url, { waitUntil: "load" })
    return page
  }

  /** A page in a browser that is signed in to the market. */
  const openSignedIn = async (member: Member, url: string): Promise<Page> => {
    const [name = "", value = ""] = (await signIn(base, { apiKey: member.key })).cookie.split("=")
    const context = await browser.newContext()
    await context.addCookies([{ name, value, domain: "localhost", path: "/", httpOnly: true, sameSite: "Strict" }])
    const page = await context.newPage()
    await page.goto(`${base}/sign-in`)
    const own = await tryFetch(page.mainFrame(), "/api/v1/account", { headers: { "x-requested-with": "console" } })
    assert.strictEqual(own.status, 200, "the cookie acts for the market's own pages")
    await page.goto(url, { waitUntil: "load" })
    return page
  }

  const sellersItem = async (name: string): Promise<string> =>
    market.listing(await market.member({ seller: true }), name, 10)

  it("the client's bundle contains its own files alone and nothing of Node (CORS-5, INSTALL-8)", async () => {
    assert.isNotEmpty(bundle.files)
    assert.deepStrictEqual(
      bundle.files.filter((file) => !file.includes("packages/client/src/") || file.includes("/src/node/")),
      []
    )
    assert.deepStrictEqual(bundle.imports, [])
    const ofNode = bundleForBrowsers(`import "@agent-marketplace/client/node"`, import.meta.dirname)
    await ofNode.then(
      () => assert.fail("the check finds no module of Node where there is one"),
      (error: unknown) =>
        assert.match(String(error), /Could not resolve "(?:node:)?(?:fs|path|stream|crypto|os|url|child_process)/)
    )
  })

  it("lists, buys once for an Idempotency-Key, streams the event, and reads errors and headers with the client (CORS-4, CORS-5)", async () => {
    const item = await sellersItem("Bought by a page")
    const buyer = await market.fundedMember(50)
    const page = await open(elsewhere)
    const found = await page.evaluate(
      async ([baseUrl, apiKey, skillId]) => {
        const { Marketplace, MarketplaceError } = globalThis as unknown as Loaded
        const responses: Array<Response> = []
        const recorded = async (...args: Parameters<typeof fetch>) => {
          const response = await fetch(...args)
          responses.push(response)
          return response
        }
        const client = new Marketplace({ apiKey, baseUrl, agentId: "shop", fetch: recorded })
        const { skills } = await client.skills.list({ query: "page" })
        const ending = new AbortController()
        let report: () => void = () => undefined
        const opened = new Promise<void>((resolve) => {
          report = resolve
        })
        const streaming = new Marketplace({
          apiKey,
          baseUrl,
          fetch: async (...args) => {
            const response = await fetch(...args)
            report()
            return response
          }
        })
        const events = streaming.events.stream({ types: ["purchase.completed"], signal: ending.signal })
        const first = events.next()
        await Promise.race([opened, first])
        const bought = await client.skills.buy({ skillId }, { idempotencyKey: "page-1" })
        const again = await client.skills.buy({ skillId }, { idempotencyKey: "page-1" })
        const { value: event } = await first
        ending.abort()
        const { done } = await events.next()
        const failure = await client.skills.buy({ skillId: "lst_nothing" }).catch((error: unknown) => error)
        const wrong = new Marketplace({ apiKey: "wrong", baseUrl })
        const refusal = await wrong.account.get().catch((error: unknown) => error)
        const facts = (error: unknown) =>
          error instanceof MarketplaceError ? [error.statusCode, error.code, typeof error.requestId] : [String(error)]
        const header = (name: string) => responses.map(({ headers }) => headers.get(name))
        return {
          skills: skills.map(({ id }) => id),
          bought,
          again,
          event,
          done,
          errors: [facts(failure), facts(refusal)],
          requestIds: header("x-request-id"),
          remaining: header("x-ratelimit-remaining"),
          replayed: header("idempotent-replayed")
        }
      },
      [base, buyer.key, item] as const
    )
    assert.deepStrictEqual(found.skills, [item])
    assert.strictEqual(found.bought.status, "completed")
    assert.strictEqual(found.again.purchaseId, found.bought.purchaseId)
    assert.strictEqual((await market.balanceOf(buyer)).availableBalance, 40)
    assert.strictEqual(found.event?.event, "purchase.completed")
    assert.deepInclude(found.event?.data, { purchaseId: found.bought.purchaseId, listingId: item })
    assert.isTrue(found.done, "the stream ends with its signal")
    assert.deepStrictEqual(found.errors, [
      [404, "LISTING_NOT_FOUND", "string"],
      [401, "INVALID_API_KEY", "string"]
    ])
    assert.strictEqual(new Set(found.requestIds).size, 4)
    assert.notInclude(found.requestIds, null)
    for (const left of found.remaining) assert.match(left ?? "", /^\d+$/)
    assert.deepStrictEqual(found.replayed, [null, null, "true", null])
    await page.context().close()
  })

  it("reads GraphQL, and the browser asks with the ETag whether its copy is current (CORS-4, CORS-5, HEADER-3)", async () => {
    const item = await sellersItem("Read as a graph")
    const buyer = await market.member()
    const page = await open(elsewhere)
    const requests = await watchRequests(page, "/openapi.json")
    const found = await page.evaluate(
      async ([baseUrl, apiKey]) => {
        const graph = await fetch(`${baseUrl}/graphql`, {
          method: "POST",
          headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
          body: JSON.stringify({ query: `{ skills(query: "graph") { nodes { id } } }` })
        })
        const document = async (cache: RequestCache) => {
          const response = await fetch(`${baseUrl}/openapi.json`, { cache })
          const { length } = await response.text()
          return { status: response.status, tag: response.headers.get("etag"), length }
        }
        return { graph: await graph.json(), first: await document("default"), again: await document("no-cache") }
      },
      [base, buyer.key] as const
    )
    assert.deepStrictEqual(found.graph, { data: { skills: { nodes: [{ id: item }] } } })
    assert.match(found.first.tag ?? "", /^(?:W\/)?"[\w-]+"$/)
    assert.isAbove(found.first.length, 100_000)
    assert.deepInclude(found.again, { status: 200, length: found.first.length })
    assert.deepStrictEqual(
      requests().map(({ status }) => status),
      [200, 304]
    )
    await page.context().close()
  })

  it("cannot act with the cookie of somebody who is signed in to the market, although the browser sends it (CORS-1, CORS-3, SESSION-4)", async () => {
    const member = await market.member()
    const page = await openSignedIn(member, shop)
    const frame = page.mainFrame()
    const requests = await watchRequests(page, "/api/v1/keys")
    const url = `${base}/api/v1/keys`
    const write = { method: "POST", body: JSON.stringify({ name: "Stolen", scope: "FULL" }) }
    // Without a preflight, as a form sends it: the market itself refuses.
    const simple = { ...write, mode: "no-cors", credentials: "include" }
    assert.deepInclude(await tryFetch(frame, url, simple), { status: 0, type: "opaque" })
    const [sent] = requests()
    assert.match(sent?.cookie ?? "", /session=ams_/)
    assert.strictEqual(sent?.status, 403)
    assert.deepStrictEqual(await tryFetch(frame, url, { credentials: "include" }), blocked)
    const headers = { "content-type": "application/json", "x-requested-with": "console" }
    assert.deepStrictEqual(await tryFetch(frame, url, { ...write, headers, credentials: "include" }), blocked)
    assert.deepStrictEqual(await tryFetch(frame, url, { headers }), blocked)
    // A request without the cookie is one without credentials.
    const plain = await tryFetch(frame, url)
    assert.deepStrictEqual(plain, { status: 401, type: "cors", code: "INVALID_API_KEY" })
    const keys = dataOf<ReadonlyArray<{ name: string }>>(await member.get("/api/v1/keys"))
    assert.lengthOf(keys, 1)
    await page.context().close()
  })

  it("nor can a sandboxed frame, whose origin is null (CORS-1, SESSION-4)", async () => {
    const member = await market.member()
    const page = await openSignedIn(member, `${shop}/framed`)
    const frame = page.frames().find((each) => each !== page.mainFrame())
    assert.isDefined(frame)
    assert.strictEqual(await frame!.evaluate(() => globalThis.origin), "null")
    const url = `${base}/api/v1/keys`
    const write = { method: "POST", body: JSON.stringify({ name: "Stolen", scope: "FULL" }) }
    const withCookie = { credentials: "include" }
    assert.deepInclude(await tryFetch(frame!, url, { ...write, ...withCookie, mode: "no-cors" }), { type: "opaque" })
    assert.deepStrictEqual(await tryFetch(frame!, url, withCookie), blocked)
    const headers = { "x-requested-with": "console" }
    assert.deepStrictEqual(await tryFetch(frame!, url, { ...write, ...withCookie, headers }), blocked)
    assert.strictEqual((await tryFetch(frame!, url)).status, 401)
    assert.deepStrictEqual(await tryFetch(frame!, `${addressOf(2)}/api/souls`), blocked)
    assert.lengthOf(dataOf<ReadonlyArray<unknown>>(await member.get("/api/v1/keys")), 1)
    await page.context().close()
  })

  it("cannot read anything where CORS_ORIGINS is none or lists other origins (CORS-2, CORS-5)", async () => {
    const member = await market.member()
    const [closed, listed] = [addressOf(1), addressOf(2)]
    const read = (page: Page, baseUrl: string) =>
      page.evaluate(
        async ([url, apiKey]) => {
          const { Marketplace, MarketplaceError } = globalThis as unknown as Loaded
          const client = new Marketplace({ apiKey, baseUrl: url, maxRetries: 0 })
          return client.account.get().then(
            ({ id }) => id,
            (error: unknown) => (error instanceof MarketplaceError ? error.code : String(error))
          )
        },
        [baseUrl, member.key] as const
      )
    const [same, other] = [await open(shop), await open(elsewhere)]
    assert.strictEqual(await read(same, listed), member.id)
    assert.strictEqual(await read(other, listed), "NETWORK_ERROR")
    assert.strictEqual(await read(same, closed), "NETWORK_ERROR")
    // Requests without a preflight are blocked too.
    assert.deepStrictEqual(await tryFetch(other.mainFrame(), `${listed}/api/souls`), blocked)
    assert.deepStrictEqual(await tryFetch(same.mainFrame(), `${closed}/api/souls`), blocked)
    assert.deepInclude(await tryFetch(same.mainFrame(), `${listed}/api/souls`), { status: 401, type: "cors" })
    await Promise.all([same, other].map((page) => page.context().close()))
  })

  it("gets a refusal from the operator's routes with a wrong token or a member's key (OPERATOR-1)", async () => {
    const member = await market.member()
    const page = await open(elsewhere)
    const audit = (token: string) =>
      tryFetch(page.mainFrame(), `${base}/api/v1/admin/ledger/audit`, {
        headers: { authorization: `Bearer ${token}` }
      })
    assert.deepStrictEqual(await audit("a-wrong-operator-token-0123456789"), {
      status: 401,
      type: "cors",
      code: "INVALID_API_KEY"
    })
    assert.deepStrictEqual(await audit(member.key), { status: 403, type: "cors", code: "INSUFFICIENT_PERMISSIONS" })
    await page.context().close()
  })
})
