import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { Client } from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { freeSkillsQuery } from "../../src/releases/freeSkills.ts"
import { scannedWhole } from "../explain.ts"
import { generateListings } from "../listings/generateListings.ts"

/** One listing in 50 is free and has a release on sale; one in 10 has a release on sale for money. */
const addReleases = [
  "UPDATE listings SET release_version = '1.0.0', price = CASE WHEN right(id, 2) IN ('00', '50') THEN 0 ELSE price + 1 END WHERE right(id, 1) = '0'",
  `INSERT INTO verdicts (sha256, ruleset, level, findings, capabilities)
   SELECT lpad(substr(id, 5), 64, '0'), 'r1', 'clean', '[]', '{}' FROM listings WHERE release_version IS NOT NULL`,
  `INSERT INTO releases (id, item_id, version, media_type, sha256, size, files, status, ruleset, level, decided_by, created_at)
   SELECT 'rel_' || substr(id, 5), id, '1.0.0', 'application/gzip', lpad(substr(id, 5), 64, '0'), 1000, '[]', 'published', 'r1',
     'clean', 'scan', created_at
   FROM listings WHERE release_version IS NOT NULL`,
  "VACUUM ANALYZE"
]

const big = ["listings", "item_stats", "releases"]

let client: Client

beforeAll(async () => {
  // The settings of connections for reads.
  client = new Client({ connectionString: await createDatabase(), options: "-c random_page_cost=1.1 -c jit=off" })
  await client.connect()
  await generateListings(client, 100_000)
  for (const statement of addReleases) await client.query(statement)
})

afterAll(() => client.end())

describe("with 100,000 listings, the free skills for other installers are found without reading a whole table (INSTALLER-1)", () => {
  it.each([
    ["the index", freeSkillsQuery(200)],
    ["one by its slug", freeSkillsQuery(1, "slug-100")],
    ["one by its id", freeSkillsQuery(1, "lst_000000100")]
  ])("%s", async (_, query) => {
    assert.deepStrictEqual(await scannedWhole(client, query, big), [])
    const { rows } = await client.query<{ slug: string }>(query.text, [...query.parameters])
    if (query.parameters.length > 1)
      assert.deepStrictEqual(
        rows.map(({ slug }) => slug),
        ["slug-100"]
      )
    else assert.lengthOf(rows, 200)
  })

  it("the index reads the listings by an index of those that are free and have a release", async () => {
    const { parameters, text } = freeSkillsQuery(200)
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...parameters])
    const [{ "Execution Time": milliseconds, Plan }] = rows[0]["QUERY PLAN"]
    assert.include(JSON.stringify(Plan), "listings_free_releases")
    assert.isBelow(milliseconds, 500)
  })
})
