import { afterAll, assert, describe, it } from "vitest"
import { adminToken, startMarket } from "../fixtures/startMarket.ts"

const market = startMarket()
afterAll(() => market.stop())
const owner = await market.account({ seller: true })

const codeOf = (body: { readonly error: { readonly code: string } }) => body.error.code

describe("unknown paths and methods (ERROR-9, ERROR-11, ERROR-12)", () => {
  it("an unknown path is NOT_FOUND in the general envelope, with or without a key", async () => {
    for (const key of [undefined, owner.key, "nonsense"]) {
      for (const path of ["/", "/api", "/api/v1/nothing", "/api/souls/a/b", "/V1/listings", "/docs/more"]) {
        const { body, headers, status } = await market.send("GET", path, { key })
        assert.strictEqual(status, 404, path)
        assert.deepStrictEqual(Object.keys(body), ["success", "error"])
        assert.strictEqual(codeOf(body), "NOT_FOUND")
        assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/)
      }
    }
  })

  it("another method on a known path is METHOD_NOT_ALLOWED with Allow, with or without a key", async () => {
    for (const key of [undefined, owner.key]) {
      const { body, headers, status } = await market.send("DELETE", "/api/v1/purchases", { key })
      assert.strictEqual(status, 405)
      assert.strictEqual(headers.get("allow"), "HEAD, GET, POST")
      assert.strictEqual(codeOf(body), "METHOD_NOT_ALLOWED")
      assert.isNotNull(headers.get("x-request-id"))
    }
    const { headers } = await market.send("POST", "/v1/listings/lst_x")
    assert.strictEqual(headers.get("allow"), "HEAD, GET, PATCH, DELETE")
    assert.strictEqual((await market.send("OPTIONS", "/docs")).headers.get("allow"), "HEAD, GET")
  })

  it("another method on a path with { error } bodies is { error } too (WIRE-3)", async () => {
    const requests = [
      ["DELETE", "/api/souls", 405],
      ["POST", "/api/souls/ada", 405],
      ["PUT", "/api/v1/souls/create", 405],
      ["PUT", "/api/v1/souls/ada", 405]
    ] as const
    const shapes: Array<unknown> = []
    for (const [method, path, status] of requests) {
      const refused = await market.send(method, path, { key: owner.key })
      assert.strictEqual(refused.status, status, path)
      shapes.push(typeof refused.body.error)
    }
    assert.deepStrictEqual(shapes, ["string", "string", "string", "object"])
  })

  it("HEAD responds like GET, without a body", async () => {
    const got = await market.send("GET", "/api/souls", { key: owner.key })
    const head = await market.send("HEAD", "/api/souls", { key: owner.key })
    assert.strictEqual(head.status, 200)
    assert.strictEqual(head.text, "")
    assert.strictEqual(head.headers.get("content-length"), got.headers.get("content-length"))
    assert.strictEqual((await market.send("HEAD", "/nothing")).status, 404)
    assert.strictEqual((await market.send("HEAD", "/api/v1/souls/create")).status, 405)
  })

  it("trailing and double slashes are ignored", async () => {
    assert.strictEqual((await market.send("GET", "/api/souls/", { key: owner.key })).status, 200)
    assert.strictEqual((await market.send("GET", "//api//souls", { key: owner.key })).status, 200)
  })
})

describe("X-Request-Id (HEADER-1)", () => {
  it("is on every response, and the caller's own if it is valid", async () => {
    const mine = "order-2025.01:15_A"
    const sent = await market.send("GET", "/healthz", { headers: { "x-request-id": mine } })
    assert.strictEqual(sent.headers.get("x-request-id"), mine)
    for (const odd of ["short", "has space in it", "a".repeat(129), "<script>alert(1)</script>"]) {
      const { headers } = await market.send("GET", "/healthz", { headers: { "x-request-id": odd } })
      assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/)
    }
  })

  it("differs from request to request", async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => market.send("GET", "/healthz")))
    assert.strictEqual(new Set(ids.map(({ headers }) => headers.get("x-request-id"))).size, 20)
  })
})

