import { MarketApi } from "@agent-marketplace/api/MarketApi"
import { ErrorFormat } from "@agent-marketplace/api/access/Operation"
import { Context } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { afterAll, assert, describe, it } from "vitest"
import { adminToken, startMarket } from "./fixtures/startMarket.ts"
import type { Answer, Send } from "./fixtures/startMarket.ts"

const market = startMarket()
afterAll(() => market.stop())

const owner = await market.account({ seller: true })
const soul = { name: "Patient Tutor", description: "Explains in small steps.", content: "# SOUL\n\nTutor." }
const listing = {
  name: "CSV Cleaner",
  description: "Cleans CSV files of any size.",
  price: 2,
  category: "data",
  installUrl: "https://example.com/csv"
}
await market.send("POST", "/api/v1/souls/create", { key: owner.key, body: soul })
const listed = await market.send("POST", "/v1/listings", { key: owner.key, body: listing })
const id = listed.body.id as string
const agent = await market.send("POST", "/api/v1/agents", { key: owner.key, body: { name: "Helper" } })
const agentId = agent.body.data.id as string

/** Everything that a request of the owner could have changed. */
const state = async () => {
  const paths = [
    "/api/souls",
    "/api/souls/patient-tutor",
    "/v1/listings?creator=me",
    `/v1/listings/${id}`,
    `/v1/listings/${id}/reviews`,
    "/api/v1/wallet/balance",
    "/api/v1/wallet/policy",
    `/api/v1/agents/${agentId}/policy`,
    "/api/v1/wallet/withdrawals",
    "/api/v1/wallet/transactions",
    "/api/v1/purchases",
    "/api/v1/approvals",
    "/api/v1/subscriptions",
    "/api/v1/agents",
    "/api/v1/account"
  ]
  const bodies: Array<string> = []
  for (const path of paths) bodies.push((await market.send("GET", path, { key: owner.key })).text)
  const keys = await market.send("GET", "/api/v1/keys", { key: owner.key })
  return [...bodies, String(keys.body.meta.total)]
}
const before = await state()

const endpoints = Object.values(MarketApi.groups).flatMap(
  (group) => Object.values(group.endpoints) as ReadonlyArray<HttpApiEndpoint.Top>
)

const pathOf = (path: string): string =>
  path
    .replace("/souls/:slug", "/souls/patient-tutor")
    .replace("/agents/:id", `/agents/${agentId}`)
    .replace(/\/(listings|skills)\/:id/, `/$1/${id}`)
    .replace("/accounts/:id", `/accounts/${owner.id}`)
    .replace(/:[A-Za-z]+/g, "nothing")

/** Asserts a refusal in the endpoint's error format, with a request id, and no server fault. */
const assertWrapped = (answer: Answer, surface: string, note: string): void => {
  assert.isBelow(answer.status, 500, `${note}: ${answer.text}`)
  assert.isNotNull(answer.headers.get("x-request-id"), note)
  if (answer.status < 400) return
  if (surface === "general") {
    assert.deepStrictEqual(Object.keys(answer.body), ["success", "error"], note)
    assert.deepStrictEqual(Object.keys(answer.body.error), ["code", "message", "details"], note)
    assert.notInclude(answer.body.error.code, "INTERNAL", note)
  } else assert.deepStrictEqual(Object.keys(answer.body), ["error"], note)
}

const deep = `{"name":${'{"a":'.repeat(200)}1${"}".repeat(201)}`

const rawBodies: ReadonlyArray<readonly [string, BodyInit]> = [
  ["only a brace", "{"],
  ["a truncated object", '{"name":"Patient'],
  ["text", "nonsense"],
  ["single quotes", "{'name':'x'}"],
  ["a trailing comma", '{"name":"x",}'],
  ["two documents", "{}{}"],
  ["a comment", "{/* */}"],
  ["invalid UTF-8", new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])],
  ["UTF-16", new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
  ["deep nesting", deep],
  ["endless nesting", "[".repeat(500_000)],
  ["NaN", '{"price":NaN}'],
  ["Infinity", '{"price":Infinity}'],
  ["a NUL byte outside a text", '{"name":\0"x"}'],
  ["an unescaped control character", '{"name":"a\nb"}'],
  ["a broken escape", '{"name":"\\u12"}'],
  ["blanks alone", "   "],
  ["over 4 MiB", "x".repeat(4_400_000)]
]

describe("bodies that no endpoint accepts", () => {
  const writes = endpoints.filter(({ method, payload }) => method !== "GET" && payload.size > 0)
  for (const { annotations, method, path } of writes) {
    const surface = Context.get(annotations, ErrorFormat)
    it(`${method} ${path}: each is refused with 4xx in the endpoint's error format and changes nothing`, async () => {
      for (const [name, raw] of rawBodies) {
        const admin = path.includes("/admin/")
        const answer = await market.send(method, pathOf(path), { key: admin ? adminToken : owner.key, raw })
        const note = `${method} ${path} with ${name}`
        assertWrapped(answer, surface, note)
        assert.isAtLeast(answer.status, 400, note)
      }
    })
  }
})

