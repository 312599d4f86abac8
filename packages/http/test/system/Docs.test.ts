import { readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { afterAll, assert, describe, it } from "vitest"
import { docsFolder } from "../../src/system/docsFolder.ts"
import { startMarket } from "../fixtures/startMarket.ts"

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: ReadonlyArray<string>
}

const { paths, webhooks } = JSON.parse(readFileSync(new URL("../../../api/openapi.json", import.meta.url), "utf8")) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, unknown>>
}

const market = startMarket()
const mounted = startMarket({ http: { baseUrl: "https://shop.example/market" } })
afterAll(() => Promise.all([market.stop(), mounted.stop()]))

const { files, pages } = docsFolder.files()
const served = pages.filter((path) => path !== "/missing")

const read = async (path: string): Promise<string> => {
  const { headers, status, text } = await market.send("GET", `/docs${path}`)
  assert.strictEqual(status, 200, path)
  assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
  return text
}

const linksIn = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/href="(\/docs[^"#]*)/g)].map(([, path = ""]) => path.slice("/docs".length))

describe("the documentation", () => {
  it("shows every operation on the page of its tag, with its path, callers and a curl sample (DOCS-1)", async () => {
    const first = await read("")
    const shown = new Map<string, string>()
    for (const path of new Set(linksIn(first))) if (path.startsWith("/reference/")) shown.set(path, await read(path))
    const all = [...shown.values()].join("\n")
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { operationId }] of Object.entries(methods)) {
        const [, rest = ""] = all.split(`<section class="op" id="${operationId}"`)
        const [section = ""] = rest.split("</figure>")
        assert.include(section, `${method.toUpperCase()}</span> <code>${path}</code>`, operationId)
        assert.include(section, '<span class="access-label">Access</span><span class="badge">', operationId)
        assert.include(section, "data-market>http://localhost:3000</span>", operationId)
      }
  })

  it("shows every webhook event with its signature headers (DOCS-3)", async () => {
    const page = await read("/reference/webhook-events")
    for (const event of Object.keys(webhooks)) assert.include(page, `<section class="op" id="${event}"`)
    for (const name of ["x-service-signature", "webhook-id", "webhook-timestamp", "webhook-signature"])
      assert.include(page, `>${name}</code>`)
  })

  it("links to every page, and every link leads to a page (DOCS-2, DOCS-4)", async () => {
    const first = await read("")
    const linked = new Set(linksIn(first).filter((path) => !path.startsWith("/assets/")))
    assert.deepStrictEqual([...linked].toSorted(), [...served].toSorted())
    for (const path of served) {
      const page = await read(path)
      for (const link of linksIn(page))
        assert.isTrue(linked.has(link) || link.startsWith("/assets/"), `${path}: ${link}`)
      const ids = new Set([...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))
      for (const [, id = ""] of page.matchAll(/href="#([^"]*)"/g)) assert.isTrue(ids.has(id), `${path}#${id}`)
    }
  })

  it("loads nothing from elsewhere and has no inline script or style (DOCS-5)", async () => {
    for (const path of served) {
      const page = await read(path)
      const loaded = [...page.matchAll(/<(?:script|link rel="(?:stylesheet|icon)"|img)[^>]* (?:src|href)="([^"]*)"/g)]
      assert.isAtLeast(loaded.length, 3)
      for (const [, address = ""] of loaded) assert.match(address, /^\/docs\/assets\//)
      assert.notMatch(page, /<[^>]+ style=|<style|<script(?! type="module" src=)| on\w+="/, path)
      assert.notMatch(page, /\{\{.?(?:base|market|console)\}\}/, path)
    }
  })

  it("transfers at most 60 kB for a page with its style and script (DOCS-6)", async () => {
    const size = (bytes: Uint8Array | string) => gzipSync(bytes).length
    const assets = files.filter(({ name }) => /\.(?:css|js)$/.test(name)).map(({ name }) => docsFolder.asset(name))
    const always = (await Promise.all(assets)).reduce((sum, bytes) => sum + size(bytes), 0)
    let largest = 0
    for (const path of served) {
      const { text } = await market.send("GET", `/docs${path}`)
      // The longest page is the largest one after compression too, within a few percent.
      if (text.length > 100_000 || path === "") largest = Math.max(largest, size(text))
    }
    assert.isBelow(always + largest, 60_000)
    for (const { contentType, name } of files) {
      const { headers, status } = await market.send("GET", `/docs/assets/${name}`)
      assert.deepStrictEqual([status, headers.get("content-type")], [200, contentType], name)
      assert.match(headers.get("cache-control") ?? "", name === "icon.svg" ? /max-age=3600/ : /immutable/)
    }
  })

  it("answers an unknown page with a page, keeps copies by their tag, and refuses other methods (DOCS-4)", async () => {
    for (const path of ["/guides/nothing", "/guides/..%2findex", "/reference/missing", "/guides/missing"]) {
      const { headers, status, text } = await market.send("GET", `/docs${path}`)
      assert.strictEqual(status, 404, path)
      assert.include(text, "There is no such page")
      assert.strictEqual(headers.get("cache-control"), "no-store")
    }
    assert.strictEqual((await market.send("GET", "/docs/assets/nothing.js")).status, 404)
    const { headers } = await market.send("GET", "/docs/guides/errors")
    const again = await market.send("GET", "/docs/guides/errors", {
      headers: { "if-none-match": headers.get("etag") ?? "" }
    })
    assert.deepStrictEqual([again.status, again.text], [304, ""])
    const head = await market.send("HEAD", "/docs/reference/purchases")
    assert.deepStrictEqual([head.status, head.text], [200, ""])
    const refused = await market.send("POST", "/docs/guides/errors")
    assert.deepStrictEqual([refused.status, refused.headers.get("allow")], [405, "HEAD, GET"])
  })

  it("names the market's URL in samples, and links to no console where there is none (DOCS-8, DOCS-9)", async () => {
    const response = await mounted.fetch(new Request("https://shop.example/docs/reference/purchases"))
    const page = await response.text()
    assert.include(page, "https://shop.example/market</span>/api/v1/purchases")
    assert.notInclude(page, "/console")
  })
})