describe("the key (KEY-1, ERROR-3)", () => {
  const read = (headers: Record<string, string>) => market.send("GET", "/api/v1/account", { headers })

  it("missing and invalid keys are INVALID_API_KEY with WWW-Authenticate", async () => {
    const last = owner.key.slice(-1)
    const typo = owner.key.slice(0, -1) + (last === "0" ? "1" : "0")
    for (const authorization of [
      "",
      "Bearer",
      "Bearer ",
      "Basic abc",
      "Bearer nonsense",
      `Bearer ${typo}`,
      owner.key
    ]) {
      const { body, headers, status } = await read(authorization === "" ? {} : { authorization })
      assert.strictEqual(status, 401, authorization)
      assert.strictEqual(codeOf(body), "INVALID_API_KEY")
      assert.match(headers.get("www-authenticate") ?? "", /^Bearer (?:error="invalid_token", )?resource_metadata="http/)
    }
  })

  it("the scheme's case is ignored, and x-api-key is accepted only by souls/create", async () => {
    assert.strictEqual((await read({ authorization: `bearer ${owner.key}` })).status, 200)
    assert.strictEqual((await read({ "x-api-key": owner.key })).status, 401)
    const created = await market.send("POST", "/api/v1/souls/create", {
      headers: { "x-api-key": owner.key },
      body: { name: "By header", description: "Sent with the other header.", content: "# SOUL" }
    })
    assert.strictEqual(created.status, 201)
  })

  it("a deactivated key is refused, and so is the operator's token", async () => {
    const made = await market.send("POST", "/api/v1/keys", { key: owner.key, body: { name: "k", scope: "READ" } })
    const { id, key } = made.body.data
    assert.strictEqual((await read({ authorization: `Bearer ${key}` })).status, 200)
    assert.strictEqual((await market.send("DELETE", `/api/v1/keys/${id}`, { key: owner.key })).status, 200)
    for (let tries = 0; tries < 50; tries++) {
      if ((await read({ authorization: `Bearer ${key}` })).status === 401) break
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.strictEqual((await read({ authorization: `Bearer ${key}` })).status, 401)
    assert.strictEqual((await read({ authorization: `Bearer ${adminToken}` })).status, 401)
    assert.strictEqual((await market.send("GET", "/api/v1/admin/ledger/audit", { key: adminToken })).status, 200)
    const other = await market.send("GET", "/api/v1/admin/ledger/audit", { key: owner.key })
    assert.strictEqual(other.status, 403)
    assert.deepStrictEqual(other.body.error.details, { required: ["admin"] })
  })
})

describe("bodies (WIRE-1, ERROR-16, ERROR-17)", () => {
  const claim = (more: object) => market.send("POST", "/api/v1/agents/claim", { key: owner.key, ...more })

  it("a body of another content type is 415, whatever it contains", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml", "multipart/form-data"]) {
      const { body, status } = await claim({ raw: '{"claimCode":"x"}', headers: { "content-type": type } })
      assert.strictEqual(status, 415, type)
      assert.strictEqual(codeOf(body), "UNSUPPORTED_MEDIA_TYPE")
    }
    const charset = await claim({
      raw: '{"claimCode":"x"}',
      headers: { "content-type": "application/json; charset=utf-8" }
    })
    assert.strictEqual(charset.status, 404)
  })

  it("a body that the endpoint ignores must be JSON, too, and may be absent or empty (ERROR-17)", async () => {
    const { key } = await market.account()
    const unfreeze = (more: object) => market.send("POST", "/api/v1/agents/agt_none/unfreeze", { key, ...more })
    const refused: ReadonlyArray<
      readonly [headers: Record<string, string>, raw: string | ReadableStream, status: number]
    > = [
      [{ "content-type": "text/plain" }, "{}", 415],
      [{ "content-type": "application/x-www-form-urlencoded" }, "a=1", 415],
      [{ "content-type": "" }, "{}", 415],
      [{ "content-type": "text/plain" }, new Blob(["{}"]).stream(), 415],
      [{ "content-type": "application/json" }, "{bad", 400],
      [{ "content-type": "application/json" }, `"${"x".repeat(1_100_000)}"`, 413]
    ]
    for (const [headers, raw, status] of refused) {
      const reply = await unfreeze({ headers, raw })
      assert.strictEqual(reply.status, status, JSON.stringify(headers))
    }
    const accepted: ReadonlyArray<object> = [
      {},
      { headers: { "content-type": "text/plain" }, raw: "" },
      { headers: { "content-type": "application/json" }, raw: "" },
      { body: { unknown: true } }
    ]
    for (const more of accepted) assert.strictEqual((await unfreeze(more)).status, 404, JSON.stringify(more))
  })

  it("invalid JSON is a VALIDATION_ERROR at `body`", async () => {
    for (const raw of ["{", '{"a":1', "nonsense", "{'a':1}", "[1,]"]) {
      const { body, status } = await claim({ raw })
      assert.strictEqual(status, 400, raw)
      assert.deepStrictEqual(body.error.details.issues, [{ path: "body", message: "must be valid JSON" }])
    }
  })

  it("invalid UTF-8 and deep nesting are VALIDATION_ERRORs at `body`", async () => {
    const bytes = new Uint8Array([0x22, 0xff, 0xfe, 0x22])
    const deep = `{"claimCode":${"[".repeat(70)}${"]".repeat(70)}}`
    for (const raw of [bytes, deep, `${"[".repeat(100_000)}`]) {
      const { body, status } = await claim({ raw })
      assert.strictEqual(status, 400)
      assert.strictEqual(body.error.details.issues[0].path, "body")
    }
    assert.strictEqual((await claim({ body: { claimCode: "[[[{{{".repeat(20).slice(0, 100) } })).status, 404)
  })

  it("over 1 MiB is 413, with and without a length, and 4 MiB for a soul's content (ERROR-16)", async () => {
    const large = JSON.stringify({ claimCode: "x".repeat(1_100_000) })
    for (const raw of [large, new Blob([large]).stream()]) {
      const { body, headers, status } = await claim({ raw })
      assert.strictEqual(status, 413)
      assert.strictEqual(codeOf(body), "PAYLOAD_TOO_LARGE")
      assert.isNotNull(headers.get("x-request-id"))
    }
    const soul = (length: number) =>
      market.send("POST", "/api/v1/souls/create", {
        key: owner.key,
        body: { name: "Large", description: "x".repeat(length) }
      })
    assert.strictEqual((await soul(2_000_000)).status, 400)
    const tooLarge = await soul(4_300_000)
    assert.strictEqual(tooLarge.status, 413)
    assert.deepStrictEqual(Object.keys(tooLarge.body), ["error"])
  })

  it("a body larger than allowed is not read to its end", async () => {
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 65_536
        if (sent > 50_000_000) controller.close()
        else controller.enqueue(new Uint8Array(65_536).fill(0x20))
      }
    })
    assert.strictEqual((await claim({ raw: endless })).status, 413)
    assert.isBelow(sent, 3_000_000)
  })

  it("all issues are reported together, each with its dotted path", async () => {
    const { body, status } = await market.send("POST", "/v1/listings", {
      key: owner.key,
      body: { name: "ab", description: 5, price: 1, tags: ["ok", ""], installUrl: "http://a.b" }
    })
    assert.strictEqual(status, 400)
    assert.strictEqual(codeOf(body), "VALIDATION_ERROR")
    const paths = body.error.details.issues.map(({ path }: { path: string }) => path).sort()
    assert.deepStrictEqual(paths, ["category", "description", "installUrl", "name", "price", "tags.1"])
  })

  it("an optional body may be absent, and unknown fields are ignored", async () => {
    const { key } = await market.account()
    assert.strictEqual((await market.send("POST", "/api/v1/keys/refresh", { key })).status, 201)
    const renamed = await market.send("PATCH", "/api/v1/account", { key, body: { name: "Grace", role: "admin" } })
    assert.strictEqual(renamed.body.data.name, "Grace")
  })
})

