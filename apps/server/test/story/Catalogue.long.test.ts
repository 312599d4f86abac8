import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { bodyOf, dataOf, failureOf, issuesOf, send } from "../fixtures/Client.ts"
import { listingDraft, onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { soulMarkdown } from "../fixtures/soulMarkdown.ts"
import { waitFor } from "../fixtures/waitFor.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

type Json = Readonly<Record<string, unknown>>

interface Listed extends Json {
  readonly id: string
  readonly slug: string
}

const day = 86_400

describe("the catalogue over HTTP", () => {
  let server: RunningServer
  let market: Market
  let ada: Member
  let reader: Member

  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: await createDatabase(), TEST_CLOCK: "true", SOUL_CONTENT: "licensed" })
    market = onMarket(server.baseUrl, { testClock: true })
    ada = await market.member({ name: "Ada", seller: true })
    reader = await market.member({ name: "Reader" })
  })
  afterAll(() => server?.stop())

  const soulsOf = async (query: string, of: Member = reader): Promise<ReadonlyArray<Listed>> =>
    bodyOf<{ souls: ReadonlyArray<Listed> }>(await of.get(`/api/souls?${query}`)).souls

  const detail = async (slug: string, of: Member = reader): Promise<Json> =>
    bodyOf<{ soul: Json }>(await of.get(`/api/souls/${slug}`)).soul

  const skillsOf = async (query: string, of: Member = reader): Promise<ReadonlyArray<Listed>> =>
    dataOf<{ skills: ReadonlyArray<Listed> }>(await of.get(`/api/v1/skills?${query}`)).skills

  const waiting = async (): Promise<ReadonlyArray<Json>> =>
    dataOf(await market.operator.get("/api/v1/admin/listings?status=pending_review"))

  it("a text/markdown body is the soul; every other field comes from its front matter (SOUL-22, SOUL-12)", async () => {
    const create = (body: string) =>
      send(
        `${server.baseUrl}/api/v1/souls/create`,
        "POST",
        {
          authorization: `Bearer ${ada.key}`,
          "content-type": "text/markdown; charset=utf-8"
        },
        body
      )
    const matter = ["name: Markdown Soul", "description: Written as one file.", "price: 2.5", "tags: [one, two]"]
    const content = soulMarkdown("Markdown", [...matter, "category: soul-writer", "author: Somebody"])
    const made = bodyOf<Json>(await create(content), 201)
    assert.deepInclude(made, { slug: "markdown-soul", price: "2.50", category: "soul-writer", author: "Ada" })
    assert.deepStrictEqual(made.tags, ["one", "two"])
    const lacking = await create("# SOUL\n\nNobody.")
    assert.strictEqual(lacking.status, 400)
    assert.strictEqual(lacking.headers.get("x-missing-fields"), "name, description")
    assert.strictEqual((await create("---\na: [\n---\n# SOUL\n")).headers.get("x-missing-fields"), null)
    const json = await ada.post("/api/v1/souls/create", { description: "No name and no text.", content: "" })
    assert.deepStrictEqual([json.status, json.headers.get("x-missing-fields")], [400, "name, content"])
  })

  it("souls are searched, filtered and sorted (SOUL-8)", async () => {
    const made = [await market.soul(ada, "Zebra Keeper", 3), await market.soul(ada, "Zebra Rider", 1)]
    const [keeper, rider] = made.map(({ slug }) => slug)
    const slugs = async (query: string) => (await soulsOf(query)).map(({ slug }) => slug)
    assert.deepStrictEqual(await slugs("search=zebra&sortBy=price"), [rider, keeper])
    assert.deepStrictEqual(await slugs("query=zebra&sortBy=price&sortOrder=desc"), [keeper, rider])
    assert.deepStrictEqual(await slugs("search=zebra&minPrice=2"), [keeper])
    assert.deepStrictEqual(await slugs("search=zebra&maxPrice=2"), [rider])
    assert.deepStrictEqual(await slugs("search=zebra&minRating=1"), [])
    assert.sameMembers(await slugs(`search=zebra&author=${ada.id}`), [keeper, rider])
    assert.deepStrictEqual(await slugs(`search=zebra&author=${reader.id}`), [])
    for (const query of ["sortBy=size", "minRating=6", "minPrice=-1", "visibility=private"]) {
      assert.hasAllKeys(bodyOf<Json>(await reader.get(`/api/souls?${query}`), 400), ["error"])
    }
  })

  it("only its author sees a private soul until it is published, and only then is it announced (SOUL-3, SOUL-9, SOUL-31, EVENT-13)", async () => {
    const draft = { name: "Hidden Soul", description: "Nobody sees it yet.", content: soulMarkdown("Hidden") }
    const { slug } = bodyOf<Listed>(await ada.post("/api/v1/souls/create", { ...draft, visibility: "private" }), 201)
    assert.deepStrictEqual(await soulsOf("search=hidden"), [])
    assert.strictEqual((await reader.get(`/api/souls/${slug}`)).status, 404)
    const [own] = await soulsOf("author=me&visibility=private", ada)
    assert.deepInclude(own, { slug, visibility: "private" })
    assert.deepInclude(await detail(slug, ada), { visibility: "private", authorId: ada.id, version: 1 })
    dataOf(await ada.patch(`/api/v1/souls/${slug}`, { visibility: "public" }))
    const shown = await detail(slug)
    assert.notProperty(shown, "visibility")
    assert.deepStrictEqual(shown.stats, { sales: 0, rating: 0, reviews: 0 })
  })

  it("others than the author and license holders get a preview of a paid text, and of each version (ERROR-25, SOUL-38, SOUL-39, SOUL-40, SOUL-45)", async () => {
    const buyer = await market.fundedMember(20)
    const { id, slug } = await market.soul(ada, "Paid Soul", 4)
    const long = soulMarkdown(`Paid ${"word ".repeat(100)}`)
    dataOf(await ada.patch(`/api/v1/souls/${slug}`, { content: long }))
    const preview = await detail(slug, buyer)
    assert.deepStrictEqual([preview.content, preview.preview, preview.version], [long.slice(0, 280), true, 2])
    const refused = failureOf(await buyer.post(`/api/v1/souls/${slug}/download`), 402, "LICENSE_REQUIRED")
    assert.deepStrictEqual(refused, { price: "4.00", itemId: id })
    failureOf(await buyer.post(`/api/v1/souls/${slug}/reviews`, { rating: 5 }), 403, "INSUFFICIENT_PERMISSIONS")
    const versions = dataOf<ReadonlyArray<Json>>(await buyer.get(`/api/v1/souls/${slug}/versions`))
    assert.deepStrictEqual(
      versions.map(({ current, version }) => [version, current]),
      [
        [2, true],
        [1, false]
      ]
    )
    assert.deepInclude(dataOf<Json>(await buyer.get(`/api/v1/souls/${slug}/versions/2`)), { preview: true })
    dataOf(await buyer.post("/api/v1/purchases", { skillId: id }), 201)
    const whole = await detail(slug, buyer)
    assert.deepStrictEqual([whole.content, whole.preview], [long, undefined])
    assert.deepInclude(dataOf<Json>(await buyer.get(`/api/v1/souls/${slug}/versions/1`)), {
      preview: false,
      content: soulMarkdown("Paid Soul")
    })
    failureOf(await buyer.get(`/api/v1/souls/${slug}/versions/3`), 404, "SOUL_NOT_FOUND")
    assert.deepInclude(dataOf<Json>(await buyer.post(`/api/v1/souls/${slug}/download`)), { version: 2, content: long })
  })

  it("buyers review a soul, and downloaders a free one; a refund removes the review (SOUL-41, REVIEW-4)", async () => {
    const free = await market.soul(ada, "Free Soul")
    const path = `/api/v1/souls/${free.slug}/reviews`
    failureOf(await reader.post(path, { rating: 4 }), 403, "INSUFFICIENT_PERMISSIONS")
    dataOf(await reader.post(`/api/v1/souls/${free.slug}/download`))
    assert.deepInclude(dataOf<Json>(await reader.post(path, { rating: 4, comment: "Calm." }), 201), { rating: 4 })
    assert.deepStrictEqual((await detail(free.slug)).stats, { sales: 0, rating: 4, reviews: 1 })

    const buyer = await market.fundedMember(20)
    const paid = await market.soul(ada, "Refunded Soul", 4)
    const { purchaseId } = dataOf<{ purchaseId: string }>(
      await buyer.post("/api/v1/purchases", { skillId: paid.id }),
      201
    )
    dataOf(await buyer.post(`/api/v1/souls/${paid.slug}/reviews`, { rating: 1 }), 201)
    assert.deepInclude((await detail(paid.slug)).stats as Json, { rating: 1, reviews: 1 })
    dataOf(await ada.post(`/api/v1/purchases/${purchaseId}/refund`))
    assert.deepStrictEqual((await detail(paid.slug)).stats, { sales: 0, rating: 0, reviews: 0 })
    assert.deepStrictEqual(dataOf(await reader.get(`/api/v1/souls/${paid.slug}/reviews`)), [])
  })

  it("the linter reports recommendations and refuses nothing (SOUL-42, SOUL-43)", async () => {
    const lint = async (content: string) => dataOf<Json>(await reader.post("/api/v1/souls/lint", { content }))
    const poor = await lint("# SOUL\n\nShort.")
    assert.deepInclude(poor, { valid: true, words: 2 })
    assert.isAbove((poor.findings as ReadonlyArray<Json>).length, 5)
    assert.deepInclude(await lint("no heading"), { valid: false })
    assert.deepStrictEqual(issuesOf(await reader.post("/api/v1/souls/lint", {})), ["content"])
  })

  it("a suspended soul is neither listed, found nor bought, its author sees the reason, and both decisions are logged (OPERATOR-12, OPERATOR-14, SOUL-46, SOUL-47)", async () => {
    const buyer = await market.fundedMember(10)
    const { id, slug } = await market.soul(ada, "Suspicious Soul", 1)
    const path = `/api/v1/admin/souls/${slug}`
    assert.deepStrictEqual(issuesOf(await market.operator.post(`${path}/suspend`, {})), ["reason"])
    const suspended = dataOf<Json>(await market.operator.post(`${path}/suspend`, { reason: "Copied." }))
    assert.deepInclude(suspended, { status: "suspended", suspensionReason: "Copied." })
    failureOf(await market.operator.post(`${path}/suspend`, { reason: "Again." }), 409, "CONFLICT")
    assert.deepStrictEqual(await soulsOf("search=suspicious"), [])
    assert.strictEqual((await buyer.get(`/api/souls/${slug}`)).status, 404)
    failureOf(await buyer.post("/api/v1/purchases", { skillId: id }), 404, "SOUL_NOT_FOUND")
    assert.deepInclude(await detail(slug, ada), { suspensionReason: "Copied." })
    const listed = dataOf<ReadonlyArray<Json>>(await market.operator.get("/api/v1/admin/souls?status=suspended"))
    assert.include(
      listed.map((soul) => soul.slug),
      slug
    )
    dataOf(await market.operator.post(`${path}/restore`, undefined, { "x-operator": "grace" }))
    assert.lengthOf(await soulsOf("search=suspicious"), 1)
    dataOf(await buyer.post("/api/v1/purchases", { skillId: id }), 201)
    const logged = dataOf<ReadonlyArray<Json>>(await market.operator.get(`/api/v1/admin/actions?subject=${id}`))
    const suspension = { status: "suspended", suspensionReason: "Copied.", reasonCode: "other" }
    const none = { status: "active", suspensionReason: null, reasonCode: null }
    assert.deepStrictEqual(
      logged.map(({ action, actor, after, before, reason }) => [action, actor, reason, before, after]),
      [
        ["soul.restore", "grace", null, suspension, none],
        ["soul.suspend", "operator", "Copied.", none, suspension]
      ]
    )
  })

  it("the listing and the skill API accept the same filters, and the skill API finds souls (SEARCH-1, SEARCH-2, SEARCH-5, SEARCH-6, SEARCH-7, SKILL-11)", async () => {
    const id = await market.listing(ada, "Heron Cleaner", 5)
    const soul = await market.soul(ada, "Heron Soul", 2)
    const listed = async (query: string, of: Member = reader) =>
      bodyOf<{ listings: ReadonlyArray<Listed> }>(await of.get(`/v1/listings?${query}`)).listings
    for (const query of [
      "search=heron",
      "query=heron",
      `search=heron&creator=${ada.id}`,
      "search=heron&pricingModel=one_time"
    ]) {
      assert.deepStrictEqual(
        (await listed(query)).map((item) => item.id),
        [id],
        query
      )
      assert.deepStrictEqual(
        (await skillsOf(query)).map((item) => item.id),
        [id],
        query
      )
    }
    for (const query of ["search=heron&featured=true", "search=heron&pricingModel=free", "search=heron&minRating=1"]) {
      assert.deepStrictEqual(await listed(query), [], query)
      assert.deepStrictEqual(await skillsOf(query), [], query)
    }
    const common = { pricingModel: "one_time", featured: false, delivery: "link" }
    assert.deepInclude((await listed("search=heron"))[0], common)
    assert.deepInclude((await skillsOf("search=heron"))[0], { ...common, kind: "skill" })
    assert.deepInclude((await skillsOf("search=heron&kind=soul"))[0], {
      id: soul.id,
      kind: "soul",
      pricingModel: "one_time"
    })
    const all = await skillsOf("search=heron&kind=all&sortBy=price")
    assert.deepStrictEqual(
      all.map((item) => item.id),
      [soul.id, id]
    )
    const [own] = await listed("search=heron&creator=me&status=approved", ada)
    assert.deepInclude(own, { status: "approved", rejectionReason: null })
    assert.deepStrictEqual(await listed("search=heron&creator=me&status=rejected", ada), [])
    assert.deepStrictEqual(await listed("search=heron&creator=me"), [], "what is listed is the caller's own")
    assert.deepStrictEqual(issuesOf(await reader.get("/v1/listings?status=approved")), ["status"])
    for (const key of [soul.id, soul.slug]) {
      const page = dataOf<Json>(await reader.get(`/api/v1/skills/${key}`))
      assert.deepInclude(page, { id: soul.id, kind: "soul", title: "Heron Soul", currency: "USDC", status: "approved" })
    }
  })

  it("install is open to license holders, the creator, and to everybody for a free item (ERROR-25, LISTING-25)", async () => {
    const buyer = await market.fundedMember(20)
    const id = await market.listing(ada, "Installed Skill", 5)
    const path = `/v1/listings/${id}/install`
    const place = { kind: "link", url: "https://example.com/install", version: null, sha256: null }
    assert.deepStrictEqual(failureOf(await buyer.get(path), 402, "LICENSE_REQUIRED"), { price: "5.00", itemId: id })
    assert.deepStrictEqual(bodyOf(await ada.get(path)), place)
    dataOf(await buyer.post("/api/v1/purchases", { skillId: id }), 201)
    assert.deepStrictEqual(bodyOf(await buyer.get(path)), place)
    assert.deepStrictEqual(dataOf(await buyer.get(`/api${path.replace("/v1", "/v1")}`)), place)
    const free = dataOf<Listed>(
      await ada.post("/api/v1/skills", { name: "Free Skill", description: "Costs nothing at all.", price: 0 }),
      201
    )
    dataOf(await market.operator.post(`/api/v1/admin/listings/${free.id}/approve`))
    assert.deepInclude(bodyOf<Json>(await reader.get(`/v1/listings/${free.id}/install`)), {
      kind: "license_only",
      url: null
    })
  })

  it("changes of reviewed fields wait while the approved listing stays on sale (LISTING-16, LISTING-17, LISTING-18, LISTING-19)", async () => {
    const id = await market.listing(ada, "Reviewed Skill", 5)
    const patch = (body: Json) => ada.patch(`/v1/listings/${id}`, body)
    const changes = { name: "Renamed Skill", installUrl: "https://example.com/other" }
    const changed = bodyOf<Json>(await patch({ ...changes, price: 6, description: "Does it even better now." }))
    assert.deepInclude(changed, { name: "Reviewed Skill", price: 6, status: "approved" })
    assert.deepStrictEqual(changed.pendingChanges, changes)
    assert.notProperty(bodyOf<Json>(await reader.get(`/v1/listings/${id}`)), "pendingChanges")
    const [inQueue] = (await waiting()).filter((listing) => listing.id === id)
    assert.deepInclude(inQueue, { status: "approved", changedSinceReview: true })
    assert.deepStrictEqual(inQueue?.pendingChanges, changes)
    assert.isString(inQueue?.waitingSince)
    const rejected = dataOf<Json>(await market.operator.post(`/api/v1/admin/listings/${id}/reject`, { reason: "No." }))
    assert.deepInclude(rejected, { status: "approved", name: "Reviewed Skill", pendingChanges: null })
    bodyOf(await patch(changes))
    const approved = dataOf<Json>(await market.operator.post(`/api/v1/admin/listings/${id}/approve`))
    assert.deepInclude(approved, { ...changes, status: "approved", pendingChanges: null, changedSinceReview: false })
    failureOf(await market.operator.post(`/api/v1/admin/listings/${id}/approve`), 409, "CONFLICT")
    bodyOf(await patch({ name: "Other Skill" }))
    assert.deepInclude(bodyOf<Json>(await patch({ name: "Renamed Skill" })), { pendingChanges: null })
    assert.deepStrictEqual(
      (await waiting()).filter((listing) => listing.id === id),
      []
    )
  })

  it("a review that is due for more than a day is reported by a metric and a warning (OPERATOR-13)", async () => {
    const slow = await market.member({ seller: true })
    const { id } = bodyOf<Listed>(await slow.post("/v1/listings", listingDraft("Slow Review", 5)), 201)
    const seconds = async () => {
      const text = (await market.guest.get("/metrics")).text
      return Number(/^review_oldest_seconds (\S+)$/m.exec(text)?.[1])
    }
    await market.advance(day + 60)
    await waitFor("the metric reports it", async () => (await seconds()) >= day)
    const ready = bodyOf<{ warnings?: ReadonlyArray<unknown> }>(await market.guest.get("/readyz"))
    assert.match(JSON.stringify(ready.warnings), /review/)
    dataOf(await market.operator.post(`/api/v1/admin/listings/${id}/approve`))
    await waitFor("nothing is due", async () => (await seconds()) < day)
  })

  it("categories have icons, parents and counts; creators public counts only (CATEGORY-1, CATEGORY-2, CREATOR-1)", async () => {
    const categories = dataOf<ReadonlyArray<Json>>(await reader.get("/api/v1/categories?limit=100"))
    const bySlug = new Map(categories.map((category) => [category.slug, category]))
    assert.strictEqual(bySlug.size, categories.length)
    assert.deepInclude(bySlug.get("soul-legal"), { parent: "personas", appliesTo: ["soul"] })
    assert.deepInclude(bySlug.get("data"), { parent: null, appliesTo: ["soul", "listing"] })
    assert.isAbove(Number(bySlug.get("development")?.count), 0)
    const main = categories.filter(
      ({ appliesTo, parent }) => parent === null && (appliesTo as string[]).includes("soul")
    )
    assert.sameMembers(
      main.map(({ slug }) => slug),
      ["personas", "skills", "knowledge", "data", "workflows", "connectors", "compute", "services"]
    )
    const creator = dataOf<Json>(await reader.get(`/api/v1/creators/${ada.id}`))
    assert.hasAllKeys(creator, ["id", "name", "verified", "joinedAt", "souls", "listings", "sales", "rating"])
    assert.deepInclude(creator, { id: ada.id, name: "Ada", verified: false })
    assert.isAbove(Number(creator.souls) * Number(creator.listings) * Number(creator.sales), 0)
    failureOf(await reader.get(`/api/v1/creators/${reader.id}`), 404, "ACCOUNT_NOT_FOUND")
  })

  it("popularity counts paid purchases that have aged; free purchases add a limited amount (SEARCH-8)", async () => {
    const [paid, free] = [await market.soul(ada, "Ibis Paid", 1), await market.soul(ada, "Ibis Free")]
    const buyer = await market.fundedMember(5)
    dataOf(await buyer.post("/api/v1/purchases", { skillId: paid.id }), 201)
    for (const one of [reader, buyer]) dataOf(await one.post(`/api/v1/souls/${free.slug}/download`))
    const order = async () => (await soulsOf("search=ibis&sortBy=popular")).map(({ id }) => id)
    assert.deepStrictEqual(await order(), [free.id, paid.id])
    await market.advance(day + 60)
    await waitFor("the purchase has aged", async () => (await order())[0] === paid.id)
    assert.deepStrictEqual(await order(), [paid.id, free.id])
  })
})
