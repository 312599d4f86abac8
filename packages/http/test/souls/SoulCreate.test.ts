import { afterAll, assert, describe, it } from "vitest"
import { startMarket } from "../fixtures/startMarket.ts"

const market = startMarket()
afterAll(() => market.stop())
const owner = await market.account()
const buyer = await market.keyOf(owner.key, { scope: "BUYER" })
const registered = await market.send("POST", "/api/v1/agents/register", { body: { name: "Stray" } })
const stray = registered.body.data.apiKey.key as string

const valid = { name: "Patient Tutor", description: "Explains in small steps.", content: "# SOUL\n\nTutor." }
const create = (key: string | undefined, body: unknown, headers: Record<string, string> = {}) =>
  market.send("POST", "/api/v1/souls/create", { key, body, headers })

describe("souls/create: the order of checks (SOUL-24)", () => {
  const cases: ReadonlyArray<readonly [string, number, string, () => ReturnType<typeof create>]> = [
    ["a missing key takes precedence over an empty body", 401, "API key required", () => create(undefined, {})],
    [
      "an unknown key takes precedence over an empty body",
      401,
      "Invalid or inactive API key",
      () => create("nonsense", {})
    ],
    [
      "an unknown key in the other header",
      401,
      "Invalid or inactive API key",
      () => create(undefined, {}, { "x-api-key": "nonsense" })
    ],
    [
      "missing permission takes precedence over an empty body",
      403,
      "API key does not have seller permissions",
      () => create(buyer, {})
    ],
    [
      "an unclaimed agent takes precedence over an empty body",
      403,
      "Agent not claimed - cannot create SOULs",
      () => create(stray, {})
    ],
    [
      "required fields take precedence over field rules and format",
      400,
      "Missing required fields: name, description, content",
      () => create(owner.key, { name: "a", content: "no soul", price: -1 })
    ],
    [
      "null and the empty string count as missing",
      400,
      "Missing required fields: name, description, content",
      () => create(owner.key, { ...valid, description: null, name: "" })
    ],
    [
      "field rules take precedence over the format",
      400,
      "name: must be 3 to 100 characters",
      () => create(owner.key, { ...valid, name: "ab", content: "no soul" })
    ],
    [
      "the format comes last",
      400,
      "Invalid SOUL format - content should be a valid SOUL.md file",
      () => create(owner.key, { ...valid, content: "no soul" })
    ]
  ]
  for (const [name, status, error, run] of cases) {
    it(`${name}: ${status} ${error}`, async () => {
      const answer = await run()
      assert.strictEqual(answer.status, status)
      assert.deepStrictEqual(answer.body, { error })
    })
  }

  it("permission is checked before the agent's claim", async () => {
    const other = await market.send("POST", "/api/v1/agents/register", { body: { name: "Second" } })
    assert.deepStrictEqual((await create(other.body.data.apiKey.key, valid)).body, {
      error: "Agent not claimed - cannot create SOULs"
    })
  })

  it("a body that is not a JSON object has none of the required fields (SOUL-11)", async () => {
    for (const raw of ["[]", "null", "5", '""']) {
      const answer = await market.send("POST", "/api/v1/souls/create", { key: owner.key, raw })
      assert.deepStrictEqual(
        [answer.status, answer.body.error],
        [400, "Missing required fields: name, description, content"]
      )
    }
    const broken = await market.send("POST", "/api/v1/souls/create", { key: owner.key, raw: "{" })
    assert.deepStrictEqual([broken.status, broken.body], [400, { error: "body: must be valid JSON" }])
  })

  it("refuses a price of the front matter that parsing would round (MONEY-5)", async () => {
    const content = `---\nprice: 5.00000000000000000001\n---\n${valid.content}`
    const answer = await create(owner.key, { ...valid, content })
    assert.deepStrictEqual([answer.status, answer.body], [400, { error: "price: must have at most 6 decimals" }])
  })

  it("answers 201 with exactly the fields of SOUL-30, unwrapped", async () => {
    const answer = await create(owner.key, { ...valid, price: "4.5", tags: ["a"] })
    assert.strictEqual(answer.status, 201)
    assert.deepStrictEqual(Object.keys(answer.body).sort(), [
      "author",
      "category",
      "createdAt",
      "description",
      "id",
      "name",
      "price",
      "slug",
      "tags"
    ])
    assert.strictEqual(answer.body.price, "4.50")
  })
})

describe("souls, without an envelope (WIRE-2, WIRE-3)", () => {
  it("lists with pagination and reads by slug (WIRE-17)", async () => {
    const list = await market.send("GET", "/api/souls?limit=1", { key: owner.key })
    assert.deepStrictEqual(list.body.pagination, { total: 1, limit: 1, offset: 0, hasMore: false })
    const got = await market.send("GET", `/api/souls/${list.body.souls[0].slug}`, { key: owner.key })
    assert.strictEqual(got.body.soul.content, valid.content)
  })

  it("fails with { error }, while PATCH, DELETE and download use the general envelope", async () => {
    const missing = await market.send("GET", "/api/souls/nothing", { key: owner.key })
    assert.deepStrictEqual([missing.status, missing.body], [404, { error: "Soul not found" }])
    const wrong = await market.send("GET", "/api/souls?limit=101", { key: owner.key })
    assert.deepStrictEqual([wrong.status, wrong.body], [400, { error: "limit: must be a whole number from 1 to 100" }])
    for (const [method, path] of [
      ["PATCH", "/api/v1/souls/nothing"],
      ["DELETE", "/api/v1/souls/nothing"],
      ["POST", "/api/v1/souls/nothing/download"]
    ] as const) {
      const { body, status } = await market.send(method, path, { key: owner.key, body: {} })
      assert.deepStrictEqual([status, body.error.code], [404, "SOUL_NOT_FOUND"])
    }
  })
})