describe("paths and queries (WIRE-21, ERROR-11)", () => {
  it("invalid percent-encoding and NUL are 400 in an envelope", async () => {
    for (const path of [
      "/api/v1/skills/%ff",
      "/api/v1/skills/%zz",
      "/api/v1/skills?query=%ff",
      "/api/v1/skills/a%00b",
      "/v1/listings?search=%00",
      "/v1/listings?search=%c3%28"
    ]) {
      const { body, status } = await market.send("GET", path, { key: owner.key })
      assert.strictEqual(status, 400, path)
      assert.strictEqual(codeOf(body), "VALIDATION_ERROR", path)
    }
    assert.strictEqual((await market.send("GET", "/api/v1/skills/caf%C3%A9", { key: owner.key })).status, 404)
  })

  it("a known parameter with a wrong value is refused, an unknown one ignored", async () => {
    const get = (query: string) => market.send("GET", `/v1/listings?${query}`, { key: owner.key })
    for (const query of [
      "limit=101",
      "limit=0",
      "limit=x",
      "limit=",
      "page=-1",
      "minPrice=-1",
      "sortBy=color",
      "featured=yes",
      "limit=5&limit=6",
      "creator=you"
    ]) {
      const { body, status } = await get(query)
      assert.strictEqual(status, 400, query)
      assert.strictEqual(body.error.details.issues[0].path, query.split("=")[0])
    }
    assert.strictEqual((await get("color=red&limit=100")).status, 200)
    const all = await get("limit=x&page=y")
    assert.lengthOf(all.body.error.details.issues, 2)
  })
})
