import { gzipSync } from "node:zlib"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

import { bodyOf, dataOf, failureOf, makeClient } from "../fixtures/Client.ts"
import type { Client, Reply } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Member } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

const hostile = `# Title

<script>alert(1)</script> <img src=x onerror=alert(2)>

![picture](https://foreign.example/pixel.png) [click](javascript:alert(3)) [site](https://foreign.example/)`

let server: RunningServer
let visitor: Client
let seller: Member
let id: string
let slug: string

beforeAll(async () => {
  server = await startServer({ DATABASE_URL: await createDatabase(), LISTING_REVIEW: "auto", RATE_LIMITS: "on" })
  visitor = makeClient(server.baseUrl)
  const market = onMarket(server.baseUrl)
  seller = await market.member({ seller: true, name: "Ada & <b>Sons</b>" })
  const draft = {
    name: 'Mail "Sorter" </script>',
    description: "Sorts mail by sender & subject.",
    longDescription: hostile,
    category: "automation",
    price: 5,
    installUrl: "https://github.com/ada/mail-sorter"
  }
  ;({ id } = JSON.parse((await seller.post("/v1/listings", draft)).text) as { id: string })
  ;({ slug } = dataOf<{ slug: string }>(await seller.get(`/api/v1/skills/${id}`)))
})
afterAll(() => server.stop())

const text = async (path: string, status = 200): Promise<string> => {
  const reply = await visitor.get(path, { accept: "text/html" })
  assert.strictEqual(reply.status, status, reply.text)
  assert.match(reply.headers.get("content-type") ?? "", /^text\/html/)
  return reply.text
}

