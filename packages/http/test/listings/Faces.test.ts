import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { adminToken, startMarket } from "../fixtures/startMarket.ts"

interface Item {
  readonly id: string
}

/** Items that differ in every property that can be filtered. */
const drafts = [
  { name: "Heron Cleaner", description: "Cleans files of any size.", price: 5, category: "data", tags: ["files"] },
  { name: "Egret Sorter", description: "Sorts what a heron found.", price: 2.5, category: "data", tags: ["mail"] },
  {
    name: "Crane Writer",
    description: "Writes about cranes.",
    price: 12,
    category: "creative",
    tags: ["files", "text"]
  },
  { name: "Stork Watcher", description: "Watches the nest for you.", price: 3, category: "security", tags: ["text"] },
  { name: "Ibis Speaker", description: "Speaks on your behalf.", price: 7, category: "communication", tags: [] }
] as const

describe("listings and skills are two faces of one catalogue", () => {
  const market = startMarket()
  let seller: { readonly id: string; readonly key: string }
  let reader: { readonly id: string; readonly key: string }
  let ids: ReadonlyArray<string> = []

  const admin = (path: string, body?: object) =>
    market.send("POST", `/api/v1/admin/listings/${path}`, { key: adminToken, body })

  beforeAll(async () => {
    seller = await market.account({ seller: true, name: "Ada" })
    reader = await market.account({ name: "Grace" })
    const stranger = await market.account({ seller: true, name: "Eve" })
    const made: Array<string> = []
    for (const [i, draft] of drafts.entries()) {
      const body = {
        ...draft,
        installUrl: "https://example.com/x",
        ...(i === 3 ? { pricingModel: "subscription" } : {})
      }
      const { key } = i === 4 ? stranger : seller
      const answer = await market.send("POST", "/api/v1/skills", { key, body })
      assert.strictEqual(answer.status, 201, answer.text)
      made.push(answer.body.data.id as string)
    }
    const free = { name: "Free Heron", description: "Costs nothing at all.", price: 0, pricingModel: "free" }
    made.push((await market.send("POST", "/api/v1/skills", { key: seller.key, body: free })).body.data.id)
    ids = made
    assert.strictEqual((await admin(`${ids[0]}/feature`, { featured: true })).status, 200)
    assert.strictEqual((await admin(`${ids[1]}/suspend`)).status, 200)
    // The free item is bought and rated.
    await market.send("POST", "/api/v1/purchases", { key: reader.key, body: { skillId: ids[5] } })
    const review = { rating: 4 }
    const reviewed = await market.send("POST", `/v1/listings/${ids[5]}/reviews`, { key: reader.key, body: review })
    assert.isBelow(reviewed.status, 300, reviewed.text)
  })
  afterAll(() => market.stop())

  const idsOf = (items: ReadonlyArray<Item>) => items.map(({ id }) => id)

  const both = async (query: string, key: string) => {
    const listings = await market.send("GET", `/v1/listings?${query}`, { key })
    const skills = await market.send("GET", `/api/v1/skills?${query}`, { key })
    assert.deepStrictEqual([listings.status, skills.status], [200, 200], `${listings.text} ${skills.text}`)
    return [idsOf(listings.body.listings), idsOf(skills.body.data.skills)] as const
  }

  /** Each query with the positions of the items that it finds, in order where an order is requested. */
  const queries: ReadonlyArray<readonly [query: string, expected: ReadonlyArray<number>]> = [
    ["", [0, 2, 3, 4, 5]],
    ["search=heron", [0, 5]],
    ["query=heron", [0, 5]],
    ["search=cran&query=ignored", [2]],
    ["category=data", [0]],
    ["category=creative", [2]],
    ["minPrice=5", [0, 2, 4]],
    ["maxPrice=5", [0, 3, 5]],
    ["minPrice=3&maxPrice=7", [0, 3, 4]],
    ["minRating=4", [5]],
    ["minRating=4.5", []],
    ["featured=true", [0]],
    ["featured=false", [2, 3, 4, 5]],
    ["pricingModel=one_time", [0, 2, 4]],
    ["pricingModel=free", [5]],
    ["pricingModel=subscription", [3]],
    ["tags=files", [0, 2]],
    ["tags=files,text", [0, 2, 3]],
    ["creator=SELLER", [0, 2, 3, 5]],
    ["creator=me", []],
    ["sortBy=price", [5, 3, 0, 4, 2]],
    ["sortBy=price&sortOrder=desc", [2, 4, 0, 3, 5]],
    ["sortBy=rating&minRating=1", [5]],
    ["sortBy=popular&maxPrice=0", [5]],
    ["sortBy=price&limit=2&page=2", [0, 4]]
  ]

  it.each(queries)("%s finds the same items on both (SEARCH-1)", async (query, expected) => {
    const [listings, skills] = await both(query.replace("SELLER", seller.id), reader.key)
    assert.deepStrictEqual(listings, skills)
    const wanted = expected.map((position) => ids[position])
    if (query.includes("sortBy")) assert.deepStrictEqual(listings, wanted as Array<string>)
    else assert.sameMembers(listings, wanted as Array<string>)
  })

  it("creator=me finds the caller's own in every state, and status narrows it (SEARCH-2)", async () => {
    const own: ReadonlyArray<readonly [query: string, expected: ReadonlyArray<number>]> = [
      ["creator=me", [0, 1, 2, 3, 5]],
      ["creator=me&status=suspended", [1]],
      ["creator=me&status=approved&category=data", [0]],
      ["creator=me&status=rejected", []]
    ]
    for (const [query, expected] of own) {
      const [listings, skills] = await both(query, seller.key)
      assert.deepStrictEqual(listings, skills, query)
      assert.sameMembers(listings, expected.map((position) => ids[position]) as Array<string>, query)
    }
  })

  it.each(["status=approved", "minRating=6", "featured=perhaps", "pricingModel=weekly", "sortBy=name", "limit=101"])(
    "%s is refused by both, with the same issues (SEARCH-1)",
    async (query) => {
      const answers = await Promise.all(
        ["/v1/listings", "/api/v1/skills"].map((path) => market.send("GET", `${path}?${query}`, { key: reader.key }))
      )
      const [listings, skills] = answers.map(({ body, status }) => [status, body.error?.details?.issues] as const)
      assert.strictEqual(listings?.[0], 400)
      assert.deepStrictEqual(listings, skills)
    }
  )
})
