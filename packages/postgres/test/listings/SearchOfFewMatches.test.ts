import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { paged } from "@agent-marketplace/testkit/listings/listingIds"
import type { PageFilter } from "@agent-marketplace/testkit/listings/listingIds"
import { Client } from "pg"
import { afterAll, assert, beforeAll, it } from "vitest"
import { itemsQuery } from "../../src/catalogue/listItems.ts"
import { shownAs } from "../../src/listings/shownAs.ts"
import { generateListings } from "./generateListings.ts"

let client: Client

beforeAll(async () => {
  client = new Client({ connectionString: await createDatabase() })
  await client.connect()
  await generateListings(client, 5000)
})

afterAll(() => client.end())

/** The number of matches and a page of a thousand, found by the function that the query names or by another one. */
const found = async (filter: PageFilter, by?: string): Promise<unknown> => {
  const query = itemsQuery(paged({ limit: 1000, ...filter }), shownAs("skill", "skill", filter))
  assert.isDefined(query)
  const text =
    by === undefined ? query.text : query.text.replace(/search_listings\((\$\d+::text\[\])/, `${by}($1::tsquery[]`)
  const { rows } = await client.query<{ total: number; json: string }>(text, [...query.parameters])
  return rows[0]
}

/** In both ways these find all matches: none is cut by the limit. */
const searches = [
  "rare7",
  "rare7 common",
  "made3 word5",
  "made3 word55 uncommon",
  "word common listing",
  "made1 listing",
  "made",
  "nothing",
  "common nothing",
  "rare7 rare8",
  "rare7 incomprehensibilit",
  "rare7 incomprehensibility",
  "rare14 incomprehensibilities",
  "rare7 r",
  "珍しい7",
  "珍しい7 common",
  "珍 rare7"
]

it("a search in the index of prefixes returns the same listings in the same order as a search shard by shard (SEARCH-4)", async () => {
  for (const search of searches) {
    for (const filter of [{}, { category: "data" }, { tags: ["tag3"] }, { minRating: 2 }])
      assert.deepStrictEqual(
        await found({ search, ...filter }),
        await found({ search, ...filter }, "find_listings"),
        search
      )
  }
})