/** Values that are invalid or unusual in almost every field. */
const odd: ReadonlyArray<unknown> = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  1e-7,
  Number.MAX_SAFE_INTEGER,
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "x".repeat(200_000),
  "1e400",
  "-1",
  "1.0000001",
  [],
  [null],
  {},
  { a: { b: [] } },
  "__proto__",
  "javascript:alert(1)",
  "'; DROP TABLE accounts; --"
]

describe("unusual values in every field", () => {
  const cases: ReadonlyArray<readonly [string, string, object, object, ReadonlyArray<string>]> = [
    [
      "POST",
      "/v1/listings",
      listing,
      { name: 5 },
      ["description", "price", "category", "installUrl", "tags", "screenshots", "currency", "longDescription"]
    ],
    ["PATCH", `/v1/listings/${id}`, {}, { name: 5 }, ["description", "price", "tags", "installUrl", "videoUrl"]],
    ["POST", `/v1/listings/${id}/reviews`, {}, { rating: 9 }, ["comment"]],
    ["POST", "/api/v1/skills", {}, { name: 5 }, ["description", "price", "category", "pricingModel", "shortDesc"]],
    ["POST", "/api/v1/souls/create", soul, { name: 5 }, ["description", "content", "price", "category", "tags"]],
    ["PATCH", "/api/v1/souls/patient-tutor", {}, { name: 5 }, ["content", "price", "category", "tags", "visibility"]],
    ["POST", "/api/v1/purchases", {}, { autoInstall: 5 }, ["skillId"]],
    ["POST", "/api/v1/licenses/validate", {}, { skillId: 5 }, ["licenseKey"]],
    ["PATCH", "/api/v1/wallet/policy", {}, { autoApprove: 5 }, ["dailyLimit", "weeklyLimit", "allowedCategories"]],
    ["PATCH", `/api/v1/agents/${agentId}/policy`, {}, { autoApprove: 5 }, ["monthlyLimit", "blockedSellers"]],
    ["POST", "/api/v1/wallet/withdrawals", {}, { amount: "x" }, ["destinationAddress"]],
    ["POST", "/api/v1/keys", {}, { scope: "ALL" }, ["name", "agentId", "expiresAt"]],
    ["POST", "/api/v1/keys/refresh", {}, { graceSeconds: -1 }, ["more"]],
    ["PATCH", "/api/v1/account", {}, { seller: "yes" }, ["name", "email"]],
    ["POST", "/api/v1/agents/claim", {}, { claimCode: 5 }, ["more"]],
    ["POST", "/api/v1/accounts", {}, { seller: "yes" }, ["name", "email"]],
    ["POST", "/api/v1/agents/register", {}, { name: 5 }, ["more"]]
  ]
  for (const [method, path, valid, wrong, fields] of cases) {
    it(`${method} ${path}: one field is always invalid, whatever the values of the others`, async () => {
      const surface = path.endsWith("/souls/create") ? "soul" : "general"
      const bodies = [
        { ...valid, ...wrong },
        ...fields.flatMap((field) => odd.map((value) => ({ ...valid, [field]: value, ...wrong })))
      ]
      for (const body of bodies) {
        const answer = await market.send(method, path, { key: owner.key, body })
        const note = `${method} ${path} ${JSON.stringify(body).slice(0, 120)}`
        assertWrapped(answer, surface, note)
        assert.strictEqual(answer.status, 400, note)
      }
    })
  }
  it("a thousand unknown fields, and fields named like an object's own, are ignored", async () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`f${i}`, i]))
    const raw = `{"__proto__":{"seller":true},"constructor":1,"toString":"x",${JSON.stringify(many).slice(1)}`
    const answer = await market.send("PATCH", "/api/v1/account", { key: owner.key, raw })
    assert.strictEqual(answer.status, 200)
  })
})

