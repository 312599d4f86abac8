import { gunzipSync } from "node:zlib"
import { afterAll, assert, describe, it } from "vitest"
import { adminToken, startMarket } from "../fixtures/startMarket.ts"

const market = startMarket()
const secured = startMarket({ http: { baseUrl: "https://market.test" } })
afterAll(() => Promise.all([market.stop(), secured.stop()]))

const { key } = await market.account({ seller: true })
const page = "https://shop.example"

describe("CORS", () => {
  it("every path responds to OPTIONS with its methods, without a key (CORS-1, CORS-3)", async () => {
    const paths: ReadonlyArray<readonly [string, string]> = [
      ["/api/souls", "HEAD, GET"],
      ["/api/v1/souls/create", "POST, PATCH, DELETE"],
      ["/v1/listings", "HEAD, GET, POST"],
      ["/api/activity/live", "HEAD, GET"],
      ["/api/v1/keys", "HEAD, GET, POST"],
      ["/openapi.json", "HEAD, GET"],
      ["/docs", "HEAD, GET"]
    ]
    for (const [path, methods] of paths) {
      const { headers, status, text } = await market.send("OPTIONS", path, { headers: { origin: page } })
      assert.deepStrictEqual([status, text], [204, ""], path)
      assert.strictEqual(headers.get("access-control-allow-origin"), "*")
      assert.strictEqual(headers.get("access-control-allow-methods"), methods, path)
      assert.strictEqual(headers.get("allow"), methods)
      const allowed = headers.get("access-control-allow-headers") ?? ""
      for (const name of [
        "Authorization",
        "Content-Type",
        "Idempotency-Key",
        "x-api-key",
        "X-Agent-Id",
        "Last-Event-ID"
      ])
        assert.include(allowed, name)
      assert.notMatch(allowed, /x-requested-with/i)
      assert.isNull(headers.get("access-control-allow-credentials"))
    }
    assert.strictEqual((await market.send("OPTIONS", "/nothing")).status, 404)
  })

  it("pages of every origin may read responses and failures with their headers (CORS-4)", async () => {
    for (const path of ["/api/souls", "/nothing", "/api/v1/account"]) {
      const { headers } = await market.send("GET", path, { headers: { origin: page } })
      assert.strictEqual(headers.get("access-control-allow-origin"), "*", path)
      const exposed = headers.get("access-control-expose-headers") ?? ""
      for (const name of [
        "X-Request-Id",
        "X-RateLimit-Remaining",
        "Retry-After",
        "Idempotent-Replayed",
        "ETag",
        "WWW-Authenticate"
      ])
        assert.include(exposed, name)
    }
  })

  it("CORS_ORIGINS as a list allows only those origins; `none` allows nothing (CORS-2)", async () => {
    const listed = startMarket({ http: { corsOrigins: [page] } })
    const closed = startMarket({ http: { corsOrigins: "none" } })
    const allowedBy = async (other: typeof listed, origin: string, method = "GET") => {
      const { headers } = await other.send(method, "/api/souls", { headers: { origin } })
      return [
        headers.get("access-control-allow-origin"),
        headers.get("access-control-allow-methods"),
        headers.get("vary")
      ]
    }
    assert.deepStrictEqual(await allowedBy(listed, page), [page, null, "Origin"])
    assert.deepStrictEqual(await allowedBy(listed, page, "OPTIONS"), [page, "HEAD, GET", "Origin"])
    assert.deepStrictEqual(await allowedBy(listed, "https://evil.example"), [null, null, "Origin"])
    assert.deepStrictEqual(await allowedBy(listed, "null", "OPTIONS"), [null, null, "Origin"])
    assert.deepStrictEqual(await allowedBy(closed, page, "OPTIONS"), [null, null, null])
    await Promise.all([listed.stop(), closed.stop()])
  })
})

