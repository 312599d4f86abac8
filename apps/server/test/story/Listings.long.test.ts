import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { assertShape, isoTime } from "../fixtures/assertShape.ts"
import type { Shape } from "../fixtures/assertShape.ts"
import { bodyOf, dataOf, failureOf, issuesOf } from "../fixtures/Client.ts"
import { listingDraft, onMarket } from "../fixtures/Market.ts"
import type { Market, Member } from "../fixtures/Market.ts"
import { startServer } from "../fixtures/startServer.ts"
import type { RunningServer } from "../fixtures/startServer.ts"

interface ListingPage {
  readonly listings: ReadonlyArray<{ readonly id: string }>
  readonly pagination: unknown
}

const noStats = { sales: 0, rating: 0, reviews: 0 }

describe("listings and skills (LISTING-1, SKILL-1)", () => {
  let server: RunningServer
  let market: Market
  let seller: Member
  let reader: Member

  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: await createDatabase(), TEST_CLOCK: "true" })
    market = onMarket(server.baseUrl, { testClock: true })
    seller = await market.member({ name: "Ada", seller: true })
    reader = await market.member()
  })
  afterAll(() => server?.stop())

  const itemShape = (id: string, more: Readonly<Record<string, Shape>> = {}): Shape => ({
    id,
    name: "CSV Cleaner",
    description: "Does one thing, and does it well.",
    price: 12.5,
    currency: "USD",
    category: "development",
    creator: { id: seller.id, name: "Ada", verified: false },
    stats: noStats,
    pricingModel: "one_time",
    featured: false,
    trust: null,
    delivery: "link",
    ...more
  })

  const idsOf = async (query: string, of: Member = reader): Promise<ReadonlyArray<string>> =>
    bodyOf<ListingPage>(await of.get(`/v1/listings${query}`)).listings.map(({ id }) => id)

  it("a listing is hidden from others until it is approved (LISTING-1, LISTING-3, LISTING-4, LISTING-14, LISTING-23, WIRE-5)", async () => {
    const created = bodyOf<{ id: string }>(await seller.post("/v1/listings", listingDraft("CSV Cleaner", 12.5)), 201)
    assertShape(created, {
      id: /^lst_/,
      status: "pending_review",
      message: (text) => typeof text === "string" && text.includes("24 hours")
    })
    const { id } = created
    failureOf(await reader.get(`/v1/listings/${id}`), 404, "LISTING_NOT_FOUND")
    assert.deepStrictEqual(await idsOf(""), [])
    assert.deepStrictEqual(await idsOf("?creator=me", seller), [id])
    const queue = await market.operator.get("/api/v1/admin/listings?status=pending_review")
    assert.deepStrictEqual(
      dataOf<ReadonlyArray<{ id: string }>>(queue).map((listing) => listing.id),
      [id]
    )
    const approved = dataOf<object>(await market.operator.post(`/api/v1/admin/listings/${id}/approve`))
    assert.deepInclude(approved, { id, status: "approved" })
    assertShape(bodyOf(await reader.get("/v1/listings?search=clean")), {
      listings: [itemShape(id)],
      pagination: { page: 1, limit: 20, total: 1, pages: 1 }
    })
    const detail = {
      slug: "csv-cleaner",
      longDescription: null,
      tags: [],
      installUrl: null,
      documentationUrl: null,
      screenshots: [],
      videoUrl: null,
      maxActivations: null,
      status: "approved",
      createdAt: isoTime,
      updatedAt: isoTime
    }
    assertShape(bodyOf(await reader.get(`/v1/listings/${id}`)), itemShape(id, detail))
    const forCreator = { rejectionReason: null, reasonCode: null, pendingChanges: null }
    const own = itemShape(id, { ...detail, ...forCreator, installUrl: "https://example.com/install" })
    assertShape(bodyOf(await seller.get(`/v1/listings/${id}`)), own)
  })

  it("/api/v1/listings serves the same in the general envelope (WIRE-8)", async () => {
    const raw = bodyOf<ListingPage>(await reader.get("/v1/listings"))
    const wrapped = await reader.get("/api/v1/listings")
    assert.deepStrictEqual<unknown>(wrapped.body, {
      success: true,
      data: raw.listings,
      meta: { page: 1, limit: 20, total: raw.listings.length }
    })
    const { id } = raw.listings[0]!
    const [one, other] = await Promise.all([reader.get(`/v1/listings/${id}`), reader.get(`/api/v1/listings/${id}`)])
    assert.deepStrictEqual(other.body, { success: true, data: one.body })
    const made = dataOf(await seller.post("/api/v1/listings", listingDraft("Wrapped listing", 2)), 201)
    assertShape(made, { id: /^lst_/, status: "pending_review", message: /./ })
  })

  it("reports all errors of a listing together (LISTING-5, LISTING-6, LISTING-7, LISTING-8, LISTING-9, LISTING-10)", async () => {
    const wrong = {
      name: "ab",
      description: "too short",
      price: 1,
      category: "personas",
      tags: ["a", "b", "c", "d", "e", "f"],
      installUrl: "http://example.com",
      screenshots: ["ftp://example.com"]
    }
    const issues = issuesOf(await seller.post("/v1/listings", wrong))
    const roots = new Set(issues.map((path) => path.split(".")[0]))
    assert.sameMembers([...roots], Object.keys(wrong))
    const missing = issuesOf(await seller.post("/v1/listings", {}))
    assert.deepStrictEqual(missing, ["category", "description", "installUrl", "name", "price"])
    for (const price of [1, 0, -5, "1.00", "x", 1.0000001, 1e10, null]) {
      const body = { ...listingDraft("Price bounds", 2), price }
      assert.deepStrictEqual(issuesOf(await seller.post("/v1/listings", body)), ["price"], JSON.stringify(price))
    }
    bodyOf(await seller.post("/v1/listings", { ...listingDraft("Price bounds", 2), price: "1.000001" }), 201)
  })

  it("requires a seller account (ACCOUNT-4, SKILL-13)", async () => {
    const refused = failureOf(
      await reader.post("/v1/listings", listingDraft("Not a seller", 2)),
      403,
      "INSUFFICIENT_PERMISSIONS"
    )
    assert.deepStrictEqual(refused, { required: ["seller account"] })
    const skill = { name: "A skill", description: "Ten characters.", price: 0 }
    failureOf(await reader.post("/api/v1/skills", skill), 403, "INSUFFICIENT_PERMISSIONS")
  })

  it("a change of an approved listing takes effect immediately; another creator's listing cannot be changed (LISTING-15)", async () => {
    const id = await market.listing(seller, "Edited listing", 3)
    const changed = bodyOf<object>(
      await seller.patch(`/v1/listings/${id}`, { price: 4.25, description: "A new description." })
    )
    assert.deepInclude(changed, { id, price: 4.25, description: "A new description.", status: "approved" })
    const own = { pendingChanges: null, reasonCode: null, rejectionReason: null }
    assert.deepInclude(changed, own)
    const shown = bodyOf<object>(await reader.get(`/v1/listings/${id}`))
    assert.deepInclude(shown, { installUrl: null })
    assert.deepStrictEqual<object>({ ...changed, installUrl: null }, { ...shown, ...own })
    failureOf(await reader.patch(`/v1/listings/${id}`, { price: 5 }), 403, "INSUFFICIENT_PERMISSIONS")
    assert.deepStrictEqual(issuesOf(await seller.patch(`/v1/listings/${id}`, { price: 1 })), ["price"])
  })

  it("rejected, changed, approved, suspended, approved again, deleted (ERROR-14, LISTING-20, LISTING-22, LISTING-26)", async () => {
    const { id } = bodyOf<{ id: string }>(await seller.post("/v1/listings", listingDraft("Many lives", 3)), 201)
    const operator = (move: string, body?: unknown) =>
      market.operator.post(`/api/v1/admin/listings/${id}/${move}`, body)
    assert.deepInclude(dataOf<object>(await operator("reject", { reason: "No documentation" })), { status: "rejected" })
    failureOf(await operator("suspend"), 409, "CONFLICT")
    const edited = bodyOf<object>(
      await seller.patch(`/v1/listings/${id}`, { documentationUrl: "https://example.com/docs" })
    )
    assert.deepInclude(edited, { status: "pending_review" })
    assert.deepInclude(dataOf<object>(await operator("approve")), { status: "approved" })
    assert.deepStrictEqual(failureOf(await operator("approve"), 409, "CONFLICT"), { state: "approved" })
    assert.deepInclude(dataOf<object>(await operator("suspend")), { status: "suspended" })
    assert.notInclude(await idsOf("?limit=100"), id)
    assert.deepInclude(dataOf<object>(await operator("approve")), { status: "approved" })
    assert.include(await idsOf("?limit=100"), id)
    failureOf(await reader.delete(`/v1/listings/${id}`), 403, "INSUFFICIENT_PERMISSIONS")
    assert.deepStrictEqual(bodyOf(await seller.delete(`/v1/listings/${id}`)), { id, deleted: true })
    failureOf(await seller.get(`/v1/listings/${id}`), 404, "LISTING_NOT_FOUND")
    failureOf(await operator("approve"), 404, "LISTING_NOT_FOUND")
  })

  it("licenses of a deleted listing stay valid (LISTING-21)", async () => {
    const skillId = await market.listing(seller, "Soon deleted", 3)
    const buyer = await market.fundedMember(5)
    const bought = dataOf<{ purchaseId: string; licenseKey: string }>(
      await buyer.post("/api/v1/purchases", { skillId }),
      201
    )
    bodyOf(await seller.delete(`/v1/listings/${skillId}`))
    failureOf(await reader.get(`/v1/listings/${skillId}`), 404, "LISTING_NOT_FOUND")
    const { licenseKey, purchaseId } = bought
    const checked = dataOf<object>(await seller.post("/api/v1/licenses/validate", { licenseKey, skillId }))
    assert.deepInclude(checked, { valid: true, purchaseId, skillId })
    const kept = dataOf<object>(await buyer.get(`/api/v1/purchases/${purchaseId}`))
    assert.deepInclude(kept, { isValid: true, licenseKey, status: "completed" })
  })

  it("only license holders can review, once each, and the mean rating is shown (LISTING-4, REVIEW-1, REVIEW-2, REVIEW-3)", async () => {
    const id = await market.listing(seller, "Reviewed listing", 2)
    const [one, two] = await Promise.all([market.fundedMember(5), market.fundedMember(5)])
    const refused = failureOf(
      await reader.post(`/v1/listings/${id}/reviews`, { rating: 5 }),
      403,
      "INSUFFICIENT_PERMISSIONS"
    )
    assert.isArray(refused["required"])
    for (const buyer of [one, two]) dataOf(await buyer.post("/api/v1/purchases", { skillId: id }), 201)
    for (const [buyer, rating] of [
      [one, 1],
      [two, 2],
      [one, 5]
    ] as const) {
      const review = await buyer.post(`/v1/listings/${id}/reviews`, { rating, comment: `gave ${rating}` })
      assert.include([200, 201], review.status, review.text)
      assert.deepInclude(review.body as object, { listingId: id, rating, comment: `gave ${rating}` })
    }
    for (const rating of [0, 6, 2.5, "5", null]) {
      assert.deepStrictEqual(issuesOf(await one.post(`/v1/listings/${id}/reviews`, { rating })), ["rating"])
    }
    const listed = bodyOf<{ reviews: ReadonlyArray<object> }>(await reader.get(`/v1/listings/${id}/reviews`))
    assert.strictEqual(listed.reviews.length, 2)
    const { stats } = bodyOf<{ stats: object }>(await reader.get(`/v1/listings/${id}`))
    assert.deepStrictEqual(stats, { sales: 2, rating: 3.5, reviews: 2 })
    assert.strictEqual(
      bodyOf<{ installUrl: unknown }>(await one.get(`/v1/listings/${id}`)).installUrl,
      "https://example.com/install"
    )
    assert.deepStrictEqual(await idsOf("?minRating=3.5"), [id])
  })

  it("an operator decides only about the listing that was seen: a change since is a conflict (OPERATOR-33, ERROR-14)", async () => {
    interface Reviewed {
      readonly id: string
      readonly status: string
      readonly installUrl: string | null
      readonly updatedAt: string
      readonly pendingChanges: object | null
    }
    const waiting = async (name: string): Promise<Reviewed> => {
      const { id } = bodyOf<{ id: string }>(await seller.post("/v1/listings", listingDraft(name, 3)), 201)
      return seen(id)
    }
    const seen = async (id: string): Promise<Reviewed> => {
      const pages = ["pending_review", "approved"].map((status) =>
        market.operator.get(`/api/v1/admin/listings?status=${status}&limit=100`)
      )
      const found = (await Promise.all(pages)).flatMap((page) => dataOf<ReadonlyArray<Reviewed>>(page))
      return found.find((one) => one.id === id) ?? assert.fail(`${id} is not listed`)
    }
    const decide = (id: string, verb: "approve" | "reject", updatedAt: unknown) =>
      market.operator.post(`/api/v1/admin/listings/${id}/${verb}`, {
        ...(verb === "reject" ? { reason: "No." } : {}),
        updatedAt
      })
    const link = (name: string) => ({ installUrl: `https://example.com/${name}` })

    const first = await waiting("Seen once")
    bodyOf(await seller.patch(`/v1/listings/${first.id}`, link("other")))
    const changed = await seen(first.id)
    assert.isAbove(Date.parse(changed.updatedAt), Date.parse(first.updatedAt))
    for (const verb of ["approve", "reject"] as const) {
      const details = failureOf(await decide(first.id, verb, first.updatedAt), 409, "CONFLICT")
      assert.deepInclude(details, { state: "pending_review", updatedAt: changed.updatedAt })
      assert.deepStrictEqual(issuesOf(await decide(first.id, verb, "yesterday")), ["updatedAt"])
    }
    assert.deepStrictEqual(await seen(first.id), changed)
    assert.deepInclude(dataOf<object>(await decide(first.id, "approve", changed.updatedAt)), { status: "approved" })

    // Changes that wait beside an approved listing.
    bodyOf(await seller.patch(`/v1/listings/${first.id}`, link("harmless")))
    const harmless = await seen(first.id)
    bodyOf(await seller.patch(`/v1/listings/${first.id}`, link("harmful")))
    const details = failureOf(await decide(first.id, "approve", harmless.updatedAt), 409, "CONFLICT")
    const harmful = await seen(first.id)
    assert.deepInclude(details, { state: "approved", updatedAt: harmful.updatedAt })
    assert.deepInclude(harmful, { ...link("other"), pendingChanges: link("harmful") })
    dataOf(await decide(first.id, "reject", harmful.updatedAt))

    // Changes at the same time as the decision.
    for (let n = 0; n < 10; n++) {
      const before = await waiting(`Seen at the same time ${n}`)
      const changes = [0, 1, 2].map((at) => seller.patch(`/v1/listings/${before.id}`, link(`late-${at}`)))
      const [decided] = await Promise.all([decide(before.id, "approve", before.updatedAt), ...changes])
      const after = await seen(before.id)
      if (decided?.status === 200) {
        const approved = dataOf<Reviewed>(decided)
        assert.deepInclude(approved, { status: "approved", installUrl: before.installUrl })
        assert.deepInclude(after, { status: "approved", installUrl: before.installUrl })
      } else {
        failureOf(decided!, 409, "CONFLICT")
        assert.strictEqual(after.status, "pending_review")
      }
    }
  })

  it("filters, sorts and pages (OPERATOR-4, SEARCH-3, WIRE-22)", async () => {
    for (const [name, price, category] of [
      ["Sortable one", 30, "analytics"],
      ["Sortable two", 10, "analytics"],
      ["Sortable three", 20, "security"]
    ] as const) {
      const body = { ...listingDraft(name, price), category, tags: ["sortable"] }
      const { id } = bodyOf<{ id: string }>(await seller.post("/v1/listings", body), 201)
      dataOf(await market.operator.post(`/api/v1/admin/listings/${id}/approve`))
      if (price === 20) dataOf(await market.operator.post(`/api/v1/admin/listings/${id}/feature`, { featured: true }))
    }
    const prices = async (query: string) =>
      bodyOf<{ listings: ReadonlyArray<{ price: number }> }>(
        await reader.get(`/v1/listings?tags=sortable&${query}`)
      ).listings.map(({ price }) => price)
    assert.deepStrictEqual(await prices("sortBy=price"), [10, 20, 30])
    assert.deepStrictEqual(await prices("sortBy=price&sortOrder=desc"), [30, 20, 10])
    assert.deepStrictEqual(await prices("sortBy=newest"), [20, 10, 30])
    assert.deepStrictEqual(await prices("category=analytics&sortBy=price"), [10, 30])
    assert.deepStrictEqual(await prices("minPrice=15&maxPrice=25"), [20])
    assert.deepStrictEqual(await prices("featured=true"), [20])
    assert.deepStrictEqual(await prices("sortBy=price&limit=1&page=3"), [30])
    for (const [name, value] of [
      ["limit", "101"],
      ["page", "0"],
      ["sortBy", "name"],
      ["featured", "yes"],
      ["minPrice", "-1"]
    ] as const) {
      assert.deepStrictEqual(issuesOf(await reader.get(`/v1/listings?${name}=${value}`)), [name])
    }
  })

  it("a skill is the same item in another API (SKILL-1, SKILL-2, SKILL-3)", async () => {
    const wish = { name: "Skill face", description: "A skill that is also a listing.", price: 7.5, shortDesc: "Short." }
    const created = dataOf<{ id: string; slug: string }>(await seller.post("/api/v1/skills", wish), 201)
    assertShape(created, {
      id: /^lst_/,
      slug: "skill-face",
      title: "Skill face",
      description: "A skill that is also a listing.",
      price: "7.50",
      currency: "USDT",
      category: "other",
      status: "pending_review",
      createdAt: isoTime
    })
    const { id } = created
    dataOf(await market.operator.post(`/api/v1/admin/listings/${id}/approve`))
    const listed = await reader.get("/api/v1/skills?query=skill%20fac")
    const { pagination, skills } = dataOf<{ skills: ReadonlyArray<object>; pagination: unknown }>(listed)
    assert.deepStrictEqual(pagination, { page: 1, limit: 20, total: 1, totalPages: 1, hasMore: false })
    const item = { id, title: "Skill face", shortDesc: "Short.", price: "7.50", rating: 0, thumbnailUrl: null }
    assert.deepInclude(skills[0]!, item)
    const creator = { id: seller.id, name: "Ada", verified: false }
    for (const name of [id, "skill-face"]) {
      const detail = dataOf<object>(await reader.get(`/api/v1/skills/${name}`))
      assert.deepInclude(detail, { ...item, description: wish.description, slug: "skill-face", category: "other" })
      assert.deepInclude(detail, { pricingModel: "one_time", creator, stats: noStats })
    }
    assert.deepInclude(bodyOf<object>(await reader.get(`/v1/listings/${id}`)), { price: 7.5, name: "Skill face" })
    const renamed = dataOf<object>(await seller.patch(`/api/v1/skills/${id}`, { price: 0.5 }))
    assert.deepInclude(renamed, { id, price: "0.50" })
    assert.deepStrictEqual(dataOf(await seller.delete(`/api/v1/skills/${id}`)), { id, deleted: true })
    failureOf(await reader.get("/api/v1/skills/skill-face"), 404, "LISTING_NOT_FOUND")
  })

  it("a skill's category is one of the eight or other, by name or slug, or as categoryId (SKILL-7)", async () => {
    const draft = { name: "Skill with a category", description: "A skill that has a category.", price: 1 }
    const categories: ReadonlyArray<readonly [object, string]> = [
      [{}, "other"],
      [{ category: "security" }, "security"],
      [{ category: "Development" }, "development"],
      [{ categoryId: "analytics" }, "analytics"],
      [{ categoryId: "other" }, "other"]
    ]
    for (const [given, category] of categories) {
      const made = dataOf<object>(await seller.post("/api/v1/skills", { ...draft, ...given }), 201)
      assert.deepInclude(made, { category }, JSON.stringify(given))
    }
    for (const given of [{ category: "personas" }, { categoryId: "cooking" }]) {
      const refused = await seller.post("/api/v1/skills", { ...draft, ...given })
      assert.deepStrictEqual(issuesOf(refused), Object.keys(given))
      for (const valid of ["productivity", "automation", "creative", "data", "communication", "development"]) {
        assert.include(refused.text, valid)
      }
      for (const valid of ["analytics", "security", "other"]) assert.include(refused.text, valid)
    }
  })
})