const requests: ReadonlyArray<readonly [string, string, Send, number]> = [
  ["GET", "/api/souls?limit=1e3", {}, 400],
  ["GET", "/api/souls?limit=99999999999999999999", {}, 400],
  ["GET", "/api/souls?offset=-1", {}, 400],
  ["GET", "/api/souls?limit=1&limit=2", {}, 400],
  ["GET", "/api/souls?limit[]=1", {}, 200],
  ["GET", `/api/souls?tags=${",".repeat(900)}`, {}, 200],
  ["GET", `/api/souls?category=${"a".repeat(5000)}`, {}, 400],
  ["GET", "/api/souls?category=%F0%9F%A6%80", {}, 200],
  ["GET", "/api/souls?category=%ED%A0%80", {}, 400],
  ["GET", `/api/souls/${"a".repeat(3000)}`, {}, 404],
  ["GET", "/api/souls/%2e%2e%2f%2e%2e%2fetc%2fpasswd", {}, 404],
  ["GET", "/api/souls/..%5c..%5cwin.ini", {}, 404],
  ["GET", "/api/souls/%00", {}, 400],
  ["GET", "/api/souls/%", {}, 400],
  ["GET", "/api/souls/%E0%A4%A", {}, 400],
  ["GET", "/v1/listings?minPrice=-1", {}, 400],
  ["GET", "/v1/listings?minPrice=NaN", {}, 400],
  ["GET", "/v1/listings?minPrice=1e5", {}, 400],
  ["GET", "/v1/listings?minPrice=1.0000001", {}, 400],
  ["GET", "/v1/listings?minRating=6", {}, 400],
  ["GET", "/v1/listings?page=0", {}, 400],
  ["GET", "/v1/listings?page=2147483648", {}, 400],
  ["GET", "/v1/listings?sortOrder=up", {}, 400],
  ["GET", `/v1/listings?search=${"a".repeat(201)}`, {}, 400],
  ["GET", "/v1/listings?search=%27%3B%20DROP%20TABLE%20x--", {}, 200],
  ["GET", "/v1/listings?search=%25_%5C%28%29%3A%2A%26%7C%21", {}, 200],
  ["GET", "/v1/listings?search=%26", {}, 200],
  ["GET", "/v1/listings/__proto__", {}, 404],
  ["GET", "/v1/listings/constructor", {}, 404],
  ["GET", "/v1/listings/%F0%9F%A6%80", {}, 404],
  ["GET", "/api/v1/skills?sortBy=constructor", {}, 400],
  ["GET", "/api/v1/approvals?status=open", {}, 400],
  ["GET", "/api/v1/wallet/transactions?format=xml", {}, 400],
  ["GET", "/api/v1/wallet/deposit/..%2f/qr.png", {}, 404],
  ["PUT", "/api/souls", {}, 405],
  ["PATCH", "/api/v1/souls/create", { body: {} }, 404],
  ["DELETE", "/api/v1/wallet/policy", {}, 405],
  ["POST", "/healthz", { body: {} }, 405],
  ["GET", "/api/v1/purchases/nothing/refund", {}, 405],
  ["POST", "/api/v1/purchases/nothing/refund", {}, 404],
  ["POST", "/api/v1/approvals/nothing/approve", {}, 404],
  ["POST", "/api/v1/subscriptions/nothing/cancel", {}, 404],
  ["POST", "/api/v1/wallet/withdrawals/nothing/cancel", {}, 404],
  ["DELETE", "/api/v1/keys/nothing", {}, 404],
  ["DELETE", "/v1/listings/nothing", {}, 404],
  ["POST", "/api/v1/purchases", { body: { skillId: "lst_nothing" } }, 404],
  ["POST", "/api/v1/purchases", { body: { skillId: id } }, 403],
  ["POST", "/api/v1/purchases", { body: { skillId: "lst_x" }, headers: { "idempotency-key": "" } }, 400],
  ["POST", "/api/v1/purchases", { body: { skillId: "lst_x" }, headers: { "idempotency-key": "k".repeat(256) } }, 400],
  ["POST", "/api/v1/wallet/withdrawals", { body: { amount: 10, destinationAddress: "T" } }, 400],
  ["POST", "/api/v1/wallet/withdrawals", { body: { amount: 0, destinationAddress: "T".repeat(34) } }, 400],
  ["POST", "/api/v1/keys", { body: { name: "k", scope: "READ", expiresAt: "2020-01-01T00:00:00Z" } }, 400],
  ["POST", "/api/v1/keys", { body: { name: "k", scope: "READ", expiresAt: "tomorrow" } }, 400],
  ["POST", "/api/v1/keys", { body: { name: "k", scope: "READ", agentId: "agt_nothing" } }, 404],
  ["PUT", "/api/v1/wallet/policy", { body: { perTransactionLimit: 10, dailyLimit: null, weeklyLimit: 5 } }, 400],
  ["GET", "/api/v1/account", { headers: { "x-request-id": "a\tb" } }, 200],
  ["POST", "/api/v1/agents/claim", { raw: "claimCode=x", headers: { "content-type": "text/plain" } }, 415],
  ["POST", "/api/v1/agents/claim", { raw: "{}", headers: { "content-type": "application/jsonp" } }, 415],
  ["POST", "/api/v1/agents/claim", { raw: "{}", headers: { "content-type": "application/json, text/plain" } }, 415],
  ["POST", "/api/v1/agents/claim", { raw: "{}", headers: { "content-type": ";;;" } }, 415]
]

describe("requests that are invalid in other ways", () => {
  for (const [method, path, send, status] of requests) {
    it(`${method} ${path.slice(0, 60)} ${JSON.stringify(send).slice(0, 60)}: ${status}`, async () => {
      const answer = await market.send(method, path, { key: owner.key, ...send })
      const soulSurface = path.startsWith("/api/souls")
      assertWrapped(answer, soulSurface ? "soul" : "general", path)
      assert.strictEqual(answer.status, status, answer.text)
    })
  }
})

describe("after all invalid requests", () => {
  it("nothing has changed", async () => {
    assert.deepStrictEqual(await state(), before)
    const audit = await market.send("GET", "/api/v1/admin/ledger/audit", { key: adminToken })
    assert.isTrue(audit.body.data.balanced)
  })
})
