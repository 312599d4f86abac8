import { openChromium } from "@agent-marketplace/fixtures/browser/openChromium"
import type { Chromium } from "@agent-marketplace/fixtures/browser/openChromium"
import { servePages } from "@agent-marketplace/fixtures/browser/servePages"
import { assert, describe, it } from "vitest"
import type { EmbeddedMarket } from "../../src/EmbeddedMarket.ts"
import { createMarketplace } from "../../src/createMarketplace.ts"
import { memoryStorage } from "../../src/storage/memoryStorage.ts"
import { listen } from "../fixtures/listen.ts"

type Page = Awaited<ReturnType<Chromium["newPage"]>>
type Frame = ReturnType<Page["mainFrame"]>

const chromium = await openChromium()
if (chromium === undefined)
  process.stdout.write("The test of a host's cookie is skipped: this system has no Chromium\n")

interface Seen {
  readonly method: string | undefined
  readonly origin: string | undefined
  readonly cookie: string | undefined
  readonly status: number
}

/** A host with a page at `/`, whose users have a cookie; `seen` are the other requests, with the status of their responses. */
const startHost = async () => {
  const seen: Array<Seen> = []
  const started: { market?: EmbeddedMarket } = {}
  const { stop, url } = await listen((request, response) => {
    const { cookie, origin } = request.headers
    const { method } = request
    if (request.url === "/") {
      response.writeHead(200, { "content-type": "text/html" }).end("<title>Host</title>")
      return
    }
    response.once("finish", () => seen.push({ method, origin, cookie, status: response.statusCode }))
    started.market?.node(request, response)
  })
  const base = url.replace("127.0.0.1", "localhost")
  const market = await createMarketplace({
    storage: memoryStorage(),
    jobs: false,
    baseUrl: base,
    users: ({ cookie = "" }) => (cookie.includes("user=ada") ? { id: "ada", name: "Ada" } : null)
  })
  started.market = market
  return { base, seen, market, stop: () => Promise.all([stop(), market.close()]) }
}

/** The status that a script learns, 0 if the response is opaque; the name of the error if the browser refuses. */
const send = (frame: Frame, url: string, init: object) =>
  frame.evaluate(
    async ([to, options]) => {
      const response = await fetch(to as string, { credentials: "include", ...(options as RequestInit) }).catch(
        (error: Error) => error.name
      )
      return typeof response === "string" ? response : response.status
    },
    [url, init] as const
  )

describe.skipIf(chromium === undefined)("the cookie of a host's user in Chromium", () => {
  it("acts for pages of the host's origin, not for a sandboxed frame with `Origin: null` or a page on another port (CORS-1, EMBED-6)", async () => {
    const browser = chromium as Chromium
    const { base, market, seen, stop } = await startHost()
    const pages = await servePages({
      "/": "<title>Shop</title>",
      "/framed": `<iframe sandbox="allow-scripts" src="/"></iframe>`
    })
    const ada = market.as({ id: "ada", name: "Ada" })
    const agent = await ada.agents.create({ name: "Shopper" })
    // Its body is empty, so that browsers send it without a preflight request.
    const freeze = `${base}/api/v1/agents/${agent.id}/freeze`
    const list = `${base}/api/v1/agents`
    const context = await browser.newContext()
    await context.addCookies([
      { name: "user", value: "ada", domain: "localhost", path: "/", sameSite: "None", secure: true }
    ])
    const page = await context.newPage()
    await page.goto(`http://localhost:${pages.port}/framed`, { waitUntil: "load" })
    const framed = page.frames().find((frame) => frame !== page.mainFrame())
    assert.isDefined(framed)
    for (const [frame, origin] of [
      [framed!, "null"],
      [page.mainFrame(), `http://localhost:${pages.port}`]
    ] as const) {
      seen.length = 0
      assert.strictEqual(await send(frame, list, {}), "TypeError", "the page cannot read the response")
      assert.strictEqual(await send(frame, freeze, { method: "POST", mode: "no-cors" }), 0)
      const headers = { "content-type": "application/json" }
      assert.strictEqual(await send(frame, list, { method: "POST", headers, body: '{"name":"Thief"}' }), "TypeError")
      assert.deepStrictEqual(
        seen.map(({ cookie, method, origin: from, status }) => [method, from, cookie, status]),
        [
          ["GET", origin, "user=ada", 200],
          ["POST", origin, "user=ada", 403],
          ["OPTIONS", origin, undefined, 204]
        ]
      )
    }
    const agents = await ada.agents.list()
    assert.deepStrictEqual(
      agents.map(({ frozenAt }) => frozenAt),
      [null]
    )
    await page.goto(base)
    assert.strictEqual(await send(page.mainFrame(), freeze, { method: "POST" }), 200)
    await browser.close()
    await Promise.all([pages.close(), stop()])
  })
})
