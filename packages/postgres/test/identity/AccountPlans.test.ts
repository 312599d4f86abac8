import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { Client } from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { forgetInDeliveries, forgetInEvents, forgetInMoney, forgetNames } from "../../src/identity/eraseMethods.ts"
import { exportStatements } from "../../src/identity/PostgresExportStore.ts"
import { spendingQueries } from "../../src/purchases/spendingReport.ts"
import { earningsTimelines, spendingTimelines } from "../../src/purchases/timelines.ts"
import { scannedWhole } from "../explain.ts"

/** Reviews, events, purchases and results of Idempotency-Keys of a thousand accounts. */
const fill = [
  `INSERT INTO item_reviews (id, item_id, author_id, author, rating, created_at, updated_at)
   SELECT 'rev_' || n, 'lst_' || n % 997, 'usr_' || n % 1000, 'Author', 5, now(), now() FROM generate_series(1, 20000) AS n`,
  `INSERT INTO events (type, at, subject, accounts, data)
   SELECT CASE n % 4 WHEN 0 THEN 'soul.downloaded' ELSE 'purchase.completed' END, now(), 'soul_' || n % 5000, '{}', '{}'
   FROM generate_series(1, 40000) AS n`,
  `INSERT INTO purchases (id, buyer_id, seller_id, item_kind, item_id, item_name, item_slug, item_description, item_category, item_creator,
     amount, fee, status, license_type, purchased_at)
   SELECT 'pur_' || n, 'usr_' || n % 1000, 'usr_' || n % 997, 'listing', 'lst_' || n, 'Name', 'name', 'Text', 'data', 'Creator',
     1000000, 50000, 'completed', 'perpetual', now() - n * interval '1 minute'
   FROM generate_series(1, 20000) AS n`,
  `INSERT INTO license_activations (purchase_id, machine, activated_at)
   SELECT 'pur_' || n, 'machine', now() FROM generate_series(1, 20000) AS n`,
  `INSERT INTO idempotent_results (account_id, key, fingerprint, result, at)
   SELECT 'usr_' || n % 1000, 'key_' || n, 'buy', '{"_tag":"Bought","purchase":{"item":{"id":"lst_' || n || '"}}}', now()
   FROM generate_series(1, 20000) AS n`,
  `ANALYZE`
]

const big = ["item_reviews", "events", "purchases", "license_activations", "idempotent_results"]

let client: Client

beforeAll(async () => {
  client = new Client({ connectionString: await createDatabase(), options: "-c random_page_cost=1.1 -c jit=off" })
  await client.connect()
  for (const statement of fill) await client.query(statement)
})

afterAll(() => client.end())

describe("what an owner requests about one account reads no table of all accounts", () => {
  it("the export of reviews, purchases, activations and sales (ACCOUNT-6)", async () => {
    for (const name of ["reviews", "purchases", "activations", "sales"] as const) {
      const statement = { text: exportStatements[name], parameters: ["usr_17"] }
      assert.deepStrictEqual(await scannedWhole(client, statement, big), [], name)
    }
  })

  it("an erasure: its reviews, the events of its items, and the results of those who bought them (ACCOUNT-7)", async () => {
    for (const text of [forgetInDeliveries, forgetInEvents, ...forgetNames, ...forgetInMoney]) {
      assert.deepStrictEqual(await scannedWhole(client, { text, parameters: ["usr_17"] }, big), [], text)
    }
  })

  it("the spending of an owner by group (BUDGET-4)", async () => {
    const [from, to] = [new Date(Date.now() - 86_400_000), new Date()]
    for (const [group, text] of Object.entries(spendingQueries)) {
      for (const period of [
        [null, null],
        [from, to]
      ]) {
        const statement = { text, parameters: [20, 0, "usr_17", ...period] }
        assert.deepStrictEqual(await scannedWhole(client, statement, big), [], group)
      }
    }
  })

  it("the spending and the earnings of an account over time (BUDGET-5, SALE-5)", async () => {
    const parameters = ["usr_17", new Date(Date.now() - 366 * 86_400_000), new Date(), 10]
    for (const text of [...Object.values(spendingTimelines), ...Object.values(earningsTimelines)]) {
      assert.deepStrictEqual(await scannedWhole(client, { text, parameters }, big), [], text)
    }
  })
})
