import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { CatalogueFilter } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import { searchCap } from "@agent-marketplace/core/catalogue/CatalogueFilter"
import type { ItemKind, ListingFace } from "@agent-marketplace/core/listings/ListingStore"
import { SearchText } from "@agent-marketplace/core/text/SearchText"
import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { usdt } from "@agent-marketplace/testkit/fixtures/usdt"
import { Client } from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { itemsQuery } from "../../src/catalogue/listItems.ts"
import { SearchVector } from "../../src/catalogue/SearchVector.ts"
import { shownAs } from "../../src/listings/shownAs.ts"
import type { PageFilter } from "@agent-marketplace/testkit/listings/listingIds"
import { paged } from "@agent-marketplace/testkit/listings/listingIds"
import { scannedWhole } from "../explain.ts"
import { generateListings } from "./generateListings.ts"
import { generateSouls } from "./generateSouls.ts"

const big = ["listings", "listing_facets", "item_stats", "souls", "soul_facets"]

const listingsQuery = (filter: PageFilter, face: ListingFace, kind: ItemKind = "skill") =>
  itemsQuery(paged(filter), shownAs(face, kind, filter))

let client: Client

beforeAll(async () => {
  // The settings of connections for reads.
  client = new Client({ connectionString: await createDatabase(), options: "-c random_page_cost=1.1 -c jit=off" })
  await client.connect()
  await generateListings(client, 100_000)
  await generateSouls(client, 30_000)
})

afterAll(() => client.end())

const rates = { USD: usdt(0.98), USDC: usdt(1.01) }

/** The value of a price by these rates, as SQL. */
const value = `price * CASE currency WHEN 'USD' THEN 980000 WHEN 'USDC' THEN 1010000 ELSE 1000000 END`

const sorts: ReadonlyArray<PageFilter> = [
  {},
  ...(["newest", "price", "popular", "rating"] as const).flatMap((sortBy) =>
    (["asc", "desc"] as const).map((sortOrder) => ({ sortBy, sortOrder }))
  )
]

const filters: ReadonlyArray<PageFilter> = [
  {},
  { page: 50 },
  { category: "security" },
  { minPrice: usdt(2), maxPrice: usdt(3) },
  { maxPrice: usdt(0.05) },
  { category: "data", maxPrice: usdt(1) },
  { rates },
  { rates, category: "security", page: 50 },
  { rates, minPrice: usdt(2), maxPrice: usdt(3) },
  { rates, category: "data", maxPrice: usdt(0.05), minRating: 4.5 },
  { rates, tags: ["odd77"], minPrice: usdt(2) },
  { rates, creatorId: "usr_17" as AccountId, own: true, minPrice: usdt(2) },
  { rates, search: "common made3", category: "data", minPrice: usdt(1) },
  { minRating: 4.5 },
  { category: "creative", minRating: 3 },
  { featured: true },
  { tags: ["odd77", "odd78"] },
  { tags: ["tag3"], maxPrice: usdt(5), category: "data" },
  { creatorId: "usr_17" as AccountId, own: true },
  { creatorId: "usr_17" as AccountId, own: true, state: "pending_review" },
  { creatorId: "usr_17" as AccountId },
  { pricingModel: "free" },
  { creatorId: "usr_17" as AccountId, search: "common", minRating: 2 },
  { search: "common" },
  { search: "rare7" },
  { search: "common made3", category: "data", minPrice: usdt(1) }
]

const searches = [
  "common",
  "rare7",
  "common listing",
  "rare7 common",
  "made3 word5",
  "made3 word55",
  "made3 word5 common",
  "c",
  "nothing"
]

/** Filters, and the same conditions in SQL. */
const searchFilters: ReadonlyArray<readonly [PageFilter, string]> = [
  [{}, "true"],
  [{ category: "data", minPrice: usdt(1) }, "category = 'data' AND price >= 1000000"],
  [{ maxPrice: usdt(0.05) }, "price <= 50000"],
  [{ tags: ["tag3"] }, "tags && '{tag3}'"],
  [{ rates, minPrice: usdt(3), maxPrice: usdt(7) }, `${value} BETWEEN 3000000000000 AND 7000000000000`],
  [{ rates, maxPrice: usdt(0.05), category: "data" }, `${value} <= 50000000000 AND category = 'data'`],
  [{ featured: false, minRating: 4.5 }, "NOT featured AND rating >= 4.5"],
  [{ minRating: 5, maxPrice: usdt(3) }, "rating >= 5 AND price <= 3000000"]
]

const name = (filter: object): string =>
  JSON.stringify(filter, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))

