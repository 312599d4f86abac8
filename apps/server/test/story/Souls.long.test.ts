import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { assertShape, isoTime } from "../fixtures/assertShape.ts"
import { bodyOf, dataOf, failureOf, issuesOf } from "../fixtures/Client.ts"
import { onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { soulMarkdown } from "../fixtures/soulMarkdown.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

interface SoulPage {
  readonly souls: ReadonlyArray<{ readonly slug: string }>
  readonly pagination: unknown
}

const item = {
  id: /^soul_/,
  slug: "night-owl",
  name: "Night Owl",
  description: "Watches logs while others sleep.",
  price: "12.50",
  category: "soul-tech",
  tags: ["on-call", "logs"],
  author: "Ada",
  createdAt: isoTime
}

describe("souls (SOUL-1)", () => {
  let server: RunningServer
  let market: Market
  let ada: Member
  let reader: Member

  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: await createDatabase(), TEST_CLOCK: "true" })
    market = onMarket(server.baseUrl, { testClock: true })
    ada = await market.member({ name: "Ada" })
    reader = await market.member()
  })
  afterAll(() => server?.stop())

  const slugsOf = async (query: string): Promise<Array<string>> =>
    bodyOf<SoulPage>(await reader.get(`/api/souls${query}`)).souls.map(({ slug }) => slug)

  it("creates, lists and shows a soul, unwrapped, with the fields of the reference (SOUL-1, SOUL-2, SOUL-3, SOUL-30)", async () => {
    const content = soulMarkdown("Night Owl")
    const created = await ada.post("/api/v1/souls/create", {
      name: "Night Owl",
      description: "Watches logs while others sleep.",
      content,
      price: 12.5,
      category: "soul-tech",
      tags: ["on-call", "logs"]
    })
    assertShape(bodyOf(created, 201), item)
    const counted = { ...item, authorVerified: false, trust: "notice", updatedAt: isoTime, downloads: 0 }
    const listed = bodyOf<SoulPage>(await reader.get("/api/souls?category=soul-tech"))
    assertShape(listed, { souls: [counted], pagination: { total: 1, limit: 50, offset: 0, hasMore: false } })
    const more = { content, authorId: ada.id, version: 1, stats: { sales: 0, rating: 0, reviews: 0 } }
    assertShape(bodyOf(await reader.get("/api/souls/night-owl")), { soul: { ...counted, ...more } })
  })

  it("a slug in use gets a number, and the front matter provides fields that the body omits (SOUL-21, TEXT-6, TEXT-7, TEXT-8)", async () => {
    const content = soulMarkdown("Echo", ["price: 3.5", "category: data", "tags: [sound, echo]", "author: Nobody"])
    const wish = { name: "Écho, Écho!", description: "Says everything twice.", content }
    const [first, second] = [
      bodyOf<object>(await ada.post("/api/v1/souls/create", wish), 201),
      bodyOf<object>(await ada.post("/api/v1/souls/create", { ...wish, price: 0, category: "skills", tags: [] }), 201)
    ]
    assert.deepInclude(first, {
      slug: "echo-echo",
      price: "3.50",
      category: "data",
      tags: ["sound", "echo"],
      author: "Ada"
    })
    assert.deepInclude(second, { slug: "echo-echo-2", price: "0.00", category: "skills", tags: [] })
    const plain = { name: "創造者", description: "A name without Latin.", content: soulMarkdown("X") }
    const unnamed = bodyOf<{ slug: string; category: string }>(await ada.post("/api/v1/souls/create", plain), 201)
    assert.match(unnamed.slug, /^soul-[0-9a-z]{8}$/)
    assert.strictEqual(unnamed.category, "personas")
    const route = bodyOf<{ slug: string }>(await ada.post("/api/v1/souls/create", { ...plain, name: "Create" }), 201)
    assert.strictEqual(route.slug, "create-2")
  })

  it("filters by category with its sub-categories, by any of the tags, and pages (SOUL-4, SOUL-6, SOUL-7, WIRE-17, WIRE-22)", async () => {
    for (const [name, category, tags] of [
      ["Paging one", "soul-legal", ["paging-a"]],
      ["Paging two", "personas", ["paging-b", "paging-c"]],
      ["Paging three", "compute", ["paging-c"]]
    ] as const) {
      const wish = { name, description: "One of three pages.", content: soulMarkdown(name), category, tags }
      bodyOf(await ada.post("/api/v1/souls/create", wish), 201)
    }
    assert.sameMembers(await slugsOf("?tags=paging-a,paging-c"), ["paging-one", "paging-two", "paging-three"])
    assert.sameMembers(await slugsOf("?tags=paging-a,paging-b&category=personas"), ["paging-one", "paging-two"])
    assert.deepStrictEqual(await slugsOf("?tags=paging-c&limit=1&offset=1"), ["paging-two"])
    const page = bodyOf<SoulPage>(await reader.get("/api/souls?tags=paging-c&limit=1"))
    assert.deepStrictEqual(page.pagination, { total: 2, limit: 1, offset: 0, hasMore: true })
    for (const query of ["limit=101", "limit=0", "offset=-1", "limit=ten", "offset=1.5"]) {
      const refused = bodyOf<{ error: string }>(await reader.get(`/api/souls?${query}`), 400)
      assert.hasAllKeys(refused, ["error"])
    }
  })

  it("personas has fifteen sub-categories; their souls are listed in the sub-category and in personas (CATEGORY-3, SOUL-6)", async () => {
    const subCategories = [
      "soul-developer",
      "soul-analyst",
      "soul-writer",
      "soul-assistant",
      "soul-executive",
      "soul-support",
      "soul-tech",
      "soul-finance",
      "soul-legal",
      "soul-healthcare",
      "soul-creative",
      "soul-sales",
      "soul-professional",
      "soul-analytical",
      "soul-empathetic"
    ]
    const slugs: Array<string> = []
    for (const category of subCategories) {
      const name = `Persona ${category}`
      const soul = {
        name,
        description: "One of fifteen kinds.",
        content: soulMarkdown(name),
        category,
        tags: ["kinds"]
      }
      const { slug } = bodyOf<{ slug: string }>(await ada.post("/api/v1/souls/create", soul), 201)
      slugs.push(slug)
      assert.deepStrictEqual(await slugsOf(`?category=${category}&tags=kinds`), [slug])
    }
    assert.sameMembers(await slugsOf("?category=personas&tags=kinds"), slugs)
    assert.deepStrictEqual(await slugsOf("?category=skills&tags=kinds"), [])
  })

  it("with the default SOUL_CONTENT=open everyone can read the full text of a paid soul (SOUL-44)", async () => {
    const { slug } = await market.soul(ada, "Paid and open", 7.5)
    for (const member of [reader, ada]) {
      const { soul } = bodyOf<{ soul: { content: string } }>(await member.get(`/api/souls/${slug}`))
      assert.strictEqual(soul.content, soulMarkdown("Paid and open"))
      assert.notProperty(soul, "preview")
    }
  })

  it("only its author changes a soul; the slug does not change, and private souls are hidden (SOUL-5, SOUL-33)", async () => {
    const { slug } = await market.soul(ada, "Changing soul")
    const path = `/api/v1/souls/${slug}`
    const refused = failureOf(await reader.patch(path, { name: "Mine" }), 403, "INSUFFICIENT_PERMISSIONS")
    assert.deepStrictEqual(refused, { required: ["creator"] })
    const changed = dataOf<object>(await ada.patch(path, { name: "Changed soul", price: "1.000001", tags: ["new"] }))
    assert.deepInclude(changed, { slug, name: "Changed soul", price: "1.000001", tags: ["new"] })
    assert.deepStrictEqual(issuesOf(await ada.patch(path, { name: "ab", content: "no heading" })), ["content", "name"])
    assert.deepStrictEqual(issuesOf(await ada.patch(path, { content: "no heading" })), ["content"])

    assert.deepInclude(dataOf<object>(await ada.patch(path, { visibility: "private" })), { slug })
    assert.deepStrictEqual(bodyOf(await reader.get(`/api/souls/${slug}`), 404), { error: "Soul not found" })
    failureOf(await reader.patch(path, { name: "Mine" }), 404, "SOUL_NOT_FOUND")
    assert.notInclude(await slugsOf("?limit=100"), slug)
    assert.strictEqual((await ada.get(`/api/souls/${slug}`)).status, 200)
  })

  it("a download counts once for each account (SOUL-36)", async () => {
    const { slug } = await market.soul(ada, "Downloaded soul")
    const content = soulMarkdown("Downloaded soul")
    for (const one of [reader, reader, ada]) {
      assert.deepStrictEqual(dataOf(await one.post(`/api/v1/souls/${slug}/download`)), { slug, content, version: 1 })
    }
    const { soul } = bodyOf<{ soul: { downloads: number } }>(await reader.get(`/api/souls/${slug}`))
    assert.strictEqual(soul.downloads, 2)
    const rewritten = soulMarkdown("Rewritten")
    dataOf(await ada.patch(`/api/v1/souls/${slug}`, { content: rewritten }))
    const again = dataOf(await reader.post(`/api/v1/souls/${slug}/download`))
    assert.deepStrictEqual(again, { slug, content: rewritten, version: 2 })
  })

  it("a deleted soul is visible only to its buyers, and its slug is not reused (SOUL-35, WIRE-13)", async () => {
    const buyer = await market.fundedMember(5)
    const { id, slug } = await market.soul(ada, "Short lived", 2)
    dataOf(await buyer.post("/api/v1/purchases", { skillId: id }), 201)
    failureOf(await buyer.delete(`/api/v1/souls/${slug}`), 403, "INSUFFICIENT_PERMISSIONS")
    assert.deepStrictEqual(dataOf(await ada.delete(`/api/v1/souls/${slug}`)), { id, deleted: true })
    failureOf(await ada.delete(`/api/v1/souls/${slug}`), 404, "SOUL_NOT_FOUND")
    assert.deepStrictEqual(bodyOf(await reader.get(`/api/souls/${slug}`), 404), { error: "Soul not found" })
    assert.strictEqual((await buyer.get(`/api/souls/${slug}`)).status, 200)
    assert.notInclude(await slugsOf("?limit=100"), slug)
    assert.strictEqual((await market.soul(ada, "Short lived")).slug, `${slug}-2`)
  })

  it("a request without a key is refused in the soul routes' error format (SOUL-25, WIRE-3)", async () => {
    const paths = ["/api/souls", "/api/souls/night-owl"]
    for (const path of paths) {
      assert.deepStrictEqual(bodyOf(await market.guest.get(path), 401), { error: "API key required" }, path)
    }
  })
})
