import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { Effect, Redacted } from "effect"
import { Client } from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { findNameFindings, findNamesakes } from "../../src/catalogue/nameFindings.ts"
import { Database } from "../../src/Database.ts"
import type { AlikeRow } from "../../src/releases/alikeReleases.ts"
import { alikeReleases } from "../../src/releases/alikeReleases.ts"
import type { PlanNode } from "../explain.ts"
import { nodesOf, scannedWhole } from "../explain.ts"
import { generateListings } from "../listings/generateListings.ts"

const items = 10_000

/**
 * A release of each listing, with 512 shingles. Every fifth text has the template of 100 others: 8 keys in common. 400 texts are the same.
 * The names are words of 12 letters, and every item was sold 50 times or more.
 */
const fill = [
  `CREATE FUNCTION key_of(n int, band int) RETURNS int LANGUAGE sql IMMUTABLE AS $$
    SELECT hashint4((CASE WHEN n % 25 = 7 THEN 7 WHEN n % 5 = 0 AND band < 8 THEN -(n % 20) - 1 ELSE n END) * 64 + band) $$`,
  `INSERT INTO verdicts (sha256, ruleset, level, findings, capabilities)
   SELECT lpad(substr(id, 5), 64, '0'), 'r1', 'clean', '[]', '{}' FROM listings`,
  `INSERT INTO sketches (sha256, ruleset, shingles, keys)
   SELECT lpad(n::text, 64, '0'), 'r1',
     (SELECT jsonb_agg(hashint4(n * 512 + i)::bigint + 2147483648) FROM generate_series(1, 512) AS i),
     (SELECT array_agg(key_of(n, band)) FROM generate_series(0, 31) AS band)
   FROM generate_series(0, ${items - 1}) AS n`,
  `INSERT INTO releases (id, item_id, version, media_type, sha256, size, files, status, ruleset, level, decided_by, created_at, on_sale_since)
   SELECT 'rel_' || substr(id, 5), id, '1.0.0', 'application/gzip', lpad(substr(id, 5), 64, '0'), 1000, '[]', 'published', 'r1',
     'clean', 'scan', created_at, created_at
   FROM listings`,
  `INSERT INTO copy_keys (item_id, key, creator_id, release_id, since)
   SELECT item_id, key, creator_id, releases.id, on_sale_since
   FROM releases JOIN sketches USING (sha256, ruleset) JOIN listings ON listings.id = item_id CROSS JOIN unnest(keys) AS key
   ON CONFLICT DO NOTHING`,
  `UPDATE listings SET name = translate(substr(md5(id), 1, 12), '0123456789', 'ghijklmnop')`,
  "UPDATE listings SET name_keys = ARRAY[name], named_at = created_at",
  "UPDATE item_stats SET sales = 50 + sales",
  "INSERT INTO popular_names SELECT id, near_keys(name_keys[1]) FROM listings",
  "VACUUM ANALYZE"
]

const big = ["listings", "item_stats", "releases", "sketches", "copy_keys", "popular_names"]

let url: string
let client: Client

beforeAll(async () => {
  url = await createDatabase()
  // The settings of connections for reads.
  client = new Client({ connectionString: url, options: "-c random_page_cost=1.1 -c jit=off" })
  await client.connect()
  await generateListings(client, items)
  for (const statement of fill) await client.query(statement)
})

afterAll(() => client.end())