describe("with 100,000 listings no list reads a whole table", () => {
  for (const filter of filters) {
    it(`${name(filter)}, in every order`, async () => {
      for (const sort of sorts) {
        const query = listingsQuery({ page: 1, limit: 20, ...filter, ...sort }, "listing")
        assert.isDefined(query)
        assert.deepStrictEqual(await scannedWhole(client, query, big), [], name(sort))
        if (query.prepared)
          assert.deepStrictEqual(await scannedWhole(client, query, big, true), [], `${name(sort)}, any`)
      }
    })
  }

  it("a page of a rare or unused tag reads few rows in every order, even without statistics on tags", async () => {
    await client.query("BEGIN")
    try {
      await client.query(`DELETE FROM pg_statistic WHERE starelid = 'listing_facets'::regclass AND staattnum =
      (SELECT attnum FROM pg_attribute WHERE attrelid = 'listing_facets'::regclass AND attname = 'tags')`)
      for (const sort of sorts)
        for (const tags of [["nobody-has-it"], ["odd77"]]) {
          const query = listingsQuery({ page: 1, limit: 1, tags, ...sort }, "listing")
          assert.isDefined(query)
          const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${query.text}`, [...query.parameters])
          const removed = [...JSON.stringify(rows).matchAll(/"Rows Removed by Filter":(\d+)/g)].map(([, count]) =>
            Number(count)
          )
          assert.isBelow(Math.max(0, ...removed), 1000, `${name(sort)} ${tags}`)
        }
    } finally {
      await client.query("ROLLBACK")
    }
  })

  it("a page by value reads as many rows of each currency and category as the page has (MONEY-8)", async () => {
    for (const sortOrder of ["asc", "desc"] as const) {
      const query = listingsQuery(
        { page: 1, limit: 20, rates, minPrice: usdt(1), sortBy: "price", sortOrder },
        "listing"
      )
      assert.isDefined(query)
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${query.text}`, [...query.parameters])
      const plan = JSON.stringify(rows[0]["QUERY PLAN"])
      assert.include(plan, `listing_facets_currency_price_${sortOrder}`)
      const sorted = `SELECT item_id AS id FROM listing_facets
        WHERE approved AND ${value} >= 1000000000000
        ORDER BY ${value} ${sortOrder}, created_at DESC, item_id DESC LIMIT 20`
      const { rows: page } = await client.query(query.text, [...query.parameters])
      const found: ReadonlyArray<{ readonly id: string }> = JSON.parse(page[0].json)
      assert.deepStrictEqual(
        found.map(({ id }) => ({ id })),
        (await client.query(sorted)).rows
      )
    }
  })

  it("a search uses indexes only, and finds as many as a scan of all listings, up to its cap", async () => {
    const scans = async () => {
      await client.query("SELECT pg_stat_force_next_flush()")
      const { rows } = await client.query("SELECT relname, seq_scan FROM pg_stat_user_tables WHERE relname = ANY($1)", [
        big
      ])
      return rows
    }
    for (const search of searches) {
      const words = SearchText.wanted(search) ?? []
      const matches = words.map((word) => `f.words @@ '${SearchVector.query("d", word).replaceAll("'", "''")}'`)
      for (const [filter, condition] of searchFilters) {
        const { rows: all } = await client.query(
          `SELECT count(*) FROM listing_facets f JOIN item_stats s ON s.item_id = f.item_id
            WHERE ${["approved", ...matches, condition].join(" AND ")}`
        )
        const query = listingsQuery({ page: 1, limit: 20, ...filter, search }, "skill")
        assert.isDefined(query)
        const before = await scans()
        const { rows: found } = await client.query(query.text, [...query.parameters])
        assert.deepStrictEqual(await scans(), before, `${search} ${name(filter)}`)
        assert.strictEqual(found[0].total, Math.min(Number(all[0].count), searchCap), `${search} ${name(filter)}`)
      }
    }
  })

  it("a search for a common word finds the best matches, wherever they are", async () => {
    const query = listingsQuery({ page: 1, limit: 100, search: "common" }, "skill")
    assert.isDefined(query)
    const { rows } = await client.query(query.text, [...query.parameters])
    const ids: ReadonlyArray<{ readonly id: string }> = JSON.parse(rows[0].json)
    assert.lengthOf(ids, 100)
    for (const { id } of ids) assert.strictEqual(Number(id.slice(4)) % 20, 3, "in the name")
  })
})

const soulFilters: ReadonlyArray<Partial<CatalogueFilter>> = [
  {},
  { offset: 10_000 },
  { categories: ["personas"] },
  { categories: ["personas", "soul-writer", "soul-tech", "soul-legal"] },
  { tags: ["odd77"], offset: 100 },
  { tags: ["tag3"], categories: ["personas", "soul-tech"] },
  { maxPrice: usdt(0.0001) },
  { minRating: 4, categories: ["soul-tech"] },
  { creatorId: "usr_17" as AccountId, own: true, state: "private" },
  { rates, maxPrice: usdt(0.0001) },
  { rates, search: "rare7", minPrice: usdt(0.0001) },
  { search: "rare7" },
  { search: "soul rare7", categories: ["soul-tech"] }
]

describe("with 30,000 souls no list reads a whole table", () => {
  for (const filter of soulFilters) {
    it(`${name(filter)}, in every order, alone and among skills`, async () => {
      for (const sort of sorts) {
        for (const kind of ["soul", "all"] as const) {
          const shown = shownAs("skill", kind, filter)
          const query = itemsQuery({ limit: 50, offset: 0, ...filter, ...sort } as CatalogueFilter, shown)
          assert.isDefined(query)
          assert.deepStrictEqual(await scannedWhole(client, query, big), [], `${name(sort)} ${kind}`)
          if (query.prepared)
            assert.deepStrictEqual(await scannedWhole(client, query, big, true), [], `${name(sort)}, any`)
        }
      }
    })
  }
})
