import { assert, beforeAll, describe, it } from "vitest"
import { bodyOf, dataOf, send } from "./fixtures/Client.ts"
import type { Reply } from "./fixtures/Client.ts"
import { onMarket } from "./fixtures/Market.ts"
import type { IssuedKey, Market, Member } from "./fixtures/Market.ts"
import { soulMarkdown } from "./fixtures/soulMarkdown.ts"
import { sharedServer } from "./fixtures/sharedServer.ts"
import type { SharedServer } from "./fixtures/sharedServer.ts"

const right = {
  name: "Careful Reader",
  description: "Reads before it answers.",
  content: soulMarkdown("Careful Reader")
}

const missing = "Missing required fields: name, description, content"
const format = "Invalid SOUL format - content should be a valid SOUL.md file"

const without = (field: keyof typeof right): Record<string, unknown> => {
  const body: Record<string, unknown> = { ...right }
  delete body[field]
  return body
}

describe("creating a soul fails with the messages of SOUL-11, SOUL-19, SOUL-25, SOUL-26, SOUL-27 and SOUL-28", () => {
  let server: SharedServer
  let market: Market
  let author: Member
  let buyerKey: string
  let sellerKey: string
  let unclaimed: string

  beforeAll(async () => {
    server = await sharedServer()
    market = onMarket(server.baseUrl, { testClock: true })
    author = await market.member()
    const keyOf = async (scope: string) =>
      dataOf<IssuedKey>(await author.post("/api/v1/keys", { name: scope, scope }), 201).key
    ;[buyerKey, sellerKey] = [await keyOf("BUYER"), await keyOf("SELLER")]
    const registered = await market.guest.post("/api/v1/agents/register", { name: "Nobody's" })
    unclaimed = dataOf<{ apiKey: IssuedKey }>(registered, 201).apiKey.key
  })

  const create = (headers: Readonly<Record<string, string>>, body: unknown): Promise<Reply> =>
    send(`${server.baseUrl}/api/v1/souls/create`, "POST", headers, body)

  const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

  /** Asserts the exact status and body, whatever else is wrong with the request. */
  const refused = (reply: Reply, status: number, error: string): void => {
    assert.deepStrictEqual([reply.status, reply.body], [status, { error }])
    assert.match(reply.headers.get("content-type") ?? "", /^application\/json/)
    assert.isNotNull(reply.headers.get("x-request-id"))
  }

  it("401 without a key, before any other check", async () => {
    for (const body of [right, {}, "{", "null"]) refused(await create({}, body), 401, "API key required")
    refused(await create({ authorization: "Bearer " }, right), 401, "API key required")
  })

  it("401 with a key that is unknown, mistyped or deactivated", async () => {
    const gone = dataOf<IssuedKey>(await author.post("/api/v1/keys", { name: "x", scope: "FULL" }), 201)
    dataOf(await author.delete(`/api/v1/keys/${gone.id}`))
    const typo = author.key.slice(0, -1) + (author.key.endsWith("a") ? "b" : "a")
    for (const key of [gone.key, typo, "amk_", "x", `amk_${"0".repeat(39)}`, "a b c"]) {
      for (const body of [right, {}, "{"]) {
        refused(await create(bearer(key), body), 401, "Invalid or inactive API key")
        refused(await create({ "x-api-key": key }, body), 401, "Invalid or inactive API key")
      }
    }
  })

  it("403 with a key without permission to sell, for every body", async () => {
    for (const body of [right, {}, { name: 5 }]) {
      refused(await create(bearer(buyerKey), body), 403, "API key does not have seller permissions")
    }
  })

  it("403 with the key of an unclaimed agent, for every body", async () => {
    for (const body of [right, {}, { name: 5 }]) {
      refused(await create(bearer(unclaimed), body), 403, "Agent not claimed - cannot create SOULs")
    }
  })

  it("400 if a required field is missing, null or empty, before the field rules", async () => {
    for (const field of ["name", "description", "content"] as const) {
      refused(await create(bearer(author.key), without(field)), 400, missing)
      for (const nothing of [null, ""]) {
        refused(await create(bearer(author.key), { ...right, [field]: nothing }), 400, missing)
      }
    }
    for (const body of [{}, [], { name: 5, price: -1 }, { name: "ab", content: "no heading" }]) {
      refused(await create(bearer(author.key), body), 400, missing)
    }
  })

  it("400 if a field breaks its rule, before the format", async () => {
    const bad = { ...right, content: "no heading" }
    for (const [field, wrong] of [
      ["name", "ab"],
      ["name", "x".repeat(101)],
      ["name", "  ab  "],
      ["name", "a\u0000bc"],
      ["name", 12345],
      ["description", "too short"],
      ["description", "x".repeat(501)],
      ["content", "x".repeat(500_001)],
      ["content", ["# SOUL"]],
      ["price", -1],
      ["price", 0.0000001],
      ["price", 1e10],
      ["price", "free"],
      ["price", true],
      ["category", "Not A Slug"],
      ["category", "x".repeat(51)],
      ["tags", "not-a-list"],
      ["tags", [1]]
    ] as const) {
      const reply = await create(bearer(author.key), { ...bad, [field]: wrong })
      const body = bodyOf<{ error: string }>(reply, 400)
      assert.hasAllKeys(body, ["error"])
      assert.isTrue(
        body.error.startsWith(`${field}: `) || body.error.startsWith(`${field}.`),
        `${field}: ${reply.text}`
      )
    }
  })

  it("400 if the content is not a SOUL.md", async () => {
    for (const content of [
      "no heading",
      "#SOUL without a blank",
      "## Identities\n",
      "```\n# SOUL\n```\n",
      "---\nname: x\n# SOUL\n",
      "---\n- a\n- list\n---\n# SOUL\n",
      "---\na: [\n---\n# SOUL\n"
    ]) {
      refused(await create(bearer(author.key), { ...right, content }), 400, format)
    }
  })

  it("201 for values at their bounds, with either header and either permission", async () => {
    for (const headers of [
      bearer(author.key),
      bearer(sellerKey),
      { "x-api-key": sellerKey },
      { "x-api-key": author.key }
    ]) {
      assert.strictEqual((await create(headers, right)).status, 201)
    }
    const bounds = {
      name: "🦀".repeat(100),
      description: "d".repeat(500),
      content: "## Identity\n",
      price: "1000000000"
    }
    bodyOf(await create(bearer(author.key), bounds), 201)
    const least = { name: " abc ", description: "ten chars.", content: "# SOUL", price: null, unknown: { a: 1 } }
    assert.deepInclude(bodyOf<object>(await create(bearer(author.key), least), 201), { name: "abc", price: "0.00" })
  })

  it("413 and 415 in the soul routes' error format", async () => {
    const large = await create(bearer(author.key), { ...right, content: "x".repeat(4.2 * 1024 * 1024) })
    assert.hasAllKeys(bodyOf<object>(large, 413), ["error"])
    const text = await create({ ...bearer(author.key), "content-type": "text/plain" }, JSON.stringify(right))
    assert.hasAllKeys(bodyOf<object>(text, 415), ["error"])
    const broken = await create(bearer(author.key), '{"name": ')
    assert.hasAllKeys(bodyOf<object>(broken, 400), ["error"])
  })
})
