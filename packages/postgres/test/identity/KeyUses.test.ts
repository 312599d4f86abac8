import { createDatabase } from "@agent-marketplace/fixtures/postgres/TestPostgres"
import { Client } from "pg"
import { assert, it } from "vitest"

const firstUse = "2026-03-04T05:06:07.000Z"

/** How many updates of the current transaction wrote no index. */
const onlyInTheTable = "SELECT pg_stat_get_xact_tuples_hot_updated('api_keys'::regclass)::int AS count"

const use = "UPDATE api_keys SET last_used_at = last_used_at + $1::interval WHERE id = 'key_1'"

it("a use of a key writes no index as long as the hour is the same", async () => {
  const client = new Client({ connectionString: await createDatabase() })
  await client.connect()
  const count = async (): Promise<number> =>
    (await client.query<{ count: number }>(onlyInTheTable)).rows[0]?.count ?? -1
  try {
    await client.query(
      `INSERT INTO api_keys (id, name, scope, prefix, hash, status, last_used_at, created_at, family_id)
       VALUES ('key_1', 'One', 'FULL', 'p', 'h', 'active', $1::timestamptz, $1::timestamptz, 'key_1')`,
      [firstUse]
    )
    await client.query("BEGIN")
    await client.query(use, ["10 minutes"])
    assert.strictEqual(await count(), 1)
    await client.query(use, ["50 minutes"])
    assert.strictEqual(await count(), 1)
    await client.query(use, ["1 second"])
    assert.strictEqual(await count(), 2)
    const { rows } = await client.query<{ hour: Date }>("SELECT used_hour AS hour FROM api_keys WHERE id = 'key_1'")
    assert.deepStrictEqual(rows, [{ hour: new Date("2026-03-04T06:00:00.000Z") }])
    await client.query("COMMIT")
  } finally {
    await client.end()
  }
})
