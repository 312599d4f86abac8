import { afterAll, assert, describe, it } from "vitest"
import { startMarket } from "../fixtures/startMarket.ts"

const market = startMarket()
afterAll(() => market.stop())

const url = "https://receiver.example.com/hook"
const { key } = await market.account()
const stranger = await market.account()

const create = (body: object = {}, as = key) =>
  market.send("POST", "/api/v1/webhooks", { key: as, body: { url, events: ["*"], ...body } })

const created = async (body: object = {}, as = key) => (await create(body, as)).body.data.id as string

const issuesOf = (answer: {
  readonly status: number
  readonly body: { error: { code: string; details: unknown } }
}) => {
  assert.strictEqual(answer.status, 400)
  assert.strictEqual(answer.body.error.code, "VALIDATION_ERROR")
  return (answer.body.error.details as { issues: ReadonlyArray<{ path: string; message: string }> }).issues
}

describe("webhooks over HTTP (WEBHOOK-1, WEBHOOK-4)", () => {
  it("creating a subscription returns exactly its fields, and never a secret that was given (WEBHOOK-1)", async () => {
    const answer = await create({ secret: "a secret of my own", events: ["soul.created", "soul.created"] })
    assert.strictEqual(answer.status, 201)
    const { createdAt, id, ...rest } = answer.body.data
    assert.deepStrictEqual(rest, { url, events: ["soul.created"], status: "active" })
    assert.match(id, /^whk_[0-9a-z]{25}$/)
    assert.match(createdAt, /^\d{4}-\d{2}-\d{2}T[\d:]{8}\.\d{3}Z$/)
    for (const path of ["/api/v1/webhooks", `/api/v1/webhooks/${id}`]) {
      assert.notInclude((await market.send("GET", path, { key })).text, "secret")
    }
  })

  it("without a secret, one of Standard Webhooks' form is generated and returned only once (WEBHOOK-2)", async () => {
    const { body } = await create({ secret: null })
    assert.match(body.data.secret, /^whsec_[A-Za-z0-9+/]{32}$/)
    const { body: read } = await market.send("GET", `/api/v1/webhooks/${body.data.id}`, { key })
    assert.deepStrictEqual(Object.keys(read.data).sort(), ["createdAt", "events", "id", "status", "url"])
  })

  it("reports every invalid field together", async () => {
    const missing = issuesOf(await market.send("POST", "/api/v1/webhooks", { key, body: {} }))
    assert.deepStrictEqual(missing.map(({ path }) => path).sort(), ["events", "url"])
    const wrong = issuesOf(await create({ url: "nonsense", events: ["sould.created"], secret: "short" }))
    assert.deepStrictEqual(wrong.map(({ path }) => path).sort(), ["events.0", "secret", "url"])
    assert.deepStrictEqual(issuesOf(await create({ events: [] })), [
      { path: "events", message: "must name at least one event" }
    ])
    assert.deepStrictEqual(issuesOf(await create({ secret: "whsec_not base64 at all" })), [
      { path: "secret", message: "must be base64 after whsec_" }
    ])
    assert.deepStrictEqual(issuesOf(await create({ url: "http://receiver.example.com" })), [
      { path: "url", message: "must be an HTTPS URL" }
    ])
    const id = await created()
    const patch = await market.send("PATCH", `/api/v1/webhooks/${id}`, { key, body: { url: "http://x.example.com" } })
    assert.deepStrictEqual(
      issuesOf(patch).map(({ path }) => path),
      ["url"]
    )
    const since = await market.send("POST", `/api/v1/webhooks/${id}/recover`, { key, body: { since: "yesterday" } })
    assert.deepStrictEqual(
      issuesOf(since).map(({ path }) => path),
      ["since"]
    )
  })

  it("a URL that holds a NUL, an unpaired surrogate, a blank or a backslash is a VALIDATION_ERROR", async () => {
    const id = await created()
    for (const part of ["\0", "\ud800", " ", "\n", "\\"]) {
      const body = { url: `${url}/a${part}b` }
      const patch = await market.send("PATCH", `/api/v1/webhooks/${id}`, { key, body })
      for (const answer of [await create(body), patch]) {
        assert.deepStrictEqual(issuesOf(answer), [{ path: "url", message: "must be a valid URL" }])
      }
    }
  })

  it("a subscription is changed, disabled, enabled and deleted (EVENT-11, WEBHOOK-3, WEBHOOK-4)", async () => {
    const id = await created()
    const patch = async (body: object) => {
      const answer = await market.send("PATCH", `/api/v1/webhooks/${id}`, { key, body })
      assert.strictEqual(answer.status, 200)
      const { events, status, url: at } = answer.body.data
      return [at, events, status]
    }
    assert.deepStrictEqual(await patch({}), [url, ["*"], "active"])
    assert.deepStrictEqual(await patch({ status: "disabled" }), [url, ["*"], "disabled"])
    assert.deepStrictEqual(await patch({ status: "active", events: ["purchase.completed"] }), [
      url,
      ["purchase.completed"],
      "active"
    ])
    const security = ["release.published", "release.quarantined", "advisory.published"]
    assert.deepStrictEqual(await patch({ events: security }), [url, security, "active"])
    const deleted = await market.send("DELETE", `/api/v1/webhooks/${id}`, { key })
    assert.deepStrictEqual(deleted.body, { success: true, data: { id, deleted: true } })
    assert.strictEqual((await market.send("GET", `/api/v1/webhooks/${id}`, { key })).status, 404)
  })

  it("deliveries are counted by day and status, of one subscription or of all (DELIVERY-15)", async () => {
    const one = await market.account()
    const id = await created({}, one.key)
    const other = await created({}, one.key)
    await market.send("POST", `/api/v1/webhooks/${id}/test`, { key: one.key })
    const read = (query: string, as = one.key) =>
      market.send("GET", `/api/v1/webhooks/deliveries/timeline${query}`, { key: as })
    const counts = async (query: string, as?: string) => {
      const { body } = await read(query, as)
      const series = body.data.series as ReadonlyArray<{ status: string; count: number; counts: ReadonlyArray<number> }>
      assert.deepStrictEqual(
        series.map(({ counts: each }) => each.length),
        series.map(() => body.data.periods.length)
      )
      return [body.data.periods.length, ...series.map(({ count, status }) => `${status} ${count}`)]
    }
    const all = await counts("")
    assert.strictEqual(all[0], 30)
    assert.sameMembers(
      all.slice(1).map((text) => String(text).split(" ")[0]),
      ["delivered", "pending", "failed"]
    )
    assert.strictEqual(all.filter((text) => String(text).endsWith(" 1")).length, 1)
    assert.deepStrictEqual(await counts(`?webhookId=${id}`), all)
    const none = [30, "delivered 0", "pending 0", "failed 0"]
    assert.deepStrictEqual(await counts(`?webhookId=${other}`), none)
    assert.deepStrictEqual(await counts("", stranger.key), none)
    assert.strictEqual((await read(`?webhookId=${id}`, stranger.key)).body.error.code, "WEBHOOK_NOT_FOUND")
    const wrong = issuesOf(await read("?webhookId=all&from=yesterday&to=1"))
    assert.deepStrictEqual(wrong.map(({ path }) => path).sort(), ["from", "to", "webhookId"])
    for (const query of ["?from=2020-01-01", "?from=2026-01-02&to=2026-01-01"]) {
      assert.deepStrictEqual(
        issuesOf(await read(query)).map(({ path }) => path),
        ["from"]
      )
    }
  })

  it("a record of another account, or an unknown one, is not found by any operation (ERROR-10)", async () => {
    const id = await created()
    const tested = await market.send("POST", `/api/v1/webhooks/${id}/test`, { key })
    const routes = [
      ["GET", `${id}`],
      ["PATCH", `${id}`],
      ["DELETE", `${id}`],
      ["POST", `${id}/rotate-secret`],
      ["POST", `${id}/test`],
      ["GET", `${id}/deliveries`],
      ["POST", `${id}/recover`]
    ] as const
    for (const [method, path] of routes) {
      const body = path.endsWith("recover") ? { since: "2025-01-01T00:00:00Z" } : {}
      const payload = method === "PATCH" || path.endsWith("recover") ? { body } : {}
      for (const [as, at] of [
        [stranger.key, path],
        [key, path.replace(id, "whk_nothing")]
      ] as const) {
        const answer = await market.send(method, `/api/v1/webhooks/${at}`, { key: as, ...payload })
        assert.strictEqual(answer.status, 404, `${method} ${at}`)
        assert.strictEqual(answer.body.error.code, "WEBHOOK_NOT_FOUND")
      }
    }
    const delivery = `/api/v1/webhooks/deliveries/${tested.body.data.id}/replay`
    for (const [as, at] of [
      [stranger.key, delivery],
      [key, "/api/v1/webhooks/deliveries/dlv_nothing/replay"]
    ] as const) {
      const answer = await market.send("POST", at, { key: as })
      assert.strictEqual(answer.status, 404)
      assert.strictEqual(answer.body.error.code, "DELIVERY_NOT_FOUND")
    }
    assert.lengthOf((await market.send("GET", "/api/v1/webhooks", { key: stranger.key })).body.data, 0)
  })

  it("a test returns the delivery and its attempt, which the log then shows and which can be replayed (DELIVERY-9, DELIVERY-12, WEBHOOK-8)", async () => {
    const id = await created()
    const { body, status } = await market.send("POST", `/api/v1/webhooks/${id}/test`, { key })
    assert.strictEqual(status, 200)
    const { attempts, id: delivery, ...rest } = body.data
    assert.deepStrictEqual(rest, { event: "webhook.test", status: "delivered", nextAttemptAt: null })
    assert.match(delivery, /^dlv_/)
    const { at, durationMs, ...attempt } = attempts[0]
    assert.deepStrictEqual(attempt, { statusCode: 200, error: null, responseBody: "said 200" })
    assert.match(at, /Z$/)
    assert.isNumber(durationMs)
    const log = await market.send("GET", `/api/v1/webhooks/${id}/deliveries`, { key })
    assert.deepStrictEqual(log.body, { success: true, data: [body.data], meta: { limit: 20, nextCursor: null } })
    const replayed = await market.send("POST", `/api/v1/webhooks/deliveries/${delivery}/replay`, { key })
    assert.deepStrictEqual([replayed.status, replayed.body.data.status], [200, "pending"])
    assert.isString(replayed.body.data.nextAttemptAt)
  })

  it("the log can be filtered and is paged by cursor (DELIVERY-10)", async () => {
    const id = await created()
    for (let n = 0; n < 5; n++) await market.send("POST", `/api/v1/webhooks/${id}/test`, { key })
    const log = (query: string) => market.send("GET", `/api/v1/webhooks/${id}/deliveries?${query}`, { key })
    const all = (await log("limit=100")).body.data.map((delivery: { id: string }) => delivery.id)
    assert.lengthOf(all, 5)
    const paged: Array<string> = []
    for (let cursor: string | null = ""; cursor !== null;) {
      const { body } = await log(`limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`)
      assert.deepStrictEqual(Object.keys(body.meta).sort(), ["limit", "nextCursor"])
      paged.push(...body.data.map((delivery: { id: string }) => delivery.id))
      cursor = body.meta.nextCursor
    }
    assert.deepStrictEqual(paged, all)
    assert.lengthOf((await log("status=delivered&event=webhook.test")).body.data, 5)
    assert.lengthOf((await log("status=failed")).body.data, 0)
    assert.lengthOf((await log("event=soul.created")).body.data, 0)
    for (const query of ["cursor=nonsense", "status=lost", "event=nothing", "limit=101"]) {
      assert.deepStrictEqual(
        issuesOf(await log(query)).map(({ path }) => path),
        [query.split("=")[0]]
      )
    }
  })

  it("an agent's key creates, sees and changes only the agent's webhooks, the owner's key all of them (WEBHOOK-5, WEBHOOK-16)", async () => {
    const owner = await market.account()
    const agentKey = async (name: string) => {
      const { body } = await market.send("POST", "/api/v1/agents", { key: owner.key, body: { name } })
      const made = { name, scope: "FULL", agentId: body.data.id ?? body.data.agent.id }
      return (await market.send("POST", "/api/v1/keys", { key: owner.key, body: made })).body.data.key as string
    }
    const [one, two] = [await agentKey("One"), await agentKey("Two")]
    const idOf = async (as: string) => (await create({}, as)).body.data.id as string
    const ids = { owner: await idOf(owner.key), one: await idOf(one), two: await idOf(two) }
    const seen = async (as: string) =>
      (await market.send("GET", "/api/v1/webhooks", { key: as })).body.data.map((webhook: { id: string }) => webhook.id)
    assert.deepStrictEqual(await seen(one), [ids.one])
    assert.sameMembers(await seen(owner.key), Object.values(ids))
    for (const other of [ids.owner, ids.two]) {
      for (const [method, path, body] of [
        ["GET", other, undefined],
        ["PATCH", other, { status: "disabled" }],
        ["DELETE", other, undefined],
        ["POST", `${other}/rotate-secret`, undefined],
        ["POST", `${other}/test`, undefined],
        ["GET", `${other}/deliveries`, undefined],
        ["POST", `${other}/recover`, { since: "2025-01-01T00:00:00Z" }]
      ] as const) {
        const answer = await market.send(method, `/api/v1/webhooks/${path}`, {
          key: one,
          ...(body === undefined ? {} : { body })
        })
        assert.deepStrictEqual([answer.status, answer.body.error.code], [404, "WEBHOOK_NOT_FOUND"], `${method} ${path}`)
      }
    }
    const tested = await market.send("POST", `/api/v1/webhooks/${ids.two}/test`, { key: two })
    const replay = `/api/v1/webhooks/deliveries/${tested.body.data.id}/replay`
    assert.strictEqual((await market.send("POST", replay, { key: one })).status, 404)
    assert.strictEqual((await market.send("POST", replay, { key: owner.key })).status, 200)
    assert.strictEqual((await market.send("DELETE", `/api/v1/webhooks/${ids.one}`, { key: one })).status, 200)
  })

  it("nothing is sent to a disabled subscription, and the response says so", async () => {
    const id = await created()
    const tested = await market.send("POST", `/api/v1/webhooks/${id}/test`, { key })
    await market.send("PATCH", `/api/v1/webhooks/${id}`, { key, body: { status: "disabled" } })
    const since = { since: "2025-01-01T00:00:00Z" }
    for (const answer of [
      await market.send("POST", `/api/v1/webhooks/${id}/test`, { key }),
      await market.send("POST", `/api/v1/webhooks/${id}/recover`, { key, body: since }),
      await market.send("POST", `/api/v1/webhooks/deliveries/${tested.body.data.id}/replay`, { key })
    ]) {
      assert.strictEqual(answer.status, 409)
      assert.strictEqual(answer.body.error.code, "CONFLICT")
      assert.strictEqual(answer.body.error.details.state, "disabled")
    }
    await market.send("PATCH", `/api/v1/webhooks/${id}`, { key, body: { status: "active" } })
    const recovered = await market.send("POST", `/api/v1/webhooks/${id}/recover`, { key, body: since })
    assert.deepStrictEqual(recovered.body.data, { id, recovered: 0 })
  })

  it("a rotation returns only the id and the secret (WEBHOOK-6)", async () => {
    const id = await created({ secret: "a secret of my own" })
    const { body, status } = await market.send("POST", `/api/v1/webhooks/${id}/rotate-secret`, { key })
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(Object.keys(body.data).sort(), ["id", "secret"])
    assert.match(body.data.secret, /^whsec_/)
  })

  it("lists show the newest first, page by page", async () => {
    const other = await market.account()
    const ids: Array<string> = []
    for (let n = 0; n < 3; n++) ids.unshift((await create({}, other.key)).body.data.id)
    const { body } = await market.send("GET", "/api/v1/webhooks?page=2&limit=2", { key: other.key })
    assert.deepStrictEqual(body.meta, { page: 2, limit: 2, total: 3 })
    assert.deepStrictEqual(
      body.data.map(({ id }: { id: string }) => id),
      ids.slice(2)
    )
  })
})