/** The median time of the statement in milliseconds, over these parameters. */
const measure = async (name: string, text: string, parameters: ReadonlyArray<ReadonlyArray<unknown>>) => {
  const times: Array<number> = []
  for (const values of parameters) {
    const started = performance.now()
    await client.query({ name, text, values: [...values] })
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  return times[Math.floor(times.length / 2)] ?? 0
}

const alikeTo = (n: number, creator = "usr_none") => [String(n).padStart(64, "0"), "r1", creator]

describe("with releases of 10,000 items, a search for copies", () => {
  it("reads no table whole, and finds keys by their index (RELEASE-31)", async () => {
    for (const n of [1, 5, 7]) {
      const query = { text: alikeReleases, parameters: alikeTo(n) }
      assert.deepStrictEqual(await scannedWhole(client, query, big), [])
      assert.deepStrictEqual(await scannedWhole(client, query, big, true), [])
    }
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${alikeReleases}`, alikeTo(1))
    assert.include(JSON.stringify(rows), "copy_keys_by_key")
  })

  it("finds the same text, texts with the same template, and no more than 32 of many (RELEASE-31)", async () => {
    const found = async (n: number, creator?: string) => {
      const { rows } = await client.query<AlikeRow>(alikeReleases, alikeTo(n, creator))
      return (rows[0]?.releases ?? []).map(({ item_id }) => Number(item_id.slice(4)))
    }
    assert.deepStrictEqual(await found(1), [1])
    const same = await found(4007)
    assert.lengthOf(same, 24)
    for (const n of same) assert.strictEqual(n % 25, 7)
    assert.include(same, 7, "the first one is among them")
    assert.strictEqual((await found(10))[0], 10, "the most similar one comes first")
    assert.lengthOf(await found(10), 24)
    // Half of the equal texts are of creators with odd numbers; every creator has ten items.
    const mine = (await found(7, "usr_7")).filter((n) => n % 1000 === 7)
    assert.include(mine, 7, "the creator's own first one is found beside the others")
  })

  it("takes a few milliseconds (RELEASE-31)", async () => {
    for (const [name, parameters] of [
      ["texts of their own", Array.from({ length: 200 }, (_, n) => alikeTo(n * 25 + 1))],
      ["texts with a template", Array.from({ length: 200 }, (_, n) => alikeTo(n * 25 + 5))],
      ["400 equal texts", Array.from({ length: 200 }, (_, n) => alikeTo(n * 25 + 7))]
    ] as const) {
      const median = await measure("alike", alikeReleases, parameters)
      assert.isBelow(median, 50, name)
    }
  })
})

describe("with 10,000 popular items, a search for near names", () => {
  const parametersOf = (name: string) => [[name], "usr_none", name, name]

  const nameOf = async (n: number) => {
    const { rows } = await client.query<{ name: string }>("SELECT name FROM listings WHERE id = $1", [
      `lst_${String(n).padStart(9, "0")}`
    ])
    return rows[0]?.name ?? assert.fail("no such listing")
  }

  it("reads no table whole, and finds names by the index of their neighbours (NAME-3)", async () => {
    const parameters = parametersOf(await nameOf(1))
    for (const query of [
      { text: findNameFindings, parameters },
      { text: findNamesakes, parameters: [...parameters, new Date()] }
    ]) {
      assert.deepStrictEqual(await scannedWhole(client, query, big), [])
      const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${query.text}`, query.parameters)
      assert.include(JSON.stringify(rows), "popular_names_near")
    }
  })

  it("uses the index of name keys, never below a LIMIT (NAME-1)", async () => {
    const parameters = ["{}", "", "", ""]
    const explained = Effect.flatMap(Database, ({ sql }) =>
      sql.unsafe<{ readonly "QUERY PLAN": readonly [{ readonly Plan: PlanNode }] }>(
        `EXPLAIN (FORMAT JSON, GENERIC_PLAN) ${findNameFindings}`,
        parameters
      )
    )
    const [row] = await Effect.runPromise(Effect.provide(explained, Database.layer({ url: Redacted.make(url) })))
    const nodes = nodesOf(row?.["QUERY PLAN"][0].Plan ?? assert.fail("no plan"))
    const limited = nodes.filter((node) => node["Node Type"] === "Limit").flatMap(nodesOf)
    assert.notInclude(JSON.stringify(limited), "name_keys")
    assert.include(JSON.stringify(nodes), "listings_name_keys")
  })

  it("finds the names that differ in one character (NAME-3)", async () => {
    const name = await nameOf(4321)
    const [, ...rest] = name
    for (const near of [name, `${name}x`, `x${name}`, rest.join(""), `x${rest.join("")}`]) {
      const { rows } = await client.query(findNamesakes, [...parametersOf(near), null])
      assert.deepStrictEqual(rows[0].popular, [{ id: "lst_000004321", skeleton: name }])
    }
    const { rows } = await client.query(findNamesakes, [...parametersOf(`${name}xy`), null])
    assert.isNull(rows[0].popular)
  })

  it("takes a few milliseconds (NAME-3)", async () => {
    const names: Array<string> = []
    for (let n = 0; n < 200; n++) names.push(await nameOf(n * 50))
    for (const [statement, text, more] of [
      ["the name of a new item", findNameFindings, []],
      ["the name of a scanned item", findNamesakes, [null]]
    ] as const) {
      const median = await measure(
        statement,
        text,
        names.map((name) => [...parametersOf(`${name}x`), ...more])
      )
      assert.isBelow(median, 50, statement)
    }
  })
})