/** The scripts that a page loads at first, compressed, in bytes. */
const scriptsOf = async (page: string): Promise<number> => {
  const names = new Set([...page.matchAll(/"[^"]*\/assets\/([^"]+\.js)"/g)].map(([, name = ""]) => name))
  assert.isAbove(names.size, 0)
  const sizes = [...names].map(async (name) => {
    const response = await fetch(`${server.baseUrl}/assets/${name}`)
    assert.strictEqual(response.headers.get("cache-control"), "public, max-age=31536000, immutable")
    return gzipSync(new Uint8Array(await response.arrayBuffer())).length
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

describe("the shop window", () => {
  it("shows items to visitors without a key, while the API stays closed (SHOP-1, SHOP-3)", async () => {
    assert.include(await text("/"), "Mail &quot;Sorter&quot; &lt;/script&gt;")
    assert.include(await text("/search?q=mail"), "Sorts mail by sender &amp; subject.")
    const item = await text(`/items/${slug}`)
    assert.include(
      item,
      `<meta property="og:title" content="Mail &quot;Sorter&quot; &lt;/script&gt; · Agent Marketplace">`
    )
    assert.include(
      item,
      `<link rel="canonical" href="${server.baseUrl.replace("127.0.0.1", "localhost")}/items/${slug}">`
    )
    assert.include(await text(`/creators/${seller.id}`), "Ada &amp; &lt;b&gt;Sons&lt;/b&gt;")
    failureOf(await visitor.get(`/api/v1/skills/${id}`), 401, "INVALID_API_KEY")
  })

  it("keeps unreleased links and texts to those who may read them (SHOP-1)", async () => {
    for (const path of [`/items/${slug}`, `/data/items/${slug}`]) {
      const { text: shown } = await visitor.get(path)
      assert.notInclude(shown, "github.com/ada")
    }
  })

  it("refuses paths that are not clean text, without a fault (SHOP-5)", async () => {
    for (const path of [
      "/items/%00",
      "/items/a%00b",
      "/creators/%00",
      "/data/items/%00",
      "/data/creators/%FF",
      "/items/%FF"
    ]) {
      assert.include([400, 404], (await visitor.get(path)).status, path)
    }
  })

  it("shows the text of strangers as text (SHOP-4)", async () => {
    const page = await text(`/items/${slug}`)
    const markup = page.slice(page.indexOf("<body"), page.indexOf('<script type="application/json"'))
    assert.notMatch(markup, /<script|<img|href="javascript:/)
    assert.include(markup, "&lt;script&gt;alert(1)&lt;/script&gt;")
    assert.include(markup, `<a href="https://foreign.example/" rel="noopener nofollow ugc" target="_blank">site</a>`)
    const [, data = ""] = /<script type="application\/json" id="page">([\s\S]*?)<\/script>/.exec(page) ?? []
    assert.strictEqual((JSON.parse(data) as { kind: string }).kind, "item")
  })

  it("reads filters from the URL and ignores unknown values (SHOP-2)", async () => {
    const found = async (query: string) =>
      (JSON.parse((await visitor.get(`/data/search?${query}`)).text) as { total: number }).total
    assert.strictEqual(await found("q=mail&category=automation&max=5&pricing=one_time&sort=price&page=1"), 1)
    assert.strictEqual(await found("max=4.99"), 0)
    assert.strictEqual(await found("pricing=free"), 0)
    assert.strictEqual(await found("sort=sideways&max=much&page=-1&pricing=?&category=%00"), 1)
  })

  it("names one canonical URL for each search (SHOP-10)", async () => {
    const canonical = async (query: string) =>
      /<link rel="canonical" href="[^"]*?(\/search[^"]*)">/.exec(await text(`/search?${query}`))?.[1]
    assert.strictEqual(await canonical("utm_source=x&page=1&sort=sideways&max=much&__proto__=1"), "/search")
    assert.strictEqual(await canonical("category=data&q=a%26b&fbclid=2&q=c"), "/search?q=a%26b&amp;category=data")
    assert.strictEqual(
      await canonical("page=2&sort=price&max=5&pricing=free"),
      "/search?max=5&amp;pricing=free&amp;sort=price&amp;page=2"
    )
  })

  it("has a page for what does not exist, and the API's errors elsewhere (SHOP-5)", async () => {
    assert.include(await text("/items/nothing-here", 404), "There is no such page")
    assert.include(await text("/creators/usr_none", 404), "There is no such page")
    for (const path of ["/", "/nothing-here"]) {
      failureOf(await visitor.get(path, { accept: "application/json" }), 404, "NOT_FOUND")
    }
    failureOf(await visitor.get("/data/items/nothing-here"), 404, "NOT_FOUND")
  })

  it("can be cached, and has data beside the pages (SHOP-7)", async () => {
    for (const path of ["/", "/data/home"]) {
      const first = await visitor.get(path)
      assert.strictEqual(first.headers.get("cache-control"), "public, max-age=15")
      const again = await visitor.get(path, { "if-none-match": first.headers.get("etag") ?? "" })
      assert.strictEqual(again.status, 304)
    }
  })

  it("counts pages and data together for each address (SHOP-6)", async () => {
    const [page, data] = [await visitor.get("/"), await visitor.get("/data/home")]
    const left = ({ headers }: Reply) => Number(headers.get("x-ratelimit-remaining"))
    assert.strictEqual(page.headers.get("x-ratelimit-limit"), "300")
    assert.strictEqual(left(data), left(page) - 1)
  })

  it("keeps scripts small (SHOP-8, CONSOLE-2)", async () => {
    assert.isBelow(await scriptsOf(await text(`/items/${slug}`)), 90_000)
    assert.isBelow(await scriptsOf(await text("/console")), 180_000)
  })

  it("allows no inline script and no frame (CONSOLE-3)", async () => {
    for (const path of ["/", `/items/${slug}`, "/console", "/console/wallet"]) {
      const { headers } = await visitor.get(path)
      const policy = headers.get("content-security-policy") ?? ""
      assert.include(policy, "frame-ancestors 'none'")
      assert.notMatch(policy, /unsafe|\*|https?:/)
    }
  })

  it("shows only the beginning of a paid SOUL, also where every key reads all of it (SHOP-9)", async () => {
    const secret = "The last line of the paid text."
    const content = `# SOUL\n\n## Identity\n${"A tutor that never hurries. ".repeat(20)}\n\n${secret}\n`
    const draft = { name: "Paid Tutor", description: "Explains in small steps.", content, price: 3 }
    const { slug: soul } = bodyOf<{ slug: string }>(await seller.post("/api/v1/souls/create", draft), 201)
    assert.include((await seller.get(`/api/souls/${soul}`)).text, secret)
    for (const path of [`/items/${soul}`, `/data/items/${soul}`]) {
      const shown = await visitor.get(path)
      assert.strictEqual(shown.status, 200, shown.text)
      assert.include(shown.text, "A tutor that never hurries.")
      assert.notInclude(shown.text, secret)
    }
  })
})