describe("security headers", () => {
  it("every response, including failures and files, has nosniff and no-referrer (HEADER-4)", async () => {
    for (const path of [
      "/api/souls",
      "/nothing",
      "/healthz",
      "/openapi.json",
      "/docs",
      "/metrics",
      "/api/activity/live"
    ]) {
      const { headers } = await market.send("GET", path, { key })
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff", path)
      assert.strictEqual(headers.get("referrer-policy"), "no-referrer", path)
    }
  })

  it("responses with a key, a secret or a token are not stored by caches (HEADER-5)", async () => {
    const answers = [
      await market.send("POST", "/api/v1/accounts", { body: { name: "Eve" }, key: adminToken }),
      await market.send("POST", "/api/v1/agents/register", { body: { name: "Shopper" } }),
      await market.send("POST", "/api/v1/keys", { key, body: { name: "CI", scope: "READ" } }),
      await market.send("POST", "/api/v1/webhooks", { key, body: { url: "https://a.example/hook", events: ["*"] } })
    ]
    for (const { headers, status } of answers)
      assert.deepStrictEqual([status, headers.get("cache-control")], [201, "no-store"])
    assert.strictEqual(
      (await market.send("GET", "/api/v1/purchases", { key })).headers.get("cache-control"),
      "no-store"
    )
  })

  it("a page runs only scripts of this service and cannot be shown in a frame (HEADER-6)", async () => {
    const { headers } = await market.send("GET", "/docs")
    const policy = headers.get("content-security-policy") ?? ""
    for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
      assert.include(policy, part)
    assert.notInclude(policy, "unsafe")
    assert.strictEqual(headers.get("x-frame-options"), "DENY")
  })

  it("every page has a Permissions-Policy (HEADER-8)", async () => {
    for (const path of ["/sign-in", "/step-up", "/oauth/consent", "/oauth/code", "/approvals/apr_1"]) {
      const { headers } = await secured.send("GET", path)
      assert.include(headers.get("content-type"), "text/html", path)
      assert.include(headers.get("permissions-policy"), "camera=()", path)
      assert.include(headers.get("permissions-policy"), "publickey-credentials-get=(self)", path)
    }
    assert.isNull((await market.send("GET", "/healthz")).headers.get("permissions-policy"))
  })

  it("responses carry HSTS if BASE_URL is HTTPS (HEADER-7)", async () => {
    assert.isNull((await market.send("GET", "/healthz")).headers.get("strict-transport-security"))
    const { headers } = await secured.send("GET", "/healthz")
    assert.strictEqual(headers.get("strict-transport-security"), "max-age=31536000")
  })
})

describe("compression (HEADER-2)", () => {
  const raw = (path: string, accepted: string) =>
    market.fetch(new Request(`http://market.test${path}`, { headers: { "accept-encoding": accepted } }))

  it("compresses JSON over 1 kB in the encoding that the client prefers, and nothing else", async () => {
    const plain = await (await raw("/openapi.json", "identity")).text()
    const zipped = await raw("/openapi.json", "gzip")
    assert.strictEqual(zipped.headers.get("content-encoding"), "gzip")
    assert.include(zipped.headers.get("vary"), "Accept-Encoding")
    const bytes = Buffer.from(await zipped.arrayBuffer())
    assert.isBelow(bytes.length, plain.length / 4)
    assert.strictEqual(gunzipSync(bytes).toString(), plain)
    assert.strictEqual((await raw("/openapi.json", "gzip;q=0.5, br")).headers.get("content-encoding"), "br")
    assert.strictEqual((await raw("/openapi.json", "br;q=0, gzip")).headers.get("content-encoding"), "gzip")
    for (const accepted of ["identity", "zstd", "gzip;q=0"])
      assert.isNull((await raw("/openapi.json", accepted)).headers.get("content-encoding"), accepted)
    assert.isNull((await raw("/healthz", "gzip")).headers.get("content-encoding"))
  })
})

describe("conditional requests (HEADER-3)", () => {
  it("documents carry a tag, and a client that sends it gets 304", async () => {
    for (const path of ["/openapi.json", "/docs"]) {
      const first = await market.send("GET", path)
      const tag = first.headers.get("etag") ?? ""
      assert.match(tag, /^"[\w-]+"$/)
      assert.include(first.headers.get("cache-control"), "public")
      const again = await market.send("GET", path, { headers: { "if-none-match": `W/${tag}, "other"` } })
      assert.deepStrictEqual([again.status, again.text, again.headers.get("etag")], [304, "", tag])
      assert.strictEqual((await market.send("GET", path, { headers: { "if-none-match": '"other"' } })).status, 200)
    }
  })

  it("so do QR images, which never change", async () => {
    const { body } = await market.send("GET", "/api/v1/wallet/deposit", { key })
    const path = new URL(body.data.qrCode).pathname
    const { headers } = await market.send("GET", path)
    assert.strictEqual(headers.get("cache-control"), "public, max-age=86400, immutable")
    const again = await market.send("GET", path, { headers: { "if-none-match": headers.get("etag") ?? "" } })
    assert.strictEqual(again.status, 304)
  })
})
